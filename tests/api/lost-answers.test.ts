import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

import type { Decision } from '#contract/incident-decisions/schema.ts'
import type { TimelineEntry } from '#contract/incident-timeline/schema.ts'
import { type Endpoint, isRepeatable, pathOf, type Upload } from '#contract/kit/endpoint.ts'
import { readWelcomeToken } from '#contract/welcome/rules.ts'
import { call, callWithFile } from '#providers/api.ts'
import { beginSession, chooseOrganisation, endSession } from '#providers/session.ts'
import { APIS } from '#server/nouns.ts'
import { clock } from '#server/kit/core/clock.ts'
import { insertDemonstration } from '#server/demo/exercise.store.ts'
import { insertAuthenticator } from '#server/second-factors/store.ts'
import { newSecret } from '#server/second-factors/flows.ts'
import { insertSession } from '#server/sessions/store.ts'

import { madeRoom, sent } from '../support/chat.ts'
import { PNG } from '../support/files.ts'
import { added, declared, resolve, TASK } from '../support/incidents.ts'
import { startLossyProxy } from '../support/lossy-proxy.ts'
import { type Caller, type Organisation, PASSWORD, startTestServer } from '../support/server.ts'
import { signingIn } from '../support/sign-in.ts'

/*
 * Every call that changes or sends something loses its response once: the connection ends after the commit. The
 * browser's own client repeats the call, which must take effect once: exactly the events and messages below.
 */
const muster = await startTestServer({ TRUST_PROXY: '1', STAFF_EMAILS: 'staff@provider.example' })
const proxy = await startLossyProxy(muster.url)
afterAll(() => proxy.close())
const ways = signingIn(muster)

const values = new Map<string, string>()
const storage = {
  getItem: (name: string) => values.get(name) ?? null,
  setItem: (name: string, value: string) => void values.set(name, value),
  removeItem: (name: string) => void values.delete(name),
}
vi.stubGlobal('localStorage', storage)
vi.stubGlobal('sessionStorage', storage)
const { setTimeout: wait } = globalThis
// Skips the client's pause of a second before its second attempt.
vi.stubGlobal('setTimeout', (work: () => void, ms?: number, ...given: []) =>
  wait(work, ms === 1_000 ? 0 : ms, ...given),
)
// Other files run in the same worker.
afterAll(() => void vi.unstubAllGlobals())

const CONFIG = {
  multiIncident: true,
  groupsEnabled: true,
  contactsAndMassNotificationsEnabled: true,
}
interface World {
  readonly org: Organisation
  readonly admin: Caller
}
interface CallInput {
  readonly params?: object
  readonly query?: object
  readonly headers?: object
  readonly body?: unknown
  readonly file?: File
}
interface Scenario {
  /** Prepares the records and returns the request. */
  readonly given?: (world: World) => Promise<CallInput> | CallInput
  readonly config?: object
  /** As "noun verb". */
  readonly events: readonly string[]
  /** Number of messages sent. */
  readonly messages?: number
}

const aPerson = async ({ org }: World) => ({ params: { uuid: (await muster.aUser(org)).uuid } })
const anEntry = async ({ admin }: World) =>
  (await admin.post(`/incident/${(await declared(admin)).id}/timeline`, { text: 'Power failed' }))
    .body as TimelineEntry
const aDecision = async ({ admin }: World) => {
  const body = { title: 'Close the site', decider: admin.email }
  return (await admin.post(`/incident/${(await declared(admin)).id}/decision`, body)).body as Decision
}
const newUser = (email: string) => ({ email, firstName: 'Bo', lastName: 'Lee' })
const aRole = async ({ admin }: World) =>
  (await admin.get('/incidentRoles')).body[0] as { id: string; version: number }
const aReport = async (who: Caller, incident: { id: string }) =>
  (await who.post(`/incident/${incident.id}/situationReport`, {})).body as { id: string; version: number }
const aSituation = async ({ admin }: World) => aReport(admin, await declared(admin))
/** The request about a report that waits for a second person. */
async function aSubmitted(who: Caller, incident: { id: string }) {
  const { id, version } = await aReport(who, incident)
  const { body } = await who.post(`/situationReport/${id}/publish`, { version })
  return { params: { id }, body: { version: body.version } }
}
const aFollowUpBody = (owner: string) => ({
  title: 'Check the valves',
  owner,
  dueTimestamp: new Date(clock.now() + 86_400_000).toISOString(),
})
const anEnded = async ({ admin }: World) => {
  const incident = await declared(admin)
  await resolve(admin, incident)
  return incident.id
}
const aFollowUp = async (world: World) =>
  (await world.admin.post(`/incident/${await anEnded(world)}/followUp`, aFollowUpBody(world.admin.email)))
    .body as { id: string; version: number }
const aDuty = async ({ admin }: World) =>
  (await admin.get('/duties')).body[0] as { id: string; version: number }
const clocksBody = (dutyId: string) => ({
  awareTimestamp: new Date(clock.now() - 60_000).toISOString(),
  dutyIds: [dutyId],
})
const aClock = async (world: World) => {
  const { id } = await declared(world.admin)
  const { body } = await world.admin.post(`/incident/${id}/duties`, clocksBody((await aDuty(world)).id))
  return body.clocks[0] as { id: string; version: number }
}
const aGroup = async ({ admin }: World) =>
  (await admin.post('/useradmin/group', { name: 'Fleet', userIds: [admin.email] })).body as { id: string }
const contacts = [{ name: 'Ana', email: 'ana@example.org', list: 'Board' }]
const aFile = (name = 'picture.png') => new File([PNG], name, { type: 'image/png' })
const aTable = (text: string) => new File([text], 'people.csv', { type: 'text/csv' })
const anAttachment = async ({ admin }: World) => {
  const { id } = await declared(admin)
  const form = new FormData()
  form.append('file', aFile())
  const { body } = await muster.send('POST', `/fa/INCIDENT/${id}`, { headers: admin.headers, raw: form })
  return { params: { id: body.id } }
}
const aFolder = async ({ admin }: World, name = 'Plans') =>
  (await admin.post('/sfs/folder', { name })).body.id as number
