import { describe, expect, test } from 'vitest'

import { type Endpoint, isJson, pathOf } from '#contract/kit/endpoint.ts'
import { registryApi } from '#contract/organisations/api.ts'
import { APIS, MANAGEMENT_APIS } from '#server/nouns.ts'

import { startTestServer } from '../support/server.ts'

/*
 * Who may make which call, said here literally and asked of the running server. A rule that changes by mistake, or a
 * handler that no longer asks it, fails here; so does an endpoint that the table lacks.
 *
 * - everyone: nobody has to sign in
 * - signed in: every person of the organisation, external people too; no API key
 * - reader: everybody who may see incidents
 * - otherwise the roles, `external` for external people, `key` for API keys, `staff` for the provider's people in the console
 *
 * The calls of the console and of the registry have tables of their own below.
 *
 * All toggles of the organisation are on.
 */
const WHO = {
  everyone: 'nobody admin manager user business external key staff',
  'signed in': 'admin manager user business external',
  'reading person': 'admin manager user business external',
  reader: 'admin manager user business external key',
  worker: 'admin manager user key',
  'working person': 'admin manager user',
  inside: 'admin manager user business',
  'admin, key': 'admin key',
  admin: 'admin',
  'admin, manager': 'admin manager',
  'playbook reader': 'admin manager user business key',
  'playbook reading person': 'admin manager user business',
  staff: 'staff',
} as const

