import { pipeline, Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Bytes below which compressing takes longer than sending. */
const WORTH_COMPRESSING = 1_024
const COMPRESSIBLE = /^(application\/(json|openapi\+json)|text\/(html|css|plain))\b/
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** The best encoding that the browser accepts and that is fast. */
function encodingFor(request: FastifyRequest): 'br' | 'gzip' | undefined {
  const refused = /;\s*q=0(\.0*)?\s*$/
  const taken = (request.headers['accept-encoding'] ?? '')
    .split(',')
    .filter((one) => !refused.test(one))
    .map((one) => one.split(';')[0]!.trim().toLowerCase())
  return taken.includes('br') ? 'br' : taken.includes('gzip') ? 'gzip' : undefined
}

/**
 * Compresses generated text responses. The site's files are compressed at build time, and uploads are sent unchanged.
 */
export function registerCompression(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isStream = payload instanceof Readable
    if (!(typeof payload === 'string' || isStream) || !isCompressible(reply)) return payload
    reply.header('Vary', [reply.getHeader('vary'), 'Accept-Encoding'].flat().filter(Boolean).join(', '))
    const encoding = encodingFor(request)
    if (!encoding || (!isStream && Buffer.byteLength(payload) < WORTH_COMPRESSING)) return payload
    reply.header('Content-Encoding', encoding).removeHeader('Content-Length')
    // Compressed bytes differ from the plain ones, so a strong ETag becomes weak.
    const etag = reply.getHeader('etag')
    if (typeof etag === 'string' && !etag.startsWith('W/')) reply.header('ETag', `W/${etag}`)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
    if (isStream)
      return compose(payload, encoding === 'gzip' ? createGzip() : createBrotliCompress({ params }))
    if (encoding === 'gzip') return zip(payload)
    return brotli(payload, {
      params: { ...params, [constants.BROTLI_PARAM_SIZE_HINT]: payload.length },
    })
  })
}

/** Compresses a stream; an error of either ends both. */
const compose = (payload: Readable, compressor: Transform): Readable =>
  // The reader of the compressed stream sees the error.
  pipeline(payload, compressor, () => {})

const isCompressible = (reply: FastifyReply): boolean =>
  COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? '')) &&
  !reply.hasHeader('content-encoding') &&
  !reply.hasHeader('content-disposition')
