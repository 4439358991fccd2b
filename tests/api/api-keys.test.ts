import { rm } from 'node:fs/promises'

import pino from 'pino'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { isAllowed, UsageCounter } from '#server/api-keys/flows.ts'
import { clock, MINUTE, SECOND } from '#server/kit/core/clock.ts'
import { sealToken } from '#server/kit/security/secrets.ts'
import { inDatabase, signIn, startProduct } from '#tests/support/product.ts'
import { startTestServer } from '#tests/support/server.ts'
import { later } from '#tests/support/sign-in.ts'

// Behind a proxy, so that calls can come from any address.
const { anOrganisation, inside, send, services, signedInAs } = await startTestServer({ TRUST_PROXY: '1' })
const PATH = '/apiManagement/credentials'
afterEach(() => void vi.restoreAllMocks())

async function aKey(body: object = {}) {
  const org = await anOrganisation()
  const admin = await signedInAs(org, 'ADMIN')
  const made = await admin.post(PATH, { name: 'Status page', ...body })
  const call = (path: string, headers: Record<string, string> = {}, key = made.body.key as string) =>
    send('GET', path, { headers: { 'X-Api-Key': key, ...headers } })
  return { org, admin, made, call }
}

describe('a key', () => {
  test('is told once and stored as a hash', async () => {
    const { org, admin, made } = await aKey()
    expect(made.status).toBe(201)
    const { key, ...rest } = made.body
    expect(rest).toMatchObject({
      name: 'Status page',
      visibleKeyPart: key.slice(-4),
      ipAddressRestricted: false,
      allowedIpAddresses: [],
      numberOfRequestsMade: 0,
    })
    const list = await admin.get(PATH)
    expect(list.body).toEqual([rest])
    expect(list.text).not.toContain(key)
    const rows = await inside(org, (db) => db.selectFrom('api_keys').selectAll().execute())
    const events = await inside(org, (db) => db.selectFrom('events').selectAll().execute())
    expect(JSON.stringify([rows, events])).not.toContain(key)
    expect(events).toMatchObject([{ noun: 'api-keys', verb: 'created', actor: { name: admin.email } }])
  })

  test('acts for its organisation with the permissions of keys', async () => {
    const { org, call, made } = await aKey()
    expect((await call('/dashboard')).status).toBe(200)
    expect((await call('/dashboard', { 'Enterprise-Code': org.code })).status).toBe(200)
    expect((await call('/useradmin/users')).status).toBe(403)
    expect((await call(PATH)).status).toBe(403)
    expect((await call('/me')).status).toBe(403)
    const body = { name: 'Another' }
    expect((await send('POST', PATH, { headers: { 'X-Api-Key': made.body.key }, body })).status).toBe(403)
  })

  test('that is wrong, foreign or deleted is refused', async () => {
    const { org, admin, made, call } = await aKey()
    const other = await aKey()
    const { key, id } = made.body
    for (const bad of ['garbage', '', sealToken('mk', org.id).token, `${key}x`, key.replace('mk_', 'mr_')]) {
      expect((await call('/dashboard', {}, bad)).status, bad).toBe(401)
    }
    const transplanted = `mk_${sealToken('mk', other.org.id).token.split('_')[1]}${key.slice(25)}`
    expect((await call('/dashboard', {}, transplanted)).status).toBe(401)
    const foreign = await call('/dashboard', { 'Enterprise-Code': other.org.code })
    expect([foreign.status, foreign.body.code]).toEqual([401, 'wrong_organization'])

    expect((await other.admin.delete(`${PATH}/${id}`)).status).toBe(404)
    expect((await call('/dashboard')).status).toBe(200)
    expect((await admin.delete(`${PATH}/${id}`)).status).toBe(204)
    expect((await call('/dashboard')).status).toBe(401)
    expect((await admin.delete(`${PATH}/${id}`)).status).toBe(404)
    expect((await admin.get(PATH)).body).toEqual([])
  })

  test('works from the addresses that it is for, and who tried another one is on the record', async () => {
    const { org, call, made } = await aKey({
      ipAddressRestricted: true,
      allowedIpAddresses: ['10.1.0.0/16', ' 2001:DB8::/32 ', '192.0.2.7'],
    })
    expect(made.body.allowedIpAddresses).toEqual(['10.1.0.0/16', '2001:db8::/32', '192.0.2.7'])
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8:1::5', '192.0.2.7']) {
      expect((await call('/dashboard', { 'X-Forwarded-For': address })).status, address).toBe(200)
    }
    for (const address of ['10.2.0.1', '192.0.2.8', '2001:db9::1', '127.0.0.1', '::1']) {
      const refused = await call('/dashboard', { 'X-Forwarded-For': address })
      expect(refused.status, address).toBe(403)
      expect(refused.body.message).toBe('This API key cannot be used from this address.')
    }
    // Repeated refusals add no further event.
    await call('/dashboard', { 'X-Forwarded-For': '192.0.2.8' })
    const events = await inside(org, (db) =>
      db.selectFrom('events').selectAll().where('verb', '=', 'refused').orderBy('sequence').execute(),
    )
    expect(events.map(({ changes }) => changes['address']?.to)).toEqual([
      '10.2.0.1',
      '192.0.2.8',
      '2001:db9::1',
      '127.0.0.1',
      '::1',
    ])
    expect(events[0]).toMatchObject({
      noun: 'api-keys',
      record: made.body.id,
      actor: { kind: 'key', id: made.body.id, name: 'Status page' },
    })
    later(MINUTE + SECOND)
    await call('/dashboard', { 'X-Forwarded-For': '192.0.2.8' })
    const again = await inside(org, (db) =>
      db.selectFrom('events').select('sequence').where('verb', '=', 'refused').execute(),
    )
    expect(again).toHaveLength(6)
  })
})

