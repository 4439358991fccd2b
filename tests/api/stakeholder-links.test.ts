import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import {
  DAYS_RANGE,
  FOR_REQUIRED,
  type IssuedStakeholderLink,
  OPEN_LINKS_MAX,
  type StakeholderLink,
  TOO_MANY_LINKS,
} from '#contract/stakeholder-links/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
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

const made = async (incident: { id: string }, body: object = {}): Promise<IssuedStakeholderLink> => {
  const reply = await admin.post(`/incident/${incident.id}/stakeholderLink`, {
    label: 'The board',
    days: 7,
    ...body,
  })
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  return reply.body
}
const listed = async (incident: { id: string }): Promise<StakeholderLink[]> =>
  (await anna.get(`/incident/${incident.id}/stakeholderLinks`)).body.data
const publish = async (incident: { id: string }, content: string) => {
  const { body } = await anna.post(`/incident/${incident.id}/situationReport`, {})
  const saved = await anna.put(`/situationReport/${body.id}`, { content, version: body.version })
  await anna.post(`/situationReport/${body.id}/publish`, { version: saved.body.version })
}
const read = async (address: string) => {
  const reply = await fetch(address)
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}
const enter = async (address: string, passcode: string) => {
  const reply = await fetch(address, { method: 'POST', body: new URLSearchParams({ passcode }) })
  return { status: reply.status, text: await reply.text() }
}
const verbs = (incident: { id: string }) =>
  inside(org, async (db) => {
    const rows = await db
      .selectFrom('events')
      .select(['verb', 'actor', 'externals'])
      .where('noun', '=', 'stakeholder-links')
      .where('parent', '=', incident.id)
      .orderBy('sequence')
      .execute()
    return rows.map(({ verb, actor }) => `${verb} by ${actor.name}`)
  })

