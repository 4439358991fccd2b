import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterAll, describe, expect, test, vi } from 'vitest'

import type { JoinedCall } from '#contract/calls/schema.ts'
import type { Severity } from '#contract/incidents/schema.ts'
import { CONFIG_KEYS, type Config, type ConfigKey } from '#contract/config/catalogue.ts'
import { changeItem } from '#server/config-items/flows.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'
import { chores } from '#server/kit/jobs/housekeeping.ts'

import { filesFor } from '../support/attachments.ts'
import { startedCall } from '../support/calls.ts'
import { type Caller, type Organisation, PASSWORD, startTestServer } from '../support/server.ts'
import { tusFor } from '../support/tus.ts'

/*
 * The effect of each configuration item. A new item fails until it has a line: an observation before and
 * after a change or, for items that only the browser reads or nobody can change, the test elsewhere that
 * shows the effect. The last test of this file checks that such a test exists and names the item.
 */
const muster = await startTestServer()
const { upload } = filesFor(muster)

interface World {
  readonly org: Organisation
  readonly admin: Caller
  readonly child: Organisation
}
interface Effect {
  readonly title: string
  /** Values of other items that the effect needs. */
  readonly with?: Partial<Config>
  readonly to: unknown
  /** The organisation to change; the own one by default. */
  readonly of?: 'child'
  readonly observe: (world: World) => Promise<unknown>
  readonly before: unknown
  readonly after: unknown
}

/** A test in another file. */
interface Elsewhere {
  readonly file: string
  readonly title: string
}

const signIn = async ({ org, admin }: World) => {
  const body = { email: admin.email, password: PASSWORD, enterpriseCode: org.code }
  return (await muster.send('POST', '/authentication/upass', { body })).body
}
const declare = (who: Caller) => who.post('/incident', { title: 'Flood', fullText: '<p>Water</p>' })
const permissions = async ({ admin }: World) => (await admin.get('/me')).body.userPermissions as string[]
const may =
  (permission: string): Effect['observe'] =>
  async (world) =>
    (await permissions(world)).includes(permission)
const incidentOf = async (admin: Caller): Promise<string> => {
  const { body } = await admin.get('/incident')
  return body.data[0]?.id ?? (await declare(admin)).body.id
}
const uploading =
  (name: string, bytes: Buffer): Effect['observe'] =>
  async ({ admin }) =>
    (await upload(admin, await incidentOf(admin), bytes, name)).status
const linking = async (admin: Caller, days: number) => {
  const { id } = (await admin.post('/sfs/folder', { name: `Plans ${crypto.randomUUID()}` })).body
  return admin.post('/sfs/links', { itemId: id, direction: 'DOWN', label: 'Fire brigade', days })
}
const makingPlaybook =
  (headings: number): Effect['observe'] =>
  async ({ admin }) => {
    const activities = Array.from({ length: headings }, (_, n) => ({ type: 'HEADING', title: `Hour ${n}` }))
    return (await admin.post('/playbook/template', { name: 'Flood', activities })).status
  }
/** Minutes until the next update of an incident of a severity, before and after a change. */
const rhythmOf = (severity: Severity, before: number): Effect => ({
  title: `the next update of an incident of the severity ${severity} is due at another time`,
  with: { multiIncident: true },
  to: 7,
  observe: async ({ admin }) => {
    const { id } = (await admin.post('/incident', { title: 'Flood', fullText: '<p>Water</p>', severity }))
      .body
    return (await admin.get(`/incident/${id}/command`)).body.nextUpdate.minutes
  },
  before,
  after: 7,
})
const SUBSCRIBED = { contactsAndMassNotificationsEnabled: true }
const YES_OR_NO = {
  answers: [
    { label: 'Yes', tone: 'GOOD' },
    { label: 'No', tone: 'NEUTRAL' },
  ],
}
const notify = async ({ admin }: World, more: object = {}) => {
  await admin.post('/contact', [{ name: 'Bo', email: 'bo@example.org', phone: '+14165550102', list: 'All' }])
  return admin.post('/massNotification', {
    smsMessage: 'Gate 2 closed',
    types: ['SMS'],
    contactListIds: ['All'],
    ...more,
  })
}
const dashboard = async ({ admin }: World) => (await admin.get('/massNotification')).body

const warRoomOf = async (admin: Caller): Promise<string> =>
  (await admin.post('/chat/rooms', { kind: 'WAR_ROOM', name: `Room ${crypto.randomUUID()}` })).body.id