test('a key with an end works until then, and its use afterwards is on the record', async () => {
  const at = new Date(clock.now() + 5 * MINUTE).toISOString()
  const { org, admin, call, made } = await aKey({ expiresTimestamp: at })
  expect(made.body).toMatchObject({ expiresTimestamp: at, lastUsedTimestamp: null })
  expect((await call('/dashboard')).status).toBe(200)
  later(5 * MINUTE)
  for (let n = 0; n < 3; n += 1) {
    const refused = await call('/dashboard')
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      401,
      'key_expired',
      'This API key has expired.',
    ])
  }
  const events = await inside(org, (db) => db.selectFrom('events').selectAll().orderBy('sequence').execute())
  expect(events.map(({ verb }) => verb)).toEqual(['created', 'refused as expired'])
  expect(events[0]!.changes['expiresTimestamp']).toEqual({ from: null, to: at })
  expect(events[1]).toMatchObject({ record: made.body.id, actor: { kind: 'key', name: 'Status page' } })
  vi.restoreAllMocks()
  const [listed] = (await admin.get(PATH)).body
  expect(listed).toMatchObject({ numberOfRequestsMade: 1, expiresTimestamp: at })
  expect(Date.parse(listed.lastUsedTimestamp)).toBeGreaterThan(0)
})

test.each<[string, string[], boolean]>([
  ['1.2.3.4', ['1.2.3.4'], true],
  ['1.2.3.5', ['1.2.3.4'], false],
  ['1.2.3.4', ['0.0.0.0/0'], true],
  ['::1', ['0.0.0.0/0'], false],
  ['1.2.3.4', ['::/0'], true],
  ['::ffff:1.2.3.4', ['1.2.3.4'], true],
  ['::ffff:102:304', ['1.2.3.4'], true],
  ['1.2.3.4', ['::ffff:1.2.3.4'], true],
  ['1.2.3.4', ['::ffff:102:304'], true],
  ['1.2.3.4', ['::ffff:1.2.0.0/112'], true],
  ['fe80::1%eth0', ['fe80::/10'], true],
  ['2001:db8::1', ['2001:0db8:0:0:0:0:0:1'], true],
  ['not an address', ['0.0.0.0/0'], false],
  ['1.2.3.4', [], false],
])('%s is one of %j: %s', (address, allowed, expected) => {
  expect(isAllowed(address, allowed)).toBe(expected)
})

