import { join } from 'node:path'

import pino from 'pino'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import { INVALID_CODE, LOCKED_OUT, SIGN_IN_REFUSED } from '#contract/sessions/schema.ts'
import { networkOf } from '#server/kit/security/attempts.ts'
import { clock, HOUR, MINUTE, SECOND } from '#server/kit/core/clock.ts'
import { chores } from '#server/kit/jobs/housekeeping.ts'
import { startMuster } from '#server/start.ts'
import { type Organisation, PASSWORD, startTestServer } from '#tests/support/server.ts'
import { anAddress, appCode, later, signingIn, SIX_WRONG, stopClock, wrong } from '#tests/support/sign-in.ts'

const server = await startTestServer({ TRUST_PROXY: '1' })
const { anOrganisation, aUser, send, services } = server
const { upass, confirm, resend, mailsTo, mailedCode, enrol, begin, eventsOf, verbsOf, post } =
  signingIn(server)
// Skips the deliberate delay of hundreds of refused sign-ins.
beforeEach(() => void vi.spyOn(clock, 'delay').mockResolvedValue())
afterEach(() => void vi.restoreAllMocks())

const withEmail = { auth2fa: true, auth2faType: 'EMAIL' } as const
const withApp = { auth2fa: true, auth2faType: 'TOTP' } as const

/** A sign-in pending its emailed code, with the code and a wrong one. */
async function waiting(org?: Organisation) {
  const place = org ?? (await anOrganisation(withEmail))
  const user = await aUser(place)
  const token = await begin(place, user.email)
  const code = await mailedCode(user.email)
  return { org: place, user, token, code, bad: wrong(code) }
}
const times = <T>(n: number, work: (n: number) => Promise<T>) =>
  Array.from({ length: n }, (_, i) => i).reduce(
    async (all, i) => [...(await all), await work(i)],
    Promise.resolve<T[]>([]),
  )
const statusOf = (reply: { status: number }) => reply.status

