import { request as plain } from 'node:http'
import { request as secure } from 'node:https'
import { buffer } from 'node:stream/consumers'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'

import { formWith } from '#tests/support/attachments.ts'
import { documentedConfig, freePort, HAS_NGINX, runNginx, selfSigned } from '#tests/support/nginx.ts'
import { OUTBOX_KEY, PASSWORD, startTestServer } from '#tests/support/server.ts'

const NAME = 'muster.example'
/** Another loopback address, to tell the client from the proxy. */
const CLIENT = '127.0.0.2'

interface ProxyReply {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}
interface Call {
  method?: string
  headers?: Record<string, string>
  body?: Buffer | string
}

test('nginx is installed where changes are checked', () => {
  expect(HAS_NGINX || !process.env['CI']).toBe(true)
})

describe.runIf(HAS_NGINX)('behind nginx as the documentation has it', async () => {
  const [https, http] = [await freePort(), await freePort()]
  const muster = await startTestServer({
    PUBLIC_URL: `https://${NAME}:${https}`,
    TRUST_PROXY: '1',
    ALLOW_OUTBOX: '1',
    METRICS_TOKEN: 'the-metrics-token',
  })
  let stop = async () => {}
  beforeAll(async () => {
    stop = await runNginx(
      (folder) =>
        documentedConfig({
          https,
          http,
          product: Number(new URL(muster.url).port),
          certificate: selfSigned(folder),
        }),
      https,
    )
  })
  afterAll(() => stop())

  const call = (path: string, { method = 'GET', headers = {}, body }: Call = {}): Promise<ProxyReply> =>
    new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: https,
        path,
        method,
        servername: NAME,
        localAddress: CLIENT,
        rejectUnauthorized: false,
        headers: { Host: `${NAME}:${https}`, ...headers },
      }
      const sent = secure(options, async (answer) =>
        resolve({
          status: answer.statusCode!,
          headers: answer.headers,
          text: (await buffer(answer)).toString('utf8'),
        }),
      )
      sent.on('error', reject).end(body)
    })

  test('people sign in, and their own address is counted, whatever they claim', async () => {
    const organisation = await muster.anOrganisation({ auth2fa: false })
    const { email } = await muster.aUser(organisation)
    const answer = await call('/api/authentication/upass', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.9' },
      body: JSON.stringify({ email, password: PASSWORD, enterpriseCode: organisation.code }),
    })
    expect([answer.status, JSON.parse(answer.text).isSuccess]).toEqual([200, true])
    expect(answer.headers['strict-transport-security']).toMatch(/^max-age=31536000/)
    const sessions = await muster.inside(organisation, (db) =>
      db.selectFrom('sessions').select('address').execute(),
    )
    expect(sessions).toEqual([{ address: CLIENT }])
    const registry = await call(`/registry/${organisation.code}`)
    expect(JSON.parse(registry.text).apiUrl).toBe(`https://${NAME}:${https}/api`)
  })

  test('the live socket stays open', async () => {
    const person = await muster.signedInAs(await muster.anOrganisation())
    const { body } = await person.post('/live/ticket')
    const word = await new Promise<string>((resolve, reject) => {
      const options: ClientOptions & { servername: string } = {
        servername: NAME,
        rejectUnauthorized: false,
        origin: `https://${NAME}:${https}`,
        headers: { Host: `${NAME}:${https}` },
      }
      const socket = new WebSocket(`wss://127.0.0.1:${https}/api/live`, options)
      socket.on('open', () => socket.send(JSON.stringify({ ticket: body.ticket, after: null })))
      socket.on('message', (data: Buffer) => {
        resolve((JSON.parse(data.toString('utf8')) as { type: string }).type)
        socket.close()
      })
      socket.on('error', reject)
    })
    expect(word).toBe('ready')
  })

  test('20 MB are uploaded', async () => {
    const person = await muster.signedInAs(await muster.anOrganisation({ multiIncident: true }))
    const { body: incident } = await person.post('/incident', { title: 'Large', fullText: '<p>x</p>' })
    const form = new Response(formWith('line of a log\n'.repeat(1_500_000), 'log.txt'))
    const answer = await call(`/api/fa/INCIDENT/${incident.id}`, {
      method: 'POST',
      headers: { ...person.headers, 'Content-Type': form.headers.get('content-type')! },
      body: Buffer.from(await form.arrayBuffer()),
    })
    expect([answer.status, JSON.parse(answer.text).size]).toEqual([201, 21_000_000])
  })

  test.each([
    `/outbox?key=${OUTBOX_KEY}`,
    '/outbox',
    '/outbox/',
    '//outbox',
    '/%6futbox',
    '/x/../outbox',
    '/metrics',
    '/health/live',
    '/health/ready',
  ])('%s is not reachable, not even with the keys', async (path) => {
    for (const key of [OUTBOX_KEY, 'the-metrics-token']) {
      const answer = await call(path, {
        headers: { Authorization: `Bearer ${key}`, Accept: 'application/json' },
      })
      expect(answer.status).toBe(404)
    }
  })

  test('plain HTTP leads people to HTTPS, and refuses programs', async () => {
    const plainly = (path: string) =>
      new Promise<ProxyReply>((resolve, reject) => {
        plain({ port: http, host: '127.0.0.1', path, headers: { Host: NAME } }, async (reply) =>
          resolve({
            status: reply.statusCode!,
            headers: reply.headers,
            text: (await buffer(reply)).toString('utf8'),
          }),
        )
          .on('error', reject)
          .end()
      })
    const page = await plainly('/x?y=1')
    expect([page.status, page.headers['location']]).toEqual([308, `https://${NAME}/x?y=1`])
    for (const path of ['/api/incident', '/management-api/login', '/registry/demo'])
      expect((await plainly(path)).status).toBe(403)
  })
})

describe.runIf(HAS_NGINX)('behind a plain proxy_pass, which sends no header', async () => {
  const known = await startTestServer({ PUBLIC_URL: 'https://muster.example', ALLOW_OUTBOX: '1' })
  const unknown = await startTestServer()
  const ports = [await freePort(), await freePort(), await freePort()] as const
  let stop = async () => {}
  beforeAll(async () => {
    const server = (port: number, to: string, version: string) =>
      `server { listen 127.0.0.1:${port}; location / { proxy_http_version ${version}; proxy_pass ${to}; } }`
    stop = await runNginx(
      () =>
        [
          server(ports[0], known.url, '1.0'),
          server(ports[1], known.url, '1.1'),
          server(ports[2], unknown.url, '1.0'),
        ].join('\n'),
      ports[0],
    )
  })
  afterAll(() => stop())

  test.each([
    ['/metrics', 404],
    ['/health/live', 404],
    ['/health/ready', 404],
    ['/outbox', 401],
  ])('%s shows nothing', async (path, status) => {
    for (const port of ports) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { Accept: 'application/json' },
      })
      expect([404, status]).toContain(answer.status)
      expect(Object.keys((await answer.json()) as object)).toEqual(['code', 'message'])
    }
  })
})
