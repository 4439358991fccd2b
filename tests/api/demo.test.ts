import { sql } from 'kysely'
import { isValidPhoneNumber } from 'libphonenumber-js/max'
import { expect, test } from 'vitest'

import type { Message, Room } from '#contract/chat/schema.ts'
import { seedDemo } from '#server/demo/flows.ts'
import { PROVIDER_ID } from '#server/kit/database/db.ts'
import { startTestServer } from '#tests/support/server.ts'

const { inside, send, services } = await startTestServer()
const password = 'Demonstration-1'
expect(await seedDemo(services, password)).toBe(true)

async function signIn(email: string, code: string) {
  const body = { email, password, enterpriseCode: code }
  const { status, body: session } = await send('POST', '/authentication/upass', { body })
  expect(status, email).toBe(200)
  const headers = { Authorization: `Bearer ${session.authenticationToken}`, 'Enterprise-Code': code }
  return { session, get: async (path: string) => (await send('GET', path, { headers })).body }
}

test('the demonstration is made once, on an empty database', async () => {
  expect(await seedDemo(services, password)).toBe(false)
  const organisations = await services.database.directory
    .selectFrom('organisations')
    .selectAll()
    .where('id', '<>', PROVIDER_ID)
    .execute()
  expect(organisations.map(({ code }) => code).toSorted()).toEqual(['demo', 'demo-east'])
  const [demo, east] = ['demo', 'demo-east'].map((code) => organisations.find((one) => one.code === code)!)
  expect(demo).toMatchObject({ parent_id: null, max_users: 50, subscription_level: 'ENTERPRISE' })
  expect(east!.parent_id).toBe(demo!.id)
  expect(demo!.config).toMatchObject({ playbooksSharingEnabled: true, auth2fa: false })
  for (const organisation of organisations) {
    const { rows } = await inside(organisation, (db) =>
      sql`select first_broken_event() as broken`.execute(db),
    )
    expect(rows).toEqual([{ broken: null }])
    const events = await inside(organisation, (db) =>
      db.selectFrom('events').select('at').orderBy('sequence').execute(),
    )
    const times = events.map(({ at }) => Date.parse(at))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times.at(-1)).toBeLessThanOrEqual(Date.now())
  }
})

test.each([
  ['admin@demo.example', 'demo', 'ADMIN', 'INTERNAL'],
  ['responder@demo.example', 'demo', 'USER', 'INTERNAL'],
  ['planner@demo.example', 'demo', 'PLAYBOOK_MANAGER', 'INTERNAL'],
  ['board@demo.example', 'demo', 'BUSINESS_USER', 'INTERNAL'],
  ['counsel@partner.example', 'demo', 'USER', 'EXTERNAL'],
  ['admin@demo-east.example', 'demo-east', 'ADMIN', 'INTERNAL'],
])('%s signs in to %s', async (email, code, role, type) => {
  const { session } = await signIn(email, code)
  expect(session.user).toMatchObject({ role, type, acceptedTerms: true })
})

test('there are rooms of every kind with a conversation, in the past, most of it read', async () => {
  const { get } = await signIn('admin@demo.example', 'demo')
  const rooms: Room[] = await get('/chat/rooms')
  expect(rooms.map(({ kind, name }) => [kind, name])).toEqual([
    ['WAR_ROOM', 'Headquarters'],
    ['DIRECT_MESSAGE', null],
    ['WAR_ROOM', 'Crisis team'],
  ])
  for (const { id, sequence, last_message_at, created_at } of rooms) {
    const { messages }: { messages: Message[] } = await get(`/chat/rooms/${id}/messages`)
    expect(messages).toHaveLength(sequence)
    expect(sequence).toBeGreaterThan(2)
    const times = [created_at, ...messages.map((message) => message.created_at), new Date().toISOString()]
    expect(times).toEqual(times.toSorted())
    expect(messages.at(-1)!.created_at).toBe(last_message_at)
  }
  expect((await get('/chat/summary')).unreadMessages).toBeLessThan(3)
  const { get: asCounsel } = await signIn('counsel@partner.example', 'demo')
  expect((await asCounsel('/chat/rooms')).map(({ name }: Room) => name)).toEqual(['Crisis team'])
  const { get: asResponder } = await signIn('responder@demo.example', 'demo')
  expect((await asResponder('/chat/rooms')).map(({ name }: Room) => name)).toContain('Pier 3 repairs')
})

test('there is a team in every state, with names and numbers that a form would take', async () => {
  const { get } = await signIn('admin@demo.example', 'demo')
  const users = await get('/useradmin/users')
  expect(users).toHaveLength(16)
  expect(users.filter((user: { active: boolean }) => !user.active)).toHaveLength(1)
  for (const { phoneNumber } of users) if (phoneNumber) expect(isValidPhoneNumber(phoneNumber)).toBe(true)
  for (const { firstName, lastName } of users) expect(`${firstName} ${lastName}`).toMatch(/^[\p{L} .]+$/u)
})

test('there are playbooks in a category, with an owner and a date of review to come, and room for more', async () => {
  const { get } = await signIn('responder@demo.example', 'demo')
  const [category] = await get('/playbook/categories?withPlaybooks=false')
  const playbooks = await get('/playbook/templates')
  expect(playbooks.map(({ name }: { name: string }) => name)).toEqual([
    'A ship cannot sail',
    'Evacuation of a terminal',
  ])
  for (const { categoryId, owner, reviewDate, activities } of playbooks) {
    expect([categoryId, owner]).toEqual([category.id, 'planner@demo.example'])
    expect(Date.parse(reviewDate)).toBeGreaterThan(Date.now())
    expect(activities[0].type).toBe('HEADING')
  }
  const { get: asPlanner } = await signIn('planner@demo.example', 'demo')
  const [east] = await asPlanner('/crossEnterprises/enterprises')
  expect(east.maxTemplates - east.currentTemplates).toBeGreaterThan(2)
})

