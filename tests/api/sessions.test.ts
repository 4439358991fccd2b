import { afterEach, describe, expect, test, vi } from 'vitest'

import { SIGN_IN_REFUSED, TOKEN_EXPIRED } from '#contract/sessions/schema.ts'
import { clock, DAY, HOUR, MINUTE, SECOND } from '#server/kit/core/clock.ts'
import { newToken, sealToken } from '#server/kit/security/secrets.ts'
import { passwordLink } from '#server/users/flows.ts'
import type { TokenPurpose } from '#server/users/store.ts'
import { type Organisation, PASSWORD, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, aUser, inside, send, services, signedInAs } = await startTestServer()
const later = (ms: number) => vi.spyOn(clock, 'now').mockImplementation(() => Date.now() + ms)
afterEach(() => void vi.restoreAllMocks())

const signIn = (org: Organisation, email: string, password = PASSWORD) =>
  send('POST', '/authentication/upass', { body: { email, password, enterpriseCode: org.code } })
const refresh = (refreshToken: string) =>
  send('POST', '/authentication/refreshToken', { body: { refreshToken } })
const me = (org: Organisation, token: string) =>
  send('GET', '/me', { headers: { Authorization: `Bearer ${token}`, 'Enterprise-Code': org.code } })
const verbsOf = (org: Organisation, noun: string) =>
  inside(org, (db) =>
    db.selectFrom('events').selectAll().where('noun', '=', noun).orderBy('sequence').execute(),
  )

describe('signing in', () => {
  test('answers a session that works', async () => {
    const org = await anOrganisation()
    const user = await aUser(org, { role: 'ADMIN', firstName: 'Ana' })
    const { status, body } = await signIn(org, user.email)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      isSuccess: true,
      uuid: user.uuid,
      user: { firstName: 'Ana', role: 'ADMIN' },
    })
    expect(body.permissions).toContain('user-admin')
    expect(body.userIdHash).not.toContain(user.uuid)
    expect(JSON.stringify(body)).not.toContain('argon2')
    expect(Date.parse(body.authenticationTokenExpiry) - Date.now()).toBeLessThanOrEqual(15 * MINUTE)
    const mine = await me(org, body.authenticationToken)
    expect(mine.body).toEqual({ user: body.user, userPermissions: body.permissions })
    expect(await verbsOf(org, 'sessions')).toMatchObject([{ verb: 'started', actor: { name: user.email } }])
  })

  test('answers everything that a session has, and nothing more', async () => {
    const org = await anOrganisation()
    const user = await aUser(org, { role: 'BUSINESS_USER', firstName: 'Ana', lastName: 'Berg' })
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect((await signIn(org, user.email)).body).toEqual({
      isSuccess: true,
      authenticationToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      authenticationTokenExpiry: at,
      cueRefreshToken: expect.stringMatching(/^mr_/),
      uuid: user.uuid,
      userIdHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      user: {
        uuid: user.uuid,
        firstName: 'Ana',
        lastName: 'Berg',
        email: user.email,
        phoneNumber: null,
        phoneExtension: null,
        secondPhoneNumber: null,
        secondPhoneExtension: null,
        role: 'BUSINESS_USER',
        type: 'INTERNAL',
        profileImageUrl: null,
        lastUpdateTimestamp: at,
        acceptedTerms: true,
        passwordChangeRequired: false,
      },
      permissions: ['chats', 'incidents-read-only', 'playbook-read-only', 'sfs'],
    })
  })

  test('does not mind case and spaces of code and address', async () => {
    const org = await anOrganisation()
    const user = await aUser(org)
    const body = {
      email: ` ${user.email.toUpperCase()} `,
      password: PASSWORD,
      enterpriseCode: ` ${org.code.toUpperCase()} `,
    }
    expect((await send('POST', '/authentication/upass', { body })).status).toBe(200)
  })

  test('is refused in the same words for every reason', async () => {
    const org = await anOrganisation()
    const other = await anOrganisation()
    const user = await aUser(org)
    const archived = await aUser(org, { active: false })
    const banned = await aUser(org)
    const withoutPassword = await aUser(org)
    await inside(org, async (db) => {
      await db.updateTable('users').set({ banned: true }).where('id', '=', banned.uuid).execute()
      await db
        .updateTable('users')
        .set({ password_hash: null })
        .where('id', '=', withoutPassword.uuid)
        .execute()
    })
    const refused = await Promise.all([
      signIn(org, user.email, 'Wrong-horse-9'),
      signIn(org, 'nobody@example.com'),
      signIn(other, user.email),
      signIn({ id: '', code: 'no-such-organisation' }, user.email),
      signIn(org, archived.email),
      signIn(org, banned.email),
      signIn(org, withoutPassword.email),
      signIn(org, user.email, PASSWORD.toLowerCase()),
      signIn(org, user.email, `${PASSWORD} `),
    ])
    for (const { status, body } of refused) {
      expect(status).toBe(401)
      expect(body).toEqual({ code: 'unauthenticated', message: SIGN_IN_REFUSED })
    }
    expect((await signIn(org, user.email)).status).toBe(200)
  })

  test('is locked out whatever is said of the address, the case or the organisation', async () => {
    const org = await anOrganisation()
    const other = await anOrganisation()
    const user = await aUser(org)
    const attempt = (n: number, password: string) =>
      send('POST', '/authentication/upass', {
        body: {
          email: n % 2 ? ` ${user.email.toUpperCase()}` : user.email,
          password,
          enterpriseCode: n % 3 ? org.code : ` ${org.code.toUpperCase()} `,
        },
        // Forged headers, because there is no trusted proxy.
        headers: {
          'X-Forwarded-For': `203.0.113.${n}`,
          'X-Real-IP': `203.0.113.${n}`,
          Forwarded: `for=203.0.113.${n}`,
          'Enterprise-Code': n % 2 ? other.code : org.code,
          'User-Agent': `Guesser/${n}`,
        },
      })
    const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => attempt(n, 'Wrong-horse-9')))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]))
    for (const n of [10, 11, 12, 13]) expect((await attempt(n, PASSWORD)).status).toBe(429)
  })

  test.each([
    [{}, ['email', 'password', 'enterpriseCode']],
    [{ email: 'x', password: 'p', enterpriseCode: 'acme' }, ['email']],
    [{ email: 'a@b.example', password: '', enterpriseCode: 'acme' }, ['password']],
    [{ email: ["' or 1=1 --"], password: { $ne: null }, enterpriseCode: 'acme' }, ['email', 'password']],
    [{ email: 'a@b.example', password: 'x'.repeat(1_001), enterpriseCode: 'acme' }, ['password']],
  ])('%j is bad input', async (body, fields) => {
    const answer = await send('POST', '/authentication/upass', { body })
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.fields)).toEqual(fields)
  })
})

