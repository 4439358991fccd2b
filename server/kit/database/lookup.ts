import pg from 'pg'

/** A query that runs in the same round trip as the opening of a transaction, as the organisation's member. */
export interface Lookup {
  /** The name of the prepared statement; each name has exactly one text. */
  readonly name: string
  /** One statement. Its parameters are cast where they stand (`$1::uuid`). */
  readonly sql: string
  readonly values: readonly string[]
}

/** Names of the lookups that a connection has prepared. */
const prepared = new WeakMap<pg.ClientBase, Set<string>>()

/**
 * A lookup as text for a message of several statements, which takes no parameters. Each connection prepares it once: to parse
 * and plan the proof of a session takes the database longer than to run it.
 */
export function preparedLookup(client: pg.ClientBase, { name, sql, values }: Lookup): string {
  const names = prepared.get(client) ?? new Set()
  prepared.set(client, names)
  const given = values.map((value) => pg.escapeLiteral(value)).join()
  const execute = `execute ${name}${given && `(${given})`}`
  if (names.has(name)) return execute
  names.add(name)
  return `prepare ${name} as ${sql}; ${execute}`
}

/** A lookup with its values inlined, for the embedded database, whose connections share one session. */
export const plainLookup = ({ sql, values }: Lookup): string =>
  sql.replaceAll(/\$(\d+)/g, (_, place: string) => pg.escapeLiteral(values[Number(place) - 1]!))
