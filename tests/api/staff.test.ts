import { afterEach, describe, expect, test, vi } from 'vitest'

import { LINK_EXPIRED } from '#contract/staff/schema.ts'

import { startTestServer } from '../support/server.ts'
import { appCode, later, signingIn, statusesOf, stopClock, wrong } from '../support/sign-in.ts'

const muster = await startTestServer({
  STAFF_EMAILS: 'Ops@Provider.example',
  CONSOLE_ENVIRONMENTS: 'Staging=https://staging.example',
  TRUST_PROXY: '1',
  ALLOW_OUTBOX: '1',
})
const NAMED = 'ops@provider.example'
let addresses = 0
/** Sends each request from a new address. */
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  muster.send('POST', `/management-api${path}`, {
    body,
    headers: { 'X-Forwarded-For': `198.51.100.${(addresses += 1)}`, ...headers },
  })
const login = (email: string, feUrl = muster.url) => post('/management/login', { email, feUrl })
const { mailsTo } = signingIn(muster)
const linkFor = async (email: string) => {
  expect((await login(email)).status).toBe(200)
  return new URL(/https?:\S+/.exec((await mailsTo(email.trim().toLowerCase()))[0]!.text)![0])
}
const begin = (link: URL) => post('/management/session', { id: link.searchParams.get('id') })

afterEach(() => void vi.restoreAllMocks())

test('a start without an organisation says how to create one', () => {
  expect(muster.welcome.join('\n')).toContain(`Create one at ${muster.url}/management-login`)
  expect(muster.welcome.join('\n')).toContain(NAMED)
})

describe('a magic link', () => {
  test('signs a member of staff in once', async () => {
    const link = await linkFor(' OPS@provider.example')
    expect(link.href).toMatch(`${muster.url}/management?id=`)
    const { status, body } = await begin(link)
    expect(status).toBe(200)
    expect(body).toEqual({
      token: expect.stringMatching(/^mc_/),
      email: NAMED,
      role: 'ADMINISTER',
      expiresAt: expect.any(String),
    })
    const headers = { Authorization: `Bearer ${body.token}` }
    const me = await muster.send('GET', '/management-api/management/me', { headers })
    expect(me.body).toEqual({
      id: expect.any(String),
      email: NAMED,
      role: 'ADMINISTER',
      hasAuthenticator: false,
      expiresAt: body.expiresAt,
    })
    const again = await begin(link)
    expect([again.status, again.body.message]).toEqual([400, LINK_EXPIRED])
  })

  test('expires after a quarter of an hour', async () => {
    const link = await linkFor(NAMED)
    later(15 * 60_000 + 1_000)
    expect((await begin(link)).status).toBe(400)
  })

  test('is used by one of two who open it at once', async () => {
    const link = await linkFor(NAMED)
    expect(statusesOf(await Promise.all([begin(link), begin(link)]))).toEqual([200, 400])
  })

  test.each(['stranger@company.example', 'staff@muster.example'])('is not sent to %s', async (email) => {
    const reply = await login(email)
    expect([reply.status, reply.body]).toEqual([200, {}])
    expect(await mailsTo(email)).toEqual([])
  })

  test('is not sent to a person of an organisation', async () => {
    const { email } = await muster.signedInAs(await muster.anOrganisation(), 'ADMIN')
    expect((await login(email)).status).toBe(200)
    expect(await mailsTo(email)).toEqual([])
  })

  test.each([
    'https://evil.example',
    'javascript:alert(1)',
    '',
    '//evil.example',
    'http://127.0.0.1.evil.example',
  ])('does not lead to %j', async (feUrl) => {
    const { status, body } = await login(NAMED, feUrl)
    expect([status, Object.keys(body.fields)]).toEqual([400, ['feUrl']])
  })

  test.each(['', 'a@b', `${'a'.repeat(250)}@b.example`, "ops@provider.example' or 1=1"])(
    'is not for the address %j',
    async (email) => expect((await login(email)).status).toBe(400),
  )

  test('can be requested ten times a minute for an address, whether there is such a member or not', async () => {
    const { email: member } = await muster.signedInAsStaff()
    for (const email of ['flooded@provider.example', member]) {
      const statuses: number[] = []
      for (let n = 0; n < 11; n += 1) statuses.push((await login(email)).status)
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    }
  })

  test('can be requested sixty times a minute from one address, for whomever', async () => {
    const from = (address: string, n: number) =>
      post(
        '/management/login',
        { email: `guess-${n}@elsewhere.example`, feUrl: muster.url },
        { 'X-Forwarded-For': address },
      )
    stopClock()
    const replies = await Promise.all(Array.from({ length: 61 }, (_, n) => from('203.0.113.7', n)))
    expect(statusesOf(replies)).toEqual([...Array.from({ length: 60 }, () => 200), 429])
    expect(replies.find(({ status }) => status === 429)?.body.msUntilNextAttempt).toBeGreaterThan(0)
    const refused = await post(
      '/management/login',
      { email: NAMED, feUrl: muster.url },
      { 'X-Forwarded-For': '203.0.113.7' },
    )
    expect(refused.status).toBe(429)
    expect((await from('203.0.113.8', 0)).status).toBe(200)
    stopClock(61_000)
    expect((await from('203.0.113.7', 62)).status).toBe(200)
  })

  test.each([{ id: '' }, { id: 'x'.repeat(1_000) }, { id: 7 }, {}])('with %j opens nothing', async (body) =>
    expect((await post('/management/session', body)).status).toBe(400),
  )
})

