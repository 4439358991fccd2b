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
] as const
export type Permission = (typeof PERMISSIONS)[number]

/** Roles of the provider's staff; each may do what those before it may (decision 070). */
export const STAFF_ROLES = ['LOOK', 'SUPPORT', 'ADMINISTER'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]

/**
 * Who may make a call.
 *
 * - `public`: nobody has to sign in. The handler gets no database, only ways to name and prove an organisation.
 * - `person`: anyone who is signed in to an organisation as themselves; API keys are refused.
 * - `organisation`: a person or an API key of an organisation holding the permissions.
 * - `provider`: staff who signed in to the management console, with the role or one above it.
 */
export type Access =
  | { readonly realm: 'public' }
  | { readonly realm: 'provider'; readonly role: StaffRole }
  | {
      readonly realm: 'person' | 'organisation'
      readonly anyOf?: readonly Permission[]
      readonly allOf?: readonly Permission[]
      /** Who holds this permission has to verify the session first; the server asks before each call (decisions §5). */
      readonly verifiedWith?: Permission
      /** Also for somebody who has to choose a new password before anything else. */
      readonly beforeNewPassword?: true
    }

/** What is known of the caller when access is decided. */
export type AccessCaller =
  | {
      readonly kind: 'person' | 'key'
      readonly permissions: readonly Permission[]
      /** An administrator asked for a new password, and this session began without one. */
      readonly passwordChangeRequired?: boolean
    }
  | { readonly kind: 'staff'; readonly role: StaffRole }
  | null

/** The one decision of access, asked by the server before a handler and by the browser for page, menu and button. */
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

/** Whether a call needs a verified session of this caller. */
export const needsVerification = (access: Access, caller: AccessCaller): boolean =>
  'verifiedWith' in access &&
  access.verifiedWith !== undefined &&
  caller !== null &&
  caller.kind !== 'staff' &&
  caller.permissions.includes(access.verifiedWith)

// Typed as what they are, not as `Access`: a handler's context follows from the realm.
export const everybody = { realm: 'public' } as const satisfies Access
export const signedIn = { realm: 'person' } as const satisfies Access
/** Whoever is signed in, also before they have chosen the new password that is asked for. */
export const beforeNewPassword = { realm: 'person', beforeNewPassword: true } as const satisfies Access
/** Any one of the permissions suffices. API keys that hold it are welcome. */
export const has = (...anyOf: Permission[]) => ({ realm: 'organisation', anyOf }) as const satisfies Access
/** Any one of the permissions suffices, and only a person can do it. */
export const personWith = (...anyOf: Permission[]) => ({ realm: 'person', anyOf }) as const satisfies Access
/** Staff of the provider in the console who hold the role or one above it. */
export const staffAs = {
  look: { realm: 'provider', role: 'LOOK' },
  support: { realm: 'provider', role: 'SUPPORT' },
  administer: { realm: 'provider', role: 'ADMINISTER' },
} as const satisfies { readonly [role: string]: Access }
