import type { Me } from '#contract/incidents/rules.ts'
import { has, type Permission, personWith } from '#contract/kit/access.ts'

import type { ParentType } from './schema.ts'

const INCIDENTS = {
  read: ['incidents-read-only', 'incidents-full-access'],
  write: ['incidents-full-access'],
} as const
const PLAYBOOKS = {
  read: ['playbook-read-only', 'playbook-full-access'],
  write: ['playbook-full-access'],
} as const
/** Any one of these permissions gives access to the attachment endpoints. */
export const FILE_PERMISSIONS = {
  read: [...INCIDENTS.read, ...PLAYBOOKS.read],
  write: [...INCIDENTS.write, ...PLAYBOOKS.write],
} as const satisfies { [act: string]: readonly Permission[] }
/** Tickets are for the sessions of browsers; API keys send their header with the download. */
export const attachmentsAccess = { downloadTicket: personWith(...FILE_PERMISSIONS.read) } as const
/** Any one of these permissions suffices, by type of the parent (operations §6). */
export const fileAccess = (parentType: ParentType, act: 'read' | 'write') =>
  has(...(parentType === 'PLAYBOOK' ? PLAYBOOKS : INCIDENTS)[act])

interface State {
  readonly isActive: boolean
}

export const attachmentCan = {
  /** Everybody who may change incidents, while the incident is active (operations §4, decisions §6). */
  add: (incident: State, me: Me): boolean => incident.isActive && me.role !== 'BUSINESS_USER',
  /**
   * The uploader, the person who declared the incident, or an administrator, while the incident is active. Others rely
   * on the files, and a resolved incident stays unchanged (operations §4).
   */
  remove: (
    attachment: { readonly createdBy: string },
    me: Me,
    incident: State & { readonly createdBy: string },
  ): boolean =>
    incident.isActive &&
    me.role !== 'BUSINESS_USER' &&
    (me.role === 'ADMIN' || attachment.createdBy === me.email || incident.createdBy === me.email),
}
