import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'

import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { Database } from '#server/kit/database/db.ts'
import { registerHealth } from '#server/kit/http/health.ts'
import { makeOrigins } from '#server/kit/http/origins.ts'
import { Refusal } from '#server/kit/core/refusal.ts'
import { registerSite } from '#server/kit/http/site.ts'
import type { Jitsi } from '#server/kit/core/settings.ts'

const INDEX =
  '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><meta name="error-reporting" content="__ERROR_REPORTING__"><div id="root"></div>'
const SCRIPT = 'console.log("the application")\n'.repeat(100)
let databaseAnswers = true
const database = {
  pool: {
    totalCount: 3,
    idleCount: 2,
    waitingCount: 0,
    query: async () => {
      if (!databaseAnswers) throw new Error('gone')
    },
  },
} as unknown as Database

let siteDir: string
let app: FastifyInstance
function build(
  publicUrl: string | null = null,
  folder = siteDir,
  sentryDsn: string | null = null,
  trustProxy = false,
  jitsi: Jitsi | null = null,
): FastifyInstance {
  const made = Fastify()
  made.setErrorHandler((error: Refusal, _request, reply) =>
    reply.status(error.status).send(error.toProblem()),
  )
  const origins = makeOrigins({ publicUrl, host: '127.0.0.1' }, () => 3000)
  registerSite(made, { siteDir: folder, settings: { publicUrl, sentryDsn, jitsi }, origins })
  registerHealth(made, {
    database,
    settings: { metricsToken: 'a-token', publicUrl, trustProxy },
    backups: { state: () => null },
    warnings: () => [],
    measure: async () => [],
  })
  made.get('/api/large', async () => ({ rows: Array.from({ length: 500 }, (_, n) => `row ${n}`) }))
  made.get('/api/small', async () => ({ rows: [] }))
  made.get('/api/tagged', async (_request, reply) =>
    reply
      .header('ETag', '"strong"')
      .header('Vary', 'Accept')
      .send({ text: 'x'.repeat(2_000) }),
  )
  made.get('/api/file', async (_request, reply) =>
    reply
      .header('Content-Disposition', 'attachment; filename="a.json"')
      .type('application/json')
      .send('x'.repeat(5_000)),
  )
  return made
}
beforeAll(async () => {
  siteDir = await mkdtemp(join(tmpdir(), 'muster-site-'))
  await mkdir(join(siteDir, 'assets'))
  await mkdir(join(siteDir, '.vite'))
  await writeFile(join(siteDir, 'index.html'), INDEX)
  await writeFile(join(siteDir, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(siteDir, 'assets/main-abc123.js'), SCRIPT)
  await writeFile(join(siteDir, 'assets/pdf.worker.min-abc123.mjs'), SCRIPT)
  await writeFile(join(siteDir, 'assets/main-abc123.js.br'), brotliCompressSync(SCRIPT))
  for (const name of ['document.frame-abc123.js', 'document.frames-abc123.js'])
    await writeFile(join(siteDir, 'assets', name), SCRIPT)
  await writeFile(join(siteDir, '.vite/manifest.json'), '{}')
  app = build()
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await rm(siteDir, { recursive: true })
})
const get = (url: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  app.inject({ url, headers: { host: 'localhost:3000', ...headers }, remoteAddress })
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('the application', () => {
  test.for(['/', '/incidents', '/incidents/5?tab=files', '/set-password?u=1'])(
    'is the page at %s',
    async (url) => {
      const reply = await get(url, browser)
      expect(reply.statusCode).toBe(200)
      expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(reply.headers['cache-control']).toBe('no-cache')
      expect(reply.body).toContain('<div id="root">')
    },
  )

  test('says where errors are reported, and lets the page report there, only if somebody wants it', async () => {
    const quiet = await get('/', browser)
    expect(quiet.body).toContain('<meta name="error-reporting" content="">')
    const reporting = build(null, siteDir, 'https://key@errors.example/42?a="b')
    const { body, headers } = await reporting.inject({ url: '/', headers: browser })
    await reporting.close()
    expect(body).toContain('content="https://key@errors.example/42?a=&#34;b"')
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(/connect-src 'self'[^;]* https:\/\/errors\.example;/)
    expect(String(quiet.headers['content-security-policy'])).not.toContain('errors.example')
  })

  test('has a nonce of its own each time, in the page and in its policy', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const reply = await get('/', browser)
        const nonce = /content="([^"]+)"/.exec(reply.body)![1]!
        expect(reply.headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}';`)
        return nonce
      }),
    )
    expect(nonces[0]).not.toBe(nonces[1])
    expect(Buffer.from(nonces[0]!, 'base64')).toHaveLength(16)
  })

  test.for([
    '/api/nothing',
    '/management-api/nothing',
    '/registry/nothing/x',
    '/assets/old-999.js',
    '/assets/',
    '/assets/..%2findex.html',
    '/assets/%00',
    '/docs/nothing',
    '/missing.png',
    '/.vite/manifest.json',
    '/../package.json',
  ])('is not the page at %s', async (url) => {
    const reply = await get(url, browser)
    expect(reply.statusCode).toBe(404)
    expect(reply.json()).toMatchObject({ code: 'not_found' })
  })

  test('answers no other method and nobody who wants data', async () => {
    expect((await app.inject({ method: 'POST', url: '/incidents', headers: browser })).statusCode).toBe(404)
    const trace = {
      method: 'TRACE' as 'GET',
      url: '/',
      headers: { ...browser, authorization: 'Bearer secret' },
    }
    const traced = await app.inject(trace)
    expect([traced.statusCode, traced.body.includes('secret')]).toEqual([404, false])
    expect((await get('/incidents', { accept: 'application/json' })).statusCode).toBe(404)
  })

  test('sends files compressed as they were built, to be kept for a year', async () => {
    const reply = await get('/assets/main-abc123.js', { 'accept-encoding': 'gzip, br' })
    expect(reply.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(reply.headers['content-type']).toContain('javascript')
    expect(brotliDecompressSync(reply.rawPayload).toString()).toBe(SCRIPT)
    const plain = await get('/assets/main-abc123.js')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.body).toBe(SCRIPT)
    expect((await get('/icon.svg')).headers['cache-control']).toBe('no-cache')
  })

  test('lets a frame without an origin have the script that converts documents, and no other', async () => {
    const policy = async (name: string) =>
      (await get(`/assets/${name}`)).headers['cross-origin-resource-policy']
    expect(await policy('document.frame-abc123.js')).toBe('cross-origin')
    for (const name of ['main-abc123.js', 'document.frames-abc123.js'])
      expect(await policy(name)).toBe('same-origin')
  })

  test('says its version', async () => {
    const reply = await get('/meta.json')
    expect(reply.json()).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
    expect(reply.headers['cache-control']).toBe('no-cache')
  })

  test('says so when it was not built', async () => {
    const unbuilt = build(null, join(siteDir, 'nowhere'))
    expect((await unbuilt.inject('/')).statusCode).toBe(503)
    expect((await unbuilt.inject('/incidents')).statusCode).toBe(404)
    await unbuilt.close()
  })
})

