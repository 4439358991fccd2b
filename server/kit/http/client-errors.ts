import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { Refusal } from '../core/refusal.ts'

const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
}
const notHttp = () => new Refusal(400, 'The request is not valid HTTP.')

function refusalOf(code: string | undefined): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal(408, 'The request took too long to arrive.')
  if (code === 'HPE_HEADER_OVERFLOW') return new Refusal(431, 'The headers of the request are too large.')
  return notHttp()
}

/** Responds to requests that Node's HTTP parser refuses: Fastify's `clientErrorHandler`. */
export function refuseClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const refusal = refusalOf(error.code)
  const body = JSON.stringify(refusal.toProblem())
  const headers = { ...HEADERS, 'Content-Length': Buffer.byteLength(body), Connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`,
    () => socket.destroy(),
  )
}

/** Responds to addresses that the router cannot read: Fastify's `frameworkErrors`, for which no hook runs. */
export function refuseAddress(_error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  void reply.status(400).headers(HEADERS).send(new Refusal(400, 'The request is not valid.').toProblem())
}

/** Gives Node's own bodiless error responses the shape of the others. */
export function registerClientErrors(app: FastifyInstance): void {
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const refusal = new Refusal(417, 'The expectation of the request cannot be met.')
    const body = JSON.stringify(refusal.toProblem())
    response.writeHead(refusal.status, { ...HEADERS, 'Content-Length': Buffer.byteLength(body) }).end(body)
  })
  // Node checks this itself unless `requireHostHeader` is off, and responds without a body.
  app.addHook('onRequest', async ({ raw, headers }) => {
    if (raw.httpVersion === '1.1' && !headers.host) throw notHttp()
  })
}
