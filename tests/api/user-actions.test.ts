import { afterEach, describe, expect, test, vi } from 'vitest'

import { MINUTE } from '#server/kit/core/clock.ts'
import { record } from '#server/kit/events/events.ts'
import { startTestServer } from '#tests/support/server.ts'
import { anAddress, appCode, later, signingIn } from '#tests/support/sign-in.ts'

const server = await startTestServer({ TRUST_PROXY: '1' })
const { anOrganisation, aUser, inside, send, signedInAs } = server
const { as, enrol, eventsOf, mailsTo, mailedCode, post, upass, confirm, initQR, begin } = signingIn(server)
afterEach(() => void vi.restoreAllMocks())

const USER = '/useradmin/user'
const aTeam = async (config: Parameters<typeof anOrganisation>[0] = {}) => {
  const org = await anOrganisation(config)
  const admin = await signedInAs(org, 'ADMIN')
  const user = await aUser(org)
  return { org, admin, user }
}
const linkIn = (text: string) => new URL(/http\S+\/set-password\S+/.exec(text)![0])

describe('a mail that an administrator sends', () => {
  test('lets a user set a new password, and their old one is good until then', async () => {
    const { org, admin, user } = await aTeam()
    expect((await admin.get(`${USER}/forgotPassword/${user.uuid}`)).status).toBe(204)
    const [mail, ...more] = await mailsTo(user.email)
    expect(more).toEqual([])
    expect(mail!.subject).toBe(`Set a new password for Organisation ${org.code}`)
    expect((await upass(org, user.email)).status).toBe(200)
    const link = linkIn(mail!.text)
    const body = {
      userId: link.searchParams.get('u'),
      enterpriseCode: link.searchParams.get('e'),
      oneTimePasscode: link.searchParams.get('t'),
      newPassword: 'Other-horses-7',
    }
    expect((await send('POST', '/authentication/changePassword', { body })).status).toBe(204)
    expect((await upass(org, user.email)).status).toBe(401)
    expect((await upass(org, user.email, { password: 'Other-horses-7' })).status).toBe(200)
  })

  test('invites once more', async () => {
    const { admin, user } = await aTeam()
    expect((await admin.get(`${USER}/sendWelcomeEmail/${user.uuid}`)).status).toBe(204)
    const [mail, ...more] = await mailsTo(user.email)
    expect(more).toEqual([])
    expect(linkIn(mail!.text).searchParams.get('u')).toBe(user.uuid)
    expect((await admin.get(`${USER}/${user.uuid}`)).body.wasSentActivationEmail).toBe(true)
  })

  test('opens nothing any more once the user was archived, also when they are active again', async () => {
    const { org, admin, user } = await aTeam()
    await admin.get(`${USER}/forgotPassword/${user.uuid}`)
    await admin.get(`${USER}/sendWelcomeEmail/${user.uuid}`)
    const links = (await mailsTo(user.email)).map(({ text }) => linkIn(text))
    expect(links).toHaveLength(2)
    const use = async (link: URL) => {
      const body = {
        userId: link.searchParams.get('u'),
        enterpriseCode: link.searchParams.get('e'),
        oneTimePasscode: link.searchParams.get('t'),
        newPassword: 'Other-horses-7',
      }
      return (await send('POST', '/authentication/changePassword', { body })).status
    }
    await admin.delete(`${USER}/${user.uuid}`)
    for (const link of links) expect(await use(link)).toBe(400)
    await admin.post(`${USER}/${user.uuid}`)
    for (const link of links) expect(await use(link)).toBe(400)
    expect((await upass(org, user.email)).status).toBe(200)
    // A new link works.
    await admin.get(`${USER}/forgotPassword/${user.uuid}`)
    expect(await use(linkIn((await mailsTo(user.email))[0]!.text))).toBe(204)
  })

  test.each(['forgotPassword', 'sendWelcomeEmail'])('goes out 20 times a day at most (%s)', async (way) => {
    const { org, admin, user } = await aTeam()
    const sendIt = () => admin.get(`${USER}/${way}/${user.uuid}`)
    for (const minutes of [0, 2]) {
      later(minutes * MINUTE)
      for (let n = 0; n < 10; n += 1) expect((await sendIt()).status).toBe(204)
      // Not 429, which would sign the administrator out.
      expect((await sendIt()).status).toBe(409)
    }
    later(4 * MINUTE)
    const refused = await sendIt()
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'This user was sent too many of these emails. Please wait before sending another one.',
    ])
    expect(await mailsTo(user.email)).toHaveLength(20)
    if (way === 'sendWelcomeEmail') {
      const person = (await admin.get(`${USER}/${user.uuid}`)).body
      const body = { ...person, sendWelcomeSetPasswordEmail: true }
      expect((await admin.put(`${USER}/${user.uuid}`, body)).status).toBe(409)
    }
    // Mails sent by administrators do not count towards the person's own limit.
    const ask = { enterpriseCode: org.code, userId: user.email }
    expect((await post('/authentication/forgotPassword', ask, anAddress())).status).toBe(204)
  })

  test('does not go to somebody who is archived', async () => {
    const { org, admin } = await aTeam()
    const gone = await aUser(org, { active: false })
    for (const way of ['forgotPassword', 'sendWelcomeEmail']) {
      const answer = await admin.get(`${USER}/${way}/${gone.uuid}`)
      expect([answer.status, answer.body.message]).toEqual([
        409,
        'This user is archived. Reactivate the user first.',
      ])
    }
    expect(await mailsTo(gone.email)).toEqual([])
  })
})