describe('an access token', () => {
  test('works for its own organisation only', async () => {
    const org = await anOrganisation()
    const other = await anOrganisation()
    const { headers } = await signedInAs(org)
    expect((await send('GET', '/me', { headers })).status).toBe(200)
    const foreign = await send('GET', '/me', { headers: { ...headers, 'Enterprise-Code': other.code } })
    expect([foreign.status, foreign.body.code]).toEqual([401, 'wrong_organization'])
    const { Authorization } = headers
    const missing = await send('GET', '/me', { headers: { Authorization: Authorization! } })
    expect([missing.status, missing.body.code]).toEqual([401, 'enterprise_code_missing'])
  })

  test('ends after a quarter of an hour', async () => {
    const org = await anOrganisation()
    const { headers } = await signedInAs(org)
    later(14 * MINUTE)
    expect((await send('GET', '/me', { headers })).status).toBe(200)
    later(16 * MINUTE)
    expect((await send('GET', '/me', { headers })).status).toBe(401)
  })

  test('that is not genuine is refused', async () => {
    const org = await anOrganisation()
    const { headers, uuid, sessionId } = await signedInAs(org)
    const [head, payload, signature] = headers['Authorization']!.slice(7).split('.')
    const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString())
    const other = await anOrganisation()
    const forged = Buffer.from(JSON.stringify({ ...claims, org: other.id })).toString('base64url')
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url')
    const { ticket } = await services.tokens.issueTicket({ userId: uuid, organisationId: org.id, sessionId })
    for (const token of [
      'garbage',
      `${head}.${forged}.${signature}`,
      `${none}.${payload}.`,
      `${head}.${payload}.${signature!.slice(0, -2)}AA`,
      ticket,
      newToken(),
    ]) {
      expect((await me(org, token)).status, token).toBe(401)
    }
    for (const Authorization of ['', 'Bearer', 'Bearer ', 'Basic YTpi', `bearer  `]) {
      const answer = await send('GET', '/me', { headers: { Authorization, 'Enterprise-Code': org.code } })
      expect(answer.status).toBe(401)
    }
  })

  test('is refused at once when its user is archived, banned, or signs out', async () => {
    const org = await anOrganisation()
    const admin = await signedInAs(org, 'ADMIN')
    const [archived, banned, leaving] = [await signedInAs(org), await signedInAs(org), await signedInAs(org)]
    await admin.delete(`/useradmin/user/${archived.uuid}`)
    await inside(org, (db) =>
      db.updateTable('users').set({ banned: true }).where('id', '=', banned.uuid).execute(),
    )
    expect((await leaving.post('/authentication/logout')).status).toBe(204)
    for (const person of [archived, banned, leaving]) expect((await person.get('/me')).status).toBe(401)
    expect((await admin.get('/me')).status).toBe(200)
    // Reactivation does not restore the session.
    await admin.post(`/useradmin/user/${archived.uuid}`)
    expect((await archived.get('/me')).status).toBe(401)
  })

  test('carries no rights: a changed role counts from the next call', async () => {
    const org = await anOrganisation()
    const [admin, other] = [await signedInAs(org, 'ADMIN'), await signedInAs(org, 'ADMIN')]
    expect((await other.get('/useradmin/users')).status).toBe(200)
    await inside(org, (db) =>
      db.updateTable('users').set({ role: 'USER' }).where('id', '=', other.uuid).execute(),
    )
    expect((await other.get('/useradmin/users')).status).toBe(403)
    expect((await admin.get('/useradmin/users')).status).toBe(200)
  })
})

