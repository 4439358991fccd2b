import pg from 'pg'

import { DATABASE_UNAVAILABLE } from '#contract/kit/outage.ts'

import { SECOND } from '../core/clock.ts'
import { Refusal } from '../core/refusal.ts'

/** When a client may try again. */
const TRY_AGAIN = 2 * SECOND
/** PostgreSQL stops, starts, recovers, or has no connection left. Class 08 is about connections. */
const AWAY = new Set(['57P01', '57P02', '57P03', '57P05', '53300'])
/** The system's calls of a connection. Another one that fails, such as reading a file, is no outage. */
const OF_CONNECTIONS = new Set(['connect', 'getaddrinfo', 'read', 'write'])
const LOST = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])
/** What pg says of a connection that ended or did not come about: plain errors without a code. */
const SAID =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/

/** The refusal while the database does not answer. A write may have been done before its answer was lost. */
export const databaseUnavailable = (): Refusal =>
  new Refusal(503, 'The server cannot reach its database at the moment. Please try again in a moment.', {
    code: DATABASE_UNAVAILABLE,
    msUntilNextAttempt: TRY_AGAIN,
  })

/** Whether an error says that the connection to the database was lost or refused. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // Of a name with several addresses.
  if (error instanceof AggregateError) return error.errors.some(isOutage)
  const { code, syscall } = error as NodeJS.ErrnoException
  if (error instanceof pg.DatabaseError)
    return code !== undefined && (AWAY.has(code) || code.startsWith('08'))
  if (syscall !== undefined) return OF_CONNECTIONS.has(syscall) && LOST.has(code ?? '')
  return SAID.test(error.message)
}

/** The refusal for a lost or refused connection to the database; null for every other error. */
export const outageProblem = (error: unknown): Refusal | null =>
  isOutage(error) ? databaseUnavailable() : null
