import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { Command, CommandRole, HeldRole, RoleHolding } from '#contract/incident-roles/schema.ts'
import { clock, MINUTE } from '#server/kit/core/clock.ts'
import { again, declared, resolve } from '#tests/support/incidents.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const { anOrganisation, aUser, inside, signedInAs } = muster

let org: Organisation
let [admin, anna, ben, business] = [] as unknown as Caller[] as [Caller, Caller, Caller, Caller]
beforeEach(async () => {
  org = await anOrganisation({ multiIncident: true })
  admin = await signedInAs(org, 'ADMIN')
  anna = await signedInAs(org)
  ben = await signedInAs(org)
  business = await signedInAs(org, 'BUSINESS_USER')
})

const rolesOf = async (): Promise<CommandRole[]> => (await admin.get('/incidentRoles')).body
const commandOf = async (incident: { id: string }, who = anna): Promise<Command> =>
  (await who.get(`/incident/${incident.id}/command`)).body
const roleNamed = async (incident: { id: string }, name: string): Promise<HeldRole> =>
  (await commandOf(incident)).roles.find((role) => role.name === name)!
/** Gives a role of an incident, with what the caller knows of its holder. */
async function give(who: Caller, incident: { id: string }, name: string, body: object) {
  const { id } = await roleNamed(incident, name)
  return who.put(`/incident/${incident.id}/command/role/${id}`, body)
}
const holdings = async (incident: { id: string }): Promise<RoleHolding[]> =>
  (await anna.get(`/incident/${incident.id}/command/holdings`)).body.data
const task = (title: string, more: object = {}) => ({ type: 'TASK', title, description: title, ...more })
const eventsOf = (incident: { id: string }) =>
  inside(org, (db) =>
    db
      .selectFrom('events')
      .select(['verb', 'changes'])
      .where('parent', '=', incident.id)
      .where('noun', '=', 'incident-roles')
      .orderBy('sequence')
      .execute(),
  )
const titlesOf = async (who: Caller): Promise<string[]> =>
  (await who.get('/notifications')).body.data.map(({ title }: { title: string }) => title)

describe('the list of roles', () => {
  test('begins with the usual ones, in their order', async () => {
    expect((await rolesOf()).map(({ name }) => name)).toEqual([
      'Commander',
      'Deputy',
      'Scribe',
      'Communications',
      'Legal',
      'Operations',
    ])
  })

  test('is edited by administrators, and a name is there once', async () => {
    const made = await admin.post('/incidentRole', {
      name: ' Medic ',
      description: 'First aid.',
      position: 5,
    })
    expect(made.status).toBe(201)
    expect((await rolesOf())[0]).toMatchObject({ name: 'Medic', heldCount: 0 })
    const double = await admin.post('/incidentRole', { name: 'MEDIC' })
    expect([double.status, double.body.fields]).toEqual([409, { name: 'This name is in use.' }])
    expect((await anna.post('/incidentRole', { name: 'Runner' })).status).toBe(403)
    const nameless = await admin.post('/incidentRole', { name: ' ' })
    expect([nameless.status, nameless.body.fields]).toEqual([400, { name: 'Please enter a name.' }])
  })

  test('keeps a role that is held, which can be retired and is then taken by nobody', async () => {
    const incident = await declared(anna)
    await give(anna, incident, 'Legal', { holder: anna.email })
    const legal = (await rolesOf()).find(({ name }) => name === 'Legal')!
    const refused = await admin.delete(`/incidentRole/${legal.id}`)
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Somebody holds Legal in a running incident. Please retire it instead.',
    ])
    const { name, description, position, version } = legal
    const retired = { name, description, position, isRetired: true, version }
    expect((await admin.put(`/incidentRole/${legal.id}`, retired)).status).toBe(200)
    expect((await roleNamed(incident, 'Legal')).holder?.email).toBe(anna.email)
    const other = await declared(anna)
    expect((await commandOf(other)).roles.map((role) => role.name)).not.toContain('Legal')
    const taken = await anna.put(`/incident/${other.id}/command/role/${legal.id}`, { holder: anna.email })
    expect(taken.status).toBe(409)
  })

  test('carries the holder of a running incident along with a new name', async () => {
    const incident = await declared(anna)
    await give(anna, incident, 'Commander', { holder: ben.email })
    const [{ id, description, position, version }] = (await rolesOf()) as [CommandRole]
    await admin.put(`/incidentRole/${id}`, { name: 'Incident lead', description, position, version })
    expect((await roleNamed(incident, 'Incident lead')).holder?.email).toBe(ben.email)
    const stale = await admin.put(`/incidentRole/${id}`, { name: 'Boss', description, position, version })
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
  })
})