describe('a page for stakeholders', () => {
  test('shows the published reports and nothing else, once the passcode is entered', async () => {
    const incident = await declared(anna, {
      title: 'Loss of <b>booking</b>',
      fullText: '<p>Secret of the description</p>',
      activityCreateRequests: [{ title: 'Secret task', description: 'Do it.' }],
    })
    await publish(incident, '<p>Pumps run.</p>')
    await publish(incident, '<p>Pumps stand.</p>')
    await anna.post(`/incident/${incident.id}/situationReport`, {})
    const { address, passcode } = await made(incident)

    const door = await read(address)
    expect(door.status).toBe(200)
    expect(door.text).toContain('<label for="passcode">')
    expect(door.text).not.toContain('booking')
    expect(door.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(door.headers.get('cache-control')).toBe('no-store')
    expect(door.headers.get('referrer-policy')).toBe('no-referrer')

    const page = await enter(address, ` ${passcode.toUpperCase()} `)
    expect(page.status).toBe(200)
    for (const part of [
      'Loss of &lt;b&gt;booking',
      'Ongoing',
      'no. 2',
      'Pumps stand.',
      'no. 1',
      'Pumps run.',
    ])
      expect(page.text).toContain(part)
    expect(page.text.indexOf('Pumps stand.')).toBeLessThan(page.text.indexOf('Pumps run.'))
    for (const secret of ['Secret', 'No update since', anna.email, '<script', 'EXERCISE'])
      expect(page.text).not.toContain(secret)
    expect((await listed(incident))[0]).toMatchObject({ visitsCount: 1, state: 'OPEN', label: 'The board' })
    expect(await verbs(incident)).toEqual([`made by ${admin.email}`, 'visited by Stakeholder (The board)'])
  })

  test('says that it is an exercise, and how the incident ended', async () => {
    const incident = await declared(anna, { isTabletop: true })
    const { address, passcode } = await made(incident)
    await anna.patch(`/incident/${incident.id}`, { isActive: false })
    const { text } = await enter(address, passcode)
    for (const part of ['EXERCISE', 'Resolved', 'No situation report was published yet.'])
      expect(text).toContain(part)
  })

  test('counts wrong passcodes, and then refuses the right one as well', async () => {
    const incident = await declared(anna)
    const { address, passcode } = await made(incident)
    const wrong = await enter(address, 'aaaa-aaaa-aaaa')
    expect([wrong.status, wrong.text]).toEqual([
      400,
      expect.stringContaining('This passcode is not correct.'),
    ])
    for (let tries = 0; tries < 10; tries += 1) {
      // oxlint-disable-next-line no-await-in-loop -- until it is locked
      if ((await enter(address, 'aaaa-aaaa-aaaa')).status === 429) break
    }
    expect((await enter(address, passcode)).status).toBe(429)
    expect((await listed(incident))[0]!.visitsCount).toBe(0)
    expect(await verbs(incident)).toContain('passcode refused by Stakeholder (The board)')
  })

  test('answers alike once it has ended, was withdrawn, or never was', async () => {
    const incident = await declared(anna)
    const [ended, withdrawn] = [await made(incident, { days: 1 }), await made(incident, { label: 'Press' })]
    expect((await anna.delete(`/incident/stakeholderLink/${withdrawn.id}`)).status).toBe(204)
    expect((await anna.delete(`/incident/stakeholderLink/${withdrawn.id}`)).status).toBe(204)
    await inside(org, (db) =>
      db
        .updateTable('stakeholder_links')
        .set({ expire_timestamp: clock.timestamp() })
        .where('id', '=', ended.id)
        .execute(),
    )
    const [a, b, c] = await Promise.all([
      enter(ended.address, ended.passcode),
      enter(withdrawn.address, withdrawn.passcode),
      enter(ended.address.slice(0, -3), ended.passcode),
    ])
    expect(a.status).toBe(404)
    const bare = ({ text }: { text: string }) => text.replace(/nonce="[^"]*"/, '')
    expect([bare(b), bare(c)]).toEqual([bare(a), bare(a)])
    expect((await listed(incident)).map(({ state }) => state)).toEqual(['WITHDRAWN', 'ENDED'])
    expect((await verbs(incident)).filter((one) => one.startsWith('withdrawn'))).toHaveLength(1)
  })

  test('is refused without a reader, for ever, and where too many are open', async () => {
    const incident = await declared(anna)
    const path = `/incident/${incident.id}/stakeholderLink`
    expect((await admin.post(path, { label: ' ', days: 7 })).body.fields).toEqual({ label: FOR_REQUIRED })
    for (const days of [0, 91, 1.5]) {
      // oxlint-disable-next-line no-await-in-loop -- one request each
      expect((await admin.post(path, { label: 'Board', days })).body.fields).toEqual({ days: DAYS_RANGE })
    }
    await inside(org, async (db) => {
      const [row] = await db.selectFrom('stakeholder_links').select('id').execute()
      expect(row).toBeUndefined()
    })
    const { id } = await made(incident)
    await inside(org, async (db) => {
      const first = await db
        .selectFrom('stakeholder_links')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const copies = Array.from({ length: OPEN_LINKS_MAX - 1 }, (_, n) => ({
        ...first,
        id: crypto.randomUUID(),
        hash: Buffer.from(`${id} ${n}`),
      }))
      await db.insertInto('stakeholder_links').values(copies).execute()
    })
    const refused = await admin.post(path, { label: 'Board', days: 7 })
    expect([refused.status, refused.body.message]).toEqual([409, TOO_MANY_LINKS])
  })

  test('is seen neither by external people nor in the report that they get', async () => {
    const guest = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
    const incident = await declared(anna, { targetedUsers: [guest.email] })
    await made(incident)
    expect((await guest.get(`/incident/${incident.id}/stakeholderLinks`)).status).toBe(403)
    expect(
      (await guest.post(`/incident/${incident.id}/stakeholderLink`, { label: 'Me', days: 1 })).status,
    ).toBe(403)
  })

  test('stands in the timeline of its incident', async () => {
    const incident = await declared(anna)
    const { address, passcode } = await made(incident)
    await enter(address, passcode)
    const { body } = await anna.get(`/incident/${incident.id}/timeline?kinds=REPORT`)
    expect(body.data.map(({ lines }: { lines: { text: string }[] }) => lines[0]!.text)).toEqual([
      'Page for stakeholders visited: The board',
      'Page for stakeholders made: The board',
    ])
  })
})
