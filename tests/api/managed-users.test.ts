import { afterEach, describe, expect, test, vi } from 'vitest'

import { PERMISSIONS } from '#contract/kit/access.ts'
import { USER_ROLES } from '#contract/users/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import { insertAuthenticator } from '#server/second-factors/store.ts'
import { newSecret } from '#server/second-factors/flows.ts'

import { startTestServer } from '../support/server.ts'
import { later, signingIn } from '../support/sign-in.ts'

const muster = await startTestServer({ TRUST_PROXY: '1', ALLOW_OUTBOX: '1' })
const { mailsTo, upass } = signingIn(muster)
const staff = await muster.signedInAsStaff()
/** An organisation that staff have stated a reason to look into. */
async function opened() {
  const organisation = await muster.anOrganisation()
  const admin = await muster.signedInAs(organisation, 'ADMIN')
  const { status } = await staff.post(`/enterprise/${organisation.id}/access`, {
    reason: 'They asked for help',
  })
  expect(status).toBe(201)
  return { organisation, admin, path: `/enterprise/${organisation.id}` }
}
const person = (more: object = {}) => ({
  email: `bo${Math.random()}@example.org`,
  firstName: 'Bo',
  lastName: 'Lee',
  phoneNumber: '+1 (416) 555-0101',
  active: true,
  passwordChangeRequired: false,
  ...more,
})

afterEach(() => void vi.restoreAllMocks())

test('the whole list is read in parts, each as if it were asked for by itself', async () => {
  const { organisation, path } = await opened()
  for (let n = 0; n < 205; n += 1) await muster.aUser(organisation)
  const transactions = vi.spyOn(muster.services.database, 'withProvider')
  const { status, body } = await staff.get(`${path}/users`)
  expect([status, body.length]).toEqual([200, 206])
  expect(new Set(body.map(({ id }: { id: string }) => id)).size).toBe(206)
  expect(body[0]).toMatchObject({ userHistoryEntities: expect.any(Array) })
  // The first one finds the ids.
  expect(transactions).toHaveBeenCalledTimes(3)
})

test('nobody is shown or changed before a reason was given, nor an hour after it', async () => {
  const organisation = await muster.anOrganisation()
  const user = await muster.signedInAs(organisation, 'USER')
  const path = `/enterprise/${organisation.id}`
  const refused = async () => {
    for (const reply of [
      await staff.get(`${path}/users`),
      await staff.delete(`${path}/user/${user.uuid}`),
      await staff.post(`${path}/user`, person()),
    ])
      expect([reply.status, reply.body.code]).toEqual([409, 'reason_required'])
  }
  await refused()
  const other = await muster.signedInAsStaff()
  await other.post(`${path}/access`, { reason: 'Another colleague looks' })
  await refused()
  await staff.post(`${path}/access`, { reason: 'They asked for help' })
  expect((await staff.get(`${path}/users`)).body).toMatchObject([
    { id: user.uuid, uuid: user.uuid, active: true },
  ])
  later(3_600_000 - 1_000)
  expect((await staff.get(`${path}/users`)).status).not.toBe(409)
  vi.restoreAllMocks()
  await muster.inside(organisation, (db) =>
    db.updateTable('staff_access').set({ expires_timestamp: clock.timestamp() }).execute(),
  )
  await refused()
})

