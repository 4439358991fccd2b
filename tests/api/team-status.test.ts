import { describe, expect, test } from 'vitest'

import type { TeamStatus } from '#contract/incidents/schema.ts'
import { clock, MINUTE } from '#server/kit/core/clock.ts'

import { declared, resolve } from '../support/incidents.ts'
import { type Caller, startTestServer } from '../support/server.ts'

const muster = await startTestServer()

async function team() {
  const organisation = await muster.anOrganisation({ multiIncident: true, groupsEnabled: true })
  const member = (firstName: string, person: object = {}) =>
    muster.signedInAs(organisation, 'USER', { firstName, lastName: 'Team', ...person })
  return {
    organisation,
    lead: await muster.signedInAs(organisation, 'ADMIN', { firstName: 'Lea', lastName: 'Team' }),
    ana: await member('Ana'),
    ben: await member('ben'),
    emil: await member('Émil'),
    board: await muster.signedInAs(organisation, 'BUSINESS_USER', { firstName: 'Dora', lastName: 'Team' }),
    ext: await member('Ext', { type: 'EXTERNAL' }),
  }
}
async function statusOf(caller: Caller, { id }: { id: string }, query = ''): Promise<TeamStatus> {
  const { status, body } = await caller.get(`/incident/${id}/teamStatus${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const names = ({ data }: TeamStatus) => data.map(({ firstName }) => firstName)
const counts = ({ total, checkedInCount, waitingCount }: TeamStatus) => [total, checkedInCount, waitingCount]

/** Checks people in at intervals of one minute. */
async function checkIn({ id }: { id: string }, ...people: Caller[]) {
  const { now } = clock
  try {
    for (const [n, one] of people.entries()) {
      clock.now = () => now() + n * MINUTE
      // oxlint-disable-next-line no-await-in-loop -- in their order
      expect((await one.post(`/incident/${id}/checkIn`)).status).toBe(200)
    }
  } finally {
    clock.now = now
  }
}

describe('an incident that targets nobody', () => {
  test('asks everybody within, business users too: the latest check-in first, then the others by name', async () => {
    const { lead, ana, ben } = await team()
    const incident = await declared(lead)
    const before = await statusOf(lead, incident)
    expect(names(before)).toEqual(['Ana', 'ben', 'Dora', 'Émil', 'Lea'])
    expect(counts(before)).toEqual([5, 0, 5])
    await checkIn(incident, ben, ana)
    const after = await statusOf(lead, incident)
    expect(names(after)).toEqual(['Ana', 'ben', 'Dora', 'Émil', 'Lea'])
    expect(counts(after)).toEqual([5, 2, 3])
    const [first, second, third] = after.data
    expect(first).toEqual({
      id: ana.uuid,
      firstName: 'Ana',
      lastName: 'Team',
      profileImageUrl: null,
      lastActiveTimestamp: expect.any(String),
      checkInTimestamp: expect.any(String),
      answer: null,
    })
    expect(first!.checkInTimestamp! > second!.checkInTimestamp!).toBe(true)
    expect(third).toMatchObject({ checkInTimestamp: null, lastActiveTimestamp: null })
  })

  test('asks nobody who cannot sign in, and keeps whoever left after checking in', async () => {
    const { organisation, lead, ana, ben } = await team()
    const incident = await declared(lead)
    await checkIn(incident, ana)
    await muster.inside(organisation, (db) =>
      db.updateTable('users').set({ active: false }).where('id', 'in', [ana.uuid, ben.uuid]).execute(),
    )
    const status = await statusOf(lead, incident)
    expect(names(status)).toEqual(['Ana', 'Dora', 'Émil', 'Lea'])
    expect(counts(status)).toEqual([4, 1, 3])
  })

  test('is answered in pages over both parts, or only those who are waited for', async () => {
    const { lead, ben, emil } = await team()
    const incident = await declared(lead)
    await checkIn(incident, emil, ben)
    const whole = names(await statusOf(lead, incident))
    expect(whole).toEqual(['ben', 'Émil', 'Ana', 'Dora', 'Lea'])
    const pages = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((offset) => statusOf(lead, incident, `?offset=${offset}&size=2`)),
    )
    expect(pages.map(names)).toEqual([
      ['ben', 'Émil'],
      ['Émil', 'Ana'],
      ['Ana', 'Dora'],
      ['Dora', 'Lea'],
      ['Lea'],
      [],
    ])
    const waiting = await statusOf(lead, incident, '?onlyWaiting=true&offset=1&size=2')
    expect(names(waiting)).toEqual(['Dora', 'Lea'])
    expect(counts(waiting)).toEqual([5, 2, 3])
    const missing = [0, 2, 4].map((offset) =>
      statusOf(lead, incident, `?waitingFirst=true&offset=${offset}&size=2`),
    )
    expect((await Promise.all(missing)).map(names)).toEqual([['Ana', 'Dora'], ['Lea', 'ben'], ['Émil']])
  })

  test.each(['offset=-1', 'size=0', 'size=101', 'size=x', 'onlyWaiting=maybe'])(
    'refuses %s',
    async (query) => {
      const { lead } = await team()
      const incident = await declared(lead)
      expect((await lead.get(`/incident/${incident.id}/teamStatus?${query}`)).status).toBe(400)
    },
  )

  test('reads the same for a business user and once it is resolved', async () => {
    const { lead, ana, board } = await team()
    const incident = await declared(lead)
    await checkIn(incident, ana)
    await resolve(lead, incident)
    expect(names(await statusOf(board, incident))).toEqual(names(await statusOf(lead, incident)))
  })
})

describe('an incident that targets some', () => {
  test('asks who is named, archived since or not, and the targetable members of its groups, each once', async () => {
    const { organisation, lead, ana, ben, emil, board, ext } = await team()
    const group = await lead.post('/useradmin/group', {
      name: 'Harbour',
      userIds: [ana, emil, board, ext].map(({ email }) => email),
    })
    const incident = await declared(lead, {
      targetedUsers: [ben.email, ana.email],
      targetedGroupIds: [group.body.id],
    })
    await muster.inside(organisation, (db) =>
      db.updateTable('users').set({ active: false }).where('id', 'in', [ben.uuid, emil.uuid]).execute(),
    )
    const status = await statusOf(lead, incident)
    expect(names(status)).toEqual(['Ana', 'ben', 'Ext'])
    expect(counts(status)).toEqual([3, 0, 3])
  })

  test('keeps whoever checked in unasked, for those who may know of them', async () => {
    const { lead, ana, ben, ext } = await team()
    const incident = await declared(lead, { targetedUsers: [ana.email, ext.email] })
    await checkIn(incident, ben, ana)
    const seen = await statusOf(lead, incident)
    expect([names(seen), counts(seen)]).toEqual([
      ['Ana', 'ben', 'Ext'],
      [3, 2, 1],
    ])
    const outside = await statusOf(ext, incident)
    expect([names(outside), counts(outside)]).toEqual([
      ['Ana', 'Ext'],
      [2, 1, 1],
    ])
  })

  test('is nothing to external people whom it does not target', async () => {
    const { lead, ana, ext } = await team()
    const incident = await declared(lead, { targetedUsers: [ana.email] })
    expect((await ext.get(`/incident/${incident.id}/teamStatus`)).status).toBe(404)
  })
})
