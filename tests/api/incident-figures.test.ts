import { beforeEach, describe, expect, test } from 'vitest'

import type { IncidentFigures } from '#contract/incident-figures/schema.ts'
import { PERIOD_INVALID } from '#contract/incident-figures/schema.ts'
import { added, declared, resolve, UPDATE } from '#tests/support/incidents.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const { anOrganisation, inside, signedInAs } = muster

let org: Organisation
let admin: Caller
beforeEach(async () => {
  org = await anOrganisation({ multiIncident: true, timeZone: 'Pacific/Auckland' })
  admin = await signedInAs(org, 'ADMIN')
})

/** Declares an incident at a time, and moves what followed to minutes after it. */
async function ran(
  at: string,
  minutes: { readonly checkIn?: number; readonly update?: number; readonly resolution?: number },
  given: object = {},
): Promise<string> {
  const incident = await declared(admin, given)
  if (minutes.checkIn !== undefined) await admin.post(`/incident/${incident.id}/checkIn`)
  if (minutes.update !== undefined) await added(admin, incident, UPDATE)
  if (minutes.resolution !== undefined) await resolve(admin, incident)
  const after = (length = 0) => new Date(Date.parse(at) + length * 60_000)
  await inside(org, async (db) => {
    await db
      .updateTable('incidents')
      .set({ create_timestamp: after().toISOString() })
      .where('id', '=', incident.id)
      .execute()
    if (minutes.resolution !== undefined)
      await db
        .updateTable('incidents')
        .set({ resolve_timestamp: after(minutes.resolution).toISOString() })
        .where('id', '=', incident.id)
        .execute()
    await db
      .updateTable('check_ins')
      .set({ timestamp: after(minutes.checkIn).toISOString() })
      .where('incident_id', '=', incident.id)
      .execute()
    await db
      .updateTable('activities')
      .set({ create_timestamp: after(minutes.update).toISOString() })
      .where('incident_id', '=', incident.id)
      .execute()
  })
  return incident.id
}
const figures = async (query = 'from=2026-01-01&to=2026-12-31&isTabletop=false', who = admin) =>
  (await who.get(`/incidentFigures?${query}`)).body as IncidentFigures

describe('figures across incidents', () => {
  test('say how long they took, in all and by month, severity and kind', async () => {
    const { body: kind } = await admin.post('/incidentKind', { name: 'Fire', icon: 'ALERT' })
    // In New Zealand it is March already.
    await ran(
      '2026-02-28T20:00:00Z',
      { checkIn: 2, update: 10, resolution: 60 },
      { severity: 'HIGH', kindId: kind.id },
    )
    await ran('2026-03-10T08:00:00Z', { checkIn: 4, update: 30, resolution: 120 }, { severity: 'HIGH' })
    await ran('2026-04-10T08:00:00Z', { update: 20 }, { severity: 'LOW' })
    const { all, months, severities, kinds } = await figures()
    expect(all.count).toBe(3)
    expect(all.checkIn?.median).toBeCloseTo(3)
    expect(all.update?.median).toBeCloseTo(20)
    expect(all.update?.most).toBeCloseTo(28)
    expect(all.resolution?.median).toBeCloseTo(90)
    expect(months.map(({ key, count }) => [key, count])).toEqual([
      ['2026-03', 2],
      ['2026-04', 1],
    ])
    expect(months[1]).toMatchObject({ checkIn: null, resolution: null })
    expect(severities.map(({ key, count }) => [key, count])).toEqual([
      ['HIGH', 2],
      ['LOW', 1],
    ])
    expect(kinds.map(({ name, count }) => [name, count])).toEqual([
      ['Fire', 1],
      [null, 2],
    ])
  })

  test('are those of a period, of incidents or of exercises', async () => {
    await ran('2026-02-10T08:00:00Z', { resolution: 10 })
    await ran('2026-02-10T08:00:00Z', { resolution: 20 }, { isTabletop: true })
    expect((await figures('from=2026-03-01&to=2026-03-31&isTabletop=false')).all).toEqual({
      count: 0,
      checkIn: null,
      update: null,
      resolution: null,
    })
    expect((await figures()).all.resolution?.median).toBeCloseTo(10)
    expect(
      (await figures('from=2026-02-10&to=2026-02-10&isTabletop=true')).all.resolution?.median,
    ).toBeCloseTo(20)
  })

  test('leave out what was merged into another one', async () => {
    const into = await ran('2026-02-10T08:00:00Z', {})
    const duplicate = await ran('2026-02-10T08:05:00Z', {})
    const merged = await admin.post(`/incident/${duplicate}/merge`, { into, reason: 'One cause.' })
    expect(merged.status, JSON.stringify(merged.body)).toBeLessThan(300)
    expect((await figures()).all.count).toBe(1)
  })

  test.each([
    'from=2026-03-02&to=2026-03-01&isTabletop=false',
    'from=2020-01-01&to=2026-01-01&isTabletop=false',
    'from=2026-02-30&to=2026-03-01&isTabletop=false',
    `from=${'9'.repeat(5_000)}&to=2026-03-01&isTabletop=false`,
  ])('refuse the period %s', async (query) => {
    const { status, body } = await admin.get(`/incidentFigures?${query}`)
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain(PERIOD_INVALID)
  })

  test('are of one organisation, and not for external people', async () => {
    await ran('2026-02-10T08:00:00Z', {})
    const other = await signedInAs(await anOrganisation(), 'ADMIN')
    expect((await figures(undefined, other)).all.count).toBe(0)
    const counsel = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
    expect(
      (await counsel.get('/incidentFigures?from=2026-01-01&to=2026-12-31&isTabletop=false')).status,
    ).toBe(403)
  })
})
