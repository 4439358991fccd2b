import { afterEach, describe, expect, test, vi } from 'vitest'

import { PASSWORD_TOO_COMMON, PASSWORD_USED_BEFORE, TOKEN_EXPIRED } from '#contract/sessions/schema.ts'
import { HOUR, MINUTE, SECOND } from '#server/kit/core/clock.ts'
import { hashPassword } from '#server/kit/security/passwords.ts'
import { type Organisation, PASSWORD, startTestServer } from '#tests/support/server.ts'
import { anAddress, later, signingIn } from '#tests/support/sign-in.ts'

const server = await startTestServer({ TRUST_PROXY: '1' })
const { anOrganisation, aUser, inside, send, services, signedInAs } = server
const { upass, mailsTo, eventsOf, post } = signingIn(server)
afterEach(() => void vi.restoreAllMocks())

const forgot = (code: string, userId: string, address = anAddress()) =>
  post('/authentication/forgotPassword', { enterpriseCode: code, userId }, address)
const remind = (email: string, address = anAddress()) =>
  send('POST', `/authentication/remindOrgCode?email=${encodeURIComponent(email)}`, {
    headers: { 'X-Forwarded-For': address },
  })
const check = (given: object, address = anAddress()) =>
  post('/authentication/checkPasswordLink', given, address)
const setPassword = (body: object) => send('POST', '/authentication/changePassword', { body })
/** The content of the newest link mailed to an address. */
async function linkTo(email: string) {
  const [mail] = await mailsTo(email)
  const link = new URL(/https?:\S+\/set-password\S+/.exec(mail!.text)![0])
  const [userId, enterpriseCode, oneTimePasscode] = ['u', 'e', 't'].map((name) => link.searchParams.get(name))
  return { link, mail: mail!, given: { userId, enterpriseCode, oneTimePasscode } }
}
const change = (org: Organisation, id: string, changes: { banned?: boolean; password_hash?: null }) =>
  inside(org, (db) => db.updateTable('users').set(changes).where('id', '=', id).execute())
const own = () => `somebody-${crypto.randomUUID().slice(0, 8)}@forgot.example`

