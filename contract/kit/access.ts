/** The permission strings of the specification (foundation §6). */
export const PERMISSIONS = [
  'chat-admin',
  'chats',
  'cross-enterprise-playbooks-sharing',
  'customer-api-admin',
  'dashboard',
  'group-admin',
  'groups-read-only',
  'incidents-full-access',
  'incidents-read-only',
  'mass-notifs',
  'playbook-full-access',
  'playbook-read-only',
  'sfs',
  'sfs-2fa',
  'user-admin',
  'user-import',
] as const
export type Permission = (typeof PERMISSIONS)[number]

/** Roles of the provider's staff; each includes the rights of those before it (decision 070). */
export const STAFF_ROLES = ['LOOK', 'SUPPORT', 'ADMINISTER'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]

/**
 * Access to an endpoint.
 *
 * - `public`: no sign-in. The handler gets no database, only ways to name and prove an organisation.
 * - `person`: a person signed in to an organisation; API keys are refused.
 * - `organisation`: a person or an API key of an organisation with the permissions.
 * - `provider`: staff signed in to the management console, with the role or a higher one.
 */
export type Access =
  | { readonly realm: 'public' }
  | { readonly realm: 'provider'; readonly role: StaffRole }
  | {
      readonly realm: 'person' | 'organisation'
      readonly anyOf?: readonly Permission[]
      readonly allOf?: readonly Permission[]
      /** Holders of this permission need a verified session; the server checks it before each call (decisions §5). */
      readonly verifiedWith?: Permission
      /** Also open to people who have to choose a new password before anything else. */
      readonly beforeNewPassword?: true
    }

/** The caller's rights, from which access is decided. */
export type AccessCaller =
  | {
      readonly kind: 'person' | 'key'
      readonly permissions: readonly Permission[]
      /** An administrator requested a new password, and this session began without one. */
      readonly passwordChangeRequired?: boolean
    }
  | { readonly kind: 'staff'; readonly role: StaffRole }
  | null

/** The single access decision: the server calls it before a handler, the browser for pages, menus and buttons. */
export function allows(access: Access, caller: AccessCaller): boolean {
  if (access.realm === 'public') return true
  if (!caller) return false
  if (access.realm === 'provider')
    return caller.kind === 'staff' && STAFF_ROLES.indexOf(caller.role) >= STAFF_ROLES.indexOf(access.role)
  if (caller.kind === 'staff') return false
  if (access.realm === 'person' && caller.kind !== 'person') return false
  if (caller.passwordChangeRequired && !access.beforeNewPassword) return false
  const held = (permission: Permission) => caller.permissions.includes(permission)
  return (access.allOf ?? []).every(held) && (!access.anyOf || access.anyOf.some(held))
}

/** True when the caller's session has to be verified for this access. */
export const needsVerification = (access: Access, caller: AccessCaller): boolean =>
  'verifiedWith' in access &&
  access.verifiedWith !== undefined &&
  caller !== null &&
  caller.kind !== 'staff' &&
  caller.permissions.includes(access.verifiedWith)

// Literal types instead of `Access`, because a handler's context follows from the realm.
export const everybody = { realm: 'public' } as const satisfies Access
export const signedIn = { realm: 'person' } as const satisfies Access
/** Signed-in people, including those who have to choose a new password first. */
export const beforeNewPassword = { realm: 'person', beforeNewPassword: true } as const satisfies Access
/** People and API keys with any one of the permissions. */
export const has = (...anyOf: Permission[]) => ({ realm: 'organisation', anyOf }) as const satisfies Access
/** People, not API keys, with any one of the permissions. */
export const personWith = (...anyOf: Permission[]) => ({ realm: 'person', anyOf }) as const satisfies Access
/** Staff of the provider in the console with the role or a higher one. */
export const staffAs = {
  look: { realm: 'provider', role: 'LOOK' },
  support: { realm: 'provider', role: 'SUPPORT' },
  administer: { realm: 'provider', role: 'ADMINISTER' },
} as const satisfies { readonly [role: string]: Access }