const MAY: { readonly [endpoint: string]: keyof typeof WHO } = {
  'sessions.signIn': 'everyone',
  'sessions.confirm': 'everyone',
  'sessions.resend': 'everyone',
  'sessions.initQR': 'everyone',
  'sessions.refresh': 'everyone',
  'sessions.signOut': 'signed in',
  'sessions.forgotPassword': 'everyone',
  'sessions.remindOrgCode': 'everyone',
  'sessions.checkPasswordLink': 'everyone',
  'sessions.changePassword': 'everyone',
  'sessions.me': 'signed in',
  'verifications.state': 'signed in',
  'verifications.begin': 'signed in',
  'verifications.initQR': 'signed in',
  'verifications.confirm': 'signed in',
  'verifications.renewRecoveryCodes': 'signed in',
  'verifications.removeAuthenticator': 'signed in',
  'account.update': 'signed in',
  'account.changePassword': 'signed in',
  'account.devices': 'signed in',
  'account.signOutDevice': 'signed in',
  'account.signOutOthers': 'signed in',
  'account.previewPicture': 'signed in',
  'account.savePicture': 'signed in',
  'account.removePicture': 'signed in',
  'account.picture': 'everyone',
  'config.forEverybody': 'everyone',
  'config.forPeople': 'signed in',
  'config-items.list': 'admin',
  'config-items.update': 'admin',
  'dashboard.get': 'worker',
  'dashboard.asked': 'working person',
  'incidents.list': 'reader',
  'incidents.get': 'reader',
  'incidents.teamStatus': 'reader',
  'incidents.create': 'worker',
  'incidents.createWithActivities': 'worker',
  'incidents.update': 'worker',
  'incidents.replace': 'worker',
  'incidents.checkIn': 'signed in',
  'incidents.addActivity': 'worker',
  'incidents.updateActivity': 'worker',
  'incidents.removeActivity': 'worker',
  'incidents.history': 'reader',
  'incidents.activityTimestamps': 'reader',
  'incident-playbooks.list': 'reader',
  // Whether the caller may read playbooks is for the handler.
  'incident-playbooks.add': 'worker',
  'incident-reports.file': 'reader',
  'incident-reports.request': 'reader',
  'incident-reports.progress': 'reader',
  'incident-reports.requested': 'reader',
  'attachments.add': 'worker',
  'attachments.addByForm': 'worker',
  'attachments.list': 'reader',
  'attachments.download': 'reader',
  'attachments.downloadTicket': 'reading person',
  'attachments.content': 'everyone',
  'attachments.remove': 'worker',
  'notifications.list': 'signed in',
  'notifications.read': 'signed in',
  'notifications.readAll': 'signed in',
  'features.badges': 'signed in',
  'features.requestUpgrade': 'signed in',
  'organisations.children': 'admin, manager',
  'users.directory': 'signed in',
  'users.search': 'signed in',
  'users.named': 'signed in',
  'users.list': 'admin',
  'users.get': 'admin',
  'users.create': 'admin',
  'users.import': 'admin',
  'users.existing': 'admin',
  'users.deactivateSeveral': 'admin',
  'users.sendActivationSeveral': 'admin',
  'users.changeRoleSeveral': 'admin',
  'users.update': 'admin',
  'users.deactivate': 'admin',
  'users.reactivate': 'admin',
  'users.sendPasswordReset': 'admin',
  'users.sendActivation': 'admin',
  'users.resetAuthenticator': 'admin',
  'users.endSessions': 'admin',
  'users.roles': 'admin',
  'groups.list': 'admin',
  'groups.get': 'admin',
  'groups.summary': 'admin',
  'groups.members': 'admin',
  'groups.create': 'admin',
  'groups.update': 'admin',
  'groups.remove': 'admin',
  'groups.options': 'worker',
  'groups.all': 'worker',
  'groups.mine': 'worker',
  'playbooks.list': 'playbook reader',
  'playbooks.get': 'playbook reader',
  'playbooks.versions': 'playbook reader',
  'playbooks.version': 'playbook reader',
  'playbooks.create': 'admin, manager',
  'playbooks.update': 'admin, manager',
  'playbooks.changeCategory': 'admin, manager',
  'playbooks.remove': 'admin, manager',
  'playbooks.restore': 'admin, manager',
  'playbooks.editing': 'admin, manager',
  'playbooks.doneEditing': 'admin, manager',
  'playbook-categories.list': 'playbook reader',
  'playbook-categories.create': 'admin, manager',
  'playbook-categories.update': 'admin, manager',
  'playbook-categories.remove': 'admin, manager',
  'playbook-exports.document': 'playbook reader',
  'playbook-exports.source': 'playbook reader',
  'playbook-exports.archive': 'playbook reader',
  'playbook-exports.request': 'playbook reading person',
  'playbook-exports.progress': 'playbook reading person',
  'playbook-exports.file': 'playbook reading person',
  'playbook-imports.starters': 'admin, manager',
  'playbook-imports.preview': 'admin, manager',
  'playbook-shares.share': 'admin, manager',
  'playbook-shares.progress': 'admin, manager',
  'api-keys.list': 'admin',
  'api-keys.create': 'admin',
  'api-keys.remove': 'admin',
  'contacts.add': 'admin, key',
  'contacts.lists': 'admin, key',
  'contacts.asMap': 'admin, key',
  'contacts.asList': 'admin, key',
  'contacts.remove': 'admin, key',
  'contacts.removeList': 'admin, key',
  'notification-templates.list': 'admin, key',
  'notification-templates.create': 'admin, key',
  'notification-templates.update': 'admin, key',
  'notification-templates.remove': 'admin, key',
  'mass-notifications.dashboard': 'admin, key',
  'mass-notifications.send': 'admin, key',
  'mass-notifications.groups': 'admin, key',
  'mass-notifications.members': 'admin, key',
  'mass-notifications.contacts': 'admin, key',
  'mass-notifications.reach': 'admin, key',
  'mass-notifications.list': 'admin, key',
  'mass-notifications.get': 'admin, key',
  'mass-notifications.recipients': 'admin, key',
  'mass-notifications.recipientsFile': 'admin, key',
  'audit-log.list': 'admin',
  'audit-log.choices': 'admin',
  'audit-log.export': 'admin',
  'audit-log.check': 'admin',
  'audit-log.get': 'admin',
  'chat.summary': 'signed in',
  'chat.changes': 'signed in',
  'chat.rooms': 'signed in',
  'chat.room': 'signed in',
  'chat.createRoom': 'signed in',
  'chat.updateRoom': 'signed in',
  'chat.removeRoom': 'signed in',
  'chat.hideRoom': 'signed in',
  'chat.leaveRoom': 'signed in',
  'chat.readRoom': 'signed in',
  'chat.typeInRoom': 'signed in',
  'chat.members': 'signed in',
  'chat.addMembers': 'signed in',
  'chat.changeRole': 'signed in',
  'chat.removeMember': 'signed in',
  'chat.messages': 'signed in',
  'chat.message': 'signed in',
  'chat.sendMessage': 'signed in',
  'chat.editMessage': 'signed in',
  'chat.removeMessage': 'signed in',
  'chat.react': 'signed in',
  'chat.unreact': 'signed in',
  'chat.pin': 'signed in',
  'chat.unpin': 'signed in',
  'chat.addToIncident': 'working person',
  'chat.pinned': 'signed in',
  'chat.readers': 'signed in',
  'chat.search': 'signed in',
  'chat.presence': 'signed in',
  'chat.files': 'signed in',
  'chat.upload': 'signed in',
  'chat.fileInfo': 'signed in',
  'chat.file': 'signed in',
  'chat.fileTicket': 'signed in',
  'chat.fileContent': 'everyone',
  'chat.removeFile': 'signed in',
  'calls.start': 'signed in',
  'calls.startInIncident': 'signed in',
  'calls.incoming': 'signed in',
  'calls.one': 'signed in',
  'calls.join': 'signed in',
  'calls.leave': 'signed in',
  'calls.ring': 'signed in',
  'calls.decline': 'signed in',
  'calls.end': 'signed in',
  'calls.dialIn': 'signed in',
  'calls.accessToken': 'signed in',
  'calls.callDetails': 'signed in',
  'channels.list': 'admin',
  'channels.members': 'admin',
  'channels.update': 'admin',
  'channels.changeMembers': 'admin',
  'channels.remove': 'admin',
  'channels.accessToken': 'signed in',
  'channels.addModerator': 'signed in',
  'channels.demoteModerator': 'signed in',
  'channels.mark': 'signed in',
  'room-exports.request': 'signed in',
  'room-exports.progress': 'signed in',
  'room-exports.file': 'signed in',
  'files.tree': 'inside',
  'files.folder': 'inside',
  'files.details': 'inside',
  'files.search': 'inside',
  'files.createFolder': 'inside',
  'files.upload': 'inside',
  'files.uploads': 'inside',
  'files.beginUpload': 'inside',
  'files.uploadState': 'inside',
  'files.continueUpload': 'inside',
  'files.endUpload': 'inside',
  'files.download': 'inside',
  'files.change': 'inside',
  'files.remove': 'inside',
  'files.move': 'inside',
  'files.archive': 'inside',
  'files.readers': 'inside',
  'files.events': 'admin',
  'files.hold': 'admin',
  'files.versions': 'inside',
  'files.downloadVersion': 'inside',
  'files.restoreVersion': 'inside',
  'files.trash': 'inside',
  'files.restore': 'inside',
  'files.purge': 'admin',
  'files.preview': 'inside',
  'files.downloadTicket': 'inside',
  'files.archiveTicket': 'inside',
  'files.content': 'everyone',
  'live.ticket': 'signed in',
  'welcome.get': 'everyone',
  'welcome.save': 'everyone',
  'welcome.renew': 'everyone',
}

