import { sql } from 'kysely'

import { NamedPerson } from '#contract/users/schema.ts'

import { columnOf, fieldsOf } from './columns.ts'

const FIELDS = fieldsOf(NamedPerson).map((field) => ({
  field,
  column: field === 'uuid' ? 'id' : columnOf(field),
}))

/** A person as `NamedPerson` in JSON, from the row `u` of users. */
export const PERSON = sql.raw<NamedPerson>(
  `jsonb_build_object(${FIELDS.map(({ field, column }) => `'${field}', u.${column}`).join(', ')})`,
)

/** Columns of `NamedPerson`, for a query on users alone. */
export const PERSON_COLUMNS = sql.raw<NamedPerson>(
  FIELDS.map(({ field, column }) => `${column} as "${field}"`).join(', '),
)

/**
 * True for a user whom an incident for everybody asks to check in: internal, with an account in use (operations §4).
 */
export const isAskedByAll = (users: 'users' | 'u') => {
  const row = sql.raw(users)
  return sql<boolean>`(${row}.active and not ${row}.banned and not ${row}.dashboard_user and ${row}.email <> ''
    and ${row}.type = 'INTERNAL')`
}

/** Condition for a user whom incidents can target and who is no external person. */
export const IS_COLLEAGUE = sql<boolean>`(active and not banned and not dashboard_user
  and type = 'INTERNAL' and role <> 'BUSINESS_USER')`
