import { describe, expect, test, vi } from 'vitest'

import type { NotifiedPerson, Recipient } from '#contract/mass-notifications/schema.ts'
import { permissionsOf } from '#contract/users/rules.ts'
import { configOf } from '#contract/config/catalogue.ts'
import { notifiableGroups } from '#server/mass-notifications/recipients.flows.ts'
import { recordDelivered } from '#server/mass-notifications/history.flows.ts'
import { sendNotification } from '#server/mass-notifications/sending.flows.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'
import { later, statusesOf } from '#tests/support/sign-in.ts'

const { anOrganisation, aUser, inside, send, services, signedInAs } = await startTestServer()

const PATH = '/massNotification'
const SUBSCRIBED = { contactsAndMassNotificationsEnabled: true }
const CONTACTS = [
  { name: 'Ana', email: 'ana@example.org', phone: '+1 416 555 0101', list: 'Board' },
  { name: 'Ana', email: 'ana@example.org', phone: '+1 416 555 0101', list: 'City' },
  { name: 'Bo', email: 'bo@example.org', phone: '5550102', list: 'Board' },
  { name: 'Cy', email: 'cy@example.org', phone: null, list: 'City' },
  { name: 'Di', email: 'di@example.org', phone: '+14165550101', list: 'City' },
]
const WORDS = { title: 'Gate 2', emailMessage: 'Gate 2 is closed', smsMessage: 'Gate 2 closed' }

async function aTeam(config: Parameters<typeof anOrganisation>[0] = {}) {
  const org = await anOrganisation({ ...SUBSCRIBED, ...config })
  const admin = await signedInAs(org, 'ADMIN', { firstName: 'Ada', lastName: 'Min' })
  expect((await admin.post('/contact', CONTACTS)).status).toBe(201)
  const notify = (more: object = {}, key: string = crypto.randomUUID()) =>
    send('POST', PATH, {
      headers: { ...admin.headers, 'Idempotency-Key': key },
      body: { ...WORDS, types: ['EMAIL', 'SMS'], contactListIds: ['Board'], ...more },
    })
  const remaining = async () => (await admin.get(PATH)).body.remainingEvents as number
  const history = async () => (await admin.get(`${PATH}/history`)).body
  return { org, admin, notify, remaining, history }
}
const messagesOf = (org: Organisation) =>
  inside(org, (db) =>
    db
      .selectFrom('messages as m')
      .innerJoin('message_contents as c', 'c.id', 'm.content_id')
      .select(['m.channel', 'm.recipient', 'c.subject', 'c.text', 'c.html', 'm.state'])
      .orderBy('m.channel')
      .orderBy('m.recipient')
      .execute(),
  )
const addressed = async (org: Organisation) =>
  (await messagesOf(org)).map(({ channel, recipient }) => `${channel} ${recipient}`)
async function aMember(
  org: Organisation,
  more: Parameters<typeof aUser>[1] & { phone?: string; second?: string; banned?: true },
) {
  const { phone = null, second = null, banned = false, ...person } = more
  const user = await aUser(org, person)
  await inside(org, (db) =>
    db
      .updateTable('users')
      .set({ phone_number: phone, second_phone_number: second, banned })
      .where('id', '=', user.uuid)
      .execute(),
  )
  return user.email
}
const aGroup = async (admin: Caller, name: string, userIds: readonly string[]) =>
  (await admin.post('/useradmin/group', { name, userIds })).body.id as string

