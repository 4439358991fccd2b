import { describe, expect, test } from 'vitest'

import { record } from '#server/kit/events.ts'
import { startTestServer } from '#tests/support/server.ts'
import { appCode, signingIn } from '#tests/support/sign-in.ts'

const server = await startTestServer({ TRUST_PROXY: '1' })
const { anOrganisation, aUser, inside, send, signedInAs } = server
const { enrol, mailsTo, upass, confirm, initQR, begin } = signingIn(server)

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
    // A new link does.
    await admin.get(`${USER}/forgotPassword/${user.uuid}`)
    expect(await use(linkIn((await mailsTo(user.email))[0]!.text))).toBe(204)
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
