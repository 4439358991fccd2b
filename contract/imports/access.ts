import { has, type Permission, personWith } from '#contract/kit/access.ts'

/** Access to the endpoints for imports, apart from the schemas, which the menu does not load. */
export const importsAccess = {
  users: has('user-admin', 'user-import'),
  contacts: has('mass-notifs'),
  /** Reports; `reportKinds` says of which kinds. */
  read: has('user-admin', 'user-import', 'mass-notifs'),
  undo: personWith('user-admin', 'mass-notifs'),
}

/** The kinds of imports whose reports a caller may read. */
export const reportKinds = (permissions: readonly Permission[]): ('USERS' | 'CONTACTS')[] => [
  ...(permissions.some((one) => one === 'user-admin' || one === 'user-import') ? (['USERS'] as const) : []),
  ...(permissions.includes('mass-notifs') ? (['CONTACTS'] as const) : []),
]
