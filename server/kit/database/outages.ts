import pg from 'pg'

import { DATABASE_UNAVAILABLE } from '#contract/kit/outage.ts'

import { SECOND } from '../core/clock.ts'
import { Refusal } from '../core/refusal.ts'

/** Suggested delay before a client retries. */
const TRY_AGAIN = 2 * SECOND
/** PostgreSQL stops, starts, recovers, or has no connection left. Class 08 is connection errors. */
const AWAY = new Set(['57P01', '57P02', '57P03', '57P05', '53300'])
/** System calls of a connection. Failures of others, such as reading a file, are no outage. */
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
/** Messages of pg about lost or refused connections: plain errors without a code. */
const SAID =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/

/** The refusal while the database does not answer. A write may have succeeded before its response was lost. */
export const databaseUnavailable = (): Refusal =>
  new Refusal(503, 'The server cannot reach its database at the moment. Please try again in a moment.', {
    code: DATABASE_UNAVAILABLE,
    msUntilNextAttempt: TRY_AGAIN,
  })

/** True when an error means that the connection to the database was lost or refused. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // Errors for a name with several addresses.
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