describe('refreshing', () => {
  async function aSession() {
    const org = await anOrganisation()
    const user = await aUser(org)
    const { body } = await signIn(org, user.email)
    return { org, user, access: body.authenticationToken as string, token: body.cueRefreshToken as string }
  }

  test('rotates both tokens', async () => {
    const { org, access, token } = await aSession()
    const first = await refresh(token)
    expect(first.status).toBe(200)
    expect(Object.keys(first.body).sort()).toEqual([
      'authenticationToken',
      'authenticationTokenExpiry',
      'expiresAt',
      'refreshToken',
    ])
    expect(first.body.refreshToken).not.toBe(token)
    const second = await refresh(first.body.refreshToken)
    for (const valid of [access, first.body.authenticationToken, second.body.authenticationToken]) {
      expect((await me(org, valid)).status).toBe(200)
    }
  })

  test('again with the same token within 30 seconds gets the same refresh token: the answer was lost', async () => {
    const { org, token } = await aSession()
    const first = await refresh(token)
    later(29 * SECOND)
    const again = await refresh(token)
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({
      refreshToken: first.body.refreshToken,
      expiresAt: first.body.expiresAt,
    })
    expect((await me(org, again.body.authenticationToken)).status).toBe(200)
    const next = await refresh(again.body.refreshToken)
    expect(next.status).toBe(200)
    expect(next.body.refreshToken).not.toBe(first.body.refreshToken)
    const stored = await inside(org, (db) => db.selectFrom('refresh_tokens').selectAll().execute())
    for (const { body } of [first, next])
      expect(JSON.stringify(stored)).not.toContain((body.refreshToken as string).split('_').at(-1))
  })

  test('with a token whose successor was used ends the session, also within 30 seconds', async () => {
    const { org, access, token } = await aSession()
    const { body } = await refresh(token)
    const second = await refresh(body.refreshToken)
    expect((await refresh(token)).status).toBe(401)
    expect((await refresh(second.body.refreshToken)).status).toBe(401)
    expect((await me(org, access)).status).toBe(401)
    expect(await verbsOf(org, 'sessions')).toMatchObject([
      { verb: 'started' },
      { verb: 'ended', changes: { reason: { to: 'refresh token used twice' } } },
    ])
  })

  test.each([
    ['40 seconds', 40 * SECOND],
    ['two hours', 2 * HOUR],
  ])('with a token whose answer did not arrive gets its successor after %s too', async (_, ms) => {
    const { org, token } = await aSession()
    const first = await refresh(token)
    later(ms)
    const again = await refresh(token)
    expect(again.body).toMatchObject({
      refreshToken: first.body.refreshToken,
      expiresAt: first.body.expiresAt,
    })
    expect((await me(org, again.body.authenticationToken)).status).toBe(200)
    expect((await refresh(again.body.refreshToken)).status).toBe(200)
  })

  /** Uses the new access token, and waits until the server has recorded that. */
  async function received(org: Organisation, accessToken: string) {
    expect((await me(org, accessToken)).status).toBe(200)
    await vi.waitFor(async () => {
      const rows = await inside(org, (db) =>
        db.selectFrom('refresh_tokens').where('received_timestamp', 'is not', null).selectAll().execute(),
      )
      expect(rows).toHaveLength(1)
    })
  }

  test('with a token whose successor was received more than 30 seconds ago ends the session', async () => {
    const { org, access, token } = await aSession()
    const { body } = await refresh(token)
    await received(org, body.authenticationToken)
    // The second of two tabs that refresh at once.
    expect((await refresh(token)).body.refreshToken).toBe(body.refreshToken)
    later(31 * SECOND)
    expect((await refresh(token)).status).toBe(401)
    expect((await refresh(body.refreshToken)).status).toBe(401)
    expect((await me(org, access)).status).toBe(401)
    expect((await me(org, body.authenticationToken)).status).toBe(401)
    expect(await verbsOf(org, 'sessions')).toMatchObject([
      { verb: 'started' },
      { verb: 'ended', changes: { reason: { to: 'refresh token used twice' } } },
    ])
  })

  test('several times at the same moment gets one successor', async () => {
    const { org, token } = await aSession()
    const answers = await Promise.all([refresh(token), refresh(token), refresh(token)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1)
    expect((await me(org, answers[2].body.authenticationToken)).status).toBe(200)
  })

  test('ends after 30 days, however often it is done', async () => {
    const { org, token } = await aSession()
    let tokens = { refreshToken: token, expiresAt: '', authenticationToken: '' }
    const begun = Date.now()
    for (let at = 0; at < 30 * DAY - MINUTE; at = Math.min(at + 11 * HOUR, 30 * DAY - MINUTE)) {
      later(at)
      const answer = await refresh(tokens.refreshToken)
      expect(answer.status).toBe(200)
      tokens = answer.body
    }
    later(30 * DAY - MINUTE)
    tokens = (await refresh(tokens.refreshToken)).body
    expect(Date.parse(tokens.expiresAt)).toBeLessThanOrEqual(begun + 30 * DAY + MINUTE)
    expect((await me(org, tokens.authenticationToken)).status).toBe(200)
    // The access token itself would be valid for another 14 minutes.
    later(30 * DAY + MINUTE)
    expect((await me(org, tokens.authenticationToken)).status).toBe(401)
    expect((await refresh(tokens.refreshToken)).status).toBe(401)
  })

  test('is refused after its life, after signing out, and with anything else', async () => {
    const { org, user, access, token } = await aSession()
    later(12 * HOUR + MINUTE)
    expect((await refresh(token)).status).toBe(401)
    vi.restoreAllMocks()
    const headers = { Authorization: `Bearer ${access}`, 'Enterprise-Code': org.code }
    await send('POST', '/authentication/logout', { headers })
    expect((await refresh(token)).status).toBe(401)
    const { body } = await signIn(org, user.email)
    for (const bad of [
      '',
      'garbage',
      access,
      sealToken('mr', org.id).token,
      body.cueRefreshToken.slice(0, -1),
    ]) {
      expect((await refresh(bad)).status, bad).toBe(401)
    }
    const elsewhere = await anOrganisation()
    expect((await refresh(body.cueRefreshToken.replace(/_[\w-]{22}_/, sealed(elsewhere)))).status).toBe(401)
    expect((await refresh(body.cueRefreshToken)).status).toBe(200)
  })
  const sealed = (org: Organisation) => /_[\w-]{22}_/.exec(sealToken('mr', org.id).token)![0]
})

describe('setting a password', () => {
  async function aLink(purpose: TokenPurpose = 'activation') {
    const org = await anOrganisation()
    const user = await aUser(org)
    const link = new URL(await inside(org, (db) => passwordLink(services, db, user, org, purpose)))
    const [userId, enterpriseCode, oneTimePasscode] = ['u', 'e', 't'].map((name) =>
      link.searchParams.get(name)!,
    )
    return {
      org,
      user,
      link,
      given: { userId, enterpriseCode, oneTimePasscode, newPassword: 'Another-horse-8' },
    }
  }
  const set = (body: object) => send('POST', '/authentication/changePassword', { body })
  const expired = { code: 'token_expired', message: TOKEN_EXPIRED }

  test('works once with a mailed link, and ends the sessions that there were', async () => {
    const { org, user, link, given } = await aLink()
    expect(link.pathname).toBe('/set-password')
    expect(Buffer.from(link.searchParams.get('a')!, 'base64').toString()).toBe(`${services.publicUrl()}/api`)
    const before = (await signIn(org, user.email)).body
    expect(await set(given)).toMatchObject({ status: 204, text: '' })
    expect((await me(org, before.authenticationToken)).status).toBe(401)
    expect((await refresh(before.cueRefreshToken)).status).toBe(401)
    expect((await signIn(org, user.email)).status).toBe(401)
    expect((await signIn(org, user.email, given.newPassword)).status).toBe(200)
    const again = await set({ ...given, newPassword: 'Third-horse-7' })
    expect([again.status, again.body]).toEqual([400, expired])
    expect(await verbsOf(org, 'users')).toMatchObject([
      { verb: 'password set', record: user.uuid, actor: { kind: 'person', name: user.email } },
    ])
  })

  test('uses up every other link of the user', async () => {
    const { org, user, given } = await aLink()
    const other = new URL(await inside(org, (db) => passwordLink(services, db, user, org, 'reset')))
    expect((await set(given)).status).toBe(204)
    const answer = await set({ ...given, oneTimePasscode: other.searchParams.get('t') })
    expect([answer.status, answer.body]).toEqual([400, expired])
  })

  test('at the same moment with the same link works once', async () => {
    const { given } = await aLink()
    const answers = await Promise.all([set(given), set({ ...given, newPassword: 'Third-horse-7' })])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 400])
  })

  test.each<[TokenPurpose, number]>([
    ['activation', 7 * DAY],
    ['reset', HOUR],
  ])('a link for %s has its life', async (purpose, life) => {
    const { given } = await aLink(purpose)
    later(life + 1_000)
    const answer = await set(given)
    expect([answer.status, answer.body]).toEqual([400, expired])
    later(life - MINUTE)
    expect((await set(given)).status).toBe(204)
  })

  test('is refused in the same words whatever is wrong with the link', async () => {
    const { org, given } = await aLink()
    const other = await aLink()
    const neighbour = await aUser(org)
    const archived = await aLink()
    await inside(archived.org, (db) =>
      db.updateTable('users').set({ active: false }).where('id', '=', archived.user.uuid).execute(),
    )
    for (const wrong of [
      { oneTimePasscode: 'garbage' },
      { oneTimePasscode: '' },
      { oneTimePasscode: sealToken('mo', org.id).token },
      { oneTimePasscode: given.oneTimePasscode!.replace('mo_', 'mr_') },
      { oneTimePasscode: other.given.oneTimePasscode },
      { userId: neighbour.uuid },
      { userId: other.user.uuid },
      { userId: "' or 1=1" },
      { enterpriseCode: other.org.code },
      { enterpriseCode: 'no-such-organisation' },
      archived.given,
    ]) {
      const answer = await set({ ...given, ...wrong })
      expect([answer.status, answer.body], JSON.stringify(wrong)).toEqual([400, expired])
    }
    expect((await set(given)).status).toBe(204)
  })

  test('follows the rules, and a refusal does not use the link up', async () => {
    const { given } = await aLink()
    const weak = await set({ ...given, newPassword: 'alllowercase1!' })
    expect(weak.status).toBe(400)
    expect(weak.body.fields).toEqual({ newPassword: 'Password must contain at least 1 uppercase letter.' })
    expect((await set(given)).status).toBe(204)
  })
})