describe('making a key', () => {
  test('needs a name that is not in use', async () => {
    const { admin, made } = await aKey()
    const again = await admin.post(PATH, { name: '  STATUS PAGE ' })
    expect(again.status).toBe(409)
    expect(again.body.fields).toEqual({ name: 'This name is already in use.' })
    const unnamed = await admin.post(PATH, { name: '  ' })
    expect([unnamed.status, unnamed.body.fields]).toEqual([400, { name: 'Please name this API key.' }])
    await admin.delete(`${PATH}/${made.body.id}`)
    expect((await admin.post(PATH, { name: 'Status page' })).status).toBe(201)
    // Names are unique per organisation.
    expect((await aKey()).made.status).toBe(201)
  })

  test('twice at the same moment with one name makes one', async () => {
    const admin = await signedInAs(await anOrganisation(), 'ADMIN')
    const answers = await Promise.all(['Twin', 'twin', 'TWIN'].map((name) => admin.post(PATH, { name })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
    expect((await admin.get(PATH)).body).toHaveLength(1)
  })

  test.each([
    [{ ipAddressRestricted: true }, 'allowedIpAddresses', 'Provide at least one IP address.'],
    [
      { ipAddressRestricted: true, allowedIpAddresses: ['10.0.0.1', '300.1.1.1'] },
      'allowedIpAddresses.1',
      'Please enter a valid IP address.',
    ],
    [
      { ipAddressRestricted: true, allowedIpAddresses: ['10.0.0.0/33'] },
      'allowedIpAddresses.0',
      'Please enter a valid IP address.',
    ],
    [
      { ipAddressRestricted: true, allowedIpAddresses: ['fe80::1%eth0'] },
      'allowedIpAddresses.0',
      'Please enter a valid IP address.',
    ],
    [
      { ipAddressRestricted: true, allowedIpAddresses: ['010.0.0.1'] },
      'allowedIpAddresses.0',
      'Please enter a valid IP address.',
    ],
    [{ expiresTimestamp: 'tomorrow' }, 'expiresTimestamp', 'Please enter a date and time.'],
    [
      { expiresTimestamp: '2020-01-01T00:00:00.000Z' },
      'expiresTimestamp',
      'Please choose a time in the future.',
    ],
    [{ name: 'x'.repeat(256) }, 'name', 'Maximum length of 255 characters exceeded.'],
  ])('%j is bad input', async (body, field, message) => {
    const { made } = await aKey(body)
    expect([made.status, made.body.fields]).toEqual([400, { [field]: message }])
  })

  test('lists an address once, however it is written, and takes it in every way of writing', async () => {
    const { made, call } = await aKey({
      ipAddressRestricted: true,
      allowedIpAddresses: ['::ffff:192.0.2.7', '192.0.2.7/32', ' 192.0.2.7', '::FFFF:C000:207'],
    })
    expect(made.body.allowedIpAddresses).toEqual(['192.0.2.7'])
    for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207'])
      expect((await call('/dashboard', { 'X-Forwarded-For': address })).status, address).toBe(200)
    expect((await call('/dashboard', { 'X-Forwarded-For': '::192.0.2.7' })).status).toBe(403)
  })

  test('forgets addresses that do not restrict it', async () => {
    const { made } = await aKey({ ipAddressRestricted: false, allowedIpAddresses: ['10.0.0.1'] })
    expect(made.body.allowedIpAddresses).toEqual([])
  })
})

describe('the list', () => {
  test('is sorted, searched and paged', async () => {
    const admin = await signedInAs(await anOrganisation(), 'ADMIN')
    for (const name of ['beta', 'Alpha', '100%', 'gamma_ray']) await admin.post(PATH, { name })
    const names = async (query: string) =>
      (await admin.get(`${PATH}?${query}`)).body.map((key: { name: string }) => key.name)
    expect(await names('sort=["name","ASC"]')).toEqual(['100%', 'Alpha', 'beta', 'gamma_ray'])
    expect(await names('')).toEqual(['gamma_ray', '100%', 'Alpha', 'beta'])
    expect(await names('filter={"q":"A"}&sort=["name","DESC"]')).toEqual(['gamma_ray', 'beta', 'Alpha'])
    expect(await names(`filter=${encodeURIComponent('{"q":"%"}')}`)).toEqual(['100%'])
    expect(await names('filter={"q":"_"}')).toEqual(['gamma_ray'])
    const page = await admin.get(`${PATH}?sort=["name","ASC"]&range=[1,2]`)
    expect(page.headers.get('content-range')).toBe('items 1-2/4')
    expect(page.body).toMatchObject([{ name: 'Alpha' }, { name: 'beta' }])
  })

  test('counts requests at once, whoever has written them down', async () => {
    const { org, admin, made, call } = await aKey()
    const requests = async () => (await admin.get(PATH)).body[0].numberOfRequestsMade
    for (let i = 0; i < 3; i += 1) await call('/dashboard')
    // Refused calls do not count as the key's requests.
    await call('/useradmin/users')
    expect(await requests()).toBe(3)

    const counter = new UsageCounter(services.database, pino({ level: 'silent' }))
    const key = { id: made.body.id, organisation: { id: org.id, code: org.code, displayName: '' } }
    counter.noteUse(key)
    counter.noteUse(key)
    expect(await requests()).toBe(5)
    const writing = counter.flush()
    counter.noteUse(key)
    await writing
    await counter.flush()
    expect(await requests()).toBe(6)
    const row = await inside(org, (db) =>
      db.selectFrom('api_keys').select('last_used_timestamp').executeTakeFirst(),
    )
    expect(row?.last_used_timestamp).not.toBeNull()
    await counter.stop()
    expect(await requests()).toBe(6)
  })
})

test('requests are still counted after a restart, and those that were written down after a crash', async () => {
  const made = await startProduct({ DEMO: '1' })
  const { dataDir } = made
  let product = made
  const again = async (signal: NodeJS.Signals) => {
    await product.kill(signal)
    product = await startProduct({ DEMO: '1' }, dataDir)
  }
  try {
    const first = await signIn(product.url, 'admin@demo.example')
    const { body: key } = await first.call('POST', PATH, { name: 'Restarted' })
    const call = async (times: number) => {
      for (let n = 0; n < times; n += 1)
        await fetch(`${product.url}/api/dashboard`, { headers: { 'X-Api-Key': key.key } })
    }
    const counted = async () => {
      const { call: ask } = await signIn(product.url, 'admin@demo.example')
      return (await ask('GET', PATH)).body[0].numberOfRequestsMade as number
    }
    await call(3)
    await again('SIGTERM')
    expect(await counted()).toBe(3)
    await call(2)
    const stored = () =>
      inDatabase(dataDir, async (client) => {
        const { rows } = await client.query<{ made: string }>(
          'select number_of_requests_made as made from api_keys',
        )
        return Number(rows[0]!.made)
      })
    await vi.waitFor(async () => expect(await stored()).toBe(5), { interval: 500 })
    await again('SIGKILL')
    expect(await counted()).toBe(5)
  } finally {
    await product.kill('SIGTERM')
    await rm(dataDir, { recursive: true, force: true })
  }
}, 120_000)

test('only administrators see keys', async () => {
  const { org } = await aKey()
  for (const role of ['USER', 'BUSINESS_USER', 'PLAYBOOK_MANAGER'] as const) {
    expect((await (await signedInAs(org, role)).get(PATH)).status).toBe(403)
  }
  expect((await send('GET', PATH)).status).toBe(401)
})