const said = async (admin: Caller, roomId: string): Promise<{ id: string }> =>
  (
    await admin.post(`/chat/rooms/${roomId}/messages`, {
      clientId: crypto.randomUUID(),
      text: '<p>Good</p>',
    })
  ).body
const marking: Effect['observe'] = async ({ admin }) =>
  (await admin.post(`/privilege/${await warRoomOf(admin)}/true`)).status

const calling = async (admin: Caller): Promise<JoinedCall> => startedCall(admin, await warRoomOf(admin))
const urlsOf = ({ engine }: JoinedCall): string[] =>
  engine.kind === 'built-in' ? engine.iceServers.flatMap(({ urls }) => urls) : []
const dialIn = async (admin: Caller) => admin.get(`/calls/${(await calling(admin)).call.callId}/dial-in`)
/** The service of dial-in numbers. */
const telephone = createServer((request, response) => {
  const numbers = [{ countryCode: 'CA', tollFree: true, formattedNumber: '+1 800-555-0100' }]
  response.end(JSON.stringify(request.url?.startsWith('/numbers') ? { numbers } : { id: 1_234_567 }))
})
await new Promise<void>((resolve) => void telephone.listen(0, '127.0.0.1', resolve))
afterAll(() => void telephone.close())
const telephoneUrl = `http://127.0.0.1:${(telephone.address() as AddressInfo).port}`
const [numbersUrl, mapperUrl] = [`${telephoneUrl}/numbers`, `${telephoneUrl}/conferenceMapper`]

const TEXT = Buffer.from('Water in the hall.')

