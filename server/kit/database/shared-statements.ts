import type pg from 'pg'

/** Where the driver notes the names of statements that a connection has parsed, and of those that it has sent to be parsed. */
interface NotedStatements {
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Record<string, string>
}

/** PostgreSQL's invalid_sql_statement_name. */
const NO_SUCH_STATEMENT = '26000'

/** The names under which statements are prepared. */
export interface StatementNames {
  /** What they begin with. */
  readonly prefix: string
  /** Notes that a statement failed. */
  failed(name: string, error: unknown): void
}

/** On a server each connection has statements of its own, and the driver notes them. */
export const CONNECTION_NAMES: StatementNames = { prefix: '', failed: () => {} }

let sessions = 0

/**
 * Has the clients of pools share one note of prepared statements, for the embedded database, whose connections share one
 * session. A client sends named statements only inside a transaction that has begun, and the session is its own until that
 * ends: statements are parsed in the order in which they are noted. The prefix keeps other pools on the same session apart.
 */
export function sessionNames(pools: readonly pg.Pool[]): StatementNames {
  const noted: NotedStatements = { parsedStatements: {}, submittedNamedStatements: {} }
  for (const pool of pools)
    pool.on('connect', (client) => {
      const { connection } = client as unknown as { readonly connection: NotedStatements }
      Object.assign(connection, noted)
    })
  sessions += 1
  return {
    prefix: `session_${sessions}_`,
    failed: (name, error) => {
      // A connection was lost after it had sent the statement and before the database read it.
      if ((error as { code?: unknown }).code !== NO_SUCH_STATEMENT) return
      delete noted.parsedStatements[name]
      delete noted.submittedNamedStatements[name]
    },
  }
}