describe('ending the sessions of a user', () => {
  const sessionsOf = (uuid: string) => `${USER}/${uuid}/sessions`

  test('signs them out everywhere at once, and they can sign in again', async () => {
    const { org, admin, user } = await aTeam()
    const sessions = [(await upass(org, user.email)).body, (await upass(org, user.email)).body]
    const stranger = await signedInAs(org)
    expect((await admin.delete(sessionsOf(user.uuid))).status).toBe(204)
    for (const session of sessions) {
      expect((await as(org, session).get('/me')).status).toBe(401)
      const body = { refreshToken: session.cueRefreshToken }
      expect((await send('POST', '/authentication/refreshToken', { body })).status).toBe(401)
    }
    expect((await stranger.get('/me')).status).toBe(200)
    expect((await admin.get('/me')).status).toBe(200)
    expect((await upass(org, user.email)).status).toBe(200)
    const ended = (await eventsOf(org, 'sessions', 'users')).filter(({ actor }) => actor.name === admin.email)
    expect(ended).toMatchObject([
      { verb: 'ended', changes: { reason: { to: 'signed out by an administrator' } } },
      { verb: 'ended', changes: { reason: { to: 'signed out by an administrator' } } },
      { noun: 'users', verb: 'sessions ended', record: user.uuid },
    ])
    const { userHistoryEntities: history } = (await admin.get(`${USER}/${user.uuid}`)).body
    expect(history[0]).toMatchObject({ event: 'SESSIONS_ENDED', actor: admin.email })
  })

  test('also ends a sign-in that waits for its code', async () => {
    const { org, admin, user } = await aTeam({ auth2fa: true, auth2faType: 'EMAIL' })
    const token = await begin(org, user.email)
    expect((await admin.delete(sessionsOf(user.uuid))).status).toBe(204)
    expect((await confirm(token, await mailedCode(user.email))).status).toBe(401)
  })

  test('is not for oneself, nor for somebody who is archived', async () => {
    const { org, admin } = await aTeam()
    const gone = await aUser(org, { active: false })
    expect(await admin.delete(sessionsOf(admin.uuid))).toMatchObject({
      status: 409,
      body: { message: 'Your own devices are signed out in your account, under Devices.' },
    })
    expect((await admin.get('/me')).status).toBe(200)
    expect((await admin.delete(sessionsOf(gone.uuid))).status).toBe(409)
  })
})

describe('resetting an authenticator app', () => {
  const withApp = { auth2fa: true, auth2faType: 'TOTP' } as const

  test('lets the user enrol again, and what they had works no more', async () => {
    const { org, admin, user } = await aTeam(withApp)
    const { secret, recoveryCodes } = await enrol(org, user.email)
    const path = `${USER}/removeAuthenticatorInitialization/${user.uuid}`
    expect((await admin.delete(path)).status).toBe(204)
    const [mail] = await mailsTo(user.email)
    expect(mail!.subject).toBe(`Your authenticator app was removed at Organisation ${org.code}`)

    const again = await upass(org, user.email)
    expect(again.body).toMatchObject({ isSuccess: false, initialized: false })
    for (const code of [appCode(secret, 1), recoveryCodes[0]!])
      expect((await confirm(await begin(org, user.email), code)).status).toBe(401)
    const token = again.body.temporaryAuthenticationToken as string
    const renewed = (await initQR(token)).body as { secret: string }
    expect(renewed.secret).not.toBe(secret)
    expect((await confirm(token, appCode(renewed.secret), { enrols: true })).status).toBe(200)
  })

  test('of somebody who has none is refused with words', async () => {
    const { admin, user } = await aTeam()
    const answer = await admin.delete(`${USER}/removeAuthenticatorInitialization/${user.uuid}`)
    expect([answer.status, answer.body.message]).toEqual([
      400,
      'This user has not enrolled an authenticator app.',
    ])
    expect(await mailsTo(user.email)).toEqual([])
  })
})