describe('a forgotten password', () => {
  test('is set anew with a mailed link, once and within the hour', async () => {
    const org = await anOrganisation()
    const user = await aUser(org)
    const reply = await forgot(` ${org.code.toUpperCase()} `, ` ${user.email.toUpperCase()} `)
    expect(reply).toMatchObject({ status: 204, text: '' })
    const { link, mail, given } = await linkTo(user.email)
    expect(link.pathname).toBe('/set-password')
    expect(link.searchParams.get('e')).toBe(org.code)
    expect(mail.html).toContain('/set-password?')
    expect(await eventsOf(org, 'passwords')).toMatchObject([
      { verb: 'reset asked for', record: user.uuid, actor: { kind: 'system' } },
    ])
    // The request itself changes nothing.
    expect((await upass(org, user.email)).status).toBe(200)
    later(HOUR + SECOND)
    const late = await setPassword({ ...given, newPassword: 'Another-horse-8' })
    expect([late.status, late.body.message]).toEqual([400, TOKEN_EXPIRED])
    later(HOUR - MINUTE)
    expect((await setPassword({ ...given, newPassword: 'Another-horse-8' })).status).toBe(204)
    expect((await setPassword({ ...given, newPassword: 'Third-horse-7' })).body.code).toBe('token_expired')
    expect((await upass(org, user.email)).status).toBe(401)
    expect((await upass(org, user.email, { password: 'Another-horse-8' })).status).toBe(200)
  })

  test('has a link that can be checked without using it up', async () => {
    const org = await anOrganisation()
    const [user, other] = [await aUser(org), await aUser(org)]
    await forgot(org.code, user.email)
    const { given } = await linkTo(user.email)
    for (let n = 0; n < 2; n += 1) expect((await check(given)).status).toBe(204)
    const faults = [
      { ...given, userId: other.uuid },
      { ...given, userId: crypto.randomUUID() },
      { ...given, userId: user.email },
      { ...given, enterpriseCode: (await anOrganisation()).code },
      { ...given, enterpriseCode: 'no-such-organisation' },
      { ...given, oneTimePasscode: `${given.oneTimePasscode!.slice(0, -4)}AAAA` },
      { ...given, oneTimePasscode: 'nothing' },
    ]
    const answers = await Promise.all(faults.map((fault) => check(fault)))
    const refusal = { status: 400, body: { code: 'token_expired', message: TOKEN_EXPIRED } }
    for (const answer of answers) expect(answer).toMatchObject(refusal)
    // All faults get one response, so that accounts cannot be probed.
    expect(new Set(answers.map(({ body }) => JSON.stringify({ ...body, requestId: null }))).size).toBe(1)
    later(HOUR + SECOND)
    expect(await check(given)).toMatchObject(refusal)
    later(0)
    expect((await setPassword({ ...given, newPassword: 'Another-horse-8' })).status).toBe(204)
    expect(await check(given)).toMatchObject(refusal)
  })

  test('has links that can be checked sixty times a minute from one address', async () => {
    const given = { enterpriseCode: 'acme', userId: crypto.randomUUID(), oneTimePasscode: 'nothing' }
    const address = anAddress()
    const replies = await Promise.all(Array.from({ length: 60 }, () => check(given, address)))
    expect(replies.every(({ status }) => status === 400)).toBe(true)
    expect((await check(given, address)).status).toBe(429)
    expect((await check(given)).status).toBe(400)
  })

  test('is set by somebody who has none yet, too', async () => {
    const org = await anOrganisation()
    const user = await aUser(org)
    await change(org, user.uuid, { password_hash: null })
    expect((await forgot(org.code, user.email)).status).toBe(204)
    const { given } = await linkTo(user.email)
    expect((await setPassword({ ...given, newPassword: 'Another-horse-8' })).status).toBe(204)
    expect((await upass(org, user.email, { password: 'Another-horse-8' })).status).toBe(200)
  })

  test('is answered the same whoever asks, and mailed only to who can sign in', async () => {
    const [org, other] = [await anOrganisation(), await anOrganisation()]
    const [archived, banned] = [await aUser(org, { active: false }), await aUser(org)]
    const elsewhere = await aUser(other)
    await change(org, banned.uuid, { banned: true })
    const unknown = own()
    const asked = [
      [org.code, archived.email],
      [org.code, banned.email],
      [org.code, elsewhere.email],
      [org.code, unknown],
      ['no-such-organisation', elsewhere.email],
    ] as const
    for (const [code, email] of asked) {
      const reply = await forgot(code, email)
      expect([reply.status, reply.text]).toEqual([204, ''])
      expect(await mailsTo(email)).toEqual([])
    }
    expect(await eventsOf(org, 'passwords')).toEqual([])
  })

  test('cannot be asked for more than ten times a minute, whether there is an account or not', async () => {
    const org = await anOrganisation()
    const user = await aUser(org)
    const unknown = own()
    for (const email of [user.email, unknown]) {
      const replies = await Promise.all(Array.from({ length: 10 }, () => forgot(org.code, email)))
      expect(replies.every(({ status }) => status === 204)).toBe(true)
      const refused = await forgot(org.code, email)
      expect(refused.status).toBe(429)
      expect(refused.body.msUntilNextAttempt).toBeGreaterThan(50 * SECOND)
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    }
    expect(await mailsTo(user.email)).toHaveLength(10)
    // Requests by others do not block sign-in or the other way.
    expect((await remind(user.email)).status).toBe(204)
    later(MINUTE + SECOND)
    expect((await forgot(org.code, user.email)).status).toBe(204)
  })

  test.each(['forgot', 'remind'] as const)(
    'cannot be asked for more than twenty times a day (%s)',
    async (way) => {
      const org = await anOrganisation()
      const user = await aUser(org)
      const ask = (email: string) => (way === 'forgot' ? forgot(org.code, email) : remind(email))
      for (const email of [user.email, own()]) {
        for (const minutes of [0, 2]) {
          later(minutes * MINUTE)
          const replies = await Promise.all(Array.from({ length: 10 }, () => ask(email)))
          expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(204))
        }
        later(4 * MINUTE)
        const refused = await ask(email)
        expect(refused.status).toBe(429)
        expect(refused.body.msUntilNextAttempt).toBeGreaterThan(23 * HOUR)
        // Both kinds are counted separately.
        expect((await (way === 'forgot' ? remind(email) : forgot(org.code, email))).status).toBe(204)
        later(24 * HOUR + SECOND)
        expect((await ask(email)).status).toBe(204)
      }
      expect(await mailsTo(user.email)).toHaveLength(22)
    },
    30_000,
  )

  test('does not count the codes of a sign-in, and an administrator can still help', async () => {
    const org = await anOrganisation({ auth2fa: true, auth2faType: 'EMAIL' })
    const admin = await signedInAs(org, 'ADMIN')
    const user = await aUser(org)
    for (let n = 0; n < 25; n += 1) {
      later(n * 10 * SECOND)
      expect((await upass(org, user.email)).status).toBe(200)
      await forgot(org.code, user.email)
    }
    expect((await forgot(org.code, user.email)).status).toBe(429)
    expect((await admin.get(`/useradmin/user/forgotPassword/${user.uuid}`)).status).toBe(204)
  })

  test('cannot be asked for more than sixty times a minute from one address', async () => {
    const address = anAddress()
    const replies = await Promise.all(Array.from({ length: 60 }, () => forgot('acme', own(), address)))
    expect(replies.every(({ status }) => status === 204)).toBe(true)
    expect((await forgot('acme', own(), address)).status).toBe(429)
    expect((await remind(own(), address)).status).toBe(429)
    expect((await forgot('acme', own())).status).toBe(204)
  })

  test.each([{}, { enterpriseCode: 'acme', userId: 'a@b' }, { enterpriseCode: 'acme', userId: { $ne: 1 } }])(
    '%j is bad input',
    async (body) => {
      const answer = await send('POST', '/authentication/forgotPassword', { body })
      expect(answer.status).toBe(400)
      expect(answer.body.fields.userId).toBe('Please enter a valid email address.')
    },
  )
})

