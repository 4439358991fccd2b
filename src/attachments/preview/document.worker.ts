import { unpackedDocument } from './documentPackage.ts'

/** Answers the document that arrives without compression, or undefined where it cannot be read. */
addEventListener('message', ({ data }: MessageEvent<Uint8Array>) => {
  try {
    postMessage(unpackedDocument(data))
  } catch {
    postMessage(undefined)
  }
})