test('there are groups, one with somebody from outside and one with somebody who has left', async () => {
  const { get } = await signIn('admin@demo.example', 'demo')
  const groups = await get('/useradmin/groups')
  expect(groups).toHaveLength(3)
  const members = groups.flatMap(({ userIds }: { userIds: string[] }) => userIds)
  expect(members).toContain('counsel@partner.example')
  expect(members).toContain('daniel.cohen@demo.example')
})

test('an incident and an exercise are over, and tell what was done', async () => {
  const { get } = await signIn('admin@demo.example', 'demo')
  const { data } = await get('/incident?populateActivitiesAndCheckInsAndTargetedUsers=true')
  expect(data.map(({ type }: { type: string }) => type)).toEqual(['incident', 'exercise'])
  for (const incident of data) {
    expect(incident).toMatchObject({ isActive: false, hasIncompleteTasks: false })
    expect(incident.postmortemDetails).toContain('<')
    expect(incident.checkIns.length).toBeGreaterThan(3)
    expect(incident.activities.length).toBeGreaterThan(2)
    expect(Date.parse(incident.resolveTimestamp)).toBeGreaterThan(Date.parse(incident.createTimestamp))
  }
  expect(await get('/dashboard')).toMatchObject({
    activeIncident: null,
    lastIncidentTimestamp: data[0].resolveTimestamp,
  })
})

test('outside counsel sees the incident, and the people in it', async () => {
  const { get } = await signIn('counsel@partner.example', 'demo')
  const { data } = await get('/incident')
  expect(data.map(({ type }: { type: string }) => type)).toEqual(['incident'])
  expect((await get('/authentication/users')).users).toHaveLength(10)
})

test('what a start that was cut off left half made is made again', async () => {
  const { id } = await services.database.directory
    .selectFrom('organisations')
    .select('id')
    .where('code', '=', 'demo')
    .executeTakeFirstOrThrow()
  const client = await services.database.pool.connect()
  await client.query('alter table events no force row level security')
  await client.query(`delete from events where organisation_id = $1 and noun = 'demonstration'`, [id])
  await client.query('alter table events force row level security')
  client.release()
  expect(await seedDemo(services, password)).toBe(true)
  expect(await seedDemo(services, password)).toBe(false)
  const { get } = await signIn('admin@demo.example', 'demo')
  expect(await get('/incident')).toMatchObject({ total: 2 })
})

test('people outside can be notified, once they were, and the outbox is empty', async () => {
  const { get } = await signIn('admin@demo.example', 'demo')
  const contacts = await get('/contact/asList')
  expect(contacts).toHaveLength(14)
  expect(contacts.filter(({ valid }: { valid: boolean }) => valid)).toHaveLength(12)
  expect((await get('/contact/lists')).map(({ count }: { count: number }) => count)).toEqual([5, 6, 4])
  expect(await get('/massNotification/templates')).toHaveLength(4)
  const [sent, ...more] = await get('/massNotification/history')
  expect(more).toEqual([])
  const detail = await get(`/massNotification/history/${sent.id}`)
  expect(detail).toMatchObject({
    notifiedCount: 14,
    deliveries: [
      { type: 'EMAIL', sent: 14, delivered: 0, waiting: 0, failed: 0 },
      { type: 'SMS', sent: 13, delivered: 0, waiting: 0, failed: 0 },
    ],
  })
  const dashboard = await get('/massNotification')
  expect(dashboard).toEqual({
    organisation: 'Tidewater Ferries (demo)',
    answerLink: expect.stringContaining('/answer/'),
    takesReplies: false,
    takesKeys: false,
    words: expect.objectContaining({ answer: 'Answer:' }),
    wordsIn: expect.objectContaining({ en: expect.objectContaining({ answer: 'Answer:' }) }),
    subscribed: true,
    remainingEvents: 1000 - 11 * 2 - 3 - 3,
    types: ['EMAIL', 'SMS', 'VOICE_CALL'],
  })
  expect((await send('GET', '/outbox', { headers: { Accept: 'application/json' } })).body).toEqual([])
  const east = await signIn('admin@demo-east.example', 'demo-east')
  expect(await east.get('/massNotification')).toMatchObject({ subscribed: false })
})

test('there are folders for everybody, for a group and for administrators, with files in them', async () => {
  const namesFor = async (email: string) => {
    const { get } = await signIn(email, 'demo')
    const folders = (await get('/sfs/folder/0')) as { id: number; name: string }[]
    return folders.map(({ name }) => name)
  }
  expect(await namesFor('admin@demo.example')).toEqual([
    'Board papers',
    'Crisis plans',
    'Insurance and contracts',
  ])
  expect(await namesFor('responder@demo.example')).toEqual(['Crisis plans', 'Insurance and contracts'])
  expect(await namesFor('hana.kimura@demo.example')).toEqual(['Crisis plans'])
  const { get } = await signIn('hana.kimura@demo.example', 'demo')
  const found = (await get('/sfs/search?query=first')) as { id: number; type: string }[]
  expect(found).toMatchObject([{ name: 'First hour', extension: 'txt', type: 'text/plain' }])
})
