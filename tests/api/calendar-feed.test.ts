import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { clock, DAY, HOUR } from '#server/kit/core/clock.ts'
import { declared } from '#tests/support/incidents.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const { anOrganisation, inside, services, signedInAs } = muster

let org: Organisation
let [admin, anna] = [] as unknown as Caller[] as [Caller, Caller]
beforeEach(async () => {
  org = await anOrganisation({ multiIncident: true })
  admin = await signedInAs(org, 'ADMIN')
  anna = await signedInAs(org)
})
afterEach(async () => {
  // All visitors of this file have one address.
  await services.database.directory.deleteFrom('attempts').execute()
})

const later = (ms: number) => new Date(clock.now() + ms).toISOString()
const addressOf = async (who: Caller): Promise<string> => {
  const made = await who.post('/calendarFeed')
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.address
}
const read = async (address: string, headers: Record<string, string> = {}) => {
  const reply = await fetch(address, { headers })
  // A line that begins with a blank continues the one before.
  const text = (await reply.text()).replace(/\r\n[ \t]/g, '')
  return { status: reply.status, headers: reply.headers, text }
}
const summariesIn = (text: string) => [...text.matchAll(/^SUMMARY:(.*?)\r?$/gm)].map(([, words]) => words)

describe('the calendar of due times', () => {
  test('has what a person has to do, and nothing of others', async () => {
    const incident = await declared(admin, { title: 'Loss of booking; both sites, all of them' })
    const task = { description: 'Now.', dueTimestamp: later(HOUR) }
    await admin.post(`/incident/${incident.id}/activity`, {
      title: 'Tell the ports',
      assignedTo: anna.email,
      ...task,
    })
    await admin.post(`/incident/${incident.id}/activity`, {
      title: 'Somebody else’s',
      assignedTo: admin.email,
      ...task,
    })
    await admin.post(`/incident/${incident.id}/activity`, {
      title: 'Without a time',
      description: 'x',
      assignedTo: anna.email,
    })
    const { body: clocks } = await admin.get(`/incident/${incident.id}/duties`)
    const duty = clocks.startable[0]
    const started = await admin.post(`/incident/${incident.id}/duties`, {
      awareTimestamp: later(-HOUR),
      dutyIds: [duty.id],
      holder: anna.email,
    })
    expect(started.status, JSON.stringify(started.body)).toBe(200)
    const { status, headers, text } = await read(await addressOf(anna))
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('text/calendar')
    expect(summariesIn(text)).toEqual(['Due: Tell the ports', `To report: ${duty.name}`])
    expect(text).toContain('DESCRIPTION:Loss of booking\\; both sites\\, all of them')
    expect(text).toContain(`/incidents/${incident.id}`)
    expect(text).not.toContain(admin.email)
  })

  test('has the next update for who leads, until somebody has the communications', async () => {
    const incident = await declared(admin, { severity: 'CRITICAL' })
    const address = await addressOf(anna)
    const { body: command } = await admin.get(`/incident/${incident.id}/command`)
    const roleOf = (duty: string) => command.roles.find((one: { duty: string | null }) => one.duty === duty)
    const give = (duty: string, person: string) =>
      admin.put(`/incident/${incident.id}/command/role/${roleOf(duty).id}`, { holder: person })
    const given = await give('COMMAND', anna.email)
    expect(given.status, JSON.stringify(given.body)).toBeLessThan(300)
    expect(summariesIn((await read(address)).text)).toEqual(['Next update is due'])
    await give('COMMUNICATIONS', admin.email)
    expect(summariesIn((await read(address)).text)).toEqual([])
  })

  test('is fetched only once while nothing changes', async () => {
    const incident = await declared(admin)
    const address = await addressOf(anna)
    const first = await read(address)
    const etag = first.headers.get('etag')!
    expect((await read(address, { 'If-None-Match': etag })).status).toBe(304)
    await admin.post(`/incident/${incident.id}/activity`, {
      title: 'Tell the ports',
      description: 'Now.',
      assignedTo: anna.email,
      dueTimestamp: later(DAY),
    })
    expect((await read(address, { 'If-None-Match': etag })).status).toBe(200)
  })

  test('ends with a new address, with the person, and by hand', async () => {
    const first = await addressOf(anna)
    const second = await addressOf(anna)
    expect((await read(first)).status).toBe(404)
    expect((await read(second)).status).toBe(200)
    expect((await anna.get('/calendarFeed')).body.createTimestamp).toEqual(expect.any(String))
    expect((await anna.delete('/calendarFeed')).status).toBe(204)
    expect((await read(second)).status).toBe(404)
    expect((await anna.get('/calendarFeed')).body).toEqual({ createTimestamp: null })
    const third = await addressOf(anna)
    await inside(org, (db) =>
      db.updateTable('users').set({ active: false }).where('id', '=', anna.uuid).execute(),
    )
    expect((await read(third)).status).toBe(404)
  })

  test('has no address that can be guessed', async () => {
    const address = await addressOf(anna)
    for (const wrong of [
      address.slice(0, -5),
      address.replace(/.{5}\.ics$/, 'AAAAA.ics'),
      `${address}x`,
      address.replace('.ics', ''),
    ])
      expect([200, 404]).toContain((await read(wrong)).status)
    expect((await read(address.replace(/.{5}\.ics$/, 'AAAAA.ics'))).status).toBe(404)
    const tries = await Promise.all(
      Array.from({ length: 60 }, () => read(address.replace(/.{5}\.ics$/, 'AAAAA.ics'))),
    )
    expect(tries.map(({ status }) => status)).toContain(429)
  })

  test('is nothing for external people', async () => {
    const counsel = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
    expect((await counsel.get('/calendarFeed')).status).toBe(403)
    expect((await counsel.post('/calendarFeed')).status).toBe(403)
  })
})
