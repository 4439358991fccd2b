import { describe, expect, test } from 'vitest'

import { Problem } from '#contract/kit/refusal.ts'
import { allows, type AccessCaller } from '#contract/kit/access.ts'
import { type Endpoint, isJson, pathOf } from '#contract/kit/endpoint.ts'
import { permissionsOf, permissionsOfKey } from '#contract/users/rules.ts'
import { configOf } from '#contract/config/catalogue.ts'
import { APIS } from '#server/nouns.ts'
import { insertRequest } from '#server/incident-reports/store.ts'

import { startedCall } from '../support/calls.ts'
import { type Caller, startTestServer } from '../support/server.ts'

/*
 * Four refusals on every endpoint of every contract: no session, no permission, invalid input, another organisation's
 * record. A new endpoint is covered automatically; one that names a record also needs a line in `RECORDS`.
 */
const muster = await startTestServer()
const subscribed = {
  contactsAndMassNotificationsEnabled: true,
  playbooksSharingEnabled: true,
  fileLinksEnabled: true,
}
const config = configOf(subscribed)
const [ours, theirs] = [await muster.anOrganisation(subscribed), await muster.anOrganisation(subscribed)]
await muster.anOrganisation({}, { parentId: ours.id })
const theirChild = await muster.anOrganisation({}, { parentId: theirs.id })
const admin = await muster.signedInAs(ours, 'ADMIN')
const people: Record<string, Caller> = {
  ADMIN: admin,
  USER: await muster.signedInAs(ours, 'USER'),
  BUSINESS_USER: await muster.signedInAs(ours, 'BUSINESS_USER'),
  EXTERNAL: await muster.signedInAs(ours, 'USER', { type: 'EXTERNAL' }),
}
const issued = await admin.post('/apiManagement/credentials', { name: 'Refusals' })
const keyHeaders = { 'X-Api-Key': issued.body.key as string }
const callers: { name: string; access: AccessCaller; headers: Record<string, string> }[] = [
  ...(['ADMIN', 'USER', 'BUSINESS_USER', 'EXTERNAL'] as const).map((name) => ({
    name,
    access: {
      kind: 'person' as const,
      permissions: permissionsOf(
        { role: name === 'EXTERNAL' ? 'USER' : name, type: name === 'EXTERNAL' ? 'EXTERNAL' : 'INTERNAL' },
        config,
        true,
      ),
    },
    headers: people[name]!.headers,
  })),
  { name: 'an API key', access: { kind: 'key', permissions: permissionsOfKey(config) }, headers: keyHeaders },
]

