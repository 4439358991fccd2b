import type { Config } from '#contract/config/catalogue.ts'
import { type Permission, PERMISSIONS } from '#contract/kit/access.ts'
import { INVALID_NAME } from '#contract/kit/text.ts'

import {
  LAST_NAME_REQUIRED,
  type RoleOption,
  type User,
  USER_ROLES,
  type UserRole,
  type UserType,
} from './schema.ts'

interface Role {
  readonly visibleName: string
  readonly description: string
  readonly permissions: readonly Permission[]
}

const everyone = ['chats', 'incidents-read-only', 'playbook-read-only', 'sfs'] as const
const team = [...everyone, 'dashboard', 'incidents-full-access', 'groups-read-only'] as const
const planner = [...team, 'playbook-full-access', 'cross-enterprise-playbooks-sharing'] as const

/** The catalogue of roles (decisions §2). */
export const ROLES: { readonly [R in UserRole]: Role } = {
  USER: {
    visibleName: 'User',
    description: 'Works in incidents, chats, files and reads playbooks.',
    permissions: team,
  },
  ADMIN: {
    visibleName: 'Admin',
    description:
      'Does everything a user does, and administers users, groups, messaging, API keys and notifications.',
    permissions: [...planner, 'mass-notifs', 'user-admin', 'group-admin', 'chat-admin', 'customer-api-admin'],
  },
  BUSINESS_USER: {
    visibleName: 'Business User',
    description: 'Follows incidents and playbooks without changing them, and takes part in chats and files.',
    permissions: everyone,
  },
  PLAYBOOK_MANAGER: {
    visibleName: 'Playbook Manager',
    description: 'Does everything a user does, and writes and shares playbooks.',
    permissions: planner,
  },
}

/**
 * Roles that forms and imports offer. Forms keep the role of a playbook manager but do not assign it (decisions §2).
 */
export const OFFERED_ROLES = ['USER', 'ADMIN', 'BUSINESS_USER'] as const satisfies readonly UserRole[]

export const roleOption = (role: UserRole): RoleOption => ({
  role,
  visibleName: ROLES[role].visibleName,
  description: ROLES[role].description,
})

/** Description of each permission for the catalogue, and the organisation's toggle that it also needs. */
export const PERMISSION_DETAILS: {
  readonly [P in Permission]: { readonly description: string; readonly needs: string | null }
} = {
  'chat-admin': { description: 'Administers war rooms and breakout rooms with their members.', needs: null },
  chats: { description: 'Takes part in chats.', needs: null },
  'cross-enterprise-playbooks-sharing': {
    description: 'Shares playbooks with child organizations.',
    needs: 'playbooksSharingEnabled',
  },
  'customer-api-admin': { description: 'Administers API keys.', needs: null },
  dashboard: { description: 'Sees the dashboard.', needs: null },
  'group-admin': { description: 'Administers groups of users.', needs: 'groupsEnabled' },
  'groups-read-only': { description: 'Sees groups, and targets them in incidents.', needs: 'groupsEnabled' },
  'incidents-full-access': { description: 'Declares, changes and resolves incidents.', needs: null },
  'incidents-read-only': { description: 'Follows incidents.', needs: null },
  'mass-notifs': {
    description: 'Sends mass notifications, and keeps their contacts and templates.',
    needs: 'contactsAndMassNotificationsEnabled',
  },
  'playbook-full-access': { description: 'Writes and archives playbooks.', needs: 'playbookEnabled' },
  'playbook-read-only': { description: 'Reads playbooks.', needs: 'playbookEnabled' },
  sfs: { description: 'Opens secure files.', needs: null },
  'sfs-2fa': {
    description: 'Opens secure files after a second factor. Takes the place of sfs.',
    needs: 'sfs2fa',
  },
  'user-admin': { description: 'Administers users, and reads the audit log.', needs: null },
  'user-import': {
    description: 'Imports users from files, as an API key that was given this right.',
    needs: null,
  },
}

const grantedAs = (permission: Permission): Permission => (permission === 'sfs-2fa' ? 'sfs' : permission)

/** The catalogue of roles for the console. */
export const roleCatalogue = () =>
  USER_ROLES.map((role) => ({
    role,
    enumName: role,
    visibleName: ROLES[role].visibleName,
    description: ROLES[role].description,
    permissionJsonNames: [...ROLES[role].permissions].sort(),
  }))

/** The catalogue of permissions for the console. */
export const permissionCatalogue = () =>
  PERMISSIONS.map((jsonName) => ({
    jsonName,
    ...PERMISSION_DETAILS[jsonName],
    roles: USER_ROLES.filter((role) => ROLES[role].permissions.includes(grantedAs(jsonName))),
    isForExternals: EXTERNAL_PERMISSIONS.includes(jsonName),
    isForApiKeys: jsonName === USER_IMPORT || KEY_PERMISSIONS.includes(jsonName),
  }))