describe('sending', () => {
  test('reaches everybody once for each type, with the exact words', async () => {
    const { org, admin, notify } = await aTeam()
    const sent = await notify({
      types: ['EMAIL', 'SMS', 'VOICE_CALL', 'SMS'],
      level: 'CRITICAL',
      emailMessage: ' Gate 2 <b>is</b> closed.\nUse gate 1.\n\nThe harbour & "you" ',
      contactListIds: ['board', 'CITY', 'Board'],
      contactIds: ['ANA@example.org', 'ana@example.org'],
    })
    expect(sent.status).toBe(201)
    const text = 'Gate 2 <b>is</b> closed.\nUse gate 1.\n\nThe harbour & "you"'
    const from = `Critical notification from Organisation ${org.code}, sent by ${admin.email}.`
    const html = `<p dir="auto">Gate 2 &#60;b&#62;is&#60;/b&#62; closed.<br>\nUse gate 1.</p>\n<p dir="auto">The harbour &#38; &#34;you&#34;</p>\n<hr>\n<p dir="auto">${from}</p>`
    const whole = `${text}\n\n-- \n${from}`
    const mail = { channel: 'EMAIL', subject: 'Gate 2', text: whole, html, state: 'KEPT' }
    const other = { subject: null, html: null, state: 'KEPT', recipient: '+14165550101' }
    expect(await messagesOf(org)).toEqual([
      ...['ana', 'bo', 'cy', 'di'].map((name) => ({ ...mail, recipient: `${name}@example.org` })),
      // Two people share this number; the other numbers are invalid or missing.
      { ...other, channel: 'SMS', text: '[ALERT: Critical] Gate 2 closed' },
      { ...other, channel: 'VOICE_CALL', text: 'Gate 2 closed' },
    ])
    expect(sent.body).toEqual({
      id: sent.body.id,
      title: 'Gate 2',
      emailMessage: text,
      smsMessage: 'Gate 2 closed',
      types: ['EMAIL', 'SMS', 'VOICE_CALL'],
      level: 'CRITICAL',
      contactListIds: ['Board', 'City'],
      contactIds: ['ana@example.org'],
      groupNames: [],
      createTimestamp: sent.body.createTimestamp,
      createdBy: admin.email,
      notifiedCount: 4,
      sentCount: 4,
      reachedCount: 0,
      waitingCount: 0,
      notReachedCount: 0,
      isExercise: false,
      language: 'en-US',
      isTest: false,
      incidentId: null,
      approvedBy: null,
      escalation: null,
      inOrderMinutes: null,
      correction: null,
      correctsId: null,
      price: null,
      correctionId: null,
      question: null,
      result: null,
      contactCount: 4,
      memberCount: 0,
      contactNames: ['Ana'],
      notifiedUserHistoryData: [
        ['Ana', '+14165550101', null, ['Board', 'City'], true],
        ['Bo', '5550102', 'NO_DIAL_CODE', ['Board'], false],
        ['Cy', null, 'NO_PHONE', ['City'], false],
        ['Di', '+14165550101', null, ['City'], false],
      ].map(([name, phone, phoneProblem, lists, targeted]) => ({
        name,
        email: `${String(name).toLowerCase()}@example.org`,
        phone,
        phoneProblem,
        lists,
        targeted,
        shqGroupId: null,
        shqGroupName: null,
      })),
      deliveries: [
        { type: 'EMAIL', sent: 4, delivered: 0, waiting: 0, failed: 0 },
        { type: 'SMS', sent: 1, delivered: 0, waiting: 0, failed: 0 },
        { type: 'VOICE_CALL', sent: 1, delivered: 0, waiting: 0, failed: 0 },
      ],
    })
    expect((await admin.get(`${PATH}/history/${sent.body.id}`)).body).toEqual(sent.body)
    const {
      deliveries: _,
      result: __,
      correctionId: ___,
      contactCount,
      memberCount,
      contactNames,
      ...item
    } = sent.body
    expect([contactCount, memberCount, contactNames]).toEqual([4, 0, ['Ana']])
    expect((await admin.get(`${PATH}/history`)).body).toEqual([item])
  })

  test('shows in the outbox what would have gone out', async () => {
    const { notify } = await aTeam()
    await notify({
      title: 'Outbox 7',
      smsMessage: 'Seven',
      contactListIds: [],
      contactIds: ['ana@example.org'],
    })
    const { body } = await send('GET', '/outbox', { headers: { Accept: 'application/json' } })
    expect(body).toContainEqual(
      expect.objectContaining({ channel: 'SMS', to: '+14165550101', text: '[ALERT: Normal] Seven' }),
    )
    expect(body).toContainEqual(
      expect.objectContaining({ channel: 'EMAIL', to: 'ana@example.org', subject: 'Outbox 7' }),
    )
  })

  test('takes each contact for each type and each group by its people from the quota', async () => {
    const { org, admin, notify, remaining } = await aTeam({ massNotifsMaxEvents: 40 })
    const people = [
      await aMember(org, { phone: '+19025550101' }),
      await aMember(org, { phone: '+19025550102', type: 'EXTERNAL' }),
      await aMember(org, { phone: '+19025550103' }),
      // Impossible number, country not allowed, archived.
      await aMember(org, { phone: '+11111111111' }),
      await aMember(org, { phone: '+4930901820' }),
      await aMember(org, { active: false, phone: '+19025550104' }),
      await aMember(org, { banned: true, phone: '+19025550105' }),
    ]
    const group = await aGroup(admin, 'Fleet', people)
    expect((await admin.get(`${PATH}/groups`)).body).toEqual([
      { id: group, name: 'Fleet', userCount: 5, userPhoneCount: 3, canAccess: true, isOrdered: false },
    ])
    await notify({ contactListIds: ['Board', 'City'], contactIds: ['ana@example.org'] })
    expect(await remaining()).toBe(40 - 4 * 2)
    const sent = await notify({
      types: ['EMAIL', 'SMS', 'VOICE_CALL'],
      contactListIds: [],
      groupIds: [group.toUpperCase()],
    })
    expect(await remaining()).toBe(32 - (5 + 3 + 3))
    expect(sent.body).toMatchObject({
      notifiedCount: 5,
      groupNames: ['Fleet'],
      deliveries: [
        { type: 'EMAIL', sent: 5 },
        { type: 'SMS', sent: 3 },
        { type: 'VOICE_CALL', sent: 3 },
      ],
    })
    for (const { shqGroupId, shqGroupName, email } of sent.body.notifiedUserHistoryData) {
      expect([shqGroupId, shqGroupName]).toEqual([group, 'Fleet'])
      expect(people.slice(0, 5)).toContain(email)
    }
  })

  test('sends one mail to whoever is a contact and in two groups, and one SMS to each of their numbers', async () => {
    const { org, admin, notify } = await aTeam()
    const email = await aMember(org, { email: 'ana@example.org', phone: '+19025550107' })
    const groups = [await aGroup(admin, 'A', [email]), await aGroup(admin, 'B', [email])]
    const { body } = await notify({ contactListIds: [], contactIds: ['ana@example.org'], groupIds: groups })
    expect(await addressed(org)).toEqual(['EMAIL ana@example.org', 'SMS +14165550101', 'SMS +19025550107'])
    expect(body.notifiedCount).toBe(1)
    expect(body.notifiedUserHistoryData).toMatchObject([
      { shqGroupName: null, phone: '+14165550101', targeted: true },
      { shqGroupName: 'A', phone: '+19025550107', targeted: false },
    ])
  })

  test('tries a number of a contact that was not looked at', async () => {
    const { org, admin, notify } = await aTeam()
    await inside(org, (db) =>
      db.updateTable('contacts').set({ phone_country: null }).where('email', '=', 'di@example.org').execute(),
    )
    const chosen = { contactListIds: [], contactIds: ['di@example.org'] }
    expect((await admin.post(`${PATH}/reach`, chosen)).body).toMatchObject({ contacts: 1, phones: 1 })
    expect((await notify({ types: ['SMS'], ...chosen })).status).toBe(201)
    expect(await addressed(org)).toEqual(['SMS +14165550101'])
  })

  test('dials the second number of a person whose first one cannot be reached, without extensions', async () => {
    const { org, admin, notify } = await aTeam()
    const [own, abroad, other] = ['+14165550111', '+4930901820', '+19025550112']
    const contacts = [
      { name: 'Fi', email: 'fi@example.org', phone: `${abroad} x12; ${own} x34`, list: 'Away' },
      { name: 'Gu', email: 'gu@example.org', phone: `${other} x5; ${own}`, list: 'Away' },
      { name: 'Ha', email: 'ha@example.org', phone: `########; ${own}`, list: 'Away' },
    ]
    expect((await admin.post('/contact', contacts)).status).toBe(201)
    const second = '+14165550113'
    const groupIds = [await aGroup(admin, 'Crew', [await aMember(org, { phone: abroad, second })])]
    const { body } = await notify({ types: ['SMS', 'VOICE_CALL'], contactListIds: ['Away'], groupIds })
    const dialled = [own, second, other].toSorted()
    expect(await addressed(org)).toEqual(
      ['SMS', 'VOICE_CALL'].flatMap((channel) => dialled.map((number) => `${channel} ${number}`)),
    )
    expect(body.notifiedUserHistoryData.map(({ name, phone }: NotifiedPerson) => [name, phone])).toEqual(
      expect.arrayContaining([
        ['Fi', own],
        ['Gu', other],
        ['Ha', own],
      ]),
    )
  })

  test('keeps of the words those that were sent', async () => {
    const { notify } = await aTeam()
    expect((await notify({ types: ['SMS'] })).body).toMatchObject({
      emailMessage: null,
      smsMessage: 'Gate 2 closed',
    })
    expect((await notify({ types: ['SMS'], title: null, emailMessage: '  ' })).status).toBe(201)
    expect((await notify({ types: ['EMAIL'], smsMessage: 'x'.repeat(500) })).body).toMatchObject({
      smsMessage: null,
    })
  })

  test('by a key is done in the name of the key', async () => {
    const { org, admin, notify } = await aTeam()
    const member = await aMember(org, {})
    const group = await aGroup(admin, 'Not mine', [member])
    const { body: key } = await admin.post('/apiManagement/credentials', { name: 'Alarm system' })
    const headers = { 'X-Api-Key': key.key }
    const body = { ...WORDS, types: ['EMAIL'], groupIds: [group] }
    const sent = await send('POST', PATH, { headers, body })
    expect(sent.status).toBe(201)
    expect(sent.body).toMatchObject({ createdBy: 'Alarm system', notifiedCount: 1 })
    expect((await send('GET', `${PATH}/groups`, { headers })).body).toMatchObject([{ canAccess: true }])
    expect((await notify()).body.createdBy).toBe(admin.email)
  })

  test('is on the record with names of lists and numbers, and no address', async () => {
    const { org, admin, notify } = await aTeam()
    const { body } = await notify({ contactIds: ['cy@example.org'] })
    const events = await inside(org, (db) =>
      db.selectFrom('events').selectAll().where('noun', '=', 'mass-notifications').execute(),
    )
    expect(events).toMatchObject([
      {
        verb: 'sent',
        record: body.id,
        changes: {
          title: { to: 'Gate 2' },
          contactLists: { to: ['Board'] },
          contactsChosen: { to: 1 },
          peopleNotified: { to: 3 },
          notificationsUsed: { to: 6 },
        },
      },
    ])
    expect(JSON.stringify(events[0]!.changes)).not.toMatch(/@|\+1/)
    const log = await admin.get(
      `/useradmin/auditLog?filter=${encodeURIComponent('{"noun":"mass-notifications"}')}`,
    )
    expect(log.body).toMatchObject([{ verb: 'sent', recordName: 'Gate 2' }])
  })
})