describe('a role of an incident', () => {
  test('is taken, handed over with a statement, and released, and the history keeps it', async () => {
    const incident = await declared(anna)
    expect((await give(anna, incident, 'Commander', { holder: anna.email })).body.holder.email).toBe(
      anna.email,
    )
    const statement = 'Feed B is down, the generator runs. Next: the tenants.'
    const handed = await give(anna, incident, 'Commander', {
      holder: ben.email,
      heldBy: anna.email,
      statement,
    })
    expect(handed.status).toBe(200)
    const { id } = await roleNamed(incident, 'Commander')
    const released = await ben.post(`/incident/${incident.id}/command/role/${id}/release`, {
      heldBy: ben.email,
    })
    expect([released.status, released.body.holder]).toEqual([200, null])
    const rows = await holdings(incident)
    expect(rows.map((row) => [row.holder.email, row.title, row.statement, row.givenBy])).toEqual([
      [ben.email, 'Commander', statement, anna.email],
      [anna.email, 'Commander', null, anna.email],
    ])
    expect(rows[1]!.untilTimestamp).toBe(rows[0]!.fromTimestamp)
    expect(rows[0]!.untilTimestamp).not.toBeNull()
    expect((await eventsOf(incident)).map(({ verb }) => verb)).toEqual(['took', 'handed over', 'released'])
    expect((await eventsOf(incident))[1]!.changes).toMatchObject({
      role: { to: 'Commander' },
      holder: { from: anna.email, to: ben.email },
      statement: { to: statement },
    })
    expect(await titlesOf(ben)).toContain('You hold the role Commander')
  })

  test('is given to active colleagues alone', async () => {
    const incident = await declared(anna)
    const archived = await aUser(org)
    const banned = await aUser(org)
    const external = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
    await admin.delete(`/useradmin/user/${archived.uuid}`)
    await inside(org, (db) =>
      db.updateTable('users').set({ banned: true }).where('id', '=', banned.uuid).execute(),
    )
    await inside(org, (db) =>
      db.updateTable('users').set({ active: false }).where('id', '=', archived.uuid).execute(),
    )
    for (const email of [archived.email, banned.email, external.email, 'nobody@example.org']) {
      const refused = await give(anna, incident, 'Scribe', { holder: email })
      expect([refused.status, refused.body.fields], email).toEqual([
        400,
        { holder: 'This is not an active colleague. Please choose somebody else.' },
      ])
    }
    expect((await roleNamed(incident, 'Scribe')).holder).toBeNull()
  })

  test('has one holder: of two handovers at the same time one is told who holds it', async () => {
    const incident = await declared(anna)
    await give(anna, incident, 'Commander', { holder: anna.email })
    const both = await Promise.all(
      [ben, admin].map(({ email }) =>
        give(anna, incident, 'Commander', { holder: email, heldBy: anna.email }),
      ),
    )
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
    const now = await roleNamed(incident, 'Commander')
    const refused = both.find(({ status }) => status === 409)!
    expect(refused.body.message).toContain(
      `${now.holder!.firstName} ${now.holder!.lastName} holds Commander now.`,
    )
    expect(await holdings(incident)).toHaveLength(2)
  })

  test('brings the open tasks with its title that nobody or the former holder has, told once', async () => {
    const idealTitleToExecute = 'commander '
    const incident = await declared(anna, {
      activityCreateRequests: [
        task('Open', { idealTitleToExecute }),
        task('Theirs', { idealTitleToExecute, assignedTo: ben.email }),
        task('Done', { idealTitleToExecute, status: 'COMPLETE' }),
        task('Other', { idealTitleToExecute: 'Scribe' }),
      ],
    })
    await give(anna, incident, 'Commander', { holder: anna.email })
    await give(anna, incident, 'Commander', { holder: admin.email, heldBy: anna.email })
    const owners = Object.fromEntries(
      (await again(anna, incident)).activities.map(({ title, assignedTo }) => [
        title,
        assignedTo?.email ?? null,
      ]),
    )
    expect(owners).toEqual({ Open: admin.email, Theirs: ben.email, Done: null, Other: null })
    const notices = (await admin.get('/notifications')).body.data as { title: string; details: string }[]
    expect(notices.filter(({ title }) => title === 'You hold the role Commander')).toHaveLength(1)
    expect(notices.map(({ details }) => details)).toContain(`${incident.title} – with 1 open task`)
  })

  test('counts for playbooks that are added later, and a playbook names its holder', async () => {
    const activities = [task('Decide', { idealTitleToExecute: 'Commander' })]
    const playbook = (await admin.post('/playbook/template', { name: 'Flood', activities })).body
    const incident = await declared(anna)
    await give(anna, incident, 'Commander', { holder: ben.email })
    await anna.post(`/incident/${incident.id}/playbook`, { playbookId: playbook.id })
    expect((await again(anna, incident)).activities[0]!.assignedTo?.email).toBe(ben.email)
    const other = await declared(anna, { roles: [{ title: 'Commander', assignedTo: ben.email }] })
    expect((await roleNamed(other, 'Commander')).holder?.email).toBe(ben.email)
    expect((await eventsOf(other)).map(({ verb }) => verb)).toEqual(['took'])
  })

  test('does not change after the resolution, and is nothing for external people', async () => {
    const incident = await declared(anna)
    const external = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
    await anna.patch(`/incident/${incident.id}`, { targetedUsers: [external.email], withEverybody: true })
    expect((await external.get(`/incident/${incident.id}`)).status).toBe(200)
    expect((await external.get(`/incident/${incident.id}/command`)).status).toBe(403)
    expect((await external.get(`/incident/${incident.id}/command/holdings`)).status).toBe(403)
    expect((await business.get(`/incident/${incident.id}/command`)).status).toBe(200)
    const { id } = await roleNamed(incident, 'Scribe')
    await resolve(anna, incident)
    const late = await anna.put(`/incident/${incident.id}/command/role/${id}`, { holder: anna.email })
    expect([late.status, late.body.message]).toEqual([409, 'This incident is resolved.'])
  })
})