const EFFECTS: {
  readonly [K in ConfigKey]: Effect | Elsewhere
} = {
  auth2fa: {
    title: 'the next sign-in asks for a code',
    with: { auth2faType: 'EMAIL' },
    to: true,
    observe: async (world) => (await signIn(world)).isSuccess,
    before: true,
    after: false,
  },
  auth2faType: {
    title: 'the code comes by email',
    with: { auth2fa: true },
    to: 'EMAIL',
    observe: async (world) => (await signIn(world)).secondFactorType,
    before: 'TOTP',
    after: 'EMAIL',
  },
  nameCharacters: {
    title: 'a name may have a hyphen',
    to: 'EXTENDED',
    observe: async ({ org, admin }) => {
      const given = {
        firstName: 'Anne-Marie',
        lastName: 'Roy',
        email: `${crypto.randomUUID()}@${org.code}.example`,
      }
      return (await admin.post('/useradmin/user', { ...given, role: 'USER', type: 'INTERNAL' })).status
    },
    before: 400,
    after: 201,
  },
  multiIncident: {
    title: 'a second incident can be declared',
    to: true,
    observe: async ({ admin }) => {
      await incidentOf(admin)
      return (await declare(admin)).status
    },
    before: 403,
    after: 201,
  },
  maxActivitiesPerIncident: {
    title: 'an incident takes no more updates',
    to: 1,
    observe: async ({ admin }) => {
      const id = await incidentOf(admin)
      const update = { type: 'UPDATE', description: 'Pumping.' }
      return (await admin.post(`/incident/${id}/activity`, update)).status
    },
    before: 201,
    after: 400,
  },
  maxFileSize: {
    title: 'a larger file is refused',
    to: 1,
    observe: uploading('hall.txt', Buffer.alloc(1_100_000, 'a')),
    before: 201,
    after: 413,
  },
  maxFileUploadsAtOnce: {
    title: 'a further upload is refused while another is under way',
    to: 1,
    observe: async ({ admin }) => {
      const tus = tusFor(`${muster.url}/api`, admin.headers)
      await tus.tryBegin('first.pdf', 1_000)
      return (await tus.tryBegin('second.pdf', 1_000)).status
    },
    before: 201,
    after: 409,
  },
  fileLinksEnabled: {
    title: 'links to files can be made',
    to: true,
    observe: async ({ admin }) => (await linking(admin, 1)).status,
    before: 403,
    after: 201,
  },
  fileLinkMaxDays: {
    title: 'a link can be open for longer',
    with: { fileLinksEnabled: true },
    to: 30,
    observe: async ({ admin }) => (await linking(admin, 15)).status,
    before: 400,
    after: 201,
  },
  allowedFileExtensions: {
    title: 'another format is refused',
    to: ['PDF'],
    observe: uploading('hall.txt', TEXT),
    before: 201,
    after: 415,
  },
  fileContentSearch: {
    file: 'tests/api/file-search.test.ts',
    title: 'switched off deletes the texts, and switched on has the files read in the background',
  },
  sfs2fa: {
    title: 'secure files ask for a second factor',
    to: true,
    observe: may('sfs-2fa'),
    before: false,
    after: true,
  },
  messageHistoryEditTimeout: {
    title: 'a message can no longer be edited',
    to: 0,
    observe: async ({ admin }) => {
      const { id } = await said(admin, await warRoomOf(admin))
      return (await admin.patch(`/chat/messages/${id}`, { text: '<p>Better</p>' })).status
    },
    before: 200,
    after: 409,
  },
  chatRetentionDays: {
    title: 'messages go after a day',
    to: 1,
    observe: async ({ admin }) => {
      const { id } = await said(admin, await warRoomOf(admin))
      const now = clock.now()
      const time = vi.spyOn(clock, 'now').mockReturnValue(now + 2 * DAY)
      const { database, blobs } = muster.services
      await chores({ database, blobs }).get('chat')!.run()
      time.mockRestore()
      return (await admin.get(`/chat/messages/${id}`)).status
    },
    before: 200,
    after: 404,
  },
  dialInEnabled: {
    title: 'a call can be joined by telephone',
    to: true,
    observe: async ({ admin }) => (await dialIn(admin)).status,
    before: 403,
    after: 200,
  },
  callDialInNumbersUrl: {
    title: 'telephone numbers of calls are shown',
    with: { dialInEnabled: true },
    to: numbersUrl,
    observe: async ({ admin }) => (await dialIn(admin)).body.numbers,
    before: [],
    after: [{ countryCode: 'CA', tollFree: true, formattedNumber: '+1 800-555-0100' }],
  },
  callDialInMapperUrl: {
    title: 'the PIN of a call is that of the telephone service',
    with: { dialInEnabled: true },
    to: mapperUrl,
    observe: async ({ admin }) => (await dialIn(admin)).body.pin === '1234567',
    before: false,
    after: true,
  },
  callStunServers: {
    title: 'browsers in calls find each other by a STUN server',
    to: ['stun:stun.example.com:3478'],
    observe: async ({ admin }) => (await calling(admin)).engine,
    before: { kind: 'built-in', iceServers: [] },
    after: { kind: 'built-in', iceServers: [{ urls: ['stun:stun.example.com:3478'] }] },
  },
  callTurnServers: {
    title: 'a TURN server passes on calls',
    with: { callTurnSecret: 'shared' },
    to: ['turn:turn.example.com:3478'],
    observe: async ({ admin }) => urlsOf(await calling(admin)),
    before: [],
    after: ['turn:turn.example.com:3478'],
  },
  callTurnSecret: {
    title: 'a TURN server is used with credentials',
    with: { callTurnServers: ['turn:turn.example.com:3478'] },
    to: 'shared',
    observe: async ({ admin }) => urlsOf(await calling(admin)),
    before: [],
    after: ['turn:turn.example.com:3478'],
  },
  markAsPrivilegedEnabled: {
    title: 'a war room can be marked as privileged',
    with: { statementOfPrivilege: 'Privileged and confidential.' },
    to: true,
    observe: marking,
    before: 403,
    after: 200,
  },
  statementOfPrivilege: {
    title: 'a war room can be marked once there is a statement',
    with: { markAsPrivilegedEnabled: true },
    to: 'Privileged and confidential.',
    observe: marking,
    before: 403,
    after: 200,
  },
  // Decided at the creation of the organisation.
  streamApiKey: {
    file: 'tests/api/managed-organisations.test.ts',
    title: 'are taken from the pool by an organisation that is created without any',
  },
  playbookEnabled: {
    title: 'playbooks are gone',
    to: false,
    observe: may('playbook-read-only'),
    before: true,
    after: false,
  },
  playbookMaxTemplates: {
    title: 'no more playbooks can be made',
    to: 0,
    observe: makingPlaybook(1),
    before: 201,
    after: 403,
  },
  maxActivitiesPerPlaybook: {
    title: 'a playbook takes fewer headings and tasks',
    to: 1,
    observe: makingPlaybook(2),
    before: 201,
    after: 400,
  },
  playbookApproval: {
    title: 'a playbook is a draft until somebody else approves it',
    to: true,
    observe: async ({ admin }) => {
      const activities = [{ type: 'HEADING', title: 'First hour' }]
      return (await admin.post('/playbook/template', { name: 'Flood', activities })).body.isPublished
    },
    before: true,
    after: false,
  },
  playbooksSharingEnabled: {
    title: 'playbooks can be shared',
    to: true,
    observe: may('cross-enterprise-playbooks-sharing'),
    before: false,
    after: true,
  },
  groupsEnabled: {
    title: 'groups are gone',
    to: false,
    observe: async ({ admin }) => (await admin.get('/group')).status,
    before: 200,
    after: 403,
  },
  contactsAndMassNotificationsEnabled: {
    title: 'notifications can be sent',
    to: true,
    observe: async (world) => (await notify(world)).status,
    before: 403,
    after: 201,
  },
  contactsUploadMaxLimit: {
    title: 'an import holds fewer contacts',
    with: SUBSCRIBED,
    to: 1,
    observe: async ({ admin }) => {
      const rows = ['a', 'b'].map((name) => ({ name, email: `${name}@example.org`, list: 'All' }))
      return (await admin.post('/contact', rows)).status
    },
    before: 201,
    after: 400,
  },
  massNotifsSmsMessageLimit: {
    title: 'an SMS holds fewer characters',
    with: SUBSCRIBED,
    to: 5,
    observe: async (world) => (await notify(world)).status,
    before: 201,
    after: 400,
  },
  massNotifsMaxEvents: {
    title: 'fewer notifications remain',
    with: SUBSCRIBED,
    to: 7,
    observe: async (world) => (await dashboard(world)).remainingEvents,
    before: 1_000,
    after: 7,
  },
  massNotifsAnswerDays: {
    title: 'the links to a question end later',
    with: SUBSCRIBED,
    to: 9,
    observe: async (world) => {
      const { question, createTimestamp } = (await notify(world, { question: YES_OR_NO })).body
      return Date.parse(question.endTimestamp) - Date.parse(createTimestamp)
    },
    before: 7 * 86_400_000,
    after: 9 * 86_400_000,
  },
  updateMinutesCritical: rhythmOf('CRITICAL', 30),
  updateMinutesHigh: rhythmOf('HIGH', 60),
  updateMinutesMedium: rhythmOf('MEDIUM', 240),
  updateMinutesLow: rhythmOf('LOW', 0),
  situationReportApproval: {
    title: 'a situation report waits for a second person',
    to: true,
    with: { multiIncident: true },
    observe: async ({ admin }) => {
      const { id } = (await declare(admin)).body
      const { body } = await admin.post(`/incident/${id}/situationReport`, {})
      const { version } = body
      return (await admin.post(`/situationReport/${body.id}/publish`, { version })).body.state
    },
    before: 'PUBLISHED',
    after: 'WAITING',
  },
  readinessExerciseDays: {
    title: 'the next exercise is due later',
    to: 180,
    observe: async ({ admin }) => (await admin.get('/readiness')).body.exerciseDays,
    before: 90,
    after: 180,
  },
  readinessProofDays: {
    title: 'a delivery of last month proves nothing',
    to: 20,
    observe: async ({ org, admin }) => {
      const at = new Date(clock.now() - 30 * DAY).toISOString()
      await muster.inside(org, (db) =>
        sql`insert into messages (organisation_id, channel, recipient, text, state, create_timestamp, done_timestamp)
          values (current_organisation(), 'EMAIL', ${admin.email}, 'Hello', 'DELIVERED', ${at}, ${at})`.execute(
          db,
        ),
      )
      return (await admin.get('/readiness')).body.proved
    },
    before: 1,
    after: 0,
  },
  massNotifsApprovalAbove: {
    title: 'a second person has to approve a notification to more people',
    with: SUBSCRIBED,
    to: 1,
    observe: async (world) => {
      const { admin } = world
      await admin.post('/contact', [
        { name: 'Cy', email: 'cy@example.org', phone: '+14165550103', list: 'All' },
      ])
      return (await notify(world)).status
    },
    before: 201,
    after: 409,
  },
  massNotifsApprovalOfCritical: {
    title: 'a second person has to approve a critical notification',
    with: SUBSCRIBED,
    to: true,
    observe: async (world) => (await notify(world, { level: 'CRITICAL' })).body.code ?? 'sent',
    before: 'sent',
    after: 'approval_required',
  },
  massNotifsConfirmAbove: {
    file: 'tests/screens/send-notification.test.tsx',
    title: 'asks once more, with the counts and the words, for the number of people',
  },
  massNotifsQuotaWarnings: {
    title: 'administrators are warned by email when so few remain',
    with: SUBSCRIBED,
    to: [1_000, 999],
    observe: async (world) => {
      await notify(world)
      const remains = /^\d+ mass notifications remain$/
      const mails = await muster.inside(world.org, (db) =>
        db.selectFrom('messages').select(['recipient', 'subject']).where('channel', '=', 'EMAIL').execute(),
      )
      return mails.filter(({ subject }) => remains.test(subject ?? '')).map(({ recipient }) => recipient)
    },
    before: [],
    after: ['the administrator'],
  },
  defaultPhoneCountry: {
    title: 'a number without a dial code belongs to another country',
    with: SUBSCRIBED,
    to: 'DE',
    observe: async ({ admin }) => {
      await admin.post('/contact', [
        { name: 'Ute', email: 'ute@example.org', phone: '030 901820', list: 'All' },
      ])
      return (await admin.get('/contact/asList')).body[0].phone
    },
    before: '030901820',
    after: '+4930901820',
  },
  twilioAllowedCountryCodes: {
    title: 'numbers of another country are reached',
    with: SUBSCRIBED,
    to: ['CA', 'DE'],
    observe: async ({ admin }) => {
      await admin.post('/contact', [
        { name: 'Ute', email: 'ute@example.org', phone: '+4930123456', list: 'All' },
      ])
      return (await admin.get('/contact/asList')).body[0].valid
    },
    before: false,
    after: true,
  },
  twilioFromPhoneNumber: {
    title: 'an SMS comes from another number',
    with: SUBSCRIBED,
    to: '+14165550199',
    observe: async (world) => {
      await notify(world)
      const contents = await muster.inside(world.org, (db) =>
        db.selectFrom('message_contents').select('sender').execute(),
      )
      return contents.at(-1)?.sender
    },
    before: null,
    after: '+14165550199',
  },
  messagePrices: {
    file: 'tests/api/message-prices.test.ts',
    title: 'adds up what the chosen people cost, by the longest beginning of their numbers',
  },
  messageCurrency: {
    file: 'tests/api/message-prices.test.ts',
    title: 'adds up what the chosen people cost, by the longest beginning of their numbers',
  },
  voiceLanguage: {
    title: 'a call is spoken in another language',
    with: SUBSCRIBED,
    to: 'fr-CA',
    observe: async (world) => {
      await notify(world, { types: ['VOICE_CALL'] })
      const contents = await muster.inside(world.org, (db) =>
        db.selectFrom('message_contents').select('language').execute(),
      )
      return contents.at(-1)?.language
    },
    before: 'en-US',
    after: 'fr-CA',
  },
  fileQuotaMegabytes: {
    title: 'there is no room for another file',
    to: 0,
    observe: uploading('hall.txt', TEXT),
    before: 201,
    after: 409,
  },
  timeZone: {
    file: 'tests/api/incident-reports.test.ts',
    title: 'writes times in the zone of the organisation, with UTC beside them',
  },
  mailReplyTo: {
    file: 'tests/api/mails.test.ts',
    title:
      'is one that strict readers take, with both parts, from the sender and with the address for answers',
  },
  manageAdminToolId: {
    title: 'a tool that the provider adds to the pages learns its identifier',
    to: 'tool-7',
    observe: async ({ org }) =>
      (await muster.send('GET', `/config/public/${org.code}`)).body.manageAdminToolId,
    before: '',
    after: 'tool-7',
  },
}

