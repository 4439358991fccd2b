import pg from 'pg'

/** A query that runs in the same round trip as the opening of a transaction, as the organisation's member. */
export interface Lookup {
  /** The name of the prepared statement; each name has exactly one text. */
  readonly name: string
  /** One statement. Its parameters are cast where they stand (`$1::uuid`). */
  readonly sql: string
  readonly values: readonly string[]
}

/** A lookup as text for a message of several statements, which takes no parameters. */
export type LookupText = (client: pg.ClientBase, lookup: Lookup) => string

const executeText = (name: string, values: readonly string[]): string =>
  `execute ${name}${values.length > 0 ? `(${values.map((value) => pg.escapeLiteral(value)).join()})` : ''}`

/**
 * Lookups on a server. Each connection prepares them once: to parse and plan the proof of a session takes the database
 * longer than to run it.
 */
export function connectionLookups(): LookupText {
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

const plainText = ({ sql, values }: Lookup): string =>
  sql.replaceAll(/\$(\d+)/g, (_, place: string) => pg.escapeLiteral(values[Number(place) - 1]!))

/**
 * Lookups on the embedded database, whose connections share one session. Each is prepared once for all of them, in a
 * transaction of its own, because an opening is sent before it is known whose turn comes first; until then values are inlined.
 * @param prefix what names begin with, so that two pools on one session do not meet
 */
export function sessionLookups(prefix: string, run: (sql: string) => Promise<unknown>): LookupText {
  const requested = new Set<string>()
  const prepared = new Set<string>()
  return (_, lookup) => {
    const name = `${prefix}${lookup.name}`
    if (prepared.has(name)) return executeText(name, lookup.values)
    if (!requested.has(name)) {
      requested.add(name)
      run(`prepare ${name} as ${lookup.sql}`).then(
        () => prepared.add(name),
        () => requested.delete(name),
      )
    }
    return plainText(lookup)
  }
}