describe('wrong codes', () => {
  test('lock out after five, the right one included, and say for how long', async () => {
    const { org, user, token, code, bad } = await waiting()
    const first = await times(5, () => confirm(token, bad))
    for (const reply of first) {
      expect(reply.status).toBe(401)
      expect(reply.body).toEqual({ code: 'unauthenticated', message: INVALID_CODE })
    }
    for (const typed of [bad, code]) {
      const reply = await confirm(token, typed)
      expect(reply.status).toBe(429)
      expect(reply.body).toEqual({
        code: 'too_many_requests',
        message: LOCKED_OUT,
        msUntilNextAttempt: expect.any(Number),
      })
      expect(reply.body.msUntilNextAttempt).toBeGreaterThan(50 * SECOND)
      expect(reply.body.msUntilNextAttempt).toBeLessThanOrEqual(MINUTE)
      expect(reply.headers.get('retry-after')).toBe(String(Math.ceil(reply.body.msUntilNextAttempt / 1_000)))
    }
    expect(await eventsOf(org, 'second-factors')).toMatchObject([
      ...Array.from({ length: 5 }, () => ({ verb: 'code refused', record: user.uuid })),
      { verb: 'locked out', record: user.uuid },
    ])
    later(MINUTE + SECOND)
    expect((await confirm(token, code)).status).toBe(200)
  })

  test('lock out for twice as long each further time, up to a quarter of an hour', async () => {
    const org = await anOrganisation(withEmail)
    const user = await aUser(org)
    let now = 0
    const waits: number[] = []
    for (let round = 0; round < 7; round += 1) {
      later(now)
      const token = await begin(org, user.email)
      const bad = wrong(await mailedCode(user.email))
      expect((await times(5, () => confirm(token, bad))).map(statusOf)).toEqual([401, 401, 401, 401, 401])
      const { body } = await confirm(token, bad)
      waits.push(Math.ceil(body.msUntilNextAttempt / MINUTE))
      now += body.msUntilNextAttempt + SECOND
    }
    expect(waits).toEqual([1, 2, 4, 8, 15, 15, 15])
    // A quarter of an hour after the last lockout, the counts are reset.
    later(now + 15 * MINUTE)
    const token = await begin(org, user.email)
    const bad = wrong(await mailedCode(user.email))
    await times(5, () => confirm(token, bad))
    expect((await confirm(token, bad)).body.msUntilNextAttempt).toBeLessThanOrEqual(MINUTE)
  })

  test('are forgotten with the right one, and after a quarter of an hour', async () => {
    const { org, user, token, code, bad } = await waiting()
    await times(4, () => confirm(token, bad))
    expect((await confirm(token, code)).status).toBe(200)
    const next = await begin(org, user.email)
    const nextBad = wrong(await mailedCode(user.email))
    expect((await times(4, () => confirm(next, nextBad))).map(statusOf)).toEqual([401, 401, 401, 401])
    later(15 * MINUTE + SECOND)
    const last = await begin(org, user.email)
    const lastBad = wrong(await mailedCode(user.email))
    expect((await times(4, () => confirm(last, lastBad))).map(statusOf)).toEqual([401, 401, 401, 401])
  })

  test('of one person count together: no other sign-in, address, case or organisation begins anew', async () => {
    const { org, user, token, code, bad } = await waiting()
    const other = await anOrganisation(withEmail)
    await times(4, () => confirm(token, bad))
    const begun = await send('POST', '/authentication/upass', {
      body: {
        email: ` ${user.email.toUpperCase()} `,
        password: PASSWORD,
        enterpriseCode: org.code.toUpperCase(),
      },
      headers: { 'X-Forwarded-For': anAddress(), 'Enterprise-Code': other.code },
    })
    const second = begun.body.temporaryAuthenticationToken as string
    const secondCode = await mailedCode(user.email)
    const headers = { 'Enterprise-Code': other.code, 'User-Agent': 'another', Cookie: 'a=b' }
    expect((await confirm(second, wrong(secondCode), { headers })).status).toBe(401)
    for (const [waits, right] of [
      [token, code],
      [second, secondCode],
    ] as const)
      for (const more of [{}, { headers }, { address: '2001:db8::1' }, { enrols: true }])
        expect((await confirm(waits, right, more)).status).toBe(429)
  })

  test('are told where the next sign-in begins, and no code is mailed meanwhile', async () => {
    const { org, user, token, bad } = await waiting()
    await times(5, () => confirm(token, bad))
    const mails = await mailsTo(user.email)
    later(31 * SECOND)
    for (const reply of [await upass(org, user.email), await resend(token)]) {
      expect(reply.status).toBe(429)
      expect(reply.body).toEqual({
        code: 'too_many_requests',
        message: LOCKED_OUT,
        msUntilNextAttempt: expect.any(Number),
      })
      expect(reply.body.msUntilNextAttempt).toBeLessThanOrEqual(29 * SECOND)
    }
    expect(await mailsTo(user.email)).toEqual(mails)
    // Without the password, the response reveals nothing.
    expect((await upass(org, user.email, { password: 'Wrong-horse-9' })).status).toBe(401)
    later(MINUTE + SECOND)
    expect((await upass(org, user.email)).status).toBe(200)
    expect(await mailsTo(user.email)).toHaveLength(mails.length + 1)
  })

  test('of an authenticator app are told where the next sign-in begins', async () => {
    const org = await anOrganisation(withApp)
    const user = await aUser(org)
    await enrol(org, user.email)
    const token = await begin(org, user.email)
    await times(5, () => confirm(token, SIX_WRONG))
    expect((await upass(org, user.email)).status).toBe(429)
    later(MINUTE + SECOND)
    expect((await upass(org, user.email)).status).toBe(200)
  })

  test('from one address count together, whoever they are for', async () => {
    const org = await anOrganisation(withEmail)
    const address = anAddress()
    const people = await times(14, () => waiting(org))
    for (const { token, bad } of people.slice(0, 12))
      expect((await times(4, () => confirm(token, bad, { address }))).map(statusOf)).toEqual(
        Array(4).fill(401),
      )
    // An address is locked only after many wrong codes, because an office shares one.
    const { token, code, bad } = people[12]!
    expect((await times(2, () => confirm(token, bad, { address }))).map(statusOf)).toEqual([401, 401])
    expect((await confirm(token, code, { address })).status).toBe(429)
    // Addresses before the proxy's own are ignored.
    expect((await confirm(token, code, { address: `203.0.113.9, ${address}` })).status).toBe(429)
    expect((await confirm(token, code)).status).toBe(200)
    // New sign-ins from the address are refused as well.
    const { user } = people[13]!
    expect((await upass(org, user.email, { address })).status).toBe(429)
    expect((await upass(org, user.email)).status).toBe(200)
    expect(await verbsOf(org, 'second-factors')).not.toContain('second-factors: locked out')
  })

  test('from one network of IPv6 count together', async () => {
    const org = await anOrganisation(withEmail)
    const people = await times(13, () => waiting(org))
    let host = 0
    const address = () => `2001:db8:7:7:${(host += 1).toString(16)}::${host.toString(16)}`
    for (const { token, bad } of people.slice(0, 12))
      await times(4, () => confirm(token, bad, { address: address() }))
    const { token, code, bad } = people[12]!
    await times(2, () => confirm(token, bad, { address: address() }))
    expect((await confirm(token, code, { address: address() })).status).toBe(429)
    expect((await confirm(token, code, { address: '2001:db8:7:8::1' })).status).toBe(200)
  })

  test('of somebody who then types the right one are not held against their address', async () => {
    const org = await anOrganisation(withEmail)
    const address = anAddress()
    const people = await times(14, () => waiting(org))
    // More wrong codes than the address is allowed.
    for (const { token, code, bad } of people) {
      await times(4, () => confirm(token, bad, { address }))
      expect((await confirm(token, code, { address })).status).toBe(200)
    }
    // Wrong codes for other people still count.
    const victims = await times(13, () => waiting(org))
    for (const { token, bad } of victims.slice(0, 12)) await times(4, () => confirm(token, bad, { address }))
    const own = await waiting(org)
    expect((await confirm(own.token, own.code, { address })).status).toBe(200)
    const { token, bad } = victims[12]!
    expect((await times(3, () => confirm(token, bad, { address }))).map(statusOf)).toEqual([401, 401, 429])
  })

  test('at the same moment get five tries and no more', async () => {
    const { token, code, bad } = await waiting()
    const guesses = Array.from({ length: 50 }, (_, n) => (n === 49 ? code : bad))
    const replies = await Promise.all(guesses.map((guess) => confirm(token, guess)))
    const tried = replies.filter(({ status }) => status !== 429)
    expect(tried.length).toBeLessThanOrEqual(5)
    expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(45)
    const { rows } = await services.database.pool.query(
      `select count(*)::int as n from attempts where locked_until is not null and tries > 0`,
    )
    expect(rows[0].n).toBe(0)
  })

  test('three thousand in a loop never get in', async () => {
    const org = await anOrganisation(withApp)
    const user = await aUser(org)
    const { secret } = await enrol(org, user.email)
    // Stops the clock, because the loop may be slow and no lockout may end meanwhile.
    stopClock(5 * MINUTE)
    const token = await begin(org, user.email)
    const address = anAddress()
    const right = [-1, 0, 1].map((steps) => appCode(secret, steps))
    const counts = new Map<number, number>()
    let guess = 0
    const guesser = async () => {
      while (guess < 3_000) {
        const code = String((guess += 1)).padStart(6, '0')
        if (right.includes(code)) continue
        // Every tenth guess comes from another address, as with a botnet.
        const from = guess % 10 === 0 ? anAddress() : address
        const { status } = await confirm(token, code, { address: from })
        counts.set(status, (counts.get(status) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: 16 }, guesser))
    expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual([401, 429])
    expect(counts.get(401)).toBe(5)
    expect((await confirm(token, right[1]!)).status).toBe(429)
    expect(await verbsOf(org, 'sessions')).toEqual(['sessions: started'])
  }, 120_000)
})

describe('wrong passwords', () => {
  const bad = 'Wrong-horse-9'

  test('lock out an account from an address after ten, whether it exists or not', async () => {
    const org = await anOrganisation()
    const user = await aUser(org)
    const archived = await aUser(org, { active: false })
    const address = anAddress()
    const nowhere = { id: '', code: 'no-such-organisation' }
    const all = [
      [org, user.email],
      [org, archived.email],
      [org, 'nobody@example.com'],
      [nowhere, user.email],
    ] as const
    for (const [place, email] of all) {
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => upass(place, email, { password: bad, address })),
      )
      for (const { status, body } of replies) {
        expect(status).toBe(401)
        expect(body).toEqual({ code: 'unauthenticated', message: SIGN_IN_REFUSED })
      }
      for (const password of [bad, PASSWORD]) {
        const reply = await upass(place, email.toUpperCase(), { password, address })
        expect(reply.status).toBe(429)
        expect(reply.body).toEqual({
          code: 'too_many_requests',
          message: LOCKED_OUT,
          msUntilNextAttempt: expect.any(Number),
        })
        expect(reply.body.msUntilNextAttempt).toBeGreaterThan(50 * SECOND)
      }
    }
    // Guesses of others do not lock the person out.
    expect((await upass(org, user.email)).status).toBe(200)
    const events = await eventsOf(org, 'sign-ins')
    expect(events.filter(({ verb }) => verb === 'locked out').map(({ record }) => record)).toEqual([
      user.uuid,
      archived.uuid,
    ])
    expect(events.filter(({ verb }) => verb === 'refused')).toHaveLength(20)
    expect(JSON.stringify(events)).not.toMatch(/horse|archived|password/i)
    later(MINUTE + SECOND)
    expect((await upass(org, user.email, { address })).status).toBe(200)
  })

  test('lock out an address after fifty, whatever accounts they are for', async () => {
    const org = await anOrganisation()
    const user = await aUser(org)
    const address = anAddress()
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) => upass(org, `nobody${n}@example.com`, { password: bad, address })),
    )
    expect(replies.every(({ status }) => status === 401)).toBe(true)
    expect((await upass(org, user.email, { address })).status).toBe(429)
    expect((await upass(org, user.email)).status).toBe(200)
  })

  test('at the same moment get ten tries and no more', async () => {
    const org = await anOrganisation()
    const user = await aUser(org)
    const address = anAddress()
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        upass(org, user.email, { password: n === 29 ? PASSWORD : bad, address }),
      ),
    )
    expect(replies.filter(({ status }) => status !== 429).length).toBeLessThanOrEqual(10)
  })

  test('are not counted when they are right', async () => {
    const org = await anOrganisation()
    const user = await aUser(org)
    const address = anAddress()
    const replies = await Promise.all(Array.from({ length: 60 }, () => upass(org, user.email, { address })))
    expect(replies.every(({ status }) => status === 200)).toBe(true)
    // A correct password clears the wrong ones before it.
    await Promise.all(Array.from({ length: 9 }, () => upass(org, user.email, { password: bad, address })))
    expect((await upass(org, user.email, { address })).status).toBe(200)
    await Promise.all(Array.from({ length: 9 }, () => upass(org, user.email, { password: bad, address })))
    expect((await upass(org, user.email, { address })).status).toBe(200)
  })
})

