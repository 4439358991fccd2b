import { unpackedDocument } from './documentPackage.ts'

/** Replies with the document uncompressed; undefined if it cannot be read. */
addEventListener('message', ({ data }: MessageEvent<Uint8Array>) => {
  try {
    postMessage(unpackedDocument(data))
  } catch {
    postMessage(undefined)
  }
})
