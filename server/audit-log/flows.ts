import { cut } from '#contract/kit/cut.ts'
import { Readable } from 'node:stream'

import type { auditLogApi } from '#contract/audit-log/api.ts'
import { eventInWords, fieldInWords, isSecret, nounInWords, valueInWords } from '#contract/audit-log/rules.ts'
import {
  type AuditEvent,
  type ProviderLogFilter,
  CHECKED_AT_ONCE,
  type CheckFrom,
  type CheckResult,
  SHOWN_VALUE_MAX,
} from '#contract/audit-log/schema.ts'
import type { Input } from '#contract/kit/endpoint.ts'
import { CSV_FORMULA } from '#contract/kit/files.ts'
import type { FileReply, Page } from '#server/kit/http/answers.ts'
import { clock } from '#server/kit/core/clock.ts'
import { type EventActor, isUuid, type OrgDb } from '#server/kit/database/db.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { record } from '#server/kit/events/events.ts'
import { notFound, Refusal } from '#server/kit/core/refusal.ts'
import { plainText } from '#server/kit/core/rich-text.ts'
import type { Services } from '#server/kit/services.ts'

import {
  type AuditRow,
  checkEvents,
  countEvents,
  findEvent,
  findHead,
  listEvents,
  listNames,
} from './store.ts'

/** Default page size: the whole log would be too much at once. */
const PAGE = 1_000
/** Events that an export reads at once. */
const EXPORTED_AT_ONCE = 200
const HIDDEN = '•••'
const RICH = /^<(p|h[1-3]|ul|ol|blockquote|pre|table)\b/

/** A value as readable text. */
function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return RICH.test(value) ? plainText(value) : value
  if (Array.isArray(value)) return value.map((one) => asText(one) ?? '').join(', ')
  return JSON.stringify(value)
}
const changesOf = (changes: Changes, most: number) =>
  Object.entries(changes).map(([field, { from, to }]) => {
    const shown = (value: unknown) => {
      const text = asText(value)
      if (text === null || !isSecret(field)) return text && text.length > most ? `${cut(text, most)}…` : text
      return HIDDEN
    }
    return { field, from: shown(from), to: shown(to) }
  })

/** Events with the names of their records. */
async function named(db: OrgDb, rows: readonly AuditRow[], most: number): Promise<AuditEvent[]> {
  const nameless = rows.flatMap(({ record: id, recordName, parent }) => [
    ...(recordName === null ? [id] : []),
    ...(parent === null ? [] : [parent]),
  ])
  const names = await listNames(db, nameless)
  const nameOf = (id: string) => names.get(id) ?? (isUuid(id) ? null : id)
  return rows.map((row) => ({
    ...row,
    // An act on the log concerns all of it.
    recordName: row.noun === 'audit-log' ? 'Audit log' : (row.recordName ?? nameOf(row.record)),
    parentName: row.parent === null ? null : nameOf(row.parent),
    changes: changesOf(row.changes, most),
  }))
}

export async function findEvents(
  db: OrgDb,
  {
    sort,
    range,
    filter = {},
  }: Omit<Input<(typeof auditLogApi)['list']>['query'], 'filter'> & {
    readonly filter?: ProviderLogFilter | undefined
  },
): Promise<Page<AuditEvent>> {
  const [from, to] = range ?? [0, PAGE - 1]
  const total = await countEvents(db, filter)
  const order = sort?.[1] ?? 'DESC'
  // Pages of the second half are read from the end.
  const backwards = from > total / 2
  const limit = Math.max(0, Math.min(to + 1, total) - from)
  const rows = await listEvents(db, {
    filter,
    order: backwards ? (order === 'ASC' ? 'DESC' : 'ASC') : order,
    limit,
    offset: backwards ? Math.max(0, total - from - limit) : from,
  })
  return { rows: await named(db, backwards ? rows.toReversed() : rows, SHOWN_VALUE_MAX), total }
}

/** One event, with untruncated values. */
export async function openEvent(db: OrgDb, sequence: number): Promise<AuditEvent> {
  const row = await findEvent(db, sequence)
  if (!row) throw notFound('This event')
  return (await named(db, [row], Infinity))[0]!
}

/**
 * Verifies the next part of the hash chain, in short calls so that other calls run in between. The final result is
 * recorded in the audit log.
 * @throws Refusal 409 when the event to continue after has changed
 */
export async function checkChain(db: OrgDb, from: CheckFrom): Promise<CheckResult> {
  if (from.after > 0) {
    const before = await findEvent(db, from.after)
    if (before?.fingerprint !== from.fingerprint)
      throw new Refusal(409, 'The log changed while it was checked. Please check it again.')
  }
  const result = resultOf(from, await checkEvents(db, from, CHECKED_AT_ONCE))
  if (result.done) recordResult(db, result)
  return result
}

