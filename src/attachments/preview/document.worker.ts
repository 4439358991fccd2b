import { unpackedDocument } from './documentPackage.ts'
import { reasonOf } from './previewValues.ts'

/** Replies with the document uncompressed; otherwise the reason, undefined if it is broken. */
addEventListener('message', ({ data }: MessageEvent<Uint8Array>) => {
  try {
    postMessage(unpackedDocument(data))
  } catch (error) {
    postMessage(reasonOf(error))
  }
})