const EXTERNAL_PERMISSIONS: readonly Permission[] = ['chats', 'incidents-read-only']
/** Permissions of an API key (decisions §2). */
const KEY_PERMISSIONS: readonly Permission[] = [
  'dashboard',
  'incidents-full-access',
  'playbook-read-only',
  'groups-read-only',
  'mass-notifs',
]

/** The right of an API key that an administrator may give it beside the others. */
const USER_IMPORT: Permission = 'user-import'

type Toggles = Pick<Config, 'groupsEnabled' | 'playbookEnabled' | 'playbooksSharingEnabled' | 'sfs2fa'>

function toggled(permissions: readonly Permission[], config: Toggles, hasChildren: boolean): Permission[] {
  const off = (permission: Permission): boolean =>
    (permission.startsWith('group') && !config.groupsEnabled) ||
    (permission.startsWith('playbook') && !config.playbookEnabled) ||
    (permission === 'cross-enterprise-playbooks-sharing' &&
      !(config.playbookEnabled && config.playbooksSharingEnabled && hasChildren))
  return permissions
    .filter((permission) => !off(permission))
    .map((permission) => (permission === 'sfs' && config.sfs2fa ? 'sfs-2fa' : permission))
    .sort()
}

/** Permissions of a person: those of the role, except those that the organisation's toggles remove (decisions §2). */
export function permissionsOf(
  user: { role: UserRole; type: UserType },
  config: Toggles,
  hasChildren: boolean,
): Permission[] {
  const granted = user.type === 'EXTERNAL' ? EXTERNAL_PERMISSIONS : ROLES[user.role].permissions
  return toggled(granted, config, hasChildren)
}

export const permissionsOfKey = (config: Toggles, mayImportUsers = false): Permission[] =>
  toggled(mayImportUsers ? [...KEY_PERMISSIONS, USER_IMPORT] : KEY_PERMISSIONS, config, false)

export const USER_STATUSES = [
  'Archived',
  'Active',
  'Has Set Password',
  'Sent Activation Email',
  'Uninitialized',
] as const
export type UserStatus = (typeof USER_STATUSES)[number]

/** The display status: the first that applies (foundation §4 "User display status"). */
export function userStatus(
  user: Pick<User, 'active' | 'lastLoginTimestamp' | 'hasPasswordSet' | 'wasSentActivationEmail'>,
): UserStatus {
  if (!user.active) return 'Archived'
  if (user.lastLoginTimestamp) return 'Active'
  if (user.hasPasswordSet) return 'Has Set Password'
  return user.wasSentActivationEmail ? 'Sent Activation Email' : 'Uninitialized'
}

const STANDARD_NAME = /^[\p{L}\p{M} .]+$/u
/** Other characters, and an empty last name, are allowed by configuration only (decisions §5). */
export function nameProblem(name: string, characters: string): string | undefined {
  if (characters === 'EXTENDED' || STANDARD_NAME.test(name)) return undefined
  return name === '' ? LAST_NAME_REQUIRED : INVALID_NAME
}

export const userCan = {
  /** Only active users can be edited (administration §2.1). */
  edit: (user: Pick<User, 'active'>) => user.active,
  /** Administrators cannot archive themselves. */
  deactivate: (user: Pick<User, 'active' | 'uuid'>, me: { uuid: string } | null) =>
    user.active && user.uuid !== me?.uuid,
  /** Bulk invitations are for people without a password only: a second invitation would confuse everybody else. */
  invite: (user: Pick<User, 'active' | 'hasPasswordSet' | 'lastLoginTimestamp'>) =>
    user.active && !user.hasPasswordSet && !user.lastLoginTimestamp,
  /** Rights of external people do not depend on a role. */
  changeRole: (user: Pick<User, 'active' | 'type'>) => user.active && user.type === 'INTERNAL',
  reactivate: (user: Pick<User, 'active'>) => !user.active,
  /** One's own devices are signed out in the account. */
  endSessions: (user: Pick<User, 'active' | 'uuid'>, me: { uuid: string } | null) =>
    user.active && user.uuid !== me?.uuid,
  /** Links and recovery are for people who can sign in. */
  help: (user: Pick<User, 'active'>) => user.active,
}

/** People whom pickers offer (foundation §6): active, not banned, and no wall screen. */
export const isSelectable = (user: {
  active: boolean
  banned: boolean
  dashboard_user: boolean
  email: string
}): boolean => user.active && !user.banned && !user.dashboard_user && user.email !== ''
/** Possible targets of an incident: active non-business users (operations §6). */
export const isTargetable = (user: {
  active: boolean
  banned: boolean
  dashboard_user: boolean
  email: string
  role: UserRole
}): boolean => isSelectable(user) && user.role !== 'BUSINESS_USER'

/**
 * The type in a cell below External (administration §5); null for a word that is neither yes nor no, because
 * a guess could give an external person the rights of a colleague.
 */
export function externalType(written: string): UserType | null {
  if (/^(yes|y|true|t)$/i.test(written.trim())) return 'EXTERNAL'
  return /^(no|n|false|f|0|)$/i.test(written.trim()) ? 'INTERNAL' : null
}