describe('a session of the console', () => {
  test('ends when it is signed out', async () => {
    const staff = await muster.signedInAsStaff()
    expect((await staff.post('/management/logout')).status).toBe(204)
    expect((await staff.get('/management/me')).status).toBe(401)
  })

  test('ends at its expiry', async () => {
    const { body } = await begin(await linkFor(NAMED))
    const headers = { Authorization: `Bearer ${body.token}` }
    later(Date.parse(body.expiresAt) - Date.now() + 1_000)
    expect((await muster.send('GET', '/management-api/staff', { headers })).status).toBe(401)
  })
})

describe('staff', () => {
  test('invite each other, and remove each other at once', async () => {
    const staff = await muster.signedInAsStaff()
    const invited = await staff.post('/staff', { email: 'New@provider.example' })
    expect(invited.body).toMatchObject({ email: 'new@provider.example', invitedBy: staff.email })
    expect((await mailsTo('new@provider.example'))[0]!.text).toContain(`${muster.url}/management-login`)
    const { body } = await begin(await linkFor('new@provider.example'))
    const headers = { Authorization: `Bearer ${body.token}` }
    const list = await muster.send('GET', '/management-api/staff', { headers })
    expect(list.body.map(({ email }: { email: string }) => email)).toEqual(
      expect.arrayContaining([NAMED, staff.email, 'new@provider.example']),
    )
    expect((await staff.delete(`/staff/${invited.body.id}`)).status).toBe(204)
    expect((await muster.send('GET', '/management-api/staff', { headers })).status).toBe(401)
    const before = (await mailsTo('new@provider.example')).length
    await login('new@provider.example')
    expect(await mailsTo('new@provider.example')).toHaveLength(before)
  })

  test('cannot remove themselves, nor whom the settings name, nor invite anybody twice', async () => {
    const staff = await muster.signedInAsStaff()
    expect((await staff.delete(`/staff/${staff.id}`)).status).toBe(409)
    const { body } = await staff.get('/staff')
    const { id } = body.find(({ email }: { email: string }) => email === NAMED)
    expect((await staff.delete(`/staff/${id}`)).status).toBe(409)
    expect((await staff.post('/staff', { email: NAMED })).status).toBe(409)
    expect((await staff.post('/staff', { email: staff.email })).status).toBe(409)
  })
})

