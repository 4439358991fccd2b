import { Writable } from 'node:stream'

import { afterEach, describe, expect, test, vi } from 'vitest'

import { passwordLink } from '#server/users/flows.ts'
import { type Organisation, PASSWORD, startTestServer } from '#tests/support/server.ts'
import { anAddress, appCode, signingIn, wrong } from '#tests/support/sign-in.ts'

/* Security actions are events of the organisation, with their actor. */
/** Log lines of the process. */
const lines: Record<string, unknown>[] = []
const log = new Writable({
  write(line: Buffer, _, done) {
    lines.push(JSON.parse(String(line)))
    done()
  },
})
const server = await startTestServer({ TRUST_PROXY: '1', LOG_LEVEL: 'info' }, log)
const { anOrganisation, aUser, inside, send, services, signedInAs } = server
const { upass, confirm, mailedCode, enrol, begin, post } = signingIn(server)
afterEach(() => void vi.restoreAllMocks())

const withApp = { auth2fa: true, auth2faType: 'TOTP' } as const
const withEmail = { auth2fa: true, auth2faType: 'EMAIL' } as const
const NEW_PASSWORD = 'Another-horse-8'
const as = (org: Organisation, session: { authenticationToken: string }) => ({
  Authorization: `Bearer ${session.authenticationToken}`,
  'Enterprise-Code': org.code,
})

/** The events of an act: noun, verb and actor of each, and why a session ended. */
async function told(org: Organisation, act: () => Promise<unknown>): Promise<string[]> {
  const events = () => inside(org, (db) => db.selectFrom('events').selectAll().orderBy('sequence').execute())
  const before = (await events()).length
  await act()
  return (await events()).slice(before).map(({ noun, verb, actor, changes }) => {
    const reason = changes['reason']?.to as string | undefined
    return [noun, verb, ...(reason ? [reason] : []), 'by', actor.name].join(' ')
  })
}

test('a refused permission is logged with who asked', async () => {
  const org = await anOrganisation()
  const ana = await signedInAs(org)
  const staff = await server.signedInAsStaff(undefined, 'LOOK')
  await ana.get('/useradmin/users')
  await staff.delete(`/enterprise/${org.id}`)
  await send('GET', '/useradmin/users')
  await expect
    .poll(() => lines.filter(({ status }) => status === 403))
    .toMatchObject([
      { path: '/api/useradmin/users', caller: 'person', callerId: ana.uuid, organisationId: org.id },
      { path: `/management-api/enterprise/${org.id}`, caller: 'staff', callerId: staff.id },
    ])
})

