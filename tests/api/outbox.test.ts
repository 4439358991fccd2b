import { randomInt } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { beforeAll, describe, expect, test } from 'vitest'

import { loadOutboxKey } from '#server/kit/security/secrets.ts'
import { type Organisation, OUTBOX_KEY, startTestServer, type TestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const JSON_ONLY = { Accept: 'application/json' }
const PAGE_ONLY = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const KEY = { Authorization: `Bearer ${OUTBOX_KEY}` }

interface OutboxReply {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}
/** Requests with exactly these headers, including Host. */
const call = (
  path: string,
  headers: Record<string, string>,
  { url }: Pick<TestServer, 'url'> = muster,
): Promise<OutboxReply> =>
  new Promise((resolve, reject) => {
    request(url + path, { headers }, async (answer) =>
      resolve({ status: answer.statusCode!, headers: answer.headers, body: await text(answer) }),
    )
      .on('error', reject)
      .end()
  })
const json = async (path: string) => JSON.parse((await call(path, { ...JSON_ONLY, ...KEY })).body)

const MESSAGES = 1_205
const at = (n: number) => new Date(Date.UTC(2026, 2, 4, 5, 0, 0) + Math.floor(n / 3) * 1_000).toISOString()
let organisation: Organisation
beforeAll(async () => {
  organisation = await muster.anOrganisation()
  const rows = Array.from({ length: MESSAGES }, (_, n) => ({
    id: crypto.randomUUID(),
    channel: 'EMAIL' as const,
    recipient: n % 100 === 0 ? `ada_${n}@example.com` : `person${n}@example.com`,
    subject: `Reset <b>${n}</b>`,
    text: 'Go to https://muster.example/set?a=1&b=2.\n<script>alert(1)</script>',
    html: '<p onclick="alert(1)"><a href="https://muster.example/other?a=1&amp;b=2">there</a></p>',
    content_id: null,
    notification_id: null,
    provider_id: null,
    reason: null,
    state: 'KEPT' as const,
    create_timestamp: at(n),
    done_timestamp: at(n),
  }))
  await muster.inside(organisation, (db) => db.insertInto('messages').values(rows).execute())
})

describe('the key', () => {
  test('is needed, by programs and by people, who read how to get it', async () => {
    const program = await call('/outbox', JSON_ONLY)
    expect(program.status).toBe(401)
    expect(JSON.parse(program.body)).toEqual({
      code: 'unauthenticated',
      message: 'The outbox needs its key: Authorization: Bearer <key>.',
    })
    expect(program.headers['www-authenticate']).toBe('Bearer realm="outbox"')
    const person = await call('/outbox', PAGE_ONLY)
    expect(person.status).toBe(401)
    expect(person.body).toContain('OUTBOX_KEY')
    expect(person.body).toContain('outbox?key=…')
    expect(program.body + person.body).not.toContain('example.com')
    for (const wrong of [`${OUTBOX_KEY}x`, OUTBOX_KEY.slice(1), 'Bearer', ''])
      expect((await call('/outbox', { ...JSON_ONLY, Authorization: `Bearer ${wrong}` })).status).toBe(401)
    expect((await call('/outbox?key=wrong', PAGE_ONLY)).status).toBe(401)
    expect((await call('/outbox?key=', PAGE_ONLY)).status).toBe(401)
  })

  test('in the address becomes a cookie of this path, and leaves the address', async () => {
    const entered = await call(`/outbox?key=${OUTBOX_KEY}&to=ada`, PAGE_ONLY)
    expect([entered.status, entered.headers.location]).toEqual([303, '/outbox?to=ada'])
    const [cookie] = entered.headers['set-cookie'] as string[]
    expect(cookie).toMatch(
      /^__Secure-muster-outbox=[\w-]{43}; Path=\/outbox; HttpOnly; SameSite=Strict; Secure$/,
    )
    // Browsers send the cookie to all ports of the host, so it must not be the key itself.
    expect(cookie).not.toContain(OUTBOX_KEY)
    const opened = await call('/outbox', { ...PAGE_ONLY, Cookie: `other=1; ${cookie!.split(';')[0]}` })
    expect(opened.status).toBe(200)
    expect(opened.headers['cache-control']).toBe('no-store')
    const forged = await call('/outbox', { ...PAGE_ONLY, Cookie: `__Secure-muster-outbox=${OUTBOX_KEY}` })
    expect(forged.status).toBe(401)
  })

  test('opens nothing from elsewhere', async () => {
    const calls: Record<string, string>[] = [
      { Host: 'evil.example' },
      { 'X-Forwarded-For': '127.0.0.1' },
      { 'X-Real-IP': '127.0.0.1' },
      { Via: '1.1 proxy' },
    ]
    for (const headers of calls)
      expect((await call('/outbox', { ...JSON_ONLY, ...KEY, ...headers })).status).toBe(404)
  })

  test('is made once, for its owner only', async () => {
    const made = await loadOutboxKey(null, muster.dataDir)
    expect(made).toMatch(/^[\w-]{43}$/)
    const path = join(muster.dataDir, 'outbox-key')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await readFile(path, 'utf8')).trim()).toBe(made)
    expect(await loadOutboxKey(null, muster.dataDir)).toBe(made)
    await writeFile(path, 'a key of my own\n')
    // A stored key that is too short is replaced.
    const again = await loadOutboxKey(null, muster.dataDir)
    expect(again).toMatch(/^[\w-]{43}$/)
    expect(again).not.toBe(made)
    await writeFile(path, '')
    expect(await loadOutboxKey(null, muster.dataDir)).toMatch(/^[\w-]{43}$/)
    await writeFile(path, 'a longer key of my own\n')
    expect(await loadOutboxKey(null, muster.dataDir)).toBe('a longer key of my own')
    expect(await loadOutboxKey('given by a setting', muster.dataDir)).toBe('given by a setting')
  })

  test('stands in what the start prints', () => {
    expect(muster.welcome).toContain(
      `Mail, SMS and voice calls are kept at ${muster.url}/outbox?key=${OUTBOX_KEY}`,
    )
  })
})

