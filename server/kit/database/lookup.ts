import pg from 'pg'

/** A query that runs in the same round trip as the opening of a transaction, as the organisation's member. */
export interface Lookup {
  /** The name of the prepared statement; each name has exactly one text. */
  readonly name: string
  /** One statement, with parameters cast in place (`$1::uuid`). */
  readonly sql: string
  readonly values: readonly string[]
}

/** A lookup as text, because a message of several statements takes no parameters. */
export type LookupText = (client: pg.ClientBase, lookup: Lookup) => string

const executeText = (name: string, values: readonly string[]): string =>
  `execute ${name}${values.length > 0 ? `(${values.map((value) => pg.escapeLiteral(value)).join()})` : ''}`

/**
 * Creates the texts of lookups. Each connection prepares a lookup once, because parsing and planning the proof of a
 * session takes longer than running it.
 */
export function preparedLookups(): LookupText {
  const prepared = new WeakMap<pg.ClientBase, Set<string>>()
  return (client, { name, sql, values }) => {
    const names = prepared.get(client) ?? new Set()
    prepared.set(client, names)
    const execute = executeText(name, values)
    if (names.has(name)) return execute
    names.add(name)
    return `prepare ${name} as ${sql}; ${execute}`
  }
}
