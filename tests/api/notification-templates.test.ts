import { describe, expect, test } from 'vitest'

import { startTestServer } from '#tests/support/server.ts'
import { statusesOf } from '#tests/support/sign-in.ts'

const { anOrganisation, inside, signedInAs } = await startTestServer()
const TEMPLATE = '/massNotification/template'
const TEMPLATES = '/massNotification/templates'

const aTeam = async (config: Parameters<typeof anOrganisation>[0] = {}) => {
  const org = await anOrganisation(config)
  return { org, admin: await signedInAs(org, 'ADMIN'), other: await signedInAs(org, 'ADMIN') }
}
const words = {
  title: 'Berth closed',
  level: 'CRITICAL',
  smsMessage: 'Go to berth 1',
  emailMessage: 'All\nof it',
}

test('a template is made, changed and deleted', async () => {
  const { org, admin } = await aTeam()
  const made = await admin.post(TEMPLATE, {
    title: ' Berth closed ',
    level: 'CRITICAL',
    smsMessage: ' Go to berth 1 ',
    emailMessage: ' All\nof it ',
  })
  expect(made.status).toBe(201)
  expect(made.body).toEqual({
    id: made.body.id,
    ...words,
    question: null,
    escalation: null,
    language: null,
    updateTimestamp: made.body.updateTimestamp,
    version: 1,
  })
  expect((await admin.get(TEMPLATES)).body).toEqual([made.body])
  const changed = await admin.put(`${TEMPLATE}/${made.body.id}`, {
    ...words,
    title: 'Berth open',
    level: 'LOW',
    smsMessage: '  ',
    version: 1,
  })
  expect(changed.status).toBe(200)
  expect(changed.body).toMatchObject({ title: 'Berth open', level: 'LOW', smsMessage: null, version: 2 })
  expect(Date.parse(changed.body.updateTimestamp)).toBeGreaterThanOrEqual(
    Date.parse(made.body.updateTimestamp),
  )
  expect((await admin.delete(`${TEMPLATE}/${made.body.id}`)).status).toBe(204)
  expect((await admin.get(TEMPLATES)).body).toEqual([])
  expect((await admin.delete(`${TEMPLATE}/${made.body.id}`)).status).toBe(404)
  const events = await inside(org, (db) =>
    db.selectFrom('events').selectAll().where('record', '=', made.body.id).orderBy('sequence').execute(),
  )
  expect(events.map(({ verb }) => verb)).toEqual(['created', 'updated', 'deleted'])
  expect(events[1]!.changes).toMatchObject({ title: { from: 'Berth closed', to: 'Berth open' } })
})

test('two who change one do not overwrite each other, and the second learns who was first', async () => {
  const { admin, other } = await aTeam()
  const { body } = await admin.post(TEMPLATE, words)
  const path = `${TEMPLATE}/${body.id}`
  expect((await other.put(path, { ...words, title: 'Mine', version: 1 })).status).toBe(200)
  const late = await admin.put(path, { ...words, title: 'Ours', version: 1 })
  expect([late.status, late.body.code]).toEqual([409, 'stale'])
  expect(late.body.message).toBe(`${other.email} changed this meanwhile. Your changes were not saved.`)
  const both = await Promise.all(
    [admin, other].map((one, n) => one.put(path, { ...words, title: `Both ${n}`, version: 2 })),
  )
  expect(statusesOf(both)).toEqual([200, 409])
})

describe('an SMS message', () => {
  test('is as long as the organisation lets it be', async () => {
    const { admin } = await aTeam({ massNotifsSmsMessageLimit: 50 })
    const long = await admin.post(TEMPLATE, { ...words, smsMessage: 'x'.repeat(51) })
    expect([long.status, long.body.fields]).toEqual([
      400,
      { smsMessage: 'Maximum of 50 characters exceeded.' },
    ])
    const made = await admin.post(TEMPLATE, { ...words, smsMessage: ` ${'x'.repeat(50)} ` })
    expect(made.status).toBe(201)
    const changed = await admin.put(`${TEMPLATE}/${made.body.id}`, { ...words, smsMessage: 'x'.repeat(51) })
    expect(changed.body.fields).toEqual({ smsMessage: 'Maximum of 50 characters exceeded.' })
  })
})

test.each<[string, object, object]>([
  ['no title', { title: ' ' }, { title: 'Title is required.' }],
  ['a title that is none', { title: 7 }, { title: 'Title is required.' }],
  ['a long title', { title: 'x'.repeat(256) }, { title: 'Maximum length of 255 characters exceeded.' }],
  [
    'a long email',
    { emailMessage: 'x'.repeat(24_001) },
    { emailMessage: 'Maximum length of 24000 characters exceeded.' },
  ],
  [
    'a NUL',
    { emailMessage: '\u0000' },
    { emailMessage: 'This text contains characters that cannot be stored.' },
  ],
  ['a level that there is not', { level: 'critical' }, { level: expect.any(String) }],
])('a template with %s is bad input', async (_, more, fields) => {
  const { admin } = await aTeam()
  const answer = await admin.post(TEMPLATE, { ...words, ...more })
  expect([answer.status, answer.body.fields]).toEqual([400, fields])
})

test('templates are listed by title, searched and cut into pages', async () => {
  const { admin } = await aTeam()
  for (const title of ['zebra', 'Élan', 'apple', 'Echo'])
    await admin.post(TEMPLATE, { ...words, title, emailMessage: `About ${title} & 100%` })
  const titles = async (query: string) =>
    (await admin.get(`${TEMPLATES}?${query}`)).body.map(({ title }: { title: string }) => title)
  expect(await titles('')).toEqual(['apple', 'Echo', 'Élan', 'zebra'])
  expect(await titles(`sort=${encodeURIComponent('["updateTimestamp","DESC"]')}`)).toEqual([
    'Echo',
    'apple',
    'Élan',
    'zebra',
  ])
  expect(await titles(`filter=${encodeURIComponent('{"q":"ABOUT elan"}')}`)).toEqual(['Élan'])
  const page = await admin.get(`${TEMPLATES}?range=${encodeURIComponent('[1,2]')}`)
  expect(page.headers.get('content-range')).toBe('items 1-2/4')
})