describe('headers', () => {
  test.for(['/', '/api/small', '/api/nothing', '/icon.svg'])('protect %s', async (url) => {
    const { headers } = await get(url, browser)
    const policy = String(headers['content-security-policy'])
    for (const part of [
      "default-src 'self'",
      "script-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ])
      expect(policy.split('; ')).toContain(part)
    expect(policy).not.toMatch(/unsafe|upgrade-insecure/)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=(self)'),
    })
    expect(headers['strict-transport-security']).toBeUndefined()
    // No other site may read a response.
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('let only the worker that reads PDF compile decoders, which it fetches from here', async () => {
    const { headers } = await get('/assets/pdf.worker.min-abc123.mjs')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'self'",
    )
    expect(headers['cache-control']).toContain('immutable')
    expect((await get('/assets/main-abc123.js')).headers['content-security-policy']).not.toContain('unsafe')
  })

  test('let the page load calls from the Jitsi of the installation, and from nowhere else', async () => {
    const jitsi = { domain: 'meet.example.com', appId: 'muster', appSecret: 'shared' }
    const other = build(null, siteDir, null, false, jitsi)
    const { headers } = await other.inject({ url: '/', headers: browser })
    await other.close()
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toContain("script-src 'self' https://meet.example.com")
    expect(policy).toContain("frame-src 'self' https://meet.example.com")
    expect(headers['permissions-policy']).toContain('camera=(self "https://meet.example.com")')
    expect((await get('/', browser)).headers['content-security-policy']).not.toContain('frame-src')
  })

  test('let the page open sockets to the product, and never to a host that the request made up', async () => {
    const policyFor = async (host: string, { headers }: { headers: object } = { headers: {} }) =>
      (await get('/', { ...browser, ...headers, host })).headers['content-security-policy']
    expect(await policyFor('localhost:3000')).toContain("connect-src 'self' ws://localhost:3000;")
    expect(await policyFor('[::1]:3000')).toContain("connect-src 'self' ws://[::1]:3000;")
    for (const host of ['muster.example:8080', '127.0.0.1.evil.example', "x; script-src 'unsafe-inline'"])
      expect(await policyFor(host)).toContain("connect-src 'self' ws://127.0.0.1:3000;")
    const secure = build('https://muster.example/')
    const { headers } = await secure.inject({ url: '/', headers: { ...browser, host: 'evil.example' } })
    await secure.close()
    expect(headers['content-security-policy']).toContain("connect-src 'self' wss://muster.example;")
  })

  test('insist on https where that is how people come', async () => {
    const secure = build('https://muster.example')
    expect((await secure.inject('/')).headers['strict-transport-security']).toBe(
      'max-age=31536000; includeSubDomains',
    )
    await secure.close()
  })
})

describe('compression', () => {
  test('makes large answers small, by what the caller takes', async () => {
    const whole = (await get('/api/large')).body
    const br = await get('/api/large', { 'accept-encoding': 'gzip, deflate, br' })
    expect(br.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' })
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(whole)
    expect(br.headers['content-length']).toBe(String(br.rawPayload.length))
    const gzip = await get('/api/large', { 'accept-encoding': 'gzip, br;q=0' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(whole)
    const none = await get('/api/large', { 'accept-encoding': 'identity' })
    expect(none.headers['content-encoding']).toBeUndefined()
    expect(none.headers['vary']).toBe('Accept-Encoding')
  })

  test('leaves small answers and downloads alone', async () => {
    const headers = { 'accept-encoding': 'br' }
    expect((await get('/api/small', headers)).headers['content-encoding']).toBeUndefined()
    const file = await get('/api/file', headers)
    expect(file.headers['content-encoding']).toBeUndefined()
    expect(file.body).toHaveLength(5_000)
  })

  test('weakens a tag that named the exact bytes', async () => {
    const reply = await get('/api/tagged', { 'accept-encoding': 'br' })
    expect(reply.headers).toMatchObject({ etag: 'W/"strong"', vary: 'Accept, Accept-Encoding' })
  })
})

describe('what only the operator sees', () => {
  const paths = ['/health/live', '/health/ready', '/metrics']
  test.for(paths)('%s is not there for others', async (path) => {
    expect((await get(path)).statusCode).toBe(200)
    expect((await get(path, {}, '::ffff:127.0.0.1')).statusCode).toBe(200)
    expect((await get(path, {}, '192.0.2.7')).statusCode).toBe(404)
    // A foreign host name that resolves to this server.
    expect((await get(path, { host: 'evil.example:3000' })).statusCode).toBe(404)
  })

  test.for([
    'x-forwarded-for',
    'x-forwarded-proto',
    'x-forwarded-host',
    'forwarded',
    'via',
    'x-real-ip',
    'cf-connecting-ip',
    'true-client-ip',
  ])('a call that a proxy passes on with %s is not local', async (header) => {
    for (const path of paths) expect((await get(path, { [header]: '127.0.0.1' })).statusCode, path).toBe(404)
  })

  test.for([
    ['a public PUBLIC_URL', () => build('https://muster.example')],
    ['TRUST_PROXY', () => build(null, siteDir, null, true)],
  ] as const)('no address opens them with %s, the token does', async ([, make]) => {
    const behind = make()
    for (const path of paths) {
      const ask = (headers: object) =>
        behind.inject({
          url: path,
          headers: { host: 'localhost:3000', ...headers },
          remoteAddress: '127.0.0.1',
        })
      expect((await ask({})).statusCode, path).toBe(404)
      expect((await ask({ authorization: 'Bearer a-token' })).statusCode, path).toBe(200)
    }
    await behind.close()
  })

  test('a PUBLIC_URL on this machine changes nothing', async () => {
    const local = build('http://muster.localhost:3000')
    expect((await local.inject({ url: '/metrics', headers: { host: 'localhost' } })).statusCode).toBe(200)
    await local.close()
  })

  test('the token opens them from elsewhere', async () => {
    const right = { authorization: 'Bearer a-token' }
    for (const path of paths) {
      expect((await get(path, right, '192.0.2.7')).statusCode).toBe(200)
      for (const wrong of ['Bearer b-token', 'Bearer a-token2', 'Bearer ', ''])
        expect((await get(path, { authorization: wrong }, '192.0.2.7')).statusCode).toBe(404)
    }
  })

  test('readiness is the database', async () => {
    databaseAnswers = false
    expect((await get('/health/ready')).statusCode).toBe(503)
    expect((await get('/health/live')).statusCode).toBe(200)
    databaseAnswers = true
  })

  test('metrics count requests by route, not by address', async () => {
    await get('/api/small')
    await get('/somewhere/else')
    const { body } = await get('/metrics')
    expect(body).toMatch(/muster_request_seconds_count\{method="GET",route="\/api\/small",status="200"\} \d/)
    expect(body).not.toContain('/somewhere/else')
    expect(body).toContain('muster_database_connections{state="idle"} 2')
    expect(body).toContain('process_cpu_seconds_total')
  })
})