describe('the rhythm of updates', () => {
  const critical = () => declared(anna, { severity: 'CRITICAL' })
  const dueIn = async (incident: { id: string }) => {
    const { dueTimestamp } = (await commandOf(incident)).nextUpdate
    return dueTimestamp && Math.round((Date.parse(dueTimestamp) - clock.now()) / MINUTE)
  }
  /** Moves the declaration into the past, and lets a change of the incident look again. */
  const age = async (incident: { id: string }, minutes: number) => {
    const at = new Date(clock.now() - minutes * MINUTE).toISOString()
    await inside(org, (db) =>
      sql`update incidents set create_timestamp = ${at} where id = ${incident.id}`.execute(db),
    )
    await anna.patch(`/incident/${incident.id}`, { title: `After ${minutes} minutes` })
  }

  test('follows the severity, counted from the declaration or the last update', async () => {
    const incident = await critical()
    expect(await dueIn(incident)).toBe(30)
    await age(incident, 10)
    expect(await dueIn(incident)).toBe(20)
    await anna.post(`/incident/${incident.id}/activity`, { type: 'UPDATE', description: 'Pumps run.' })
    expect(await dueIn(incident)).toBe(30)
    await anna.patch(`/incident/${incident.id}`, { severity: 'LOW' })
    expect(await dueIn(incident)).toBeNull()
  })

  test('is set by hand by those who lead, until the next update', async () => {
    const incident = await critical()
    const at = new Date(clock.now() + 12 * MINUTE).toISOString()
    const path = `/incident/${incident.id}/command/nextUpdate`
    expect((await ben.put(path, { dueTimestamp: at })).status).toBe(403)
    const past = await anna.put(path, { dueTimestamp: '2020-01-01T00:00:00.000Z' })
    expect([past.status, past.body.fields]).toEqual([
      400,
      { dueTimestamp: 'Please choose a time in the future.' },
    ])
    await give(anna, incident, 'Deputy', { holder: ben.email })
    const { version } = (await commandOf(incident, ben)).nextUpdate
    expect((await ben.put(path, { dueTimestamp: at, version })).body).toMatchObject({
      dueTimestamp: at,
      setBy: ben.email,
    })
    const stale = await anna.put(path, { dueTimestamp: null, version })
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
    await anna.post(`/incident/${incident.id}/activity`, { type: 'UPDATE', description: 'Pumps run.' })
    expect(await dueIn(incident)).toBe(30)
  })

  test('reminds Communications before the time, and the commander once it is late, once each', async () => {
    const incident = await critical()
    await give(anna, incident, 'Commander', { holder: ben.email })
    await give(anna, incident, 'Communications', { holder: admin.email })
    await age(incident, 26)
    await vi.waitFor(async () =>
      expect(await titlesOf(admin)).toContain('The next update is due in 4 minutes'),
    )
    await anna.patch(`/incident/${incident.id}`, { title: 'Once more' })
    await age(incident, 36)
    await vi.waitFor(async () => expect(await titlesOf(ben)).toContain('The next update is late'))
    const due = (titles: string[]) => titles.filter((title) => title.startsWith('The next update'))
    expect(due(await titlesOf(admin))).toHaveLength(1)
    expect(due(await titlesOf(ben))).toHaveLength(1)
    expect(due(await titlesOf(anna))).toEqual([])
  })

  test('tells nobody after the resolution', async () => {
    const incident = await critical()
    await resolve(anna, incident)
    expect((await commandOf(incident)).nextUpdate).toMatchObject({ dueTimestamp: null, canSet: false })
    const looks = await inside(org, (db) =>
      db.selectFrom('incident_rhythms').select('check_timestamp').execute(),
    )
    expect(looks).toEqual([{ check_timestamp: null }])
  })
})
