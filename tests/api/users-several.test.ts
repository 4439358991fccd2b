import { expect, test } from 'vitest'

import { clock } from '#server/kit/core/clock.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'
import { signingIn } from '#tests/support/sign-in.ts'

const server = await startTestServer({ TRUST_PROXY: '1' })
const { anOrganisation, aUser, inside, signedInAs } = server
const { eventsOf, mailsTo } = signingIn(server)

const USERS = '/useradmin/users'
const aTeam = async () => {
  const org = await anOrganisation()
  return { org, admin: await signedInAs(org, 'ADMIN') }
}
const refusalsOf = (body: { outcomes: { refusal: string | null }[] }) =>
  body.outcomes.map(({ refusal }) => refusal)
const seen = async (admin: Caller, uuid: string) => (await admin.get(`/useradmin/user/${uuid}`)).body
const eventsAbout = async (org: Organisation, verb: string) =>
  (await eventsOf(org, 'users')).filter((event) => event.verb === verb)

test('deactivates who can be, and says of the others why not', async () => {
  const { org, admin } = await aTeam()
  const other = await anOrganisation()
  const user = await signedInAs(org, 'USER')
  const second = await signedInAs(org, 'ADMIN')
  const archived = await aUser(org, { active: false })
  const theirs = await aUser(other)
  const uuids = [user.uuid, admin.uuid, archived.uuid, theirs.uuid, second.uuid, user.uuid]
  const { status, body } = await admin.post(`${USERS}/deactivate`, { ids: uuids })
  expect(status).toBe(200)
  expect(body.outcomes.map(({ id }: { id: string }) => id)).toEqual(uuids.slice(0, 5))
  expect(refusalsOf(body)).toEqual([
    null,
    'You cannot deactivate yourself.',
    'This user is archived already.',
    'This user does not exist.',
    null,
  ])
  expect((await seen(admin, user.uuid)).active).toBe(false)
  expect((await user.get('/config')).status).toBe(401)
  expect((await inside(other, (db) => db.selectFrom('users').select('active').execute()))[0]?.active).toBe(
    true,
  )
  const events = await eventsAbout(org, 'deactivated')
  expect(events.map(({ record }) => record)).toEqual([user.uuid, second.uuid])
})

test('invites again who has no password yet', async () => {
  const { org, admin } = await aTeam()
  const invited = (
    await admin.post('/useradmin/user', {
      firstName: 'Bo',
      lastName: 'Berg',
      email: `bo@${org.code}.example`,
      sendWelcomeSetPasswordEmail: false,
    })
  ).body
  const settled = await aUser(org)
  const archived = await aUser(org, { active: false })
  const uuids = [invited.uuid, settled.uuid, archived.uuid]
  const { body } = await admin.post(`${USERS}/sendWelcomeEmail`, { ids: uuids })
  expect(refusalsOf(body)).toEqual([null, 'This user has set a password already.', 'This user is archived.'])
  expect(await mailsTo(invited.email)).toHaveLength(1)
  expect(await mailsTo(settled.email)).toEqual([])
  expect((await seen(admin, invited.uuid)).wasSentActivationEmail).toBe(true)
  // The limit of single invitations counts here too.
  for (let sent = 1; sent < 10; sent += 1) await admin.post(`${USERS}/sendWelcomeEmail`, { ids: uuids })
  const refused = await admin.post(`${USERS}/sendWelcomeEmail`, { ids: [invited.uuid] })
  expect(refusalsOf(refused.body)[0]).toMatch(/too many of these emails/)
})

test('changes roles, but neither those of external people nor one’s own', async () => {
  const { org, admin } = await aTeam()
  const user = await aUser(org)
  const business = await aUser(org, { role: 'BUSINESS_USER' })
  const external = await aUser(org, { type: 'EXTERNAL' })
  const uuids = [user.uuid, business.uuid, external.uuid, admin.uuid]
  const { body } = await admin.post(`${USERS}/role`, { ids: uuids, role: 'BUSINESS_USER' })
  expect(refusalsOf(body)).toEqual([
    null,
    'This user has the role already.',
    'What an external person may do does not depend on a role.',
    'You cannot take away your own administrator rights.',
  ])
  expect(await seen(admin, user.uuid)).toMatchObject({ role: 'BUSINESS_USER', version: 2 })
  expect((await eventsAbout(org, 'updated')).map(({ record }) => record)).toEqual([user.uuid])
  expect((await admin.post(`${USERS}/role`, { ids: uuids, role: 'PLAYBOOK_MANAGER' })).status).toBe(400)
  expect((await admin.post(`${USERS}/role`, { ids: [], role: 'USER' })).status).toBe(400)
})

test('changes a whole page of users at once, and no more', async () => {
  const { org, admin } = await aTeam()
  const now = clock.timestamp()
  await inside(org, (db) =>
    db
      .insertInto('users')
      .values(
        Array.from({ length: 101 }, (_, n) => ({
          id: crypto.randomUUID(),
          email: `p${n}@${org.code}.example`,
          first_name: 'P',
          last_name: 'Q',
          role: 'USER' as const,
          type: 'INTERNAL' as const,
          active: true,
          banned: false,
          dashboard_user: false,
          accepted_terms: true,
          was_sent_activation_email: false,
          create_timestamp: now,
          update_timestamp: now,
          version: 1,
        })),
      )
      .execute(),
  )
  const { body } = await admin.get(USERS)
  const uuids = body
    .map(({ uuid }: { uuid: string }) => uuid)
    .filter((uuid: string) => uuid !== admin.uuid) as string[]
  expect((await admin.post(`${USERS}/deactivate`, { ids: uuids })).status).toBe(400)
  const done = await admin.post(`${USERS}/deactivate`, { ids: uuids.slice(1) })
  expect(refusalsOf(done.body).filter((refusal) => refusal !== null)).toEqual([])
  expect(await eventsAbout(org, 'deactivated')).toHaveLength(100)
})