describe('on the record is', () => {
  test('signing in, failing to, being locked out, and signing out', async () => {
    const org = await anOrganisation()
    const { email } = await aUser(org)
    const address = anAddress()
    const bad = () => upass(org, email, { password: 'Wrong-horse-9', address })
    expect(await told(org, bad)).toEqual(['sign-ins refused by sign-in'])
    const nine = () => Promise.all(Array.from({ length: 9 }, bad))
    expect((await told(org, nine)).filter((event) => event.includes('locked out'))).toEqual([
      'sign-ins locked out by sign-in',
    ])
    let session = { authenticationToken: '' }
    const signIn = async () => (session = (await upass(org, email)).body)
    expect(await told(org, signIn)).toEqual([`sessions started by ${email}`])
    const signOut = () => send('POST', '/authentication/logout', { headers: as(org, session) })
    expect(await told(org, signOut)).toEqual([`sessions ended signed out by ${email}`])
  })

  test('a new password, however it was set, and who was asked to set one', async () => {
    const org = await anOrganisation()
    const admin = await signedInAs(org, 'ADMIN')
    const me = await signedInAs(org)
    const other = (await upass(org, me.email)).body
    expect(await told(org, () => me.patch('/me/changePassword', { password: NEW_PASSWORD }))).toEqual([
      `users password set by ${me.email}`,
      `sessions ended password changed by ${me.email}`,
    ])
    expect((await send('GET', '/me', { headers: as(org, other) })).status).toBe(401)
    const forgot = () =>
      post('/authentication/forgotPassword', { enterpriseCode: org.code, userId: me.email }, anAddress())
    expect(await told(org, forgot)).toEqual(['passwords reset asked for by forgot password'])
    const link = new URL(await inside(org, (db) => passwordLink(services, db, me, org, 'reset')))
    const [userId, oneTimePasscode] = ['u', 't'].map((name) => link.searchParams.get(name))
    const body = { userId, oneTimePasscode, enterpriseCode: org.code, newPassword: 'Third-horse-7' }
    expect(await told(org, () => send('POST', '/authentication/changePassword', { body }))).toEqual([
      `users password set by ${me.email}`,
      `sessions ended password set by ${me.email}`,
    ])
    expect(await told(org, () => admin.get(`/useradmin/user/forgotPassword/${me.uuid}`))).toEqual([
      `users password reset email sent by ${admin.email}`,
    ])
  })

  test('a second factor that is enrolled, replaced by a recovery code, and reset', async () => {
    const org = await anOrganisation(withApp)
    const admin = await signedInAs(org, 'ADMIN')
    const user = await aUser(org)
    let recovery = ''
    const first = async () => ([recovery = ''] = (await enrol(org, user.email)).recoveryCodes)
    expect(await told(org, first)).toEqual([
      `second-factors enrolled by ${user.email}`,
      `sessions started by ${user.email}`,
    ])
    const token = await begin(org, user.email)
    expect(await told(org, () => confirm(token, recovery))).toEqual([
      `second-factors recovery code used by ${user.email}`,
      `sessions started by ${user.email}`,
    ])
    expect(
      await told(org, () => admin.delete(`/useradmin/user/removeAuthenticatorInitialization/${user.uuid}`)),
    ).toEqual([`second-factors removed by ${admin.email}`])
  })

  test('a verified session, and what it does about recovery codes and the app', async () => {
    const org = await anOrganisation({ ...withApp, auth2fa: false })
    const me = await signedInAs(org)
    await inside(org, async (db) => {
      const { newSecret } = await import('#server/second-factors/flows.ts')
      const { insertAuthenticator } = await import('#server/second-factors/store.ts')
      const secret = newSecret(services, me.uuid)
      await insertAuthenticator(
        db,
        { kind: 'person', id: me.uuid },
        {
          secret,
          lastStep: 0,
          createTimestamp: '2026-01-01',
        },
      )
    })
    const secretOf = async () => {
      const [row] = await inside(org, (db) => db.selectFrom('authenticators').selectAll().execute())
      return services.secrets.open(row!.secret, me.uuid)
    }
    const confirmationCode = appCode(await secretOf())
    expect(await told(org, () => me.post('/sfs/2fa/confirm', { confirmationCode }))).toEqual([
      `verifications passed by ${me.email}`,
    ])
    expect(await told(org, () => me.post('/me/recoveryCodes'))).toEqual([
      `second-factors recovery codes renewed by ${me.email}`,
    ])
    expect(await told(org, () => me.delete('/me/authenticator'))).toEqual([
      `second-factors removed by ${me.email}`,
    ])
  })

  test('a wrong code, and the lockout that comes of it', async () => {
    const org = await anOrganisation(withEmail)
    const { email } = await aUser(org)
    const token = await begin(org, email)
    const bad = wrong(await mailedCode(email))
    expect(await told(org, () => confirm(token, bad))).toEqual([`second-factors code refused by ${email}`])
    const again = async () => {
      for (let n = 0; n < 4; n += 1) await confirm(token, bad)
    }
    expect((await told(org, again)).at(-1)).toBe(`second-factors locked out by ${email}`)
  })

  test('a device that is signed out, and the terms that are accepted', async () => {
    const org = await anOrganisation()
    const me = await signedInAs(org)
    await upass(org, me.email)
    expect(await told(org, () => me.delete('/me/sessions'))).toEqual([
      `sessions ended signed out from another device by ${me.email}`,
    ])
    await inside(org, (db) => db.updateTable('users').set({ accepted_terms: false }).execute())
    expect(await told(org, () => me.patch('/me', { acceptedTerms: true }))).toEqual([
      `users terms accepted by ${me.email}`,
    ])
  })

  test('an API key that is made, used from where it must not be, and deleted', async () => {
    const org = await anOrganisation()
    const admin = await signedInAs(org, 'ADMIN')
    let made = { id: '', key: '' }
    const make = async () => {
      const body = { name: 'Wall', ipAddressRestricted: true, allowedIpAddresses: ['192.0.2.7'] }
      made = (await admin.post('/apiManagement/credentials', body)).body
    }
    expect(await told(org, make)).toEqual([`api-keys created by ${admin.email}`])
    const from = (address: string) =>
      send('GET', '/dashboard', { headers: { 'X-Api-Key': made.key, 'X-Forwarded-For': address } })
    expect(await told(org, () => from('192.0.2.8'))).toEqual(['api-keys refused by Wall'])
    expect(await told(org, () => from('192.0.2.7'))).toEqual([])
    expect(await told(org, () => admin.delete(`/apiManagement/credentials/${made.id}`))).toEqual([
      `api-keys deleted by ${admin.email}`,
    ])
  })

  test('a role that is changed, and a user who is archived and brought back', async () => {
    const org = await anOrganisation()
    const admin = await signedInAs(org, 'ADMIN')
    const user = await signedInAs(org)
    const body = { firstName: 'Ana', lastName: 'Other', role: 'ADMIN' }
    expect(await told(org, () => admin.put(`/useradmin/user/${user.uuid}`, body))).toEqual([
      `users updated by ${admin.email}`,
    ])
    const [change] = await inside(org, (db) =>
      db.selectFrom('events').select('changes').where('verb', '=', 'updated').execute(),
    )
    expect(change!.changes['role']).toEqual({ from: 'USER', to: 'ADMIN' })
    expect(await told(org, () => admin.delete(`/useradmin/user/${user.uuid}`))).toEqual([
      `users deactivated by ${admin.email}`,
      `sessions ended deactivated by ${admin.email}`,
    ])
    expect(await told(org, () => admin.post(`/useradmin/user/${user.uuid}`))).toEqual([
      `users reactivated by ${admin.email}`,
    ])
  })
})

