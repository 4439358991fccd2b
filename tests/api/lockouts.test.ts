import { join } from 'node:path'

import pino from 'pino'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import { INVALID_CODE, LOCKED_OUT, SIGN_IN_REFUSED } from '#contract/sessions/schema.ts'
import { networkOf } from '#server/kit/attempts.ts'
import { MINUTE, SECOND } from '#server/kit/clock.ts'
import { chores } from '#server/kit/housekeeping.ts'
import { startMuster } from '#server/start.ts'
import { type Organisation, PASSWORD, startTestServer } from '#tests/support/server.ts'
import { anAddress, appCode, later, signingIn, stopClock, wrong } from '#tests/support/sign-in.ts'

const server = await startTestServer({ TRUST_PROXY: '1' })
const { anOrganisation, aUser, send, services } = server
const { upass, confirm, mailedCode, enrol, begin, eventsOf, verbsOf, post } = signingIn(server)
afterEach(() => void vi.restoreAllMocks())

const withEmail = { auth2fa: true, auth2faType: 'EMAIL' } as const
const withApp = { auth2fa: true, auth2faType: 'TOTP' } as const

/** A sign-in that waits for an emailed code, and a code that is not it. */
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
    // A quarter of an hour of quiet after the end of the last, and all is forgotten.
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
    // A new sign-in is still possible, and as locked.
    expect((await confirm(await begin(org, user.email), await mailedCode(user.email))).status).toBe(429)
  })

  test('from one address count together, whoever they are for', async () => {
    const org = await anOrganisation(withEmail)
    const address = anAddress()
    const people = await times(6, () => waiting(org))
    for (const { token, bad } of people.slice(0, 5))
      expect((await confirm(token, bad, { address })).status).toBe(401)
    const { token, code } = people[5]!
    expect((await confirm(token, code, { address })).status).toBe(429)
    // What the caller says of the way before the proxy does not matter.
    expect((await confirm(token, code, { address: `203.0.113.9, ${address}` })).status).toBe(429)
    expect((await confirm(token, code)).status).toBe(200)
    expect(await verbsOf(org, 'second-factors')).not.toContain('second-factors: locked out')
  })

  test('of somebody who then types the right one are not held against their address', async () => {
    const org = await anOrganisation(withEmail)
    const address = anAddress()
    for (const { token, code, bad } of await times(3, () => waiting(org))) {
      await times(3, () => confirm(token, bad, { address }))
      expect((await confirm(token, code, { address })).status).toBe(200)
    }
    // Those of others are.
    const [victim, own] = await times(2, () => waiting(org))
    await times(4, () => confirm(victim!.token, victim!.bad, { address }))
    expect((await confirm(own!.token, own!.code, { address })).status).toBe(200)
    expect((await confirm(victim!.token, victim!.bad, { address })).status).toBe(401)
    expect((await confirm(victim!.token, victim!.bad, { address })).status).toBe(429)
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

  test('ten thousand in a loop never get in', async () => {
    const org = await anOrganisation(withApp)
    const user = await aUser(org)
    const { secret } = await enrol(org, user.email)
    // However long the loop takes here: no lockout ends meanwhile.
    stopClock(5 * MINUTE)
    const token = await begin(org, user.email)
    const address = anAddress()
    const right = [-1, 0, 1].map((steps) => appCode(secret, steps))
    const counts = new Map<number, number>()
    let guess = 0
    const guesser = async () => {
      while (guess < 10_000) {
        const code = String((guess += 1)).padStart(6, '0')
        if (right.includes(code)) continue
        // Each tenth from somewhere else, as whoever has many addresses would.
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
    // Somebody else's guesses keep nobody out.
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
  }, 30_000)

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
  }, 30_000)

  test('are not counted when they are right', async () => {
    const org = await anOrganisation()
    const user = await aUser(org)
    const address = anAddress()
    const replies = await Promise.all(Array.from({ length: 60 }, () => upass(org, user.email, { address })))
    expect(replies.every(({ status }) => status === 200)).toBe(true)
    // A right one clears those that were wrong before.
    await Promise.all(Array.from({ length: 9 }, () => upass(org, user.email, { password: bad, address })))
    expect((await upass(org, user.email, { address })).status).toBe(200)
    await Promise.all(Array.from({ length: 9 }, () => upass(org, user.email, { password: bad, address })))
    expect((await upass(org, user.email, { address })).status).toBe(200)
  }, 30_000)
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
  ['unknown', 'unknown'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('an organisation reaches the counters by their functions only', async () => {
  const { pool } = services.database
  const client = await pool.connect()
  try {
    await client.query('begin; set local role muster_member')
    await expect(client.query('select * from attempts')).rejects.toThrow(/permission denied/)
    await client.query('rollback')
    const { rows } = await client.query<{ who: string }>(`
      select r.rolname || ' ' || p.proname as who from pg_proc p, pg_roles r
      where p.proname in ('locked_until', 'settle_attempt', 'take_turn') and has_function_privilege(r.oid, p.oid, 'execute')
        and r.rolname in ('muster_member', 'muster_provider') order by 1`)
    expect(rows.map(({ who }) => who)).toEqual([
      'muster_member locked_until',
      'muster_member settle_attempt',
      'muster_member take_turn',
    ])
  } finally {
    client.release()
  }
})

test('counters that are forgotten are dropped', async () => {
  await post('/authentication/forgotPassword', { enterpriseCode: 'x', userId: 'a@b.example' }, anAddress())
  later(180 * MINUTE)
  const { database } = services
  const dropped = await chores({
    database,
    embedded: true,
    blobs: { remove: async () => {}, sweep: async () => 0 },
  })
    .get('attempts')!
    .run()
  expect(dropped).toBeGreaterThan(0)
  const { rows } = await database.pool.query('select 1 from attempts')
  expect(rows).toEqual([])
})

test('a lockout outlives a restart', async () => {
  const { token, code, bad } = await waiting()
  await times(5, () => confirm(token, bad))
  await server.stop()
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