describe('staff', () => {
  test('add a user of any role, whom the organisation sees, and its log says who did it', async () => {
    const { path, admin } = await opened()
    for (const role of USER_ROLES) {
      const given = person({ role })
      const { status, body } = await staff.post(`${path}/user`, given)
      expect([status, body.role, body.phoneNumber]).toEqual([201, role, '+14165550101'])
      expect((await mailsTo(given.email))[0]!.text).toContain('/set-password?')
    }
    const log = await admin.get('/useradmin/auditLog')
    const created = log.body.filter((one: any) => one.noun === 'users' && one.verb === 'created')
    expect(created).toHaveLength(4)
    expect(created[0].actor).toMatchObject({ kind: 'staff', name: staff.email })
  })

  test('cannot do what breaks the rules of users', async () => {
    const { path, admin } = await opened()
    expect((await staff.post(`${path}/user`, person({ email: admin.email }))).status).toBe(409)
    expect((await staff.post(`${path}/user`, person({ firstName: '<script>' }))).status).toBe(400)
    expect((await staff.post(`${path}/user`, person({ role: 'OWNER' }))).status).toBe(400)
    expect((await staff.delete(`${path}/user/${admin.uuid}`)).status).toBe(409)
    expect((await staff.post(`${path}/user/${admin.uuid}/ban`)).status).toBe(409)
  })

  test('change a user, and find none of another organisation', async () => {
    const { path, organisation } = await opened()
    const { uuid } = await muster.aUser(organisation)
    const changed = await staff.put(
      `${path}/user/${uuid}`,
      person({ email: undefined, role: 'PLAYBOOK_MANAGER' }),
    )
    expect([changed.status, changed.body.role]).toEqual([200, 'PLAYBOOK_MANAGER'])
    const theirs = await muster.aUser(await muster.anOrganisation())
    for (const reply of [
      await staff.get(`${path}/user/${theirs.uuid}`),
      await staff.put(`${path}/user/${theirs.uuid}`, person({ email: undefined })),
      await staff.delete(`${path}/user/${theirs.uuid}`),
      await staff.post(`${path}/user/${theirs.uuid}/ban`),
      await staff.get(`${path}/user/forgotPassword/${theirs.uuid}`),
    ])
      expect(reply.status).toBe(404)
  })

  test('deactivate and reactivate: the sessions end with it', async () => {
    const { path, organisation } = await opened()
    const user = await muster.signedInAs(organisation, 'USER')
    expect((await staff.delete(`${path}/user/${user.uuid}`)).status).toBe(204)
    expect((await user.get('/me')).status).toBe(401)
    expect((await staff.post(`${path}/user/${user.uuid}`)).body.active).toBe(true)
  })

  test('ban and un-ban: a banned person is signed out and cannot sign in', async () => {
    const { path, organisation } = await opened()
    const user = await muster.signedInAs(organisation, 'USER')
    expect((await staff.post(`${path}/user/${user.uuid}/ban`)).body).toMatchObject({
      banned: true,
      active: true,
    })
    expect((await user.get('/me')).status).toBe(401)
    expect((await upass(organisation, user.email)).status).toBe(401)
    expect((await staff.delete(`${path}/user/${user.uuid}/ban`)).body.banned).toBe(false)
    expect((await upass(organisation, user.email)).status).toBe(200)
    const { body } = await staff.get(`${path}/user/${user.uuid}`)
    expect(body.userHistoryEntities.map(({ event }: { event: string }) => event)).toEqual(
      expect.arrayContaining(['BANNED', 'UNBANNED']),
    )
  })

  test('send links, and say who they are', async () => {
    const { path, organisation } = await opened()
    const { uuid, email } = await muster.aUser(organisation)
    expect((await staff.get(`${path}/user/forgotPassword/${uuid}`)).status).toBe(204)
    expect((await mailsTo(email))[0]!.text).toContain(`${staff.email}, who works for the provider of Muster,`)
    expect((await staff.get(`${path}/user/sendWelcomeEmail/${uuid}`)).status).toBe(204)
    expect((await mailsTo(email))[0]!.text).toContain('An account was made for you')
  })

  test("reset an authenticator, which is 400 where there's none", async () => {
    const { path, organisation } = await opened()
    const { uuid } = await muster.aUser(organisation)
    const reset = () => staff.delete(`${path}/user/removeAuthenticatorInitialization/${uuid}`)
    expect((await reset()).status).toBe(400)
    await muster.inside(organisation, (db) =>
      insertAuthenticator(
        db,
        { kind: 'person', id: uuid },
        {
          secret: newSecret(muster.services, uuid),
          lastStep: 0,
          createTimestamp: clock.timestamp(),
        },
      ),
    )
    expect((await reset()).status).toBe(204)
  })

  test('import users, page through them and search them', async () => {
    const { path } = await opened()
    const rows = ['Cy', 'Di'].map((firstName) => person({ firstName }))
    const { status, body } = await staff.post(`${path}/users`, rows)
    expect([status, body.created.length]).toEqual([201, 2])
    const query = new URLSearchParams({ sort: '["firstName","DESC"]', range: '[0,0]', filter: '{"q":"lee"}' })
    const page = await staff.get(`${path}/users?${query}`)
    expect(page.body.map(({ firstName }: { firstName: string }) => firstName)).toEqual(['Di'])
    expect(page.headers.get('content-range')).toMatch(/\/2$/)
  })

  test('are told that an organisation does not exist before anything else', async () => {
    expect((await staff.get(`/enterprise/${crypto.randomUUID()}/users`)).status).toBe(404)
  })
})

test('what staff did is in the log of the provider, without its contents', async () => {
  const { path, organisation } = await opened()
  const { uuid } = (await staff.post(`${path}/user`, person())).body
  const rows = await muster.services.database.withProvider({ kind: 'system', id: null, name: 'test' }, (db) =>
    db
      .selectFrom('events')
      .select(['noun', 'verb', 'record', 'changes', 'actor'])
      .where('parent', '=', organisation.id)
      .execute(),
  )
  expect(rows).toContainEqual({
    noun: 'users',
    verb: 'created',
    record: uuid,
    changes: {},
    actor: { kind: 'staff', id: staff.id, name: staff.email },
  })
})

test('the catalogue names all roles and all permissions', async () => {
  for (const path of ['/roles', '/userRoles']) {
    const { body } = await staff.get(path)
    expect(body.map(({ enumName }: { enumName: string }) => enumName)).toEqual([...USER_ROLES])
    expect(body[0].permissionJsonNames).toEqual([
      'chats', 'dashboard', 'groups-read-only', 'incidents-full-access', 'incidents-read-only', 'playbook-read-only', 'sfs',
    ]) // prettier-ignore
  }
  const { body } = await staff.get('/userPermissions')
  expect(body.map(({ jsonName }: { jsonName: string }) => jsonName)).toEqual([...PERMISSIONS])
  expect(body.find(({ jsonName }: { jsonName: string }) => jsonName === 'mass-notifs')).toMatchObject({
    roles: ['ADMIN'],
    isForExternals: false,
    isForApiKeys: true,
  })
})