describe('the members of groups', () => {
  test('are told, each once below their first group, and only those who are active', async () => {
    const { org, admin } = await aTeam()
    const both = await aMember(org, { firstName: 'Bo', lastName: 'Th', phone: '+14165550111' })
    const one = await aMember(org, { firstName: 'On', lastName: 'Ly' })
    const gone = await aMember(org, { firstName: 'Go', active: false })
    const banned = await aMember(org, { firstName: 'Ba', banned: true })
    const crew = await aGroup(admin, 'Crew', [both, gone])
    const deck = await aGroup(admin, 'Deck', [both, one, banned])
    const { status, body } = await admin.post(`${PATH}/groups/members`, { groupIds: [deck, crew] })
    const shown = { lists: [], targeted: false }
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        ...shown,
        name: 'Bo Th',
        email: both,
        phone: '+14165550111',
        phoneProblem: null,
        shqGroupId: crew,
        shqGroupName: 'Crew',
      },
      {
        ...shown,
        name: 'On Ly',
        email: one,
        phone: null,
        phoneProblem: 'NO_PHONE',
        shqGroupId: deck,
        shqGroupName: 'Deck',
      },
    ])
    const page = await admin.post(`${PATH}/groups/members?range=[0,0]&filter={"q":"ly"}`, {
      groupIds: [deck, crew],
    })
    expect(page.headers.get('content-range')).toBe('items 0-0/1')
    expect(page.body).toMatchObject([{ name: 'On Ly' }])
    const byNumber = { q: '(416) 555-0111 th' }
    const numbered = await admin.post(
      `${PATH}/groups/members?filter=${encodeURIComponent(JSON.stringify(byNumber))}`,
      { groupIds: [deck, crew] },
    )
    expect(numbered.body).toMatchObject([{ name: 'Bo Th' }])
    const { admin: theirs } = await aTeam()
    expect((await theirs.post(`${PATH}/groups/members`, { groupIds: [deck] })).body).toEqual([])
  })

  test('are told to nobody where the organisation has no groups', async () => {
    const { admin } = await aTeam({ groupsEnabled: false })
    expect((await admin.post(`${PATH}/groups/members`, { groupIds: [] })).status).toBe(403)
  })
})

