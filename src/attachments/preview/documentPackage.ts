import { unzipSync, zipSync } from 'fflate'

import { isCompound, UNPACKED_MAX } from '#contract/kit/unpack.ts'

import { Unpreviewable } from './previewValues.ts'
import { demandUnpackable } from './unpackValues.ts'

/** Limit in bytes for XML: a novel has about 5 MB, and its DOM takes many times the memory. */
const XML_MAX = 32 * 1024 * 1024

/**
 * Repacks a Word document without compression, so that nothing is inflated outside of the worker.
 * @throws Unpreviewable if it has a password; Error if it is no archive, is damaged, or unpacks to too much
 */
export function unpackedDocument(bytes: Uint8Array, xmlMax = XML_MAX): Uint8Array<ArrayBuffer> {
  if (isCompound(bytes)) throw new Unpreviewable('protected')
  demandUnpackable(bytes)
  const parts = unzipSync(bytes, {
    // The library allocates the sizes that the headers declare.
    filter: ({ originalSize }) => {
      if (originalSize > UNPACKED_MAX) throw new Error('The file unpacks to too much.')
      return true
    },
  })
  const xml = Object.entries(parts).filter(([name]) => /\.(?:xml|rels)$/i.test(name))
  const size = xml.reduce((sum, [, part]) => sum + part.length, 0)
  if (size > xmlMax) throw new Error('The document is too long to be shown.')
  return zipSync(parts, { level: 0 })
}