describe('a forgotten organisation code', () => {
  test('is mailed, with those of all organisations that the address can sign in to', async () => {
    const [a, b, c, d] = [
      await anOrganisation(),
      await anOrganisation(),
      await anOrganisation(),
      await anOrganisation(),
    ]
    const email = own()
    await aUser(a, { email })
    await aUser(b, { email })
    await aUser(c, { email, active: false })
    const banned = await aUser(d, { email })
    await change(d, banned.uuid, { banned: true })
    expect(await remind(` ${email.toUpperCase()} `)).toMatchObject({ status: 204, text: '' })
    const [mail, ...more] = await mailsTo(email)
    expect(more).toEqual([])
    for (const form of [mail!.text, mail!.html!]) {
      expect(form).toContain(a.code)
      expect(form).toContain(b.code)
      expect(form).not.toContain(c.code)
      expect(form).not.toContain(d.code)
    }
  })

  test('is answered the same where there is none, and limited the same', async () => {
    const org = await anOrganisation()
    const archived = await aUser(org, { active: false })
    expect(await remind(archived.email)).toMatchObject({ status: 204, text: '' })
    expect(await mailsTo(archived.email)).toEqual([])
    const unknown = own()
    await Promise.all(Array.from({ length: 10 }, () => remind(unknown)))
    const refused = await remind(unknown)
    expect(refused.status).toBe(429)
    expect(refused.body.msUntilNextAttempt).toBeGreaterThan(0)
    expect((await remind('not an address')).status).toBe(400)
  })

  test('is asked for at the address that the registry gives before there is an organisation', async () => {
    const { status, body } = await send('GET', '/registry')
    expect(status).toBe(200)
    expect(body).toEqual({ apiUrl: `${services.publicUrl()}/api` })
  })
})

describe('a new password', () => {
  async function aLink(org: Organisation, email: string) {
    await forgot(org.code, email)
    return (await linkTo(email)).given
  }

  test('is none of the last five', async () => {
    const org = await anOrganisation()
    const user = await aUser(org)
    const passwords = [PASSWORD, ...[2, 3, 4, 5, 6].map((n) => `Another-horse-${n}`)]
    for (const newPassword of passwords.slice(1, 5))
      expect((await setPassword({ ...(await aLink(org, user.email)), newPassword })).status).toBe(204)
    const given = await aLink(org, user.email)
    for (const newPassword of passwords.slice(0, 5)) {
      const refused = await setPassword({ ...given, newPassword })
      expect(refused.status).toBe(400)
      expect(refused.body.fields).toEqual({ newPassword: PASSWORD_USED_BEFORE })
    }
    // The refusals have not used the link. Passwords older than the last five may be chosen again.
    expect((await setPassword({ ...given, newPassword: passwords[5] })).status).toBe(204)
    const again = { ...(await aLink(org, user.email)), newPassword: PASSWORD }
    expect((await setPassword(again)).status).toBe(204)
    const kept = await inside(org, (db) => db.selectFrom('past_passwords').selectAll().execute())
    expect(kept).toHaveLength(4)
    expect(JSON.stringify(kept)).not.toContain('horse')
  })

  test('may be that of somebody else', async () => {
    const org = await anOrganisation()
    const [user, other] = [await aUser(org), await aUser(org)]
    await inside(org, async (db) => {
      const password_hash = await hashPassword('Another-horse-8')
      await db.updateTable('users').set({ password_hash }).where('id', '=', other.uuid).execute()
    })
    const given = await aLink(org, user.email)
    expect((await setPassword({ ...given, newPassword: 'Another-horse-8' })).status).toBe(204)
  })

  test.each(['P@ssw0rd', 'p@sSW0RD', '1qaz@WSX', 'Pa$$w0rd', 'Password1!', 'Welcome2026!'])(
    'is not as common as %s',
    async (newPassword) => {
      const org = await anOrganisation()
      const user = await aUser(org)
      const given = await aLink(org, user.email)
      const refused = await setPassword({ ...given, newPassword })
      expect(refused.status).toBe(400)
      expect(refused.body.fields).toEqual({ newPassword: PASSWORD_TOO_COMMON })
      expect((await setPassword({ ...given, newPassword: `${newPassword}-and-more` })).status).toBe(204)
    },
  )

  test('is not made of what others know of the person', async () => {
    const org = await anOrganisation()
    const user = await aUser(org, {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: `countess@${org.code}.example`,
    })
    const given = await aLink(org, user.email)
    for (const newPassword of [
      'Ada-Lovelace-7',
      'L0velace!!',
      'Countess#1',
      'Organisation-7',
      'Muster-2026',
    ]) {
      const refused = await setPassword({ ...given, newPassword })
      expect(refused.body.fields, newPassword).toEqual({ newPassword: PASSWORD_TOO_COMMON })
    }
    expect((await setPassword({ ...given, newPassword: 'Analytical-engine-7' })).status).toBe(204)
  })
})