describe('what is refused', () => {
  test.each<[string, object, object]>([
    ['an email without a subject', { title: ' ' }, { title: 'Email subject is required.' }],
    [
      'an email without words',
      { emailMessage: null },
      { emailMessage: 'Email message is a required field.' },
    ],
    [
      'an SMS without words',
      { smsMessage: ' \n ' },
      { smsMessage: 'SMS/automated voice message is a required field.' },
    ],
    [
      'a call without words',
      { types: ['VOICE_CALL'], smsMessage: '' },
      { smsMessage: 'SMS/automated voice message is a required field.' },
    ],
    ['a long SMS', { smsMessage: 'x'.repeat(101) }, { smsMessage: 'Maximum of 100 characters exceeded.' }],
    ['a long subject', { title: 'x'.repeat(256) }, { title: 'Maximum length of 255 characters exceeded.' }],
    [
      'a long email',
      { emailMessage: 'x'.repeat(24_001) },
      { emailMessage: 'Maximum length of 24000 characters exceeded.' },
    ],
    ['no type', { types: [] }, { types: 'Please select at least one notification type.' }],
    ['a type that there is not', { types: ['FAX'] }, { 'types.0': expect.any(String) }],
    ['a level that there is not', { level: 'critical' }, { level: expect.any(String) }],
    [
      'nobody',
      { contactListIds: [] },
      { contactListIds: 'Please select at least one contact list, contact or group.' },
    ],
    [
      'a list that there is not',
      { contactListIds: ['Board', 'Bored'] },
      { 'contactListIds.1': 'This contact list does not exist.' },
    ],
    [
      'a contact that there is not',
      { contactIds: ['ana@example.org', 'zoe@example.org'] },
      { 'contactIds.1': 'This contact does not exist.' },
    ],
    [
      'a group that there is not',
      { groupIds: ['00000000-0000-4000-8000-000000000000'] },
      { 'groupIds.0': 'This group does not exist.' },
    ],
    ['an id that is none', { groupIds: ["'; drop"] }, { 'groupIds.0': expect.any(String) }],
    [
      'a NUL',
      { emailMessage: 'a\u0000b' },
      { emailMessage: 'This text contains characters that cannot be stored.' },
    ],
    [
      'people who cannot be reached in this way',
      { types: ['SMS'], contactListIds: [], contactIds: ['bo@example.org', 'cy@example.org'] },
      { types: 'Nobody who was selected can be reached by the selected notification types.' },
    ],
  ])('%s: nothing is sent and nothing used', async (_, more, fields) => {
    const { org, notify, remaining, history } = await aTeam()
    const answer = await notify(more)
    expect([answer.status, answer.body.fields]).toEqual([400, fields])
    expect(await messagesOf(org)).toEqual([])
    expect(await history()).toEqual([])
    expect(await remaining()).toBe(1_000)
  })

  test('several things at once, each at its field', async () => {
    const { notify } = await aTeam()
    const answer = await notify({ title: '', emailMessage: '', smsMessage: '', contactListIds: ['None'] })
    expect(Object.keys(answer.body.fields)).toEqual([
      'title',
      'emailMessage',
      'smsMessage',
      'contactListIds.0',
    ])
  })

  test('lists, contacts and groups of another organisation look unknown', async () => {
    const { notify } = await aTeam()
    const { admin: theirs } = await aTeam()
    await theirs.post('/contact', [{ email: 'only@theirs.example', list: 'Theirs' }])
    const group = await aGroup(theirs, 'Theirs', [theirs.email])
    const answer = await notify({
      contactListIds: ['Theirs'],
      contactIds: ['only@theirs.example'],
      groupIds: [group],
    })
    expect([answer.status, answer.body.fields]).toEqual([
      400,
      {
        'contactListIds.0': 'This contact list does not exist.',
        'contactIds.0': 'This contact does not exist.',
        'groupIds.0': 'This group does not exist.',
      },
    ])
  })

  test('everything, where the organisation is not subscribed, before what was sent is looked at', async () => {
    const org = await anOrganisation()
    const admin = await signedInAs(org, 'ADMIN')
    await admin.post('/contact', CONTACTS)
    const sentence = 'Your organization is currently not subscribed to Mass Notifications.'
    for (const body of [{ ...WORDS, types: ['EMAIL'], contactListIds: ['Board'] }, {}, [], 'text']) {
      const answer = await admin.post(PATH, body)
      expect([answer.status, answer.body.message]).toEqual([403, sentence])
    }
    expect(await messagesOf(org)).toEqual([])
    expect((await admin.get(PATH)).body).toMatchObject({ subscribed: false, remainingEvents: 1_000 })
    for (const path of ['history', 'groups', 'templates'])
      expect((await admin.get(`${PATH}/${path}`)).status).toBe(200)
  })

  test('groups, where the organisation has none', async () => {
    const { org, admin, notify } = await aTeam({ groupsEnabled: false })
    expect((await admin.get(`${PATH}/groups`)).body).toEqual([])
    const answer = await notify({ groupIds: ['00000000-0000-4000-8000-000000000000'] })
    expect([answer.status, answer.body.message]).toEqual([403, 'Groups are not enabled.'])
    expect(await messagesOf(org)).toEqual([])
  })

  test('a group to whoever is not in it and does not administer groups', async () => {
    const { org, admin } = await aTeam()
    const mine = await aGroup(admin, 'Mine', [admin.email])
    const others = await aGroup(admin, 'Others', [await aMember(org, {})])
    const config = configOf(SUBSCRIBED)
    const permissions = permissionsOf({ role: 'ADMIN', type: 'INTERNAL' }, config, false).filter(
      (permission) => permission !== 'group-admin',
    )
    const organisation = { displayName: 'Harbour' }
    const by = {
      kind: 'person' as const,
      id: admin.uuid,
      name: admin.email,
      permissions,
      config,
      organisation,
    }
    expect(await inside(org, (db) => notifiableGroups(db, by))).toMatchObject([
      { id: mine, canAccess: true },
      { id: others, canAccess: false },
    ])
    const given = {
      ...WORDS,
      types: ['EMAIL' as const],
      level: 'LOW' as const,
      contactListIds: [],
      contactIds: [],
      groupIds: [mine, others],
    }
    const refusal = inside(org, (db) => sendNotification(services, db, by, given))
    await expect(refusal).rejects.toMatchObject({
      status: 400,
      details: { fields: { 'groupIds.1': 'You do not have access to this group.' } },
    })
  })
})