/** Who may make which call of the console: its staff, or everybody before they sign in. */
const CONSOLE_MAY: { readonly [endpoint: string]: 'everyone' | 'staff' } = {
  'staff.environments': 'everyone',
  'staff.login': 'everyone',
  'staff.session': 'everyone',
  'staff.ticket': 'staff',
  'staff.logout': 'staff',
  'staff.me': 'staff',
  'staff.list': 'staff',
  'staff.invite': 'staff',
  'staff.remove': 'staff',
  'config-items.listGlobal': 'staff',
  'config-items.updateGlobal': 'staff',
  'config-items.revertGlobal': 'staff',
  'config-items.listEnterprise': 'staff',
  'config-items.updateEnterprise': 'staff',
  'welcome.get': 'staff',
  'welcome.send': 'staff',
  'welcome.withdraw': 'staff',
  'welcome.retry': 'staff',
  'managed-organisations.list': 'staff',
  'managed-organisations.deletions': 'staff',
  'managed-organisations.get': 'staff',
  'managed-organisations.create': 'staff',
  'managed-organisations.update': 'staff',
  'managed-organisations.remove': 'staff',
  'managed-organisations.retryDeletion': 'staff',
  'managed-organisations.clear': 'staff',
  'managed-organisations.credentials': 'staff',
  'managed-organisations.addCredentials': 'staff',
  'organisation-access.current': 'staff',
  'organisation-access.grant': 'staff',
  'managed-users.list': 'staff',
  'managed-users.get': 'staff',
  'managed-users.create': 'staff',
  'managed-users.import': 'staff',
  'managed-users.existing': 'staff',
  'managed-users.update': 'staff',
  'managed-users.deactivate': 'staff',
  'managed-users.reactivate': 'staff',
  'managed-users.ban': 'staff',
  'managed-users.unban': 'staff',
  'managed-users.endSessions': 'staff',
  'managed-users.sendPasswordReset': 'staff',
  'managed-users.sendActivation': 'staff',
  'managed-users.resetAuthenticator': 'staff',
  'managed-users.roles': 'staff',
  'managed-users.userRoles': 'staff',
  'managed-users.userPermissions': 'staff',
  'managed-incidents.dashboard': 'staff',
  'managed-incidents.overview': 'staff',
  'managed-incidents.list': 'staff',
  'instance.get': 'staff',
  'instance.test': 'staff',
  'provider-log.list': 'staff',
  'provider-log.choices': 'staff',
  'provider-log.export': 'staff',
  'provider-log.check': 'staff',
  'provider-log.get': 'staff',
}

