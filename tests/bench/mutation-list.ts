/** One place of the code, broken on purpose. */
export interface Mutation {
  readonly name: string
  /** From the root of the project. */
  readonly file: string
  /** Stands in the file exactly once. */
  readonly from: string
  readonly to: string
  /** The API tests that are to notice it, by their names. */
  readonly tests: readonly string[]
}

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'access widened: everybody signed in lists API keys',
    file: 'contract/api-keys/access.ts',
    from: "personWith('customer-api-admin')",
    to: "personWith('chats')",
    tests: ['access'],
  },
  {
    name: 'access widened: everybody signed in reads the audit log',
    file: 'contract/audit-log/access.ts',
    from: "personWith('user-admin')",
    to: "personWith('chats')",
    tests: ['access'],
  },
  {
    name: 'access widened: readers of incidents delete tasks',
    file: 'contract/incidents/api.ts',
    from: "    path: '/incident/activity/:id',\n    access: write,\n    summary: 'Deletes",
    to: "    path: '/incident/activity/:id',\n    access: read,\n    summary: 'Deletes",
    tests: ['access'],
  },
  {
    name: 'access widened: readers of groups administer users',
    file: 'contract/users/access.ts',
    from: "personWith('user-admin')",
    to: "personWith('user-admin', 'groups-read-only')",
    tests: ['access'],
  },
  {
    name: 'access widened: readers of incidents attach files',
    file: 'contract/attachments/api.ts',
    from: 'const write = has(...FILE_PERMISSIONS.write)',
    to: 'const write = has(...FILE_PERMISSIONS.read)',
    tests: ['access'],
  },
  {
    name: 'check removed: an administrator may deactivate themselves',
    file: 'server/users/flows.ts',
    from: "  demand(id !== caller.id, 409, 'You cannot deactivate yourself.')\n",
    to: '',
    tests: ['users', 'user-actions'],
  },
  {
    name: 'check removed: the last administrator may be archived',
    file: 'server/users/flows.ts',
    from: '  if (!user.active) return\n  if (administers(user)) demand((await countAdministrators(db)) > 1, 409, LAST_ADMINISTRATOR)\n',
    to: '  if (!user.active) return\n',
    tests: ['users', 'user-actions'],
  },
  {
    name: 'check removed: a resolved incident may be changed',
    file: 'server/incidents/flows.ts',
    from: '  demand(!differs(changed) || incidentCan.edit(state), 409, RESOLVED)\n',
    to: '',
    tests: ['incidents'],
  },
  {
    name: 'check removed: more notifications than remain are sent',
    file: 'server/mass-notifications/flows.ts',
    from: '  if (needed <= remaining) return\n',
    to: '  if (needed >= 0) return\n',
    tests: ['mass-notifications'],
  },
  {
    name: 'check removed: files of any extension are kept',
    file: 'server/attachments/flows.ts',
    from: '  demand(isAllowedExtension(extension, allowed), 415, FORMAT_NOT_SUPPORTED)\n',
    to: '',
    tests: ['attachments'],
  },
  {
    name: 'check removed: a code of the authenticator works twice',
    file: 'server/verifications/second-factors.flows.ts',
    from: 'step !== null && step > enrolled.lastStep',
    to: 'step !== null',
    tests: ['second-factor'],
  },
  {
    name: 'condition turned round: tasks of others may be deleted',
    file: 'contract/incidents/rules.ts',
    from: "    (me.role === 'ADMIN' || activity.createdBy === me.email),",
    to: "    (me.role === 'ADMIN' || activity.createdBy !== me.email),",
    tests: ['activities'],
  },
  {
    name: 'condition turned round: banned people sign in',
    file: 'server/sessions/sign-in.flows.ts',
    from: 'const isRight = matches && user !== undefined && user.active && !user.banned',
    to: 'const isRight = matches && user !== undefined && user.active && user.banned',
    tests: ['sessions'],
  },
  {
    name: 'condition turned round: expired API keys are accepted',
    file: 'server/api-keys/flows.ts',
    from: '  if (isExpired(row, clock.now()))',
    to: '  if (!isExpired(row, clock.now()))',
    tests: ['api-keys'],
  },
  {
    name: 'condition turned round: a stale group is saved',
    file: 'server/kit/database/plain-noun.ts',
    from: 'version !== undefined && version !== row.version',
    to: 'version !== undefined && version === row.version',
    tests: ['groups'],
  },
  {
    name: 'field not stored: the severity of a changed incident',
    file: 'server/incidents/flows.ts',
    from: '    ...pick(after, EDITABLE_FIELDS),\n',
    to: "    ...pick(after, EDITABLE_FIELDS.filter((field) => field !== 'severity')),\n",
    tests: ['incidents'],
  },
  {
    name: 'field not stored: the columns of a changed plain noun',
    file: 'server/kit/database/plain-noun.ts',
    from: 'await updateRow(db, table, id, valuesOf<Record<string, unknown>>(values, stored))',
    to: 'await updateRow(db, table, id, valuesOf<Record<string, unknown>>(values, also))',
    tests: ['groups'],
  },
  {
    name: 'field not stored: the department of a user',
    file: 'server/users/store.ts',
    from: "const UPDATED = [...USER_FIELDS, 'active', 'banned'] as const",
    to: "const UPDATED = [...USER_FIELDS.filter((field) => field !== 'department'), 'active', 'banned'] as const",
    tests: ['users'],
  },
  {
    name: 'noun not live: incidents',
    file: 'server/nouns.ts',
    from: "    audience: readsIncidents,\n    parts: ['activities', 'check-ins'],",
    to: "    audience: 'nobody',",
    tests: ['live'],
  },
  {
    name: 'noun not live: groups',
    file: 'server/nouns.ts',
    from: "    audience: has('groups-read-only', 'group-admin'),",
    to: "    audience: 'nobody',",
    tests: ['live'],
  },
]