test('no account is told from no account: the same words, and as much to do', async () => {
  const org = await anOrganisation()
  const [user, archived, empty] = [await aUser(org), await aUser(org, { active: false }), await aUser(org)]
  await inside(org, (db) =>
    db.updateTable('users').set({ password_hash: null }).where('id', '=', empty.uuid).execute(),
  )
  const opened = vi.spyOn(services.database, 'withOrganisation')
  const tryPassword = services.attempts.tryPassword.bind(services.attempts)
  const settled = vi.fn()
  vi.spyOn(services.attempts, 'tryPassword').mockImplementation(async (...given) => {
    const attempt = await tryPassword(...given)
    return {
      settle: (right) => {
        settled()
        return attempt.settle(right)
      },
    }
  })
  const efforts = []
  const nowhere = { id: '', code: 'no-such-organisation' }
  for (const [place, email, password] of [
    [org, user.email, 'Wrong-horse-9'],
    [org, archived.email, PASSWORD],
    [org, empty.email, PASSWORD],
    [org, 'nobody@example.com', PASSWORD],
    [nowhere, user.email, PASSWORD],
  ] as const) {
    opened.mockClear()
    settled.mockClear()
    const { status, text } = await upass(place, email, { password })
    // Background writes of the server about others are not part of the effort.
    const own = opened.mock.calls.filter(([{ actor }]) => actor(undefined).name === 'sign-in')
    efforts.push([status, text, own.length, settled.mock.calls.length])
  }
  for (const effort of efforts) expect(effort).toEqual(efforts[0])
  expect(efforts[0]!.slice(2)).toEqual([2, 1])
})

test('whoever is banned is out at once, by every way', async () => {
  const org = await anOrganisation()
  const user = await aUser(org)
  const { body } = await upass(org, user.email)
  const headers = as(org, body)
  const link = new URL(await inside(org, (db) => passwordLink(services, db, user, org, 'reset')))
  await inside(org, (db) =>
    db.updateTable('users').set({ banned: true }).where('id', '=', user.uuid).execute(),
  )
  const refreshToken = body.cueRefreshToken as string
  const setting = {
    userId: user.uuid,
    oneTimePasscode: link.searchParams.get('t'),
    enterpriseCode: org.code,
    newPassword: NEW_PASSWORD,
  }
  const refused = [
    await send('GET', '/me', { headers }),
    await send('POST', '/live/ticket', { headers }),
    await send('POST', '/authentication/refreshToken', { body: { refreshToken } }),
    await upass(org, user.email),
    await send('POST', '/authentication/changePassword', { body: setting }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 400])
})