/** The result of checking the chain up to the end of a part. */
function resultOf(
  from: CheckFrom,
  { count, last, broken, head }: Awaited<ReturnType<typeof checkEvents>>,
): CheckResult {
  const before = { sequence: from.after, fingerprint: from.fingerprint, timestamp: null }
  const whole = last ?? (from.after > 0 ? before : NOTHING_YET)
  const atEnd = broken === null && count < CHECKED_AT_ONCE
  const end = head ?? NOTHING_YET
  // Only the head knows the stream's length: without it, cutting off the last events would go unnoticed.
  const isCut = atEnd && (end.sequence !== whole.sequence || end.fingerprint !== whole.fingerprint)
  const brokenAt = broken ?? (isCut ? whole.sequence + 1 : null)
  return {
    holdsTo: whole.sequence,
    fingerprint: whole.fingerprint,
    timestamp: whole.timestamp,
    total: end.sequence,
    brokenAt,
    done: brokenAt !== null || atEnd,
  }
}
const NOTHING_YET = { sequence: 0, fingerprint: null, timestamp: null }

function recordResult(db: OrgDb, { holdsTo, fingerprint, brokenAt }: CheckResult): void {
  record(db, {
    noun: 'audit-log',
    record: 'chain',
    verb: brokenAt === null ? 'found whole' : 'found broken',
    changes: {
      holdsTo: { from: null, to: holdsTo },
      fingerprint: { from: null, to: fingerprint },
      ...(brokenAt === null ? {} : { brokenAt: { from: null, to: brokenAt } }),
    },
  })
}

const COLUMNS = [
  'Event',
  'Time (UTC)',
  'Who',
  'Acting as',
  'What happened',
  'Record',
  'Belongs to',
  'What changed',
  'Kind of record',
  'Record ID',
  'Belongs to ID',
  'Changes as stored (JSON)',
  'Fingerprint (SHA-256)',
]
const KINDS = { person: 'Person', key: 'API key', staff: "Provider's staff", link: 'Link', system: 'System' }

const lineOf = (event: AuditEvent, stored: Changes): (string | number)[] => [
  event.sequence,
  event.timestamp,
  event.actor.name,
  KINDS[event.actor.kind],
  eventInWords(event),
  event.recordName ?? '',
  event.parentName ?? '',
  event.changes
    .map(
      ({ field, from, to }) =>
        `${fieldInWords(field)}: ${valueInWords(field, from)} → ${valueInWords(field, to)}`,
    )
    .join('; '),
  nounInWords(event.noun),
  event.record,
  event.parent ?? '',
  JSON.stringify(
    Object.fromEntries(
      Object.entries(stored).map(([field, change]) => [field, isSecret(field) ? HIDDEN : change]),
    ),
  ),
  event.fingerprint,
]

/** The reader of a log: a person of the organisation, or staff of the provider. */
interface LogReader extends Pick<EventActor, 'kind' | 'id' | 'name'> {
  readonly organisation: { readonly id: string; readonly code: string }
}

/** All matching events up to now as a file, streamed in parts to bound memory. */
export async function exportEvents(
  services: Services,
  db: OrgDb,
  caller: LogReader,
  filter: ProviderLogFilter,
): Promise<FileReply> {
  const upTo = (await findHead(db))?.sequence ?? 0
  const narrowed = Object.entries(filter).map(([field, to]) => [field, { from: null, to }])
  record(db, {
    noun: 'audit-log',
    record: 'file',
    verb: 'exported',
    changes: Object.fromEntries(narrowed) as Changes,
  })
  const opening = {
    organisationId: caller.organisation.id,
    actor: () => ({ kind: caller.kind, id: caller.id, name: caller.name }),
  }
  async function* parts() {
    const { default: Papa } = await import('papaparse')
    const csv = (rows: (string | number)[][]) => `${Papa.unparse(rows, { escapeFormulae: CSV_FORMULA })}\r\n`
    // The byte order mark makes spreadsheets read UTF-8.
    yield `\uFEFF${csv([COLUMNS])}`
    for (let after = 0; ;) {
      const wanted = { filter, order: 'ASC', limit: EXPORTED_AT_ONCE, offset: 0, after, upTo } as const
      const rows = await services.database.withOrganisation(opening, async (part) => {
        const stored = await listEvents(part, wanted)
        const events = await named(part, stored, Infinity)
        return events.map((event, index) => lineOf(event, stored[index]!.changes))
      })
      if (rows.length > 0) yield csv(rows)
      if (rows.length < EXPORTED_AT_ONCE) return
      after = Number(rows.at(-1)![0])
    }
  }
  return {
    name: `audit-log-${caller.organisation.code}-${clock.timestamp().slice(0, 10)}.csv`,
    type: 'text/csv; charset=utf-8',
    body: async () => Readable.from(parts()),
  }
}