describe('the quota', () => {
  test('refuses what does not fit, and then nothing is sent', async () => {
    const { org, notify, remaining, history } = await aTeam({ massNotifsMaxEvents: 5 })
    const answer = await notify({ contactListIds: ['City'] })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({
      code: 'quota_exceeded',
      message: 'This takes 6 notifications, and your organization has 5 remaining. Nothing was sent.',
    })
    expect(await messagesOf(org)).toEqual([])
    expect(await history()).toEqual([])
    expect(await remaining()).toBe(5)
    expect((await notify()).status).toBe(201)
    expect(await remaining()).toBe(1)
  })

  test('is not overdrawn by two that fit only singly, sent at once', async () => {
    const { org, notify, remaining } = await aTeam({ massNotifsMaxEvents: 6 })
    const answers = await Promise.all([notify(), notify(), notify()])
    expect(statusesOf(answers)).toEqual([201, 409, 409])
    expect(await remaining()).toBe(2)
    expect(await messagesOf(org)).toHaveLength(3)
  })

  test('is never less than nothing, also when it is lowered', async () => {
    const { org, admin, notify } = await aTeam({ massNotifsMaxEvents: 6 })
    await notify()
    await services.database.directory
      .updateTable('organisations')
      .set({ config: JSON.stringify({ ...SUBSCRIBED, massNotifsMaxEvents: 1 }) as unknown as object })
      .where('id', '=', org.id)
      .execute()
    expect((await admin.get(PATH)).body).toEqual({
      subscribed: true,
      remainingEvents: 0,
      organisation: `Organisation ${org.code}`,
      types: ['EMAIL', 'SMS', 'VOICE_CALL'],
      answerLink: expect.stringContaining('/answer/'),
      takesReplies: false,
      takesKeys: false,
      words: { answer: 'Answer:', press: 'Press {key} for {answer}.', reply: 'Reply' },
      wordsIn: expect.objectContaining({ fr: expect.objectContaining({ answer: expect.any(String) }) }),
    })
  })
})