describe('wrong passwords for one account from many addresses', () => {
  const bad = 'Wrong-horse-9'
  /** Records delays and skips them. */
  function notedWaits() {
    const waits: number[] = []
    vi.spyOn(clock, 'wait').mockImplementation(async (ms) => void waits.push(ms))
    return waits
  }
  const guess = (org: Organisation, email: string, count: number) =>
    times(count, () => upass(org, email, { password: bad }))

  test('slow each further try down after thirty, the right one included, and lock nobody out', async () => {
    const org = await anOrganisation()
    const user = await aUser(org)
    const waits = notedWaits()
    const first = await guess(org, user.email, 30)
    expect(first.map(statusOf)).toEqual(Array(30).fill(401))
    expect(waits).toEqual([])
    const further = await guess(org, user.email, 7)
    expect(further.map(({ status, body }) => [status, body.message])).toEqual(
      Array.from({ length: 7 }, () => [401, SIGN_IN_REFUSED]),
    )
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30].map((seconds) => seconds * SECOND))
    expect((await upass(org, user.email)).status).toBe(200)
    // A correct password grants no further thirty free guesses.
    expect((await upass(org, user.email)).status).toBe(200)
    expect(waits.slice(7)).toEqual([30 * SECOND, 30 * SECOND])
    later(HOUR + SECOND)
    expect((await upass(org, user.email, { password: bad })).status).toBe(401)
    expect(waits).toHaveLength(9)
  })

  test('are told to the person by mail once an hour', async () => {
    const org = await anOrganisation()
    const user = await aUser(org)
    notedWaits()
    await guess(org, user.email, 29)
    expect(await mailsTo(user.email)).toEqual([])
    await guess(org, user.email, 5)
    const mails = await mailsTo(user.email)
    expect(mails.map(({ subject }) => subject)).toEqual(['Many wrong passwords were tried for your account'])
    expect(mails[0]!.text).toContain(user.email)
    expect(await verbsOf(org, 'sign-ins')).toContain('sign-ins: slowed down')
    later(HOUR + SECOND)
    await guess(org, user.email, 30)
    expect(await mailsTo(user.email)).toHaveLength(2)
  })

  test('of an account that does not exist are slowed down alike, and mailed to nobody', async () => {
    const org = await anOrganisation()
    const archived = await aUser(org, { active: false })
    const waits = notedWaits()
    for (const email of ['nobody@slow.example', archived.email]) {
      waits.length = 0
      const replies = await guess(org, email, 32)
      expect(new Set(replies.map(({ text }) => text))).toEqual(
        new Set([JSON.stringify({ code: 'unauthenticated', message: SIGN_IN_REFUSED })]),
      )
      expect(waits).toEqual([SECOND, 2 * SECOND])
      expect(await mailsTo(email)).toEqual([])
    }
  })

  test('at the same moment are slowed down as well', async () => {
    const org = await anOrganisation()
    const user = await aUser(org)
    const waits = notedWaits()
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => upass(org, user.email, { password: bad })),
    )
    expect(replies.map(statusOf)).toEqual(Array(40).fill(401))
    expect(waits).toHaveLength(10)
  })

  test('wait in bounded numbers, two from an address, and hold no connection', async () => {
    const org = await anOrganisation()
    const user = await aUser(org)
    const waits = notedWaits()
    await guess(org, user.email, 31)
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    vi.spyOn(clock, 'wait').mockImplementation(async (ms) => {
      waits.push(ms)
      await released
    })
    const address = anAddress()
    const before = waits.length
    const two = [upass(org, user.email, { address }), upass(org, user.email, { address })]
    await vi.waitUntil(() => waits.length === before + 2)
    const third = await upass(org, user.email, { address })
    expect(third.status).toBe(429)
    expect(third.body.msUntilNextAttempt).toBeGreaterThan(0)
    // More than the pool has connections; other requests still succeed.
    const many = Array.from({ length: 48 }, () => upass(org, user.email))
    await vi.waitUntil(() => waits.length === before + 50)
    expect((await upass(org, user.email)).status).toBe(429)
    const other = await aUser(org)
    expect((await upass(org, other.email)).status).toBe(200)
    release()
    const replies = await Promise.all([...two, ...many])
    expect(replies.map(statusOf)).toEqual(Array(50).fill(200))
    expect((await upass(org, user.email, { address })).status).toBe(200)
  })
})