describe('where others are let in by a proxy', () => {
  test.each<Record<string, string>>([
    { TRUST_PROXY: '1' },
    {
      PUBLIC_URL: 'https://muster.example',
      SMTP_URL: 'smtp://127.0.0.1:9',
      TWILIO_ACCOUNT_SID: 'AC1',
      TWILIO_AUTH_TOKEN: 'secret',
      TWILIO_FROM: '+14165550100',
    },
  ])('there is no outbox: %j', async (env) => {
    const closed = await startTestServer(env)
    expect((await call('/outbox', { ...JSON_ONLY, ...KEY }, closed)).status).toBe(404)
    expect((await call(`/outbox?key=${OUTBOX_KEY}`, PAGE_ONLY, closed)).status).toBe(404)
    expect(closed.welcome.join()).not.toContain(OUTBOX_KEY)
  })

  test.each<Record<string, string>>([{ TRUST_PROXY: '1' }, { PUBLIC_URL: 'https://muster.example' }])(
    'unless it is allowed, for this machine with the key: %j',
    async (env) => {
      const open = await startTestServer({ ...env, ALLOW_OUTBOX: '1' })
      expect((await call('/outbox', { ...JSON_ONLY, ...KEY }, open)).status).toBe(200)
      expect((await call('/outbox', JSON_ONLY, open)).status).toBe(401)
      expect((await call('/outbox', { ...KEY, 'X-Forwarded-For': '1.2.3.4' }, open)).status).toBe(404)
      expect(open.welcome.join()).toContain(`${open.url}/outbox?key=${OUTBOX_KEY}`)
    },
  )
})