const aTrashedFolder = async (world: World) => {
  const id = await aFolder(world)
  await world.admin.delete(`/sfs/${id}`)
  return id
}
/** A file, or a further version of it. */
const aStoredFile = async ({ admin }: World) => {
  const form = new FormData()
  form.append('file', aFile())
  return (await muster.send('POST', '/sfs', { headers: admin.headers, raw: form })).body.id as number
}
const aQuestion = async ({ admin }: World, more: object = {}) => {
  await admin.post('/contact', contacts)
  const { body } = await admin.post('/massNotification', {
    types: ['EMAIL'],
    title: 'Closed',
    emailMessage: 'Stay home.',
    contactListIds: ['Board'],
    question: { kind: 'CONFIRMATION', answers: [{ label: 'Read', tone: 'GOOD' }] },
    ...more,
  })
  return body.id as string
}
const NOTIFICATION = {
  types: ['EMAIL'],
  title: 'Closed',
  emailMessage: 'Stay home.',
  contactListIds: ['Board'],
}
/** A notification that waits for approval, of somebody else or of `by`. */
const anApproval = async ({ org, admin }: World, by?: Caller) => {
  await admin.post('/contact', contacts)
  const asking = await muster.signedInAs(org, 'ADMIN')
  return (await (by ?? asking).post('/massNotification/approval', NOTIFICATION)).body.id as string
}
/** A number that is not tried. */
const aSuppression = async ({ org }: World) =>
  (
    await muster.inside(org, (db) =>
      db
        .insertInto('suppressions')
        .values({
          id: crypto.randomUUID(),
          kind: 'PHONE',
          address: '+19025550100',
          reason: 'STOPPED',
          carrier: 'Twilio',
          create_timestamp: new Date().toISOString(),
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
  ).id
const aTemplate = async ({ admin }: World) =>
  (await admin.post('/massNotification/template', { title: 'Storm', level: 'LOW' })).body as {
    id: string
    version: number
  }
const aSource = async ({ admin }: World) =>
  (await admin.post('/declaration/source', { name: 'Zabbix', form: 'JSON' })).body as {
    id: string
    version: number
  }
const WEBHOOK = {
  name: 'Status page',
  // A name that is never known (RFC 6761).
  url: 'https://hooks.invalid/hook',
  events: ['situation-report.published'],
  isOn: false,
}
const aWebhook = async ({ admin }: World) =>
  (await admin.post('/webhook', WEBHOOK)).body as { id: string; version: number }
/** A webhook with a test that nothing has answered. */
async function aTested(world: World) {
  const { id } = await aWebhook(world)
  const deliveryId = (await world.admin.post(`/webhook/${id}/test`)).body.id as string
  await vi.waitFor(
    async () => {
      const { data } = (await world.admin.get(`/webhook/${id}/deliveries`)).body
      expect(data).toMatchObject([{ state: 'FAILED' }])
    },
    { timeout: 20_000 },
  )
  return { id, deliveryId }
}
const PLAYBOOK_BODY = { name: 'Storm', activities: [{ type: 'HEADING', title: 'First hour' }] }
const aPlaybook = async ({ admin }: World) =>
  (await admin.post('/playbook/template', PLAYBOOK_BODY)).body as { id: string; version: number }
const aCategory = async ({ admin }: World) =>
  (await admin.post('/playbook/category', { name: 'Cyber' })).body as { id: string }
/** A published playbook with a draft. */
const aDraft = async (world: World, author: Caller = world.admin) => {
  const { id, version } = await aPlaybook(world)
  const body = { ...PLAYBOOK_BODY, name: 'Gale', version }
  return (await author.put(`/playbook/template/${id}`, { ...body, asDraft: true })).body as {
    id: string
    draft: { revision: string }
  }
}
/** A room of the administrator with one member. */
const aRoom = async ({ org, admin }: World) => {
  const member = await muster.aUser(org)
  return { ...(await madeRoom(admin, { userIds: [member.uuid] })), member }
}
/** A scheduled message of the administrator. */
async function scheduledBy(world: World): Promise<string> {
  const clientId = crypto.randomUUID()
  const sendAt = new Date(Date.now() + 86_400_000).toISOString()
  const path = `/chat/rooms/${(await aRoom(world)).id}/scheduled`
  const { status } = await world.admin.post(path, { clientId, text: '<p>A</p>', sendAt })
  expect(status).toBe(201)
  return clientId
}

const aSentMessage = async (world: World, sender: Caller = world.admin) => {
  const member = await muster.signedInAs(world.org)
  const room = await madeRoom(world.admin, {
    userIds: [member.uuid, sender.uuid].filter((id) => id !== world.admin.uuid),
  })
  return (await sent(sender, room.id, 'Read this')).id
}
/** A request to confirm a message: by somebody in a room with the administrator, or by `sender`. */
const aConfirmation = async (world: World, sender?: Caller) => {
  const by = sender ?? (await muster.signedInAs(world.org))
  const { body } = await by.post('/confirmation', { subject: 'MESSAGE', id: await aSentMessage(world, by) })
  return body.id as string
}
const waiting = async ({ org }: World) => {
  const { email } = await muster.aUser(org)
  return { email, token: await ways.begin(org, email) }
}
/** Verifies the session with an emailed code. */
const verified = async ({ admin }: World) => {
  await admin.post('/sfs/2fa')
  const { status } = await admin.post('/sfs/2fa/confirm', {
    confirmationCode: await ways.mailedCode(admin.email),
  })
  expect(status).toBe(200)
}
const withApp = async (world: World) => {
  await verified(world)
  await muster.inside(world.org, (db) =>
    insertAuthenticator(
      db,
      { kind: 'person', id: world.admin.uuid },
      {
        secret: newSecret(muster.services, world.admin.uuid),
        lastStep: 0,
        createTimestamp: clock.timestamp(),
      },
    ),
  )
}
/** A welcome package mailed to the administrator, with one user added. */
const aWelcomePackage = async ({ org }: World) => {
  const staff = await muster.signedInAsStaff()
  const feUrl = encodeURIComponent(muster.services.publicUrl())
  await staff.post(`/enterprise/${org.id}/sendWelcomeEmail?feUrl=${feUrl}`)
  const mail = await muster.inside(org, (db) =>
    db.selectFrom('messages').select('text').executeTakeFirstOrThrow(),
  )
  const link = new URL(/http\S+/.exec(mail.text!)![0])
  const { uid } = readWelcomeToken(link.searchParams.get('id')!)!
  const { body } = await muster.send('GET', `/welcome/${uid}`)
  return { params: { uid }, body: { ...body, users: [newUser('bo@example.org')] } }
}
const EMAIL_2FA = { auth2fa: true, auth2faType: 'EMAIL' }
const TOTP_2FA = { auth2fa: true, auth2faType: 'TOTP' }

const SCENARIOS: { readonly [endpoint: string]: Scenario } = {
  'sessions.signIn': {
    config: EMAIL_2FA,
    given: async ({ org }) => {
      const { email } = await muster.aUser(org)
      return { body: { email, password: PASSWORD, enterpriseCode: org.code } }
    },
    events: [],
    messages: 1,
  },
  'sessions.confirm': {
    config: EMAIL_2FA,
    given: async (world) => {
      const { email, token } = await waiting(world)
      return {
        body: { confirmationCode: await ways.mailedCode(email), temporaryAuthenticationToken: token },
        query: {},
      }
    },
    events: ['sessions started'],
  },
  'sessions.resend': {
    config: EMAIL_2FA,
    given: async (world) => {
      const { token } = await waiting(world)
      await muster.inside(world.org, (db) =>
        db.updateTable('pending_sign_ins').set({ next_code_timestamp: null }).execute(),
      )
      return { body: { temporaryAuthenticationToken: token } }
    },
    events: [],
    messages: 1,
  },
  'sessions.initQR': {
    config: TOTP_2FA,
    given: async (world) => ({ body: { temporaryAuthenticationToken: (await waiting(world)).token } }),
    events: [],
  },
  'sessions.forgotPassword': {
    given: async ({ org }) => ({
      body: { enterpriseCode: org.code, userId: (await muster.aUser(org)).email },
    }),
    events: ['passwords reset asked for'],
    messages: 1,
  },
  'sessions.remindOrgCode': {
    given: async ({ org }) => ({ query: { email: (await muster.aUser(org)).email } }),
    events: [],
    messages: 1,
  },
  'sessions.changePassword': {
    given: async ({ org, admin }) => {
      const { uuid, email } = await muster.aUser(org)
      await admin.get(`/useradmin/user/forgotPassword/${uuid}`)
      const [mail] = await ways.mailsTo(email)
      const link = new URL(/https?:\S+/.exec(mail!.text)![0])
      return {
        body: {
          newPassword: 'Wandering-otter-71',
          enterpriseCode: org.code,
          userId: uuid,
          oneTimePasscode: link.searchParams.get('t'),
        },
      }
    },
    events: ['users password set'],
  },
  'verifications.begin': { events: [], messages: 1 },
  'verifications.initQR': { given: async (world) => (await verified(world), {}), events: [] },
  'verifications.confirm': {
    given: async ({ admin }) => {
      await admin.post('/sfs/2fa')
      return { body: { confirmationCode: await ways.mailedCode(admin.email) }, query: {} }
    },
    events: ['verifications passed'],
  },
  'verifications.renewRecoveryCodes': {
    given: async (world) => (await withApp(world), {}),
    events: ['second-factors recovery codes renewed'],
    messages: 1,
  },
  'verifications.removeAuthenticator': {
    given: async (world) => (await withApp(world), {}),
    events: ['second-factors removed'],
    messages: 1,
  },
  'account.update': { given: () => ({ body: { phoneNumber: '+14165550101' } }), events: ['users updated'] },
  'account.changePassword': {
    given: () => ({ body: { password: 'Wandering-otter-71' } }),
    events: ['users password set'],
    messages: 1,
  },
  'account.signOutDevice': {
    given: async ({ org, admin }) => ({ params: { id: await anotherSession(org, admin) } }),
    events: ['sessions ended'],
  },
  'account.signOutOthers': {
    given: async ({ org, admin }) => (await anotherSession(org, admin), {}),
    events: ['sessions ended'],
  },
  'account.savePicture': { given: () => ({ file: aFile() }), events: ['users picture changed'] },
  'account.removePicture': {
    given: async ({ admin }) => {
      const form = new FormData()
      form.append('file', aFile())
      await muster.send('POST', '/profileImage', { headers: admin.headers, raw: form })
      return {}
    },
    events: ['users picture removed'],
  },
  'incidents.create': {
    given: () => ({ body: { title: 'Fire', fullText: '<p>Hall 3</p>' } }),
    events: ['incidents created'],
  },
  'incidents.createWithActivities': {
    given: () => ({ body: { title: 'Fire', fullText: '<p>Hall 3</p>', activityCreateRequests: [TASK] } }),
    events: ['activities added', 'incidents created'],
  },
  'incidents.update': {
    given: async ({ admin }) => {
      const { id, version } = await declared(admin)
      return { params: { id }, body: { title: 'Flood', version } }
    },
    events: ['incidents changed'],
  },
  'incidents.replace': {
    given: async ({ admin }) => {
      const { id } = await declared(admin)
      await resolve(admin, { id })
      return { body: { id, postmortemDetails: '<p>Pumps.</p>' } }
    },
    events: ['incidents analysed'],
  },
  'incidents.reopen': {
    given: async ({ admin }) => {
      const { id } = await declared(admin)
      await resolve(admin, { id })
      return { params: { id }, body: { reason: 'The water rises again.' } }
    },
    events: ['incidents reopened'],
  },
  'incidents.merge': {
    given: async ({ admin }) => {
      const into = await declared(admin)
      return { params: { id: (await declared(admin)).id }, body: { into: into.id, reason: 'The same.' } }
    },
    events: ['incidents duplicate received', 'incidents merged'],
  },
  'incidents.checkIn': {
    given: async ({ admin }) => ({ params: { id: (await declared(admin)).id } }),
    events: ['check-ins checked in'],
  },
  'incidents.addActivity': {
    given: async ({ admin }) => ({ params: { id: (await declared(admin)).id }, body: TASK }),
    events: ['activities added'],
  },
  'incidents.updateActivity': {
    given: async ({ admin }) => {
      const { id, version } = await added(admin, await declared(admin))
      return { params: { id }, body: { title: 'Open the valve', version } }
    },
    events: ['activities changed'],
  },
  'incidents.assign': {
    given: async ({ admin }) => {
      const incident = await declared(admin)
      const { id } = await added(admin, incident)
      return { params: { id: incident.id }, body: { activityIds: [id], assignedTo: admin.email } }
    },
    events: ['activities changed'],
  },
  'incidents.removeActivity': {
    given: async ({ admin }) => ({ params: { id: (await added(admin, await declared(admin))).id } }),
    events: ['activities removed'],
  },
  'incident-playbooks.add': {
    given: async ({ admin }) => {
      const { id } = await declared(admin)
      const activities = [{ title: 'Close the valve', description: 'The red one.' }]
      const { body } = await admin.post('/playbook/template', { name: 'Flood', activities })
      return { params: { id }, body: { playbookId: body.id } }
    },
    events: ['activities added', 'incident-playbooks added'],
  },
  'incident-playbooks.decide': {
    given: async ({ admin }) => {
      const { id } = await declared(admin)
      const activities = [
        { type: 'HEADING', title: 'Outside', condition: 'it rains' },
        { title: 'Close the valve', description: 'The red one.' },
      ]
      const { body } = await admin.post('/playbook/template', { name: 'Flood', activities })
      const added = await admin.post(`/incident/${id}/playbook`, { playbookId: body.id })
      const conditionId = added.body.conditions[0].id
      return { params: { id, conditionId }, body: { answer: 'SKIPPED', reason: 'It is dry.' } }
    },
    events: ['incident-playbooks condition answered'],
  },
  'incident-timeline.add': {
    given: async ({ admin }) => ({
      params: { id: (await declared(admin)).id },
      body: { text: 'Power failed' },
    }),
    events: ['incident-timeline added'],
  },
  'incident-timeline.update': {
    given: async (world) => {
      const { id, happenedTimestamp, version } = await anEntry(world)
      return { params: { id }, body: { text: 'Power failed twice', happenedTimestamp, version } }
    },
    events: ['incident-timeline changed'],
  },
  'incident-timeline.remove': {
    given: async (world) => ({ params: { id: (await anEntry(world)).id } }),
    events: ['incident-timeline removed'],
  },
  'incident-decisions.propose': {
    given: async ({ admin, org }) => ({
      params: { id: (await declared(admin)).id },
      body: { title: 'Close the site', decider: (await muster.aUser(org)).email },
    }),
    events: ['incident-decisions proposed', 'notifications created'],
  },
  'incident-decisions.update': {
    given: async (world) => {
      const { id, version } = await aDecision(world)
      return {
        params: { id },
        body: { title: 'Close the gate', decider: (await muster.aUser(world.org)).email, version },
      }
    },
    events: ['incident-decisions changed', 'notifications created'],
  },
  'incident-decisions.confirm': {
    given: async (world) => {
      const { id, version } = await aDecision(world)
      return { params: { id }, body: { decision: 'The site is closed.', version } }
    },
    events: ['incident-decisions decided'],
  },
  'incident-kinds.create': {
    given: () => ({ body: { name: 'Fire' } }),
    events: ['incident-kinds created'],
  },
  'incident-kinds.update': {
    given: async ({ admin }) => {
      const { body } = await admin.post('/incidentKind', { name: 'Fire' })
      return { params: { id: body.id }, body: { name: 'Blaze', version: body.version } }
    },
    events: ['incident-kinds updated'],
  },
  'incident-kinds.remove': {
    given: async ({ admin }) => ({
      params: { id: (await admin.post('/incidentKind', { name: 'Fire' })).body.id },
    }),
    events: ['incident-kinds deleted'],
  },
  'incident-fields.create': {
    given: () => ({ body: { label: 'Customer' } }),
    events: ['incident-fields created'],
  },
  'incident-fields.update': {
    given: async ({ admin }) => {
      const { body } = await admin.post('/incidentField', { label: 'Customer' })
      return { params: { id: body.id }, body: { label: 'Client', version: body.version } }
    },
    events: ['incident-fields updated'],
  },
  'incident-fields.remove': {
    given: async ({ admin }) => ({
      params: { id: (await admin.post('/incidentField', { label: 'Customer' })).body.id },
    }),
    events: ['incident-fields deleted'],
  },
  'incident-roles.create': {
    given: () => ({ body: { name: 'Medic' } }),
    events: ['incident-roles created'],
  },
  'incident-roles.update': {
    given: async (world) => {
      const { id, version } = await aRole(world)
      return { params: { id }, body: { name: 'Lead', version } }
    },
    events: ['incident-roles updated'],
  },
  'incident-roles.remove': {
    given: async (world) => ({ params: { id: (await aRole(world)).id } }),
    events: ['incident-roles deleted'],
  },
  'incident-roles.handOver': {
    given: async (world) => {
      const { id } = await declared(world.admin)
      return { params: { id, roleId: (await aRole(world)).id }, body: { holder: world.admin.email } }
    },
    events: ['incident-roles took'],
  },
  'incident-roles.release': {
    given: async (world) => {
      const { admin } = world
      const { id } = await declared(admin)
      const { id: roleId } = await aRole(world)
      await admin.put(`/incident/${id}/command/role/${roleId}`, { holder: admin.email })
      return { params: { id, roleId }, body: { heldBy: admin.email } }
    },
    events: ['incident-roles released'],
  },
  'incident-roles.setNextUpdate': {
    given: async ({ admin }) => {
      const { id } = await declared(admin)
      const dueTimestamp = new Date(clock.now() + 600_000).toISOString()
      return { params: { id }, body: { dueTimestamp } }
    },
    events: ['incident-roles next update set'],
  },
  'duties.create': {
    given: () => ({ body: { name: 'Insurer', hours: 48 } }),
    events: ['duties created'],
  },
  'duties.update': {
    given: async (world) => {
      const { id, version } = await aDuty(world)
      return { params: { id }, body: { name: 'First word', hours: 12, version } }
    },
    events: ['duties updated'],
  },
  'duties.remove': {
    given: async (world) => ({ params: { id: (await aDuty(world)).id } }),
    events: ['duties deleted'],
  },
  'duties.start': {
    given: async (world) => ({
      params: { id: (await declared(world.admin)).id },
      body: clocksBody((await aDuty(world)).id),
    }),
    events: ['duties started'],
  },
  'duties.change': {
    given: async (world) => {
      const { id, version } = await aClock(world)
      return { params: { id }, body: { draft: '<p>Pumps failed.</p>', version } }
    },
    events: ['duties drafted'],
  },
  'duties.file': {
    given: async (world) => {
      const { id, version } = await aClock(world)
      const filedTimestamp = new Date(clock.now()).toISOString()
      return { params: { id }, body: { filedTimestamp, reference: 'BSI-1', version } }
    },
    events: ['duties filed'],
  },
  'duties.setAside': {
    given: async (world) => {
      const { id, version } = await aClock(world)
      return { params: { id }, body: { reason: 'No data of people.', version } }
    },
    events: ['duties not needed'],
  },
  'duties.resume': {
    given: async (world) => {
      const { id, version } = await aClock(world)
      const set = await world.admin.post(`/incident/duty/${id}/notNeeded`, { reason: 'None.', version })
      return { params: { id }, body: { version: set.body.version } }
    },
    events: ['duties resumed'],
  },
  'follow-ups.create': {
    given: async (world) => ({
      params: { id: await anEnded(world) },
      body: aFollowUpBody((await muster.aUser(world.org)).email),
    }),
    events: ['follow-ups added', 'notifications created'],
  },
  'follow-ups.update': {
    given: async (world) => {
      const { id, version } = await aFollowUp(world)
      return {
        params: { id },
        body: { ...aFollowUpBody(world.admin.email), title: 'Check all valves', version },
      }
    },
    events: ['follow-ups changed'],
  },
  'follow-ups.finish': {
    given: async (world) => {
      const { id, version } = await aFollowUp(world)
      return { params: { id }, body: { isDone: true, version } }
    },
    events: ['follow-ups done'],
  },
  'situation-reports.create': {
    given: async ({ admin }) => ({ params: { id: (await declared(admin)).id }, body: {} }),
    events: ['situation-reports drafted'],
  },
  'situation-reports.update': {
    given: async (world) => {
      const { id, version } = await aSituation(world)
      return { params: { id }, body: { content: '<p>Pumps run.</p>', version } }
    },
    events: ['situation-reports changed'],
  },
  'situation-reports.publish': {
    given: async (world) => {
      const { id, version } = await aSituation(world)
      return { params: { id }, body: { version } }
    },
    events: ['situation-reports published'],
  },
  'situation-reports.approve': {
    config: { situationReportApproval: true },
    given: async (world) => {
      const second = await muster.signedInAs(world.org)
      return aSubmitted(second, await declared(second))
    },
    events: ['situation-reports published'],
  },
  'situation-reports.sendBack': {
    config: { situationReportApproval: true },
    given: async ({ admin }) => aSubmitted(admin, await declared(admin)),
    events: ['situation-reports sent back'],
  },
  'situation-reports.remove': {
    given: async (world) => ({ params: { id: (await aSituation(world)).id } }),
    events: ['situation-reports discarded'],
  },
  'calendar-feed.create': { events: ['calendar-feed made'] },
  'calendar-feed.remove': {
    given: async ({ admin }) => {
      await admin.post('/calendarFeed')
      return {}
    },
    events: ['calendar-feed ended'],
  },
  'stakeholder-links.create': {
    given: async ({ admin }) => ({
      params: { id: (await declared(admin)).id },
      body: { label: 'The board', days: 7 },
    }),
    events: ['stakeholder-links made'],
  },
  'stakeholder-links.withdraw': {
    given: async ({ admin }) => {
      const { id } = await declared(admin)
      const made = await admin.post(`/incident/${id}/stakeholderLink`, { label: 'The board', days: 7 })
      return { params: { id: made.body.id } }
    },
    events: ['stakeholder-links withdrawn'],
  },
  'demo.begin': {
    given: async ({ org }) => {
      await muster.inside(org, (db) => insertDemonstration(db))
      return {}
    },
    events: [
      'activities added',
      'activities added',
      'activities added',
      'incidents created',
      'rooms created',
    ],
  },
  'demo.end': {
    given: async ({ admin, org }) => {
      await muster.inside(org, (db) => insertDemonstration(db))
      await admin.post('/demonstration/exercise')
      return {}
    },
    events: ['incidents resolved'],
  },
  'confirmations.request': {
    given: async (world) => ({ body: { subject: 'MESSAGE', id: await aSentMessage(world) } }),
    events: ['confirmations requested'],
  },
  'confirmations.confirm': {
    given: async (world) => ({ params: { id: await aConfirmation(world) } }),
    events: [],
  },
  'confirmations.remind': {
    given: async (world) => ({ params: { id: await aConfirmation(world, world.admin) } }),
    events: ['confirmations reminded', 'notifications created'],
  },
  'incident-nudges.nudge': {
    given: async ({ admin, org }) => {
      await muster.aUser(org)
      return { params: { id: (await declared(admin)).id }, body: { channel: 'MESSAGE' } }
    },
    events: ['incident-nudges sent', 'notifications created'],
    messages: 1,
  },
  'incident-reports.request': {
    given: async ({ admin }) => ({ params: { id: (await declared(admin)).id } }),
    events: [],
  },
  'files.createFolder': { given: () => ({ body: { name: 'Plans' } }), events: ['files added'] },
  'files.upload': { given: () => ({ file: aFile() }), events: ['files added'] },
  'files.beginUpload': {
    given: () => ({
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': '8',
        'upload-metadata': `filename ${btoa('note.txt')}`,
      },
    }),
    events: [],
  },
  'files.change': {
    given: async (world) => ({ params: { id: await aFolder(world) }, body: { name: 'Maps' } }),
    events: ['files renamed'],
  },
  'files.remove': {
    given: async (world) => ({ params: { id: await aFolder(world) } }),
    events: ['files deleted'],
  },
  'files.move': {
    given: async (world) => ({
      body: { ids: [await aFolder(world, 'Maps')], parentFolderId: await aFolder(world) },
    }),
    events: ['files moved'],
  },
  'files.copy': {
    given: async (world) => ({
      body: { ids: [await aFolder(world, 'Maps')], parentFolderId: await aFolder(world) },
    }),
    events: ['files added', 'files copied'],
  },
  'files.restoreVersion': {
    given: async (world) => {
      const id = await aStoredFile(world)
      await aStoredFile(world)
      return { params: { id, fileVersion: 1 } }
    },
    events: ['files version restored'],
  },
  'files.restore': {
    given: async (world) => ({ params: { id: await aTrashedFolder(world) } }),
    events: ['files restored'],
  },
  'files.purge': {
    given: async (world) => ({ params: { id: await aTrashedFolder(world) } }),
    events: ['files deleted for good'],
  },
  'file-links.create': {
    config: { fileLinksEnabled: true },
    given: async (world) => ({
      body: { itemId: await aFolder(world), direction: 'DOWN', label: 'Fire brigade', days: 1 },
    }),
    events: ['files link made'],
  },
  'file-links.open': {
    config: { fileLinksEnabled: true },
    given: async (world) => {
      const link = { itemId: await aFolder(world), direction: 'DOWN', label: 'Fire brigade', days: 1 }
      const { token, passcode } = (await world.admin.post('/sfs/links', link)).body
      return { body: { token, passcode } }
    },
    events: ['files link opened'],
  },
  'attachments.add': {
    given: async ({ admin }) => ({
      params: { parentType: 'INCIDENT', parentId: (await declared(admin)).id },
      file: aFile(),
    }),
    events: ['attachments added'],
  },
  'attachments.remove': { given: anAttachment, events: ['attachments removed'] },
  'attachments.restore': {
    given: async (world) => {
      const given = await anAttachment(world)
      await world.admin.delete(`/fa/${given.params.id}`)
      return given
    },
    events: ['attachments restored'],
  },
  'chat.createRoom': {
    given: () => ({ body: { kind: 'WAR_ROOM', name: 'Pumps', userIds: [] } }),
    events: ['rooms created'],
  },
  'chat.updateRoom': {
    given: async (world) => {
      const { id, version } = await aRoom(world)
      return { params: { id }, body: { name: 'Valves', version } }
    },
    events: ['rooms updated'],
  },
  'chat.removeRoom': {
    given: async (world) => ({ params: { id: (await aRoom(world)).id } }),
    events: ['rooms deleted'],
  },
  'chat.leaveRoom': {
    given: async (world) => {
      const { id, member } = await aRoom(world)
      await world.admin.patch(`/chat/rooms/${id}/members/${member.uuid}`, { role: 'channel_admin' })
      return { params: { id } }
    },
    events: ['rooms members removed', 'rooms roles changed'],
  },
  'chat.returnToRoom': {
    given: async (world) => {
      const { id, member } = await aRoom(world)
      await world.admin.patch(`/chat/rooms/${id}/members/${member.uuid}`, { role: 'channel_admin' })
      await world.admin.post(`/chat/rooms/${id}/leave`)
      return { params: { id } }
    },
    events: ['rooms members added', 'rooms roles changed'],
  },
  'chat.addMembers': {
    given: async (world) => ({
      params: { id: (await aRoom(world)).id },
      body: { userIds: [(await muster.aUser(world.org)).uuid] },
    }),
    events: ['rooms members added'],
  },
  'chat.changeRole': {
    given: async (world) => {
      const { id, member } = await aRoom(world)
      return { params: { id, uuid: member.uuid }, body: { role: 'channel_admin' } }
    },
    events: ['rooms roles changed'],
  },
  'chat.removeMember': {
    given: async (world) => {
      const { id, member } = await aRoom(world)
      return { params: { id, uuid: member.uuid } }
    },
    events: ['rooms members removed'],
  },
  'chat.removeMessage': {
    given: async (world) => {
      const { id } = await aRoom(world)
      return { params: { id: (await sent(world.admin, id, 'Hello')).id } }
    },
    events: ['rooms message deleted'],
  },
  'chat.changeScheduled': {
    given: async (world) => ({
      params: { id: await scheduledBy(world) },
      body: { text: '<p>B</p>', version: 1 },
    }),
    events: [],
  },
  'chat.sendScheduled': {
    given: async (world) => ({ params: { id: await scheduledBy(world) } }),
    events: [],
  },
  'chat.cancelScheduled': {
    given: async (world) => ({ params: { id: await scheduledBy(world) } }),
    events: [],
  },
  'chat.upload': { given: () => ({ file: aFile() }), events: [] },
  'chat.removeFile': {
    given: async ({ admin }) => {
      const form = new FormData()
      form.append('file', aFile())
      const { body } = await muster.send('POST', '/fe', { headers: admin.headers, raw: form })
      return { params: { id: body.id } }
    },
    events: [],
  },
  'channels.update': {
    given: async (world) => ({
      params: { type: 'team', id: (await aRoom(world)).id },
      body: { set: { name: 'Valves' } },
    }),
    events: ['rooms updated'],
  },
  'channels.changeMembers': {
    given: async (world) => {
      const { id, member } = await aRoom(world)
      return { params: { type: 'team', id }, body: { add_moderators: [member.uuid] } }
    },
    events: ['rooms roles changed'],
  },
  'channels.remove': {
    given: async (world) => ({ params: { type: 'team', id: (await aRoom(world)).id } }),
    events: ['rooms deleted'],
  },
  'channels.addModerator': {
    given: async (world) => {
      const { id, member } = await aRoom(world)
      return { body: { channelId: id, moderatorIds: [member.uuid] } }
    },
    events: ['rooms roles changed'],
  },
  'channels.demoteModerator': {
    given: async (world) => {
      const { id, member } = await aRoom(world)
      const moderators = { channelId: id, moderatorIds: [member.uuid] }
      await world.admin.post('/stream/addModerator', moderators)
      return { body: moderators }
    },
    events: ['rooms roles changed'],
  },
  'channels.mark': {
    config: { markAsPrivilegedEnabled: true, statementOfPrivilege: 'Privileged.' },
    given: async (world) => ({ params: { id: (await aRoom(world)).id, isPrivileged: 'true' } }),
    events: ['rooms marked as privileged'],
  },
  'room-exports.request': {
    given: async (world) => {
      const { id } = await aRoom(world)
      const { created_at } = await sent(world.admin, id, 'Hello')
      return { body: { id, type: 'team', messagesSince: created_at, messagesUntil: created_at } }
    },
    events: ['rooms exported'],
  },
  'notifications.read': {
    given: async (world) => ({ params: { id: (await aNotification(world)).id } }),
    events: ['notifications read'],
  },
  'notifications.readAll': {
    given: async (world) => (await aNotification(world), {}),
    events: ['notifications read'],
  },
  'features.requestUpgrade': {
    given: () => ({ query: { name: 'MORE_USERS' } }),
    events: ['features requested'],
    messages: 1,
  },
  'users.create': {
    given: () => ({ body: newUser('bo@example.org') }),
    events: ['users activation email sent', 'users created'],
    messages: 1,
  },
  'users.import': {
    given: () => ({ body: [newUser('bo@example.org'), newUser('cy@example.org')] }),
    events: ['users activation email sent', 'users activation email sent', 'users created', 'users created'],
    messages: 2,
  },
  'users.update': {
    given: async ({ org }) => ({
      params: { uuid: (await muster.aUser(org)).uuid },
      body: { firstName: 'Bo', lastName: 'Lee', version: 1 },
    }),
    events: ['users updated'],
  },
  'users.deactivate': { given: aPerson, events: ['users deactivated'] },
  'users.deactivateSeveral': {
    given: async ({ org }) => ({
      body: { ids: [(await muster.aUser(org)).uuid, (await muster.aUser(org)).uuid] },
    }),
    events: ['users deactivated', 'users deactivated'],
  },
  'users.sendActivationSeveral': {
    given: async ({ admin }) => {
      const invited = { ...newUser('bo@example.org'), sendWelcomeSetPasswordEmail: false }
      return { body: { ids: [(await admin.post('/useradmin/user', invited)).body.uuid] } }
    },
    events: ['users activation email sent'],
    messages: 1,
  },
  'users.changeRoleSeveral': {
    given: async ({ org }) => ({
      body: { ids: [(await muster.aUser(org)).uuid], role: 'BUSINESS_USER' },
    }),
    events: ['users updated'],
  },
  'users.reactivate': {
    given: async ({ org }) => ({ params: { uuid: (await muster.aUser(org, { active: false })).uuid } }),
    events: ['users reactivated'],
  },
  'users.sendPasswordReset': { given: aPerson, events: ['users password reset email sent'], messages: 1 },
  'users.sendActivation': { given: aPerson, events: ['users activation email sent'], messages: 1 },
  'users.endSessions': {
    given: async ({ org }) => ({ params: { uuid: (await muster.signedInAs(org, 'USER')).uuid } }),
    events: ['sessions ended', 'users sessions ended'],
  },
  'users.resetAuthenticator': {
    given: async (world) => {
      await withApp(world)
      return { params: { uuid: world.admin.uuid } }
    },
    events: ['second-factors removed'],
    messages: 1,
  },
  'groups.create': {
    given: ({ admin }) => ({ body: { name: 'Fleet', userIds: [admin.email] } }),
    events: ['groups created'],
  },
  'groups.update': {
    given: async (world) => ({
      params: { id: (await aGroup(world)).id },
      body: { name: 'Harbour', userIds: [world.admin.email], version: 1 },
    }),
    events: ['groups updated'],
  },
  'groups.remove': {
    given: async (world) => ({ params: { id: (await aGroup(world)).id } }),
    events: ['groups deleted'],
  },
  'groups.restore': {
    given: async (world) => {
      const { id } = await aGroup(world)
      await world.admin.delete(`/useradmin/group/${id}`)
      return { params: { id } }
    },
    events: ['groups restored'],
  },
  'api-keys.create': { given: () => ({ body: { name: 'Monitoring' } }), events: ['api-keys created'] },
  'api-keys.remove': {
    given: async ({ admin }) => ({
      params: { id: (await admin.post('/apiManagement/credentials', { name: 'Old' })).body.id },
    }),
    events: ['api-keys deleted'],
  },
  'declarations.create': {
    given: () => ({ body: { name: 'Prometheus', form: 'ALERTMANAGER' } }),
    events: ['declarations created'],
  },
  'declarations.update': {
    given: async (world) => {
      const { id, version } = await aSource(world)
      return { params: { id }, body: { name: 'Grafana', form: 'JSON', version } }
    },
    events: ['declarations updated'],
  },
  'declarations.remove': {
    given: async (world) => ({ params: { id: (await aSource(world)).id } }),
    events: ['declarations deleted'],
  },
  'webhooks.create': { given: () => ({ body: WEBHOOK }), events: ['webhooks created'] },
  'webhooks.update': {
    given: async (world) => {
      const { id, version } = await aWebhook(world)
      return { params: { id }, body: { ...WEBHOOK, name: 'Tickets', version } }
    },
    events: ['webhooks updated'],
  },
  'webhooks.remove': {
    given: async (world) => ({ params: { id: (await aWebhook(world)).id } }),
    events: ['webhooks deleted'],
  },
  'webhooks.test': {
    given: async (world) => ({ params: { id: (await aWebhook(world)).id } }),
    events: ['webhooks tested'],
  },
  'webhooks.resend': {
    given: async (world) => ({ params: await aTested(world) }),
    events: ['webhooks sent again'],
  },
  'contacts.add': { given: () => ({ body: contacts }), events: ['contacts imported'] },
  'imports.users': {
    given: () => ({ file: aTable('First Name,Last Name,Email\nBo,Lee,bo@example.org') }),
    events: ['imports made', 'users activation email sent', 'users created'],
    messages: 1,
  },
  'imports.contacts': {
    given: () => ({ file: aTable('Email,List\nana@example.org,Board') }),
    events: ['contacts imported', 'imports made'],
  },
  'imports.undo': {
    given: async ({ admin }) => ({
      params: { id: (await admin.post('/contact', contacts)).body.importId },
    }),
    events: ['contacts import undone', 'imports undone'],
  },
  'contacts.remove': {
    given: async ({ admin }) => {
      await admin.post('/contact', contacts)
      return { params: { id: (await admin.get('/contact/asList')).body[0].id } }
    },
    events: ['contacts deleted'],
  },
  'contacts.removeList': {
    given: async ({ admin }) => (await admin.post('/contact', contacts), { params: { name: 'Board' } }),
    events: ['contacts list deleted'],
  },
  'contacts.restore': {
    given: async ({ admin }) => {
      await admin.post('/contact', contacts)
      const { id } = (await admin.get('/contact/asList')).body[0]
      await admin.delete(`/contact/${id}`)
      return { params: { id } }
    },
    events: ['contacts restored'],
  },
  'contacts.restoreList': {
    given: async ({ admin }) => {
      await admin.post('/contact', contacts)
      await admin.delete('/contact/lists/Board')
      return { params: { name: 'Board' } }
    },
    events: ['contacts list restored'],
  },
  'playbook-exports.request': {
    given: async (world) => ({ body: { ids: [(await aPlaybook(world)).id], type: 'JSON' } }),
    events: ['playbook-exports requested'],
  },
  'playbooks.create': { given: () => ({ body: PLAYBOOK_BODY }), events: ['playbooks created'] },
  'playbooks.update': {
    given: async (world) => {
      const { id, version } = await aPlaybook(world)
      return { params: { id }, body: { ...PLAYBOOK_BODY, name: 'Gale', version } }
    },
    events: ['playbooks updated'],
  },
  'playbooks.changeCategory': {
    given: async (world) => ({
      params: { id: (await aPlaybook(world)).id },
      body: { categoryId: (await aCategory(world)).id },
    }),
    events: ['playbooks moved'],
  },
  'playbooks.remove': {
    given: async (world) => ({ params: { id: (await aPlaybook(world)).id } }),
    events: ['playbooks deleted'],
  },
  'playbooks.restore': {
    given: async (world) => {
      const { id } = await aPlaybook(world)
      await world.admin.put(`/playbook/template/${id}`, { ...PLAYBOOK_BODY, name: 'Gale' })
      return { params: { id, version: 1 }, body: {} }
    },
    events: ['playbooks restored'],
  },
  'playbooks.discardDraft': {
    given: async (world) => {
      const { id, draft } = await aDraft(world)
      return { params: { id }, query: { revision: draft.revision } }
    },
    events: ['playbooks draft discarded'],
  },
  'playbooks.publish': {
    given: async (world) => {
      const { id, draft } = await aDraft(world)
      return { params: { id }, body: { revision: draft.revision } }
    },
    events: ['playbooks published'],
  },
  'playbooks.returnDraft': {
    config: { playbookApproval: true },
    given: async ({ org, admin }) => {
      const author = await muster.signedInAs(org, 'PLAYBOOK_MANAGER')
      const { body } = await author.post('/playbook/template', PLAYBOOK_BODY)
      expect((await admin.get('/notifications')).body.unreadCount).toBe(1)
      return { params: { id: body.id }, body: { revision: body.draft.revision, reason: 'Too short.' } }
    },
    events: ['notifications created', 'playbooks draft returned'],
    messages: 1,
  },
  'playbooks.archive': {
    given: async (world) => ({ params: { id: (await aPlaybook(world)).id } }),
    events: ['playbooks archived'],
  },
  'playbooks.unarchive': {
    given: async (world) => {
      const { id } = await aPlaybook(world)
      await world.admin.post(`/playbook/template/${id}/archive`)
      return { params: { id } }
    },
    events: ['playbooks taken from archive'],
  },
  'playbooks.recover': {
    given: async (world) => {
      const { id } = await aPlaybook(world)
      await world.admin.delete(`/playbook/template/${id}`)
      return { params: { id } }
    },
    events: ['playbooks taken from bin'],
  },
  'playbooks.purge': {
    given: async (world) => {
      const { id } = await aPlaybook(world)
      await world.admin.delete(`/playbook/template/${id}`)
      return { params: { id } }
    },
    events: ['playbooks deleted for good'],
  },
  'playbook-categories.create': {
    given: () => ({ body: { name: 'Cyber' } }),
    events: ['playbook-categories created'],
  },
  'playbook-categories.update': {
    given: async (world) => ({ params: { id: (await aCategory(world)).id }, body: { name: 'Weather' } }),
    events: ['playbook-categories updated'],
  },
  'playbook-categories.remove': {
    given: async (world) => ({ params: { id: (await aCategory(world)).id } }),
    events: ['playbook-categories deleted'],
  },
  'playbook-categories.restore': {
    given: async (world) => {
      const { id } = await aCategory(world)
      await world.admin.delete(`/playbook/category/${id}`)
      return { params: { id } }
    },
    events: ['playbook-categories restored'],
  },
  'playbook-shares.share': {
    config: { playbooksSharingEnabled: true },
    given: async (world) => {
      const child = await muster.anOrganisation({}, { parentId: world.org.id })
      return { body: { playbookIds: [(await aPlaybook(world)).id], childEnterpriseIds: [child.id] } }
    },
    events: ['playbook-shares completed', 'playbook-shares requested'],
  },
  'notification-templates.create': {
    given: () => ({ body: { title: 'Storm', level: 'LOW' } }),
    events: ['notification-templates created'],
  },
  'notification-templates.update': {
    given: async (world) => {
      const { id, version } = await aTemplate(world)
      return { params: { id }, body: { title: 'Gale', level: 'LOW', version } }
    },
    events: ['notification-templates updated'],
  },
  'notification-templates.remove': {
    given: async (world) => ({ params: { id: (await aTemplate(world)).id } }),
    events: ['notification-templates deleted'],
  },
  'mass-notifications.send': {
    given: async ({ admin }) => {
      await admin.post('/contact', contacts)
      return {
        body: { types: ['EMAIL'], title: 'Closed', emailMessage: 'Stay home.', contactListIds: ['Board'] },
      }
    },
    events: ['mass-notifications sent'],
    messages: 1,
  },
  'mass-notifications.correct': {
    given: async (world) => ({ params: { id: await aQuestion(world) }, body: { text: 'Stay calm.' } }),
    events: ['mass-notifications sent'],
    messages: 1,
  },
  'notification-approvals.request': {
    given: async (world) => {
      await muster.signedInAs(world.org, 'ADMIN')
      await world.admin.post('/contact', contacts)
      return { body: NOTIFICATION }
    },
    events: ['mass-notifications approval requested', 'notifications created'],
    messages: 1,
  },
  'notification-approvals.approve': {
    given: async (world) => ({ params: { id: await anApproval(world) } }),
    events: ['mass-notifications approved', 'mass-notifications sent', 'notifications created'],
    messages: 1,
  },
  'readiness.start': {
    given: async () => ({ body: { everybody: true, types: ['EMAIL'] } }),
    events: ['mass-notifications sent'],
    messages: 1,
  },
  'readiness.setPlan': {
    given: async () => ({ body: { enabled: true, everybody: true, types: ['EMAIL'], version: 0 } }),
    events: ['communication-test-plans changed'],
  },
  'readiness.activate': {
    given: async ({ org }) => {
      const waiting = await muster.aUser(org)
      await muster.inside(org, (db) =>
        db.updateTable('users').set({ password_hash: null }).where('id', '=', waiting.uuid).execute(),
      )
      return { body: {} }
    },
    events: ['users activation email sent'],
    messages: 1,
  },
  'notification-approvals.refuse': {
    given: async (world) => ({ params: { id: await anApproval(world) }, body: { reason: 'Not now' } }),
    events: ['mass-notifications refused', 'notifications created'],
  },
  'suppressions.lift': {
    given: async (world) => ({ params: { id: await aSuppression(world) }, body: { reason: 'She asked' } }),
    events: ['suppressions lifted'],
  },
  'suppressions.find': { given: () => ({ body: { addresses: ['+19025550100'] } }), events: [] },
  'notification-approvals.withdraw': {
    given: async (world) => ({ params: { id: await anApproval(world, world.admin) } }),
    events: ['mass-notifications withdrawn'],
  },
  'mass-notifications.answerOnBehalf': {
    given: async (world) => ({
      params: { id: await aQuestion(world) },
      body: { person: 0, answer: 0, reason: 'By telephone' },
    }),
    events: ['mass-notifications answered on behalf'],
  },
  'mass-notifications.closeQuestion': {
    given: async (world) => ({ params: { id: await aQuestion(world) } }),
    events: ['mass-notifications question closed'],
  },
  'mass-notifications.stopEscalation': {
    given: async (world) => ({
      params: {
        id: await aQuestion(world, {
          escalation: {
            steps: [{ afterMinutes: 60, to: 'PERSON', by: 'EMAIL' }],
            rounds: 1,
            pauseMinutes: 15,
          },
        }),
      },
    }),
    events: ['mass-notifications escalation stopped'],
  },
  'mass-notifications.cancel': {
    given: async (world) => ({ params: { id: await aQuestion(world) } }),
    // The outbox keeps what nobody sends: nothing waits.
    events: [],
  },
  'config-items.update': {
    given: async () => ({ body: { databaseKey: 'nameCharacters', valueJson: '"EXTENDED"' } }),
    events: ['config-items changed'],
  },
  'welcome.save': { given: aWelcomePackage, events: [] },
}
/** Only programs upload by form with the parent in its fields; the product's pages use the other endpoint. */
const NOT_OF_THE_BROWSER = ['attachments.addByForm']

const anotherSession = (org: Organisation, { uuid }: Caller): Promise<string> =>
  muster.inside(org, (db) =>
    insertSession(db, {
      userId: uuid,
      userAgent: 'test',
      address: '127.0.0.1',
      createTimestamp: clock.timestamp(),
    }),
  )
async function aNotification({ org, admin }: World): Promise<{ id: string }> {
  const other = await muster.signedInAs(org, 'ADMIN')
  await declared(other, { targetedUsers: [admin.email] })
  return (await admin.get('/notifications')).body.data[0]
}

const stateOf = (org: Organisation) =>
  muster.inside(org, async (db) => ({
    events: await db.selectFrom('events').select(['noun', 'verb']).orderBy('sequence').execute(),
    messages: await db.selectFrom('messages').select(['recipient', 'subject']).execute(),
  }))

const endpoints: (readonly [string, Endpoint])[] = Object.entries(APIS).flatMap(([noun, api]) =>
  Object.entries(api).map(([name, endpoint]) => [`${noun}.${name}`, endpoint] as const),
)
const acts = endpoints.filter(([, endpoint]) => !isRepeatable(endpoint))

beforeEach(() => values.clear())

test('every call that changes or sends something is tried', () => {
  const names = acts.map(([name]) => name)
  expect([...Object.keys(SCENARIOS), ...NOT_OF_THE_BROWSER].sort()).toEqual(names.sort())
})

describe.each(acts.filter(([name]) => name in SCENARIOS))('%s', (name, endpoint) => {
  test('is done once although its answer is lost', async () => {
    const scenario = SCENARIOS[name]!
    const org = await muster.anOrganisation({ ...CONFIG, ...scenario.config })
    const admin = await muster.signedInAs(org, 'ADMIN')
    const asked = (await scenario.given?.({ org, admin })) ?? {}
    signInHere(org, admin, endpoint)
    const before = await stateOf(org)
    const lost = proxy.lost()
    proxy.loseNext()
    const { file, ...request } = asked
    const answer = file
      ? await callWithFile(endpoint as Endpoint & { body: Upload }, file, request as never)
      : await call(endpoint, request as never)
    expect(proxy.lost(), 'answers that were lost').toBe(lost + 1)
    // The client gets the first response, not that of the repetition.
    if ('kind' in endpoint.reply || endpoint.status === 204) expect(answer).toBeUndefined()
    const after = await stateOf(org)
    const events = after.events.slice(before.events.length).map(({ noun, verb }) => `${noun} ${verb}`)
    expect(events.sort(), pathOf(endpoint, request.params as never)).toEqual([...scenario.events])
    expect(after.messages.length - before.messages.length).toBe(scenario.messages ?? 0)
  })
})

/** Signs the browser's client in, through the proxy. */
function signInHere(org: Organisation, admin: Caller, endpoint: Endpoint): void {
  chooseOrganisation({
    code: org.code,
    apiUrl: `${proxy.url}/api`,
    config: { displayName: 'Ours', streamApiKey: '', multiIncident: true, manageAdminToolId: '' },
  })
  if (endpoint.access.realm === 'public') return endSession('left')
  beginSession({
    isSuccess: true,
    authenticationToken: admin.headers['Authorization']!.replace('Bearer ', ''),
    authenticationTokenExpiry: new Date(Date.now() + 600_000).toISOString(),
    cueRefreshToken: 'none',
    uuid: admin.uuid,
    userIdHash: 'hash',
    user: {} as never,
    permissions: [],
  })
}