describe('the same request again', () => {
  test('is answered with the first, and nothing is sent, whatever has happened meanwhile', async () => {
    const { org, admin, notify, remaining } = await aTeam({ massNotifsMaxEvents: 5 })
    const key = crypto.randomUUID()
    const first = await notify({}, key)
    expect(first.status).toBe(201)
    await admin.delete('/contact/lists/Board')
    const again = await notify({}, key)
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(await messagesOf(org)).toHaveLength(3)
    expect(await remaining()).toBe(1)
    // Keys are scoped to the organisation.
    const other = await aTeam()
    expect((await other.notify({}, key)).body.id).not.toBe(first.body.id)
  })

  test('at the same moment is sent once', async () => {
    const { org, notify, history } = await aTeam()
    const key = crypto.randomUUID()
    const answers = await Promise.all(Array.from({ length: 5 }, () => notify({}, key)))
    expect(statusesOf(answers)).toEqual([201, 201, 201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await messagesOf(org)).toHaveLength(3)
    expect(await history()).toHaveLength(1)
  })
})

describe('whom a draft would reach', () => {
  test('is counted as its sending counts, and comes in pages', async () => {
    const { org, admin } = await aTeam()
    const email = await aMember(org, { email: 'ana@example.org', phone: '+19025550107' })
    const group = await aGroup(admin, 'Fleet', [email])
    const chosen = { contactListIds: ['BOARD', 'City', 'None'], contactIds: ['ana@example.org'] }
    const reach = await admin.post(`${PATH}/reach`, { ...chosen, groupIds: [group] })
    expect([reach.status, reach.body]).toEqual([
      200,
      {
        contacts: 4,
        doubtful: 1,
        withoutPhone: 1,
        emails: 4,
        phones: 2,
        suppressed: { EMAIL: 0, SMS: 0, VOICE_CALL: 0 },
        waiting: 0,
        waitingPhones: 0,
      },
    ])
    const all = await admin.post(`${PATH}/contacts`, chosen)
    expect(all.body.map(({ name, lists, targeted }: NotifiedPerson) => [name, lists, targeted])).toEqual([
      ['Ana', ['Board', 'City'], true],
      ['Bo', ['Board'], false],
      ['Cy', ['City'], false],
      ['Di', ['City'], false],
    ])
    const page = await admin.post(`${PATH}/contacts?range=[1,2]`, chosen)
    expect(page.headers.get('content-range')).toBe('items 1-2/4')
    expect(page.body).toEqual(all.body.slice(1, 3))
    const found = await admin.post(`${PATH}/contacts?filter={"q":"5550101 di"}`, chosen)
    expect(found.body).toEqual(all.body.slice(3))
    const { admin: theirs } = await aTeam()
    expect((await theirs.post(`${PATH}/reach`, { groupIds: [group] })).body).toMatchObject({ emails: 0 })
  })
})

describe('who was not reached', () => {
  const outcomes = ({ body }: { body: Recipient[] }) =>
    body.map(({ name, outcome, messages }) => [
      name,
      outcome,
      ...messages.map(({ state, problem, reason }) => problem ?? reason ?? state),
    ])

  test('comes first, with the reason, also who could be reached in no way', async () => {
    const { admin, notify } = await aTeam()
    await admin.post('/contact', [
      { name: 'Ed', email: 'ed@example.org', phone: '+4930901820', list: 'City' },
    ])
    const { body: sent } = await notify({ types: ['SMS'], contactListIds: ['City', 'Board'] })
    expect(sent).toMatchObject({ notifiedCount: 2, sentCount: 2, waitingCount: 0, notReachedCount: 3 })
    const path = `${PATH}/history/${sent.id}/recipients`
    expect(outcomes(await admin.get(path))).toEqual([
      ['Bo', 'NOT_REACHED', 'NO_DIAL_CODE'],
      ['Cy', 'NOT_REACHED', 'NO_PHONE'],
      ['Ed', 'NOT_REACHED', 'COUNTRY'],
      ['Ana', 'SENT', 'SENT'],
      ['Di', 'SENT', 'SENT'],
    ])
    const page = await admin.get(`${path}?range=[2,3]`)
    expect(page.headers.get('content-range')).toBe('items 2-3/5')
    expect(outcomes(page).map(([name]) => name)).toEqual(['Ed', 'Ana'])
    expect(outcomes(await admin.get(`${path}?filter={"q":"ed@","outcome":"NOT_REACHED"}`))).toEqual([
      ['Ed', 'NOT_REACHED', 'COUNTRY'],
    ])
    for (const typed of ['030 90 18', '+49 (0)30/9018', '00493090'])
      expect(
        outcomes(await admin.get(`${path}?filter=${encodeURIComponent(JSON.stringify({ q: typed }))}`)),
        typed,
      ).toEqual([['Ed', 'NOT_REACHED', 'COUNTRY']])
    expect(outcomes(await admin.get(`${path}?filter={"of":"members"}`))).toEqual([])
    expect((await admin.get(`${path}?range=[10,19]`)).headers.get('content-range')).toBe('items */5')
    const { text } = await admin.get(`${path}.csv`)
    // Without a carrier the outbox keeps them at once.
    const at = (await admin.get(`${path}?filter={"outcome":"SENT"}`)).body[0].messages[0].doneTimestamp
    expect(Math.abs(Date.parse(at) - Date.parse(sent.createTimestamp))).toBeLessThan(60_000)
    expect(text.replace('\uFEFF', '').split('\r\n')).toEqual([
      'Outcome,Name,Email,Phone Number,Contact lists,Group,SMS,SMS at',
      'Not reached,Bo,bo@example.org,5550102,Board,,Not sent: the phone number has no dial code,',
      'Not reached,Cy,cy@example.org,,City,,Not sent: no phone number,',
      `Not reached,Ed,ed@example.org,"'+4930901820",City,,Not sent: phone numbers of this country are not allowed,`,
      `Sent,Ana,ana@example.org,"'+14165550101",Board; City,,Sent,${at}`,
      `Sent,Di,di@example.org,"'+14165550101",City,,Sent,${at}`,
      '',
    ])
  })

  test('is counted at once, apart from those who wait, with what the provider said', async () => {
    const { org, admin, notify } = await aTeam()
    const { body: sent } = await notify({ contactListIds: ['City', 'Board'] })
    const set = (recipient: string, channel: 'EMAIL' | 'SMS', state: 'FAILED' | 'QUEUED', reason: string) =>
      inside(org, async (db) => {
        const messages = db.updateTable('messages').set({ state, reason })
        await messages.where('recipient', '=', recipient).where('channel', '=', channel).execute()
        await db
          .updateTable('mass_notifications')
          .set({ sent_count: null, not_reached_count: null })
          .execute()
      })
    await set('cy@example.org', 'EMAIL', 'FAILED', '550 No such mailbox')
    await set('bo@example.org', 'EMAIL', 'QUEUED', 'The mail server cannot be reached: ECONNREFUSED')
    await set('ana@example.org', 'EMAIL', 'QUEUED', '450 Later')
    const path = `${PATH}/history/${sent.id}`
    const counts = { sentCount: 2, waitingCount: 1, notReachedCount: 1 }
    expect((await admin.get(path)).body).toMatchObject(counts)
    expect((await admin.get(`${PATH}/history?range=[0,9]`)).body).toMatchObject([counts])
    expect(outcomes(await admin.get(`${path}/recipients`))).toEqual([
      ['Cy', 'NOT_REACHED', '550 No such mailbox', 'NO_PHONE'],
      ['Bo', 'WAITING', 'The mail server cannot be reached: ECONNREFUSED', 'NO_DIAL_CODE'],
      ['Ana', 'PARTLY', '450 Later', 'SENT'],
      ['Di', 'SENT', 'SENT', 'SENT'],
    ])
    const { text } = await admin.get(`${path}/recipients.csv`)
    expect(text).toContain('Waiting,Bo,bo@example.org,5550102,Board,,Waiting: The mail server cannot')
    await set('bo@example.org', 'EMAIL', 'FAILED', '550 Gone')
    await set('ana@example.org', 'EMAIL', 'FAILED', '550 Gone')
    await inside(org, (db) => recordDelivered(db, sent.id))
    const final = { sentCount: 2, waitingCount: 0, notReachedCount: 2 }
    expect((await admin.get(`${PATH}/history`)).body).toMatchObject([final])
  })

  test('does not come along where nobody asks for everybody', async () => {
    const { admin, notify } = await aTeam()
    const { body: sent } = await notify()
    const { body } = await admin.get(`${PATH}/history/${sent.id}?populateNotified=false`)
    expect(body).not.toHaveProperty('notifiedUserHistoryData')
    expect(body).toMatchObject({ contactCount: 2, memberCount: 0, notifiedCount: 2 })
  })
})

describe('the history', () => {
  test('keeps people as they were, after contacts, lists and groups are gone', async () => {
    const { org, admin, notify } = await aTeam()
    const group = await aGroup(admin, 'Fleet', [await aMember(org, { firstName: 'Flo', lastName: 'Ot' })])
    const { body: sent } = await notify({ types: ['EMAIL'], groupIds: [group] })
    const [ana] = (await admin.get('/contact/asList')).body
    await admin.delete(`/contact/${ana.id}`)
    await admin.delete('/contact/lists/Board')
    await admin.delete(`/useradmin/group/${group}`)
    const { body } = await admin.get(`${PATH}/history/${sent.id}`)
    expect(body).toEqual(sent)
    expect(body.notifiedUserHistoryData.map(({ name }: { name: string }) => name)).toEqual([
      'Ana',
      'Bo',
      'Flo Ot',
    ])
    // A list created anew is another one.
    await admin.post('/contact', [{ email: 'new@example.org', list: 'Board' }])
    expect((await notify({ types: ['EMAIL'] })).body).toMatchObject({ notifiedCount: 1 })
    expect((await admin.get(`${PATH}/history/${sent.id}`)).body).toEqual(sent)
  })

  test('is newest first, in pages without people, ordered and searched', async () => {
    const { admin, notify } = await aTeam()
    const titles = ['Zebra', 'Élan', 'apple']
    for (const [n, title] of titles.entries()) {
      later(n * 60_000)
      const level = ['LOW', 'CRITICAL', 'NORMAL'][n]
      await notify({ title, level, types: ['EMAIL'], contactListIds: n === 0 ? ['City'] : ['Board'] })
    }
    vi.restoreAllMocks()
    const ask = async (query: object) => {
      const search = new URLSearchParams(
        Object.entries(query).map(([name, value]) => [name, JSON.stringify(value)]),
      )
      return admin.get(`${PATH}/history?${search}`)
    }
    const titled = async (query: object) =>
      (await ask(query)).body.map(({ title }: { title: string }) => title)
    expect(await titled({})).toEqual(['apple', 'Élan', 'Zebra'])
    expect(await titled({ sort: ['createTimestamp', 'ASC'] })).toEqual(['Zebra', 'Élan', 'apple'])
    expect(await titled({ sort: ['title', 'ASC'] })).toEqual(['apple', 'Élan', 'Zebra'])
    expect(await titled({ sort: ['level', 'DESC'] })).toEqual(['Élan', 'apple', 'Zebra'])
    expect(await titled({ sort: ['notifiedCount', 'DESC'] })).toEqual(['Zebra', 'apple', 'Élan'])
    expect(await titled({ filter: { q: 'ELAN gate' } })).toEqual(['Élan'])
    const page = await ask({ range: [1, 9] })
    expect(page.headers.get('content-range')).toBe('items 1-2/3')
    expect(page.body.map(({ title }: { title: string }) => title)).toEqual(['Élan', 'Zebra'])
    for (const item of page.body) expect(item).not.toHaveProperty('notifiedUserHistoryData')
    for (const item of (await ask({})).body) expect(item.notifiedUserHistoryData).not.toEqual([])
  })
})

describe('hostile words', () => {
  test('stay what they are, and a subject is one line', async () => {
    const { org, notify } = await aTeam()
    const title = 'Gate 2\r\nBcc: everybody@example.org\r\n\r\nText'
    const emailMessage = `<script>alert(1)</script>\r\n${'x'.repeat(10_000)}\r\n\r\n\u202edrow\u{1f6a8}`
    const { status, body } = await notify({ title, emailMessage, types: ['EMAIL'] })
    expect(status).toBe(201)
    expect(body).toMatchObject({ title, emailMessage })
    const [mail] = await messagesOf(org)
    expect(mail!.subject).toBe('Gate 2 Bcc: everybody@example.org Text')
    expect(mail!.text.startsWith(`${emailMessage}\n\n-- \nNormal notification from `)).toBe(true)
    expect(mail!.html).not.toContain('<script')
    expect(mail!.html).toContain('\u{1f6a8}</p>')
  })

  test.each(['__proto__', 'constructor', '0'])('a list called %s is a list', async (name) => {
    const { admin, notify } = await aTeam()
    await admin.post('/contact', [{ email: 'zoe@example.org', list: name }])
    const map = (await admin.get('/contact/asMap')).text
    expect(map).toContain('zoe@example.org')
    expect((await notify({ types: ['EMAIL'], contactListIds: [name] })).body).toMatchObject({
      contactListIds: [name],
      notifiedCount: 1,
    })
  })
})

test('people who may not notify see and send nothing', async () => {
  const { org } = await aTeam()
  for (const role of ['USER', 'PLAYBOOK_MANAGER', 'BUSINESS_USER'] as const) {
    const somebody = await signedInAs(org, role)
    expect((await somebody.get(PATH)).status).toBe(403)
    expect((await somebody.get(`${PATH}/history`)).status).toBe(403)
    expect(
      (await somebody.post(PATH, { ...WORDS, types: ['EMAIL'], contactListIds: ['Board'] })).status,
    ).toBe(403)
  }
  expect(await messagesOf(org)).toEqual([])
})