/** A form with a text file and further fields. */
function aFile(fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new File(['Ours now'], 'note.txt'))
  return form
}
const TUS = { 'Tus-Resumable': '1.0.0' }
/** Headers of a new upload of eight bytes. */
const uploadHeaders = (folder: string) => ({
  ...TUS,
  'Upload-Length': '8',
  'Upload-Metadata': `filename ${btoa('note.txt')},parentFolderId ${btoa(folder)}`,
})
const aFollowUp = (owner: string) => ({
  title: 'Check the valves',
  owner,
  dueTimestamp: new Date(Date.now() + 86_400_000).toISOString(),
})
/** A record of another organisation for each path that names one, with a valid body. */
const their = await (async () => {
  const owner = await muster.signedInAs(theirs, 'ADMIN')
  const incident = await owner.post('/incident', { title: 'Theirs', fullText: '<p>Secret</p>' })
  const activity = await owner.post(`/incident/${incident.body.id}/activity`, {
    title: 'Task',
    description: 'Do it',
  })
  const entry = await owner.post(`/incident/${incident.body.id}/timeline`, { text: 'Power failed' })
  const decision = await owner.post(`/incident/${incident.body.id}/decision`, {
    title: 'Close the site',
    decider: owner.email,
  })
  const [role] = (await owner.get('/incidentRoles')).body as [{ id: string }]
  const incidentKind = await owner.post('/incidentKind', { name: 'Theirs' })
  const incidentField = await owner.post('/incidentField', { label: 'Theirs' })
  const situation = await owner.post(`/incident/${incident.body.id}/situationReport`, {})
  const [duty] = (await owner.get('/duties')).body as [{ id: string }]
  const clocks = await owner.post(`/incident/${incident.body.id}/duties`, {
    awareTimestamp: new Date().toISOString(),
    dutyIds: [duty.id],
  })
  const ended = await owner.post('/incident', { title: 'Ended', fullText: '<p>Secret</p>', isTabletop: true })
  await owner.patch(`/incident/${ended.body.id}`, { isActive: false })
  const followUp = await owner.post(`/incident/${ended.body.id}/followUp`, aFollowUp(owner.email))
  const stakeholderLink = await owner.post(`/incident/${incident.body.id}/stakeholderLink`, {
    label: 'The board',
    days: 7,
  })
  const key = await owner.post('/apiManagement/credentials', { name: 'Theirs' })
  const source = await owner.post('/declaration/source', { name: 'Theirs', form: 'JSON' })
  const webhook = await owner.post('/webhook', {
    name: 'Theirs',
    url: 'https://hooks.example/theirs',
    events: ['incident.resolved'],
    isOn: false,
  })
  const helper = await muster.signedInAs(theirs, 'USER')
  await owner.post('/incident', {
    title: 'For one',
    fullText: '<p>Secret</p>',
    isTabletop: true,
    targetedUsers: [helper.email],
  })
  const told = await helper.get('/notifications')
  const file = await muster.send('POST', `/fa/INCIDENT/${incident.body.id}`, {
    headers: owner.headers,
    raw: aFile(),
  })
  const group = await owner.post('/useradmin/group', { name: 'Theirs', userIds: [owner.email] })
  const template = await owner.post('/massNotification/template', { title: 'Theirs', level: 'LOW' })
  const importing = await owner.post('/contact', [
    { name: 'Theirs', email: 'theirs@company.example', list: 'Theirs' },
  ])
  const contacts = await owner.get('/contact/asList')
  const sent = await owner.post('/massNotification', {
    types: ['EMAIL'],
    title: 'Theirs',
    emailMessage: 'Secret',
    contactListIds: ['Theirs'],
    question: { kind: 'CONFIRMATION', answers: [{ label: 'Read', tone: 'GOOD' }] },
  })
  await muster.aUser(theirs, { role: 'ADMIN' })
  const asked = await owner.post('/massNotification/approval', {
    types: ['EMAIL'],
    title: 'Theirs',
    emailMessage: 'Secret',
    contactListIds: ['Theirs'],
  })
  const suppression = await muster.inside(theirs, (db) =>
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
  const tested = await owner.post('/readiness/tests', { everybody: true, types: ['EMAIL'] })
  const category = await owner.post('/playbook/category', { name: 'Theirs' })
  const playbook = await owner.post('/playbook/template', {
    name: 'Theirs',
    categoryId: category.body.id,
    activities: [{ type: 'HEADING', title: 'Secret' }],
  })
  const draft = await owner.put(`/playbook/template/${playbook.body.id}`, {
    name: 'Theirs',
    categoryId: category.body.id,
    activities: [{ type: 'HEADING', title: 'Secret plan' }],
    asDraft: true,
  })
  const gone = await owner.post('/playbook/template', {
    name: 'Deleted by them',
    activities: [{ type: 'HEADING', title: 'Secret' }],
  })
  await owner.delete(`/playbook/template/${gone.body.id}`)
  const archive = await owner.post('/playbook/exports', { ids: [playbook.body.id], type: 'JSON' })
  const share = await owner.post('/crossEnterprises/playbook/share', {
    playbookIds: [playbook.body.id],
    childEnterpriseIds: [theirChild.id],
  })
  const room = await owner.post('/chat/rooms', { kind: 'WAR_ROOM', name: 'Theirs', userIds: [helper.uuid] })
  const inRoom = await muster.send('POST', '/fe', { headers: owner.headers, raw: aFile() })
  const message = await owner.post(`/chat/rooms/${room.body.id}/messages`, {
    clientId: crypto.randomUUID(),
    text: '<p>Secret</p>',
    fileIds: [inRoom.body.id],
  })
  const sendAt = new Date(Date.now() + 86_400_000).toISOString()
  const scheduled = await owner.post(`/chat/rooms/${room.body.id}/scheduled`, {
    clientId: crypto.randomUUID(),
    text: '<p>Later</p>',
    sendAt,
  })
  const call = await startedCall(owner, room.body.id)
  const confirmation = await owner.post('/confirmation', { subject: 'MESSAGE', id: message.body.id })
  const span = { messagesSince: message.body.created_at, messagesUntil: message.body.created_at }
  const exported = await owner.post('/stream/exportChannel', { id: room.body.id, type: 'team', ...span })
  const folder = await owner.post('/sfs/folder', { name: 'Theirs', folderType: 'PUBLIC' })
  const stored = await muster.send('POST', '/sfs', {
    headers: owner.headers,
    raw: aFile({ parentFolderId: String(folder.body.id) }),
  })
  const begun = await muster.send('POST', '/sfs/uploads', {
    headers: { ...owner.headers, ...uploadHeaders(String(folder.body.id)) },
  })
  const trashed = await owner.post('/sfs/folder', { name: 'Thrown away' })
  await owner.delete(`/sfs/${trashed.body.id}`)
  const link = await owner.post('/sfs/links', {
    itemId: stored.body.id,
    direction: 'DOWN',
    label: 'Theirs',
    days: 1,
  })
  const report = crypto.randomUUID()
  const now = Date.now()
  await muster.inside(theirs, (db) =>
    insertRequest(db, {
      id: report,
      incidentId: incident.body.id,
      state: 'MAKING',
      progress: 0,
      tries: 0,
      sequence: 1,
      fileName: null,
      blobId: null,
      createTimestamp: new Date(now).toISOString(),
      updateTimestamp: new Date(now).toISOString(),
      expireTimestamp: new Date(now + 3_600_000).toISOString(),
      isForExternals: false,
    }),
  )
  return {
    room: room.body.id as string,
    call: call.call.callId,
    participant: call.participantId,
    message: message.body.id as string,
    scheduled: scheduled.body.id as string,
    sendAt,
    inRoom: inRoom.body.id as string,
    helper: helper.uuid,
    span,
    exported: exported.body.id as string,
    report,
    notification: told.body.data[0].id as string,
    owner,
    role: role.id,
    incidentKind: incidentKind.body.id as string,
    incidentField: incidentField.body.id as string,
    situation: situation.body.id as string,
    followUp: followUp.body.id as string,
    duty: duty.id,
    dutyClock: clocks.body.clocks[0].id as string,
    stakeholderLink: stakeholderLink.body.id as string,
    incident: incident.body.id as string,
    activity: activity.body.id as string,
    entry: entry.body.id as string,
    decision: decision.body.id as string,
    confirmation: confirmation.body.id as string,
    approval: asked.body.id as string,
    suppression: suppression.id,
    test: tested.body.id as string,
    key: key.body.id as string,
    source: source.body.id as string,
    webhook: webhook.body.id as string,
    file: file.body.id as string,
    folder: folder.body.id as number,
    stored: stored.body.id as number,
    begun: begun.body.id as string,
    trashed: trashed.body.id as number,
    link: link.body.id as string,
    group: group.body.id as string,
    template: template.body.id as string,
    category: category.body.id as string,
    playbook: playbook.body.id as string,
    draft: draft.body.draft.revision as string,
    binned: gone.body.id as string,
    archive: archive.body.id as string,
    share: share.body.id as string,
    contact: contacts.body[0].id as string,
    importing: importing.body.importId as string,
    sent: sent.body.id as string,
  }
})()
interface RequestParts {
  params?: object
  query?: Record<string, string>
  body?: unknown
  form?: FormData
  headers?: Record<string, string>
  raw?: string
}
const OURS_NOW = { name: 'Ours now', activities: [{ type: 'HEADING', title: 'Ours now' }] }
const RECORDS: Record<string, RequestParts | undefined> = {
  'playbooks.get': { params: { id: their.playbook } },
  'playbooks.update': { params: { id: their.playbook }, body: OURS_NOW },
  'playbooks.changeCategory': { params: { id: their.playbook }, body: { categoryId: null } },
  'playbooks.remove': { params: { id: their.playbook } },
  'playbooks.versions': { params: { id: their.playbook } },
  'playbooks.version': { params: { id: their.playbook } },
  'playbooks.restore': { params: { id: their.playbook }, body: {} },
  'playbooks.editing': { params: { id: their.playbook } },
  'playbooks.doneEditing': { params: { id: their.playbook } },
  'playbooks.draft': { params: { id: their.playbook } },
  'playbooks.discardDraft': { params: { id: their.playbook }, query: { revision: their.draft } },
  'playbooks.publish': { params: { id: their.playbook }, body: { revision: their.draft } },
  'playbooks.returnDraft': {
    params: { id: their.playbook },
    body: { revision: their.draft, reason: 'Ours now' },
  },
  'playbooks.archive': { params: { id: their.playbook } },
  'playbooks.unarchive': { params: { id: their.playbook } },
  'playbooks.recover': { params: { id: their.binned } },
  'playbooks.purge': { params: { id: their.binned } },
  'playbook-categories.update': { params: { id: their.category }, body: { name: 'Ours now' } },
  'playbook-categories.remove': { params: { id: their.category } },
  'playbook-categories.restore': { params: { id: their.category } },
  'playbook-exports.document': { params: { id: their.playbook }, query: { type: 'PDF' } },
  'playbook-exports.source': { params: { id: their.playbook }, query: { type: 'JSON' } },
  'playbook-exports.archive': { query: { ids: their.playbook, type: 'PDF' } },
  'playbook-exports.request': { body: { ids: [their.playbook], type: 'PDF' } },
  'playbook-exports.progress': { params: { id: their.archive } },
  'playbook-exports.file': { params: { id: their.archive } },
  'playbook-shares.progress': { params: { id: their.share } },
  'incidents.get': { params: { id: their.incident } },
  'incidents.teamStatus': { params: { id: their.incident } },
  'incidents.help': { params: { id: their.incident } },
  'incidents.update': { params: { id: their.incident }, body: { title: 'Ours now' } },
  'incidents.replace': { body: { id: their.incident, title: 'Ours now' } },
  'incidents.reopen': { params: { id: their.incident }, body: { reason: 'It burns again.' } },
  'incidents.merge': {
    params: { id: their.incident },
    body: { into: crypto.randomUUID(), reason: 'The same.' },
  },
  'incidents.checkIn': { params: { id: their.incident } },
  'incident-playbooks.list': { params: { id: their.incident } },
  'incident-playbooks.use': { params: { id: their.playbook } },
  'incident-playbooks.taskUse': { params: { id: their.playbook } },
  'incident-playbooks.add': { params: { id: their.incident }, body: { playbookId: crypto.randomUUID() } },
  'incident-playbooks.decide': {
    params: { id: their.incident, conditionId: crypto.randomUUID() },
    body: { answer: 'APPLIES' },
  },
  'incident-playbooks.roles': { params: { id: their.incident } },
  'incident-timeline.list': { params: { id: their.incident } },
  'incident-timeline.filters': { params: { id: their.incident } },
  'incident-timeline.add': { params: { id: their.incident }, body: { text: 'Ours now' } },
  'incident-timeline.update': {
    params: { id: their.entry },
    body: { text: 'Ours now', happenedTimestamp: new Date().toISOString(), version: 1 },
  },
  'incident-timeline.remove': { params: { id: their.entry } },
  'incident-timeline.history': { params: { id: their.entry } },
  'incident-decisions.list': { params: { id: their.incident } },
  'incident-decisions.propose': {
    params: { id: their.incident },
    body: { title: 'Ours now', decider: admin.email },
  },
  'incident-decisions.update': {
    params: { id: their.decision },
    body: { title: 'Ours now', decider: admin.email, version: 1 },
  },
  'incident-decisions.confirm': {
    params: { id: their.decision },
    body: { decision: 'Ours now', version: 1 },
  },
  'incident-kinds.update': { params: { id: their.incidentKind }, body: { name: 'Ours now' } },
  'incident-kinds.remove': { params: { id: their.incidentKind } },
  'incident-fields.update': { params: { id: their.incidentField }, body: { label: 'Ours now' } },
  'incident-fields.remove': { params: { id: their.incidentField } },
  'incident-roles.update': { params: { id: their.role }, body: { name: 'Ours now' } },
  'incident-roles.remove': { params: { id: their.role } },
  'incident-roles.command': { params: { id: their.incident } },
  'incident-roles.handOver': {
    params: { id: their.incident, roleId: their.role },
    body: { holder: admin.email },
  },
  'incident-roles.release': {
    params: { id: their.incident, roleId: their.role },
    body: { heldBy: their.owner.email },
  },
  'incident-roles.holdings': { params: { id: their.incident } },
  'incident-roles.setNextUpdate': { params: { id: their.incident }, body: { dueTimestamp: null } },
  'duties.update': { params: { id: their.duty }, body: { name: 'Theirs', hours: 24 } },
  'duties.remove': { params: { id: their.duty } },
  'duties.clocks': { params: { id: their.incident } },
  'duties.start': {
    params: { id: their.incident },
    body: { awareTimestamp: new Date().toISOString(), dutyIds: [their.duty] },
  },
  'duties.change': { params: { id: their.dutyClock }, body: { draft: '<p>Mine</p>', version: 1 } },
  'duties.file': {
    params: { id: their.dutyClock },
    body: { filedTimestamp: new Date().toISOString(), reference: '1', version: 1 },
  },
  'duties.setAside': { params: { id: their.dutyClock }, body: { reason: 'No', version: 1 } },
  'duties.resume': { params: { id: their.dutyClock }, body: { version: 1 } },
  'follow-ups.ofIncident': { params: { id: their.incident } },
  'follow-ups.create': { params: { id: their.incident }, body: aFollowUp('ana@company.example') },
  'follow-ups.update': {
    params: { id: their.followUp },
    body: { ...aFollowUp('ana@company.example'), version: 1 },
  },
  'follow-ups.finish': { params: { id: their.followUp }, body: { isDone: true, version: 1 } },
  'situation-reports.list': { params: { id: their.incident } },
  'situation-reports.get': { params: { id: their.situation } },
  'situation-reports.create': { params: { id: their.incident }, body: {} },
  'situation-reports.update': {
    params: { id: their.situation },
    body: { content: '<p>Ours now</p>', version: 1 },
  },
  'situation-reports.publish': { params: { id: their.situation }, body: { version: 1 } },
  'situation-reports.approve': { params: { id: their.situation }, body: { version: 1 } },
  'situation-reports.sendBack': { params: { id: their.situation }, body: { reason: 'No', version: 1 } },
  'situation-reports.remove': { params: { id: their.situation } },
  'stakeholder-links.list': { params: { id: their.incident } },
  'stakeholder-links.create': { params: { id: their.incident }, body: { label: 'Ours now', days: 7 } },
  'stakeholder-links.withdraw': { params: { id: their.stakeholderLink } },
  'confirmations.list': { query: { place: 'INCIDENT', id: their.incident } },
  'confirmations.request': { body: { subject: 'MESSAGE', id: their.message } },
  'confirmations.confirm': { params: { id: their.confirmation } },
  'confirmations.people': { params: { id: their.confirmation } },
  'confirmations.remind': { params: { id: their.confirmation } },
  'incident-nudges.nudge': { params: { id: their.incident }, body: { channel: 'MESSAGE' } },
  'incident-reports.file': { params: { id: their.incident } },
  'incident-reports.request': { params: { id: their.incident } },
  'incident-reports.progress': { params: { id: their.report } },
  'incident-reports.requested': { params: { id: their.report } },
  'incidents.addActivity': { params: { id: their.incident }, body: { title: 'Task', description: 'Text' } },
  'incidents.updateActivity': { params: { id: their.activity }, body: { title: 'Ours now' } },
  'incidents.assign': {
    params: { id: their.incident },
    body: { activityIds: [their.activity], assignedTo: null },
  },
  'incidents.removeActivity': { params: { id: their.activity } },
  'incidents.history': { params: { id: their.activity } },
  'attachments.add': { params: { parentType: 'INCIDENT', parentId: their.incident }, form: aFile() },
  'attachments.addByForm': { form: aFile({ parentType: 'ACTIVITY', parentId: their.activity }) },
  'attachments.list': { params: { parentType: 'ACTIVITY', parentId: their.activity } },
  'attachments.download': { params: { id: their.file } },
  'attachments.downloadTicket': { params: { id: their.file } },
  'attachments.remove': { params: { id: their.file } },
  'attachments.restore': { params: { id: their.file } },
  'users.get': { params: { uuid: their.owner.uuid } },
  'users.update': { params: { uuid: their.owner.uuid }, body: { firstName: 'Ours', lastName: 'Now' } },
  'users.deactivate': { params: { uuid: their.owner.uuid } },
  'users.endSessions': { params: { uuid: their.owner.uuid } },
  'users.reactivate': { params: { uuid: their.owner.uuid } },
  'users.sendPasswordReset': { params: { uuid: their.owner.uuid } },
  'users.sendActivation': { params: { uuid: their.owner.uuid } },
  'users.resetAuthenticator': { params: { uuid: their.owner.uuid } },
  'groups.get': { params: { id: their.group } },
  'groups.summary': { params: { id: their.group } },
  'groups.members': { params: { id: their.group } },
  'groups.update': { params: { id: their.group }, body: { name: 'Ours now', userIds: [admin.email] } },
  'groups.remove': { params: { id: their.group } },
  'groups.restore': { params: { id: their.group } },
  'imports.get': { params: { id: their.importing } },
  'imports.rows': { params: { id: their.importing } },
  'imports.export': { params: { id: their.importing } },
  'imports.undo': { params: { id: their.importing } },
  'contacts.remove': { params: { id: their.contact } },
  'contacts.removeList': { params: { name: 'Theirs' } },
  'contacts.restore': { params: { id: their.contact } },
  'contacts.restoreList': { params: { name: 'Theirs' } },
  'notification-templates.update': {
    params: { id: their.template },
    body: { title: 'Ours now', level: 'LOW' },
  },
  'notification-templates.remove': { params: { id: their.template } },
  'mass-notifications.get': { params: { id: their.sent } },
  'mass-notifications.recipients': { params: { id: their.sent } },
  'mass-notifications.personMessages': { params: { id: their.sent, person: '0' } },
  'mass-notifications.recipientsFile': { params: { id: their.sent } },
  'mass-notifications.respondents': { params: { id: their.sent } },
  'mass-notifications.answerOnBehalf': {
    params: { id: their.sent },
    body: { person: 0, answer: 0, reason: 'By telephone' },
  },
  'mass-notifications.closeQuestion': { params: { id: their.sent } },
  'suppressions.lift': { params: { id: their.suppression }, body: { reason: 'Ours now' } },
  'notification-approvals.get': { params: { id: their.approval } },
  'notification-approvals.approve': { params: { id: their.approval } },
  'notification-approvals.refuse': { params: { id: their.approval }, body: { reason: 'No' } },
  'notification-approvals.withdraw': { params: { id: their.approval } },
  'mass-notifications.escalation': { params: { id: their.sent } },
  'mass-notifications.stopEscalation': { params: { id: their.sent } },
  'readiness.testGroups': { params: { id: their.test } },
  'mass-notifications.correct': { params: { id: their.sent }, body: { text: 'Ours now' } },
  'mass-notifications.aboutIncident': { params: { id: their.incident } },
  'mass-notifications.cancel': { params: { id: their.sent } },
  'chat.room': { params: { id: their.room } },
  'chat.openIncidentRoom': { params: { id: their.incident } },
  'chat.updateRoom': { params: { id: their.room }, body: { name: 'Ours now' } },
  'chat.removeRoom': { params: { id: their.room } },
  'chat.hideRoom': { params: { id: their.room } },
  'chat.leaveRoom': { params: { id: their.room } },
  'chat.returnToRoom': { params: { id: their.room } },
  'chat.readRoom': { params: { id: their.room }, body: { sequence: 1 } },
  'chat.unreadRoom': { params: { id: their.room }, body: { sequence: 1 } },
  'chat.changeMembership': { params: { id: their.room }, body: { isMuted: true } },
  'chat.groupsInRoom': { params: { id: their.room } },
  'chat.typeInRoom': { params: { id: their.room } },
  'chat.members': { params: { id: their.room } },
  'chat.addMembers': { params: { id: their.room }, body: { userIds: [admin.uuid] } },
  'chat.changeRole': {
    params: { id: their.room, uuid: their.helper },
    body: { role: 'channel_admin' },
  },
  'chat.removeMember': { params: { id: their.room, uuid: their.helper } },
  'chat.messages': { params: { id: their.room } },
  'chat.message': { params: { id: their.message } },
  'chat.sendMessage': {
    params: { id: their.room },
    body: { clientId: '00000000-0000-4000-8000-000000000000', text: '<p>Ours now</p>' },
  },
  'chat.editMessage': { params: { id: their.message }, body: { text: '<p>Ours now</p>' } },
  'chat.removeMessage': { params: { id: their.message } },
  'chat.react': { params: { id: their.message, emoji: '👍' } },
  'chat.unreact': { params: { id: their.message, emoji: '👍' } },
  'chat.pin': { params: { id: their.message } },
  'chat.unpin': { params: { id: their.message } },
  'chat.saveMessage': { params: { id: their.message }, body: {} },
  'chat.unsaveMessage': { params: { id: their.message } },
  'chat.thread': { params: { id: their.message } },
  'chat.scheduleMessage': {
    params: { id: their.room },
    body: { clientId: their.scheduled, text: '<p>Ours now</p>', sendAt: their.sendAt },
  },
  'chat.changeScheduled': { params: { id: their.scheduled }, body: { version: 1 } },
  'chat.sendScheduled': { params: { id: their.scheduled } },
  'chat.cancelScheduled': { params: { id: their.scheduled } },
  'chat.readThread': { params: { id: their.message }, body: { sequence: 1 } },
  'chat.addToIncident': {
    params: { id: their.message },
    body: { incidentId: their.incident, type: 'UPDATE' },
  },
  'chat.pinned': { params: { id: their.room } },
  'chat.readers': { params: { id: their.message } },
  'chat.hostedMentions': { params: { id: their.room }, body: { messageId: their.message } },
  'chat.readHostedMentions': { params: { id: their.room }, body: { until: new Date().toISOString() } },
  'chat.files': { params: { id: their.room } },
  'chat.fileInfo': { params: { id: their.inRoom } },
  'chat.file': { params: { id: their.inRoom } },
  'chat.fileTicket': { params: { id: their.inRoom } },
  'chat.removeFile': { params: { id: their.inRoom } },
  'channels.members': { body: { type: 'team', id: their.room } },
  'channels.update': { params: { type: 'team', id: their.room }, body: { set: { name: 'Ours now' } } },
  'channels.changeMembers': { params: { type: 'team', id: their.room }, body: { add_members: [admin.uuid] } },
  'channels.remove': { params: { type: 'team', id: their.room } },
  'calls.start': { body: { roomId: their.room, participantId: crypto.randomUUID() } },
  'calls.startInIncident': {
    params: { id: their.incident },
    body: { participantId: crypto.randomUUID() },
  },
  'calls.one': { params: { id: their.call } },
  'calls.join': { params: { id: their.call }, body: { participantId: crypto.randomUUID() } },
  'calls.leave': { params: { id: their.call, participantId: their.participant } },
  'calls.ring': { params: { id: their.call }, body: { who: 'EVERYBODY' } },
  'calls.decline': { params: { id: their.call } },
  'calls.end': { params: { id: their.call } },
  'calls.dialIn': { params: { id: their.call } },
  'calls.accessToken': { query: { channelId: their.room } },
  'calls.callDetails': { params: { id: their.room } },
  'channels.addModerator': { body: { channelId: their.room, moderatorIds: [their.helper] } },
  'channels.demoteModerator': { body: { channelId: their.room, moderatorIds: [their.helper] } },
  'channels.mark': { params: { id: their.room, isPrivileged: 'true' } },
  'room-exports.request': { body: { id: their.room, type: 'team', ...their.span } },
  'room-exports.progress': { params: { id: their.exported } },
  'room-exports.file': { params: { id: their.exported } },
  'files.folder': { params: { id: their.folder } },
  'files.details': { params: { id: their.stored } },
  'files.star': { params: { id: their.stored }, body: { isStarred: true } },
  'files.thumbnail': { params: { id: their.stored } },
  'files.createFolder': { body: { name: 'Ours now', parentFolderId: their.folder } },
  'files.upload': { form: aFile({ parentFolderId: String(their.folder) }) },
  'files.conflicts': { params: { id: their.folder }, body: { folders: [] } },
  'files.beginUpload': { headers: uploadHeaders(String(their.folder)) },
  'files.uploadState': { params: { id: their.begun } },
  'files.continueUpload': {
    params: { id: their.begun },
    headers: { ...TUS, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
    raw: 'Ours now',
  },
  'files.endUpload': { params: { id: their.begun } },
  'files.download': { params: { id: their.stored } },
  'files.change': { params: { id: their.folder }, body: { name: 'Ours now' } },
  'files.remove': { params: { id: their.folder } },
  'files.move': { body: { ids: [their.stored], parentFolderId: 0 } },
  'files.copy': { body: { ids: [their.stored], parentFolderId: 0 } },
  'files.readers': { params: { id: their.stored } },
  'files.events': { params: { id: their.stored } },
  'files.hold': { params: { id: their.folder }, body: { isOnHold: true } },
  'files.versions': { params: { id: their.stored } },
  'files.downloadVersion': { params: { id: their.stored, fileVersion: 1 } },
  'files.restoreVersion': { params: { id: their.stored, fileVersion: 1 } },
  'files.restore': { params: { id: their.trashed } },
  'files.purge': { params: { id: their.trashed } },
  'files.preview': { params: { id: their.stored }, body: {} },
  'files.downloadTicket': { params: { id: their.stored }, body: {} },
  'files.archiveTicket': { body: { ids: [their.stored] } },
  'file-links.create': {
    body: { itemId: their.stored, direction: 'DOWN', label: 'Ours now', days: 1 },
  },
  'file-links.withdraw': { params: { id: their.link } },
  'notifications.read': { params: { id: their.notification } },
  'api-keys.remove': { params: { id: their.key } },
  'declarations.update': { params: { id: their.source }, body: { name: 'Ours now', form: 'JSON' } },
  'declarations.remove': { params: { id: their.source } },
  'declarations.calls': { params: { id: their.source } },
  'webhooks.update': {
    params: { id: their.webhook },
    body: { name: 'Ours now', url: 'https://hooks.example/ours', events: ['incident.resolved'] },
  },
  'webhooks.remove': { params: { id: their.webhook } },
  'webhooks.deliveries': { params: { id: their.webhook } },
  'webhooks.test': { params: { id: their.webhook } },
  'webhooks.resend': { params: { id: their.webhook, deliveryId: their.webhook } },
  'account.signOutDevice': { params: { id: their.owner.sessionId } },
}
const PUBLIC_PARAMS = [
  'files.content',
  'file-links.download',
  'file-links.preview',
  'file-links.content',
  'attachments.content',
  'chat.fileContent',
  'config.forEverybody',
  'account.picture',
  'welcome.get',
  'welcome.save',
  'welcome.renew',
]

const endpoints = Object.entries(APIS).flatMap(([noun, api]) =>
  Object.entries(api).map(([name, endpoint]) => ({
    name: `${noun}.${name}`,
    endpoint,
  })),
)
const guarded = endpoints.filter(({ endpoint }) => endpoint.access.realm !== 'public')
const anyParams = {
  conditionId: crypto.randomUUID(),
  roleId: crypto.randomUUID(),
  id: '00000000-0000-4000-8000-000000000000',
  uuid: '00000000-0000-4000-8000-000000000000',
  code: 'none',
  uid: 'none',
  name: 'Nobody',
  parentType: 'INCIDENT',
  parentId: '00000000-0000-4000-8000-000000000000',
  type: 'team',
  emoji: '👍',
  isPrivileged: 'true',
  version: '1',
  editorId: '00000000-0000-4000-8000-000000000000',
}
/** Ids of files are numbers. */
const paramsFor = ({ path }: Endpoint) =>
  path.startsWith('/sfs/') && !/^\/sfs\/(uploads|links)/.test(path)
    ? { ...anyParams, id: 1, fileVersion: 1 }
    : anyParams
const queryText = ({ query }: RequestParts) => (query ? `?${new URLSearchParams(query).toString()}` : '')
const ask = (endpoint: Endpoint, headers: Record<string, string>, more: RequestParts = {}) =>
  muster.send(
    endpoint.method,
    `${pathOf(endpoint, { ...paramsFor(endpoint), ...more.params })}${queryText(more)}`,
    {
      headers: { ...headers, ...more.headers },
      ...(more.body === undefined ? {} : { body: more.body }),
      ...(more.form === undefined ? {} : { raw: more.form }),
      ...(more.raw === undefined ? {} : { raw: more.raw }),
    },
  )

function isProblem(reply: { body: unknown; text: string }): void {
  expect(Problem.safeParse(reply.body).success, reply.text).toBe(true)
  expect(reply.text).not.toMatch(/node_modules|\.ts:\d+|at Object|SELECT|select /)
}

describe.each(guarded)('$name', ({ name, endpoint }) => {
  test('is refused without a session', async () => {
    const reply = await ask(
      endpoint,
      { 'Enterprise-Code': ours.code },
      { body: endpoint.body ? {} : undefined },
    )
    expect(reply.status).toBe(401)
    isProblem(reply)
  })

  const refused = callers.filter((caller) => !allows(endpoint.access, caller.access))
  if (refused.length > 0)
    test('is refused without the permission, before the input is looked at', async () => {
      for (const caller of refused) {
        const reply = await ask(endpoint, caller.headers, { body: endpoint.body ? [] : undefined })
        expect(reply.status, caller.name).toBe(403)
        isProblem(reply)
      }
    })

  const takesInput = endpoint.params || (endpoint.body && isJson(endpoint.body))
  if (takesInput)
    test('is refused with input of the wrong shape', async () => {
      const allowed = callers.find((caller) => allows(endpoint.access, caller.access))!
      const replies = []
      if (endpoint.params)
        replies.push(
          await ask(endpoint, allowed.headers, {
            params: {
              id: "'; drop",
              uuid: 'x',
              parentType: 'PERSON',
              parentId: "'; drop",
              name: 'x'.repeat(256),
              headings: 'x'.repeat(65),
              conditionId: 'x',
              roleId: 'x',
            },
            body: endpoint.body ? {} : undefined,
          }),
        )
      if (endpoint.body && isJson(endpoint.body)) {
        for (const body of [[], 'text', 7, null]) replies.push(await ask(endpoint, allowed.headers, { body }))
        const path = pathOf(endpoint, paramsFor(endpoint))
        const headers = { ...allowed.headers, 'Content-Type': 'application/json' }
        const malformed = await muster.send(endpoint.method, path, { headers, raw: '{"title": "unfinished' })
        expect(malformed.body.code).toBe('invalid_json')
        replies.push(malformed)
        const otherType = await muster.send(endpoint.method, path, {
          headers: { ...allowed.headers, 'Content-Type': 'text/xml' },
          raw: '<a/>',
        })
        expect(otherType.status).toBe(415)
        isProblem(otherType)
      }
      for (const reply of replies) {
        expect(reply.status, reply.text).toBe(400)
        isProblem(reply)
      }
    })

  const namesRecord = /\/:(id|uuid|parentId)/.test(endpoint.path) || name in RECORDS
  if (namesRecord)
    test("does not find another organisation's record", async () => {
      const record = RECORDS[name]
      expect(record, `${name} names a record: give it a line in RECORDS`).toBeDefined()
      const allowed = callers.find((caller) => allows(endpoint.access, caller.access))!
      const reply = await ask(endpoint, allowed.headers, record)
      expect(reply.status, reply.text).toBe(404)
      isProblem(reply)
    })
})

test('nothing of the other organisation was changed by any of this', async () => {
  const incident = await their.owner.get(`/incident/${their.incident}`)
  expect(incident.body).toMatchObject({ title: 'Theirs', isActive: true, checkIns: [], version: 1 })
  expect(incident.body.activities).toHaveLength(1)
  expect(incident.body.activities[0]).toMatchObject({ title: 'Task', version: 1 })
  const users = await their.owner.get('/useradmin/users')
  expect(users.body).toHaveLength(3)
  expect(users.body.find(({ uuid }: { uuid: string }) => uuid === their.owner.uuid)).toMatchObject({
    firstName: 'Ana',
    active: true,
  })
  expect((await their.owner.get('/apiManagement/credentials')).body).toHaveLength(1)
  expect((await their.owner.get('/useradmin/groups')).body).toMatchObject([{ name: 'Theirs', version: 1 }])
  expect((await their.owner.get('/contact/lists')).body).toEqual([{ name: 'Theirs', count: 1 }])
  expect((await their.owner.get('/massNotification/templates')).body).toMatchObject([
    { title: 'Theirs', version: 1 },
  ])
  expect((await their.owner.get('/playbook/categories')).body).toMatchObject([
    { name: 'Theirs', version: 1, playbooks: [{ id: their.playbook, name: 'Theirs', version: 1 }] },
  ])
  expect((await their.owner.get('/massNotification/history')).body).toHaveLength(2)
  expect((await their.owner.get(`/chat/rooms/${their.room}`)).body).toMatchObject({
    name: 'Theirs',
    member_count: 2,
    sequence: 2,
    privileged: false,
  })
  expect((await their.owner.get(`/calls/${their.call}`)).body.attendance).toMatchObject([
    { person: { uuid: their.owner.uuid } },
  ])
  expect((await their.owner.get('/chat/scheduled')).body).toMatchObject([
    { id: their.scheduled, text: '<p>Later</p>', version: 1 },
  ])
  expect((await their.owner.get(`/chat/messages/${their.message}`)).body.message).toMatchObject({
    text: '<p>Secret</p>',
    reactions: [],
    pinned: null,
    attachments: [{ id: their.inRoom }],
  })
})

test('every endpoint that names a record is either guarded or known to be public', () => {
  const unknown = endpoints.filter(
    ({ name, endpoint }) =>
      endpoint.access.realm === 'public' && endpoint.params && !PUBLIC_PARAMS.includes(name),
  )
  expect(unknown).toEqual([])
})

describe('the edges of the interface', () => {
  test('a body over the limit is refused before it is read whole', async () => {
    const headers = { ...admin.headers, 'Content-Type': 'application/json' }
    const reply = await muster.send('POST', '/incident', {
      headers,
      raw: `{"title":"${'x'.repeat(11 * 1024 * 1024)}"}`,
    })
    expect(reply.status).toBe(413)
    isProblem(reply)
  })

  test('what does not exist is a problem, not a page', async () => {
    const reply = await muster.send('GET', '/no-such-call', { headers: admin.headers })
    expect(reply.status).toBe(404)
    isProblem(reply)
  })

  test.each([
    ['a session of another organisation', () => ({ ...admin.headers, 'Enterprise-Code': theirs.code })],
    ['a session without the organisation', () => ({ Authorization: admin.headers['Authorization']! })],
    [
      'a changed signature',
      () => ({ ...admin.headers, Authorization: `${admin.headers['Authorization']!.slice(0, -4)}AAAA` }),
    ],
    ['no token at all', () => ({ ...admin.headers, Authorization: 'Bearer' })],
    [
      'an unsigned token',
      () => ({ ...admin.headers, Authorization: `Bearer ${btoa('{"alg":"none"}')}.${btoa('{"sub":"x"}')}.` }),
    ],
    [
      'an API key that nobody issued',
      () => ({ 'X-Api-Key': `${(issued.body.key as string).slice(0, -3)}xyz` }),
    ],
    [
      "an API key with another organisation's code",
      () => ({ ...keyHeaders, 'Enterprise-Code': theirs.code }),
    ],
  ])('%s is 401', async (_, headers) => {
    const reply = await muster.send('GET', '/incident', { headers: headers() })
    expect(reply.status).toBe(401)
    isProblem(reply)
  })

  test('every answer carries a request id of its own', async () => {
    const ids = [await admin.get('/me'), await admin.get('/me')].map((reply) =>
      reply.headers.get('x-request-id'),
    )
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(ids[0]).not.toBe(ids[1])
  })
})