const effects = Object.entries(EFFECTS).flatMap(([key, line]) =>
  'file' in line ? [] : [{ key: key as ConfigKey, ...line }],
)
const elsewhere = Object.entries(EFFECTS).flatMap(([key, line]) => ('file' in line ? [{ key, ...line }] : []))

test('every item has its line', () => {
  expect(Object.keys(EFFECTS).sort()).toEqual([...CONFIG_KEYS].sort())
})

describe.each(effects)('$key', ({ key, title, with: config = {}, to, of, observe, before, after }) => {
  test(title, async () => {
    const org = await muster.anOrganisation(config)
    const child = await muster.anOrganisation({}, { parentId: org.id })
    const world: World = { org, child, admin: await muster.signedInAs(org, 'ADMIN') }
    const readable = (seen: unknown) =>
      JSON.parse(JSON.stringify(seen ?? null).replaceAll(world.admin.email, 'the administrator')) as unknown
    expect(readable(await observe(world))).toEqual(before)
    const change = { databaseKey: key, valueJson: JSON.stringify(to) }
    await muster.inside(of === 'child' ? child : org, (db) => changeItem(db, change, () => true))
    expect(readable(await observe(world))).toEqual(after)
  })
})

test.each(elsewhere)('what $key changes is shown in $file', async ({ key, file, title }) => {
  const source = await readFile(join(import.meta.dirname, '../..', file), 'utf8')
  expect(source.replaceAll(/\btest\(\s+/g, 'test(')).toContain(`test('${title}'`)
  expect(source).toContain(key)
})
