import { networkInterfaces } from 'node:os'
import { connect } from 'node:net'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'

import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'

import { makeOrigins } from '#server/kit/http/origins.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const port = Number(new URL(muster.url).port)
const canonical = `http://127.0.0.1:${port}`
const FOREIGN = [
  'evil.example',
  `evil.example:${port}`,
  `127.0.0.1.evil.example:${port}`,
  'x; y',
  '"><script>',
]

/** Requests a body with a given Host header. */
const bodyFor = (path: string, host: string, { url }: Pick<TestServer, 'url'> = muster): Promise<string> =>
  new Promise((resolve, reject) => {
    request(url + path, { headers: { Host: host } }, (answer) => resolve(text(answer)))
      .on('error', reject)
      .end()
  })

describe('the address of the interface', () => {
  test.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST', 'muster.localhost'])(
    'is the name %s of this machine under which the caller found it',
    async (name) => {
      const { code } = await muster.anOrganisation()
      const host = `${name}:${port}`
      expect(JSON.parse(await bodyFor(`/registry/${code}`, host)).apiUrl).toBe(`http://${host}/api`)
      expect(JSON.parse(await bodyFor('/registry', host)).apiUrl).toBe(`http://${host}/api`)
      expect(await bodyFor('/docs', host)).toContain(`http://${host}/api`)
    },
  )

  test.each(FOREIGN)('is never the Host header %s', async (host) => {
    expect(JSON.parse(await bodyFor('/registry', host))).toEqual({ apiUrl: `${canonical}/api` })
    const docs = await bodyFor('/docs', host)
    expect(docs).toContain(`${canonical}/api`)
    expect(docs).not.toContain('evil')
  })

  test('is that of PUBLIC_URL where that is set, as links in messages are', async () => {
    const known = await startTestServer({ PUBLIC_URL: 'https://muster.example/', ALLOW_OUTBOX: '1' })
    for (const host of ['localhost', ...FOREIGN])
      expect(JSON.parse(await bodyFor('/registry', host, known)).apiUrl).toBe('https://muster.example/api')
    expect(known.services.publicUrl()).toBe('https://muster.example')
  })
})

describe('a server that listens everywhere', () => {
  const origins = makeOrigins({ publicUrl: null, host: '0.0.0.0' }, () => 3000)
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address
  const of = (host: string) => origins.of({ host, protocol: 'http' })

  test('is known by the addresses of its machine, and by no other name', () => {
    const fallback = `http://${own ?? '127.0.0.1'}:3000`
    expect(origins.publicUrl()).toBe(fallback)
    expect(of('localhost:3000')).toBe('http://localhost:3000')
    if (own) expect(of(`${own}:3000`)).toBe(`http://${own}:3000`)
    for (const host of [`${own ?? '192.0.2.1'}:4000`, '192.0.2.1:3000', 'evil.example:3000'])
      expect(of(host)).toBe(fallback)
  })

  test('or by the one address that it listens on', () => {
    const one = makeOrigins({ publicUrl: null, host: '192.0.2.9' }, () => 80)
    expect(one.of({ host: '192.0.2.9', protocol: 'http' })).toBe('http://192.0.2.9')
    expect(one.of({ host: '192.0.2.10', protocol: 'http' })).toBe('http://192.0.2.9:80')
  })
})

/** The status of the live socket's handshake for an origin. */
const dial = (origin: string | undefined, headers: Record<string, string> = {}, { url } = muster) =>
  new Promise<number>((resolve) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/live`, {
      headers,
      ...(origin !== undefined && { origin }),
    })
    socket.on('open', () => {
      resolve(101)
      socket.close()
    })
    socket.on('unexpected-response', (_, answer) => {
      resolve(answer.statusCode!)
      answer.destroy()
    })
    socket.on('error', () => {})
  })

describe('the live socket', () => {
  test('is opened by the product’s own pages and by programs', async () => {
    expect(await dial(undefined)).toBe(101)
    expect(await dial(canonical)).toBe(101)
    expect(await dial('http://localhost:5173', { Host: 'localhost:5173' })).toBe(101)
  })

  test.each(['https://evil.example', 'null', 'http://localhost:1', `https://127.0.0.1:${port}`])(
    'is refused to a page of %j',
    async (origin) => expect(await dial(origin)).toBe(403),
  )

  test('is refused to a page whose host name was made to point here', async () => {
    const host = `evil.example:${port}`
    expect(await dial(`http://${host}`, { Host: host })).toBe(403)
  })

  test('is opened by pages of PUBLIC_URL, whatever host name the proxy passes on', async () => {
    const behind = await startTestServer({ PUBLIC_URL: 'https://muster.example', ALLOW_OUTBOX: '1' })
    expect(await dial('https://muster.example', { Host: 'upstream' }, behind)).toBe(101)
    expect(await dial('https://evil.example', { Host: 'evil.example' }, behind)).toBe(403)
  })
})

describe('what cannot be read as HTTP', () => {
  /** The complete response to raw bytes. */
  const raw = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
      text(socket).then(resolve, reject)
    })

  test.each([
    ['a line that is no request', 'nonsense\r\n\r\n', 400, 'invalid'],
    ['a header line without a name', 'GET / HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n', 400, 'invalid'],
    ['no host', 'GET /meta.json HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid'],
    [
      'an address that cannot be decoded',
      'GET /api/%ff HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      400,
      'invalid',
    ],
    [
      'two lengths',
      'POST /api HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
      'invalid',
    ],
    [
      'headers that are too long',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'an expectation that nobody meets',
      'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
      417,
      'expectation_failed',
    ],
  ])('is refused in the one shape: %s', async (_, bytes, status, code) => {
    const answer = await raw(bytes)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head).toMatch(/content-type: application\/json/i)
    expect(head).toMatch(/x-content-type-options: nosniff/i)
    expect(JSON.parse(body)).toEqual({ code, message: expect.stringMatching(/^[A-Z].+\.$/) })
  })
})