test('what is kept names nobody and no address', async () => {
  const { rows } = await services.database.pool.query('select * from attempts')
  expect(rows.length).toBeGreaterThan(10)
  for (const { key } of rows) expect(key).toMatch(/^[0-9a-f]{64}$/)
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:50123', '203.0.113.7'],
  ['[2001:db8:1:2::9]:50123', '2001:db8:1:2'],
  ['unknown', 'unknown'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('an organisation reaches the counters by their functions only, as does the sign-in of staff', async () => {
  const { pool } = services.database
  const client = await pool.connect()
  try {
    await client.query('begin; set local role muster_member')
    await expect(client.query('select * from attempts')).rejects.toThrow(/permission denied/)
    await client.query('rollback')
    const { rows } = await client.query<{ who: string }>(`
      select r.rolname || ' ' || p.proname as who from pg_proc p, pg_roles r
      where p.proname in ('locked_until', 'settle_attempt', 'take_turn', 'failures_of', 'count_failure') and has_function_privilege(r.oid, p.oid, 'execute')
        and r.rolname in ('muster_member', 'muster_provider') order by 1`)
    expect(rows.map(({ who }) => who)).toEqual([
      'muster_member count_failure',
      'muster_member failures_of',
      'muster_member locked_until',
      'muster_member settle_attempt',
      'muster_member take_turn',
      'muster_provider count_failure',
      'muster_provider failures_of',
      'muster_provider locked_until',
      'muster_provider settle_attempt',
      'muster_provider take_turn',
    ])
  } finally {
    client.release()
  }
})

test('counters that are forgotten are dropped', async () => {
  await post('/authentication/forgotPassword', { enterpriseCode: 'x', userId: 'a@b.example' }, anAddress())
  later(25 * HOUR)
  const { database } = services
  const dropped = await chores({
    database,
    blobs: { remove: async () => {}, sweep: async () => 0 },
  })
    .get('attempts')!
    .run()
  expect(dropped).toBeGreaterThan(0)
  const { rows } = await database.pool.query('select 1 from attempts')
  expect(rows).toEqual([])
})

test('a lockout outlives a restart, and no try that waits delays it', async () => {
  const { org, user, token, code, bad } = await waiting()
  await times(5, () => confirm(token, bad))
  vi.spyOn(clock, 'wait').mockResolvedValue()
  await times(36, () => upass(org, user.email, { password: 'Wrong-horse-9' }))
  vi.restoreAllMocks()
  const spied = vi.spyOn(clock, 'wait')
  const slow = upass(org, user.email)
  await vi.waitUntil(() => spied.mock.calls.some(([ms]) => ms === 30 * SECOND))
  await server.stop()
  expect((await slow).status).toBe(503)
  const muster = await startMuster(services.settings, {
    log: pino({ level: 'fatal' }),
    siteDir: join(import.meta.dirname, '../../dist'),
  })
  onTestFinished(() => muster.stop())
  const again = await fetch(`${muster.url}/api/authentication/confirm`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': anAddress() },
    body: JSON.stringify({ confirmationCode: code, temporaryAuthenticationToken: token }),
  })
  expect(again.status).toBe(429)
  expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(30)
})