describe("a user's history", () => {
  test('tells what happened, when, who did it and what changed, newest first', async () => {
    const { org, admin } = await aTeam()
    const email = `new@${org.code}.example`
    const { body: made } = await admin.post(USER, { firstName: 'Bo', lastName: 'New', email })
    const path = `${USER}/${made.uuid as string}`
    await admin.put(path, { ...made, firstName: 'Bea', role: 'ADMIN', location: 'Oslo' })
    await admin.get(`${USER}/forgotPassword/${made.uuid}`)
    await admin.delete(path)
    await admin.post(path)
    const { userHistoryEntities: history } = (await admin.get(path)).body
    expect(history.map(({ event }: { event: string }) => event)).toEqual([
      'REACTIVATED',
      'DEACTIVATED',
      'PASSWORD_RESET_EMAIL_SENT',
      'UPDATED',
      'ACTIVATION_EMAIL_SENT',
      'CREATED',
    ])
    expect(history[3]).toEqual({
      id: expect.any(String),
      event: 'UPDATED',
      createTimestamp: expect.any(String),
      actor: admin.email,
      changes: [
        { field: 'firstName', from: 'Bo', to: 'Bea' },
        { field: 'location', from: null, to: 'Oslo' },
        { field: 'role', from: 'USER', to: 'ADMIN' },
      ],
    })
    expect(Date.parse(history[3].createTimestamp)).toBeGreaterThan(Date.parse('2024-12-01'))

    const all = (await admin.get('/useradmin/users')).body as { uuid: string; userHistoryEntities: unknown }[]
    expect(all.find(({ uuid }) => uuid === made.uuid)!.userHistoryEntities).toEqual(history)
    const page = (await admin.get('/useradmin/users?range=[0,9]')).body as object[]
    expect(page.filter((user) => 'userHistoryEntities' in user)).toEqual([])
  })

  test('holds the newest hundred, and nothing of others', async () => {
    const { org, admin, user } = await aTeam()
    await inside(org, async (db) => {
      for (let n = 0; n < 120; n += 1)
        record(db, { noun: 'users', record: user.uuid, verb: 'terms accepted' })
      record(db, { noun: 'users', record: user.uuid, verb: 'password set' })
      record(db, { noun: 'users', record: admin.uuid, verb: 'picture changed' })
      record(db, { noun: 'sign-ins', record: user.uuid, verb: 'refused' })
    })
    const { userHistoryEntities: history } = (await admin.get(`${USER}/${user.uuid}`)).body
    expect(history).toHaveLength(100)
    expect(history[0]).toMatchObject({ event: 'PASSWORD_SET', actor: null, changes: [] })
    expect(new Set(history.map(({ event }: { event: string }) => event))).toEqual(
      new Set(['PASSWORD_SET', 'TERMS_ACCEPTED']),
    )
  })
})

describe('a new password', () => {
  test('is asked for at the next sign-in, before anything else', async () => {
    const { org, admin, user } = await aTeam()
    const before = await signedInAs(org)
    const path = `${USER}/${before.uuid}`
    const { body: found } = await admin.get(path)
    const fields = { firstName: found.firstName, lastName: found.lastName, phoneNumber: null }
    const asked = await admin.put(path, { ...fields, active: true, passwordChangeRequired: true })
    expect([asked.status, asked.body.passwordChangeRequired]).toEqual([200, true])
    // The existing session continues.
    expect((await before.get('/authentication/users')).status).toBe(200)

    const { body: session } = await upass(org, before.email)
    expect(session.user.passwordChangeRequired).toBe(true)
    const { headers } = as(org, session)
    const ask = (method: string) => (path: string, body?: unknown) => send(method, path, { headers, body })
    const me = { get: ask('GET'), post: ask('POST'), patch: ask('PATCH') }
    expect((await me.get('/me')).body.user.passwordChangeRequired).toBe(true)
    for (const call of ['/authentication/users', '/incident', '/notifications', '/me/sessions'])
      expect([call, (await me.get(call)).status]).toEqual([call, 403])
    expect((await me.post('/live/ticket')).status).toBe(403)
    expect((await me.patch('/me/changePassword', { password: 'Quite.New.7' })).status).toBe(204)
    expect((await me.get('/me')).body.user.passwordChangeRequired).toBe(false)
    expect((await me.get('/authentication/users')).status).toBe(200)
    const { body: after } = await admin.get(path)
    expect(after.passwordChangeRequired).toBe(false)
    expect(after.userHistoryEntities.map(({ event }: { event: string }) => event)).toEqual(
      expect.arrayContaining(['PASSWORD_CHANGE_REQUIRED', 'PASSWORD_SET']),
    )
    expect(user.uuid).not.toBe(before.uuid)
  })

  test('is asked for from the beginning where a user is added so, and not otherwise', async () => {
    const { admin, org } = await aTeam()
    const add = (more: object) =>
      admin.post(USER, {
        firstName: 'Bo',
        lastName: 'New',
        email: `${crypto.randomUUID()}@${org.code}.example`,
        ...more,
      })
    expect((await add({ active: true, passwordChangeRequired: false })).body).toMatchObject({
      active: true,
      passwordChangeRequired: false,
    })
    expect((await add({ passwordChangeRequired: true })).body.passwordChangeRequired).toBe(true)
  })
})