/** The registry names organisations to everybody. */
const REGISTRY_MAY: { readonly [endpoint: string]: 'everyone' } = {
  'registry.base': 'everyone',
  'registry.find': 'everyone',
}

const muster = await startTestServer()
const organisation = await muster.anOrganisation({
  groupsEnabled: true,
  playbookEnabled: true,
  playbooksSharingEnabled: true,
  contactsAndMassNotificationsEnabled: true,
})
await muster.anOrganisation({}, { parentId: organisation.id })
const admin = await muster.signedInAs(organisation, 'ADMIN')
const issued = await admin.post('/apiManagement/credentials', { name: 'Access' })

/** Headers of somebody of a kind; of people a session of its own, which the call may end. */
const HEADERS: { readonly [kind: string]: () => Promise<Record<string, string>> } = {
  nobody: async () => ({ 'Enterprise-Code': organisation.code }),
  admin: async () => (await muster.signedInAs(organisation, 'ADMIN')).headers,
  manager: async () => (await muster.signedInAs(organisation, 'PLAYBOOK_MANAGER')).headers,
  user: async () => (await muster.signedInAs(organisation, 'USER')).headers,
  business: async () => (await muster.signedInAs(organisation, 'BUSINESS_USER')).headers,
  external: async () => (await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' })).headers,
  key: async () => ({ 'X-Api-Key': issued.body.key as string }),
  staff: async () => ({
    'Enterprise-Code': organisation.code,
    ...(await muster.signedInAsStaff()).headers,
  }),
}
const params = {
  id: '00000000-0000-4000-8000-000000000000',
  uuid: '00000000-0000-4000-8000-000000000000',
  code: 'none',
  uid: 'none',
  name: 'Nobody',
  sequence: '1',
  version: '1',
  editorId: '00000000-0000-4000-8000-000000000000',
  token: 'none',
  carrier: 'none',
  databaseKey: 'none',
  parentType: 'INCIDENT',
  parentId: '00000000-0000-4000-8000-000000000000',
}
/** What a caller without credentials is told, and one whose credentials are of the other realm. */
const STRANGER = ['Please sign in.', 'Your session has ended. Please sign in again.']
const FORBIDDEN = 'You do not have permission to do this.'

/**
 * Whether a call is let in. What it is sent is malformed or names nothing, so that being let in changes nothing.
 * @param base what the paths of the call's realm begin with, below the API of organisations
 */
async function isLetIn(base: string, endpoint: Endpoint, headers: Record<string, string>): Promise<boolean> {
  const { status, body } = await muster.send(endpoint.method, base + pathOf(endpoint, params), {
    headers,
    ...(endpoint.body && isJson(endpoint.body) ? { body: [] } : {}),
  })
  const isStranger = status === 401 && STRANGER.includes(body?.message)
  // A rule of the handler's own, such as that of a verification, comes after the right to the call.
  const isForbidden = status === 403 && body?.message === FORBIDDEN
  return !isStranger && !isForbidden
}

const endpointsOf = (apis: typeof APIS) =>
  Object.entries(apis).flatMap(([noun, api]) =>
    Object.entries(api).map(([name, endpoint]) => [`${noun}.${name}`, endpoint] as const),
  )

describe.each([
  { realm: 'organisations', base: '', apis: APIS, table: MAY },
  { realm: 'the console', base: '/management-api', apis: MANAGEMENT_APIS, table: CONSOLE_MAY },
  { realm: 'the registry', base: '', apis: { registry: registryApi }, table: REGISTRY_MAY },
])('$realm', ({ base, apis, table }) => {
  const endpoints = endpointsOf(apis)

  test('the table has every endpoint, and no other', () => {
    expect(Object.keys(table).sort()).toEqual(endpoints.map(([name]) => name).sort())
  })

  test.each(endpoints)('%s is for those whom the table names', async (name, endpoint) => {
    const letIn: string[] = []
    for (const [kind, headersOf] of Object.entries(HEADERS))
      if (await isLetIn(base, endpoint, await headersOf())) letIn.push(kind)
    expect(letIn.join(' ')).toBe(WHO[table[name]!])
  })
})