interface OutboxEntry {
  to: string
  createTimestamp: string
}
/** Follows the links of a page from the first to the last. */
async function read(path: string, rel: string): Promise<{ pages: number; subjects: string[] }> {
  const subjects: string[] = []
  let next: string | undefined = path
  let pages = 0
  while (next) {
    const { body } = await call(next, { ...PAGE_ONLY, ...KEY })
    subjects.push(...[...body.matchAll(/Reset &lt;b&gt;(\d+)/g)].map((match) => match[1]!))
    next = new RegExp(`href="([^"]+)" rel="${rel}"`).exec(body)?.[1]?.replaceAll('&amp;', '&')
    pages += 1
  }
  return { pages, subjects }
}

describe('everything is there', () => {
  test('for programs, as one array without anything else', async () => {
    const all = (await json('/outbox')) as OutboxEntry[]
    expect(all).toHaveLength(MESSAGES)
    expect(new Set(all.map(({ to }) => to)).size).toBe(MESSAGES)
    const times = all.map(({ createTimestamp }) => createTimestamp)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(all.at(-1)).toEqual({
      channel: 'EMAIL',
      to: expect.any(String),
      subject: expect.stringMatching(/^Reset <b>[012]<\/b>$/),
      text: expect.stringContaining('https://muster.example/set?a=1&b=2.'),
      html: expect.stringContaining('<p onclick'),
      createTimestamp: at(0),
    })
  })

  test('for programs in pages, where they ask for them', async () => {
    const all = (await json('/outbox')) as OutboxEntry[]
    const found: OutboxEntry[] = []
    let next: string | undefined = '/outbox?limit=400'
    let pages = 0
    while (next) {
      const { body, headers } = await call(next, { ...JSON_ONLY, ...KEY })
      found.push(...(JSON.parse(body) as OutboxEntry[]))
      next = /^<([^>]+)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1]
      pages += 1
    }
    expect([pages, found]).toEqual([4, all])
    // A plain time works as well: all earlier messages.
    const before = all[randomInt(600)]!.createTimestamp
    expect(await json(`/outbox?limit=10&before=${before}`)).toEqual(
      all.filter(({ createTimestamp }) => createTimestamp < before).slice(0, 10),
    )
  })

  test.each(['limit=0', 'limit=1001', 'limit=ten', 'before=yesterday', 'before=2026-99-99T00:00:00Z'])(
    'but %s is refused at its field',
    async (query) => {
      const { status, body } = await call(`/outbox?${query}`, { ...JSON_ONLY, ...KEY })
      expect(status).toBe(400)
      expect(Object.keys(JSON.parse(body).fields)).toEqual([query.split('=')[0]])
    },
  )

  test('for people, page by page, in both directions', async () => {
    const older = await read('/outbox', 'next')
    expect(older.pages).toBe(Math.ceil(MESSAGES / 50))
    expect(new Set(older.subjects).size).toBe(MESSAGES)
    expect(older.subjects).toHaveLength(MESSAGES)
    const newer = await read('/outbox?after=2026-03-04T04:00:00.000Z', 'prev')
    expect(newer.subjects.toSorted()).toEqual(older.subjects.toSorted())
  })

  test('and found by recipient, whose signs mean nothing else', async () => {
    expect((await json('/outbox?to=ADA_')) as OutboxEntry[]).toHaveLength(13)
    expect(await json('/outbox?to=%25nobody%25')).toEqual([])
    const { body } = await call('/outbox?to=ada_', { ...PAGE_ONLY, ...KEY })
    expect(body.match(/<article>/g)).toHaveLength(13)
    expect(body).toContain('value="ada_"')
  })

  test('as text that runs nothing', async () => {
    const { body } = await call('/outbox', { ...PAGE_ONLY, ...KEY })
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(body).not.toMatch(/<script|onclick=|\sstyle=/)
    expect(body).toContain('href="https://muster.example/set?a=1&amp;b=2"')
    expect(body).toContain('href="https://muster.example/other?a=1&amp;b=2"')
  })
})