describe('a role', () => {
  test('is given with the invitation, and is that of somebody who looks unless it is said', async () => {
    const staff = await muster.signedInAsStaff()
    const looking = await staff.post('/staff', { email: 'looks@provider.example' })
    expect(looking.body).toMatchObject({ role: 'LOOK', hasAuthenticator: false })
    const supporting = await staff.post('/staff', { email: 'helps@provider.example', role: 'SUPPORT' })
    expect(supporting.body.role).toBe('SUPPORT')
    const { body } = await begin(await linkFor('helps@provider.example'))
    expect(body.role).toBe('SUPPORT')
    expect((await staff.post('/staff', { email: 'all@provider.example', role: 'OWNER' })).status).toBe(400)
  })

  test('is changed at once, by others only, and the log says so', async () => {
    const staff = await muster.signedInAsStaff()
    const other = await muster.signedInAsStaff()
    expect((await other.post('/staff', { email: 'first@provider.example' })).status).toBe(201)
    const changed = await staff.put(`/staff/${other.id}`, { role: 'SUPPORT' })
    expect([changed.status, changed.body.role]).toEqual([200, 'SUPPORT'])
    expect((await other.post('/staff', { email: 'second@provider.example' })).status).toBe(403)
    expect((await other.get('/staff')).status).toBe(200)
    expect((await other.put(`/staff/${other.id}`, { role: 'ADMINISTER' })).status).toBe(403)
    expect((await staff.put(`/staff/${staff.id}`, { role: 'LOOK' })).status).toBe(409)
    const log = await staff.get('/auditLog')
    expect(log.body).toContainEqual(
      expect.objectContaining({
        noun: 'staff',
        verb: 'updated',
        record: other.id,
        actor: expect.objectContaining({ name: staff.email }),
        changes: [expect.objectContaining({ from: 'ADMINISTER', to: 'SUPPORT' })],
      }),
    )
  })

  test('of members whom the settings name is to administer, and cannot be changed here', async () => {
    const staff = await muster.signedInAsStaff()
    const { body } = await staff.get('/staff')
    const named = body.find(({ email }: { email: string }) => email === NAMED)
    expect(named.role).toBe('ADMINISTER')
    const refused = await staff.put(`/staff/${named.id}`, { role: 'LOOK' })
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('STAFF_EMAILS')])
  })
})

describe('an authenticator app by choice', () => {
  test('is asked for from then on, and sessions without it end', async () => {
    const staff = await muster.signedInAsStaff()
    const { body: invited } = await staff.post('/staff', { email: 'chooses@provider.example' })
    const sessions = []
    for (let n = 0; n < 2; n += 1) {
      const { body } = await begin(await linkFor('chooses@provider.example'))
      sessions.push({ Authorization: `Bearer ${body.token}` })
    }
    const [here, elsewhere] = sessions
    const call = (path: string, headers: Record<string, string> | undefined, body: object = {}) =>
      post(`/management/authenticator${path}`, body, headers)
    const { body: enrolment } = await call('', here)
    expect((await call('', here)).body.secret).toBe(enrolment.secret)
    expect(
      (await call('/confirm', here, { confirmationCode: wrong(appCode(enrolment.secret)) })).status,
    ).toBe(400)
    const done = await call('/confirm', here, { confirmationCode: appCode(enrolment.secret) })
    expect([done.status, done.body.recoveryCodes.length]).toEqual([200, 10])
    const me = async (headers: Record<string, string> | undefined) =>
      muster.send('GET', '/management-api/management/me', { headers: headers! })
    expect((await me(here)).body.hasAuthenticator).toBe(true)
    expect((await me(elsewhere)).status).toBe(401)
    expect((await call('', here)).status).toBe(409)
    const next = await begin(await linkFor('chooses@provider.example'))
    expect(next.body).toEqual({
      isSuccess: false,
      email: 'chooses@provider.example',
      temporaryAuthenticationToken: expect.any(String),
      initialized: true,
    })
    const { body: list } = await staff.get('/staff')
    expect(list.find(({ id }: { id: string }) => id === invited.id).hasAuthenticator).toBe(true)
  })
})

test('the installations are those of the sign-in, of which only known ones have an address', async () => {
  const { body } = await muster.send('GET', '/management-api/management/environments')
  expect(body.map(({ name }: { name: string }) => name)).toEqual([
    'Development', 'Development 1', 'Staging', 'Production', 'Production CA-1', 'Production US-1', 'Production UK-1', 'Local',
  ]) // prettier-ignore
  expect(body.filter(({ url }: { url: string | null }) => url !== null)).toEqual([
    { name: 'Staging', url: 'https://staging.example' },
    { name: 'Local', url: muster.url },
  ])
})
