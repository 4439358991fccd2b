import { sql } from 'kysely'

import { TRASH_DAYS } from '#contract/files/schema.ts'
import { REPORT_DAYS } from '#contract/imports/schema.ts'

import type { Blobs } from '../blobs/blobs.ts'
import { clock, DAY, HOUR, MINUTE } from '../core/clock.ts'
import { type Database, type EventActor, lockFor, type OrgDb, type ProviderDb } from '../database/db.ts'
import { UNDO_SPAN } from '../database/deletions.ts'
import { record } from '../events/events.ts'

export interface HousekeepingParts {
  readonly database: Database
  readonly blobs: Pick<Blobs, 'sweep' | 'remove'>
}

/** A periodic task that exactly one process runs. */
export interface Chore {
  readonly every: number
  /** Returns the number of handled rows or files, for the log. */
  readonly run: () => Promise<number>
}

/** Delay of the first round, so that it does not compete with sign-ins. */
export const FIRST_ROUND_AFTER = MINUTE
/** Interval between checks for due tasks. */
export const ROUND_EVERY = 10 * MINUTE

/** Periodic tasks by name. */
export function chores({ database, blobs }: HousekeepingParts): Map<string, Chore> {
  return new Map<string, Chore>([
    ['tokens', { every: HOUR, run: () => dropExpiredTokens(database) }],
    ['attempts', { every: HOUR, run: () => dropForgottenAttempts(database) }],
    ['idempotency keys', { every: HOUR, run: () => dropOldRequests(database) }],
    ['messages', { every: HOUR, run: () => giveUpOnMessages(database) }],
    ['reports', { every: HOUR, run: () => dropExpiredReports(database, blobs) }],
    ['exports', { every: HOUR, run: () => dropExpiredExports(database, blobs) }],
    ['chat', { every: HOUR, run: () => tidyChat(database, blobs) }],
    ['uploads', { every: HOUR, run: () => dropExpiredUploads(database, blobs) }],
    ['deletions', { every: 10 * MINUTE, run: () => dropOldDeletions(database, blobs) }],
    ['imports', { every: DAY, run: () => dropOldImports(database) }],
    ['trash', { every: HOUR, run: () => emptyTrash(database, blobs) }],
    ['row counts', { every: HOUR, run: () => sumRowCounts(database) }],
    ['files', { every: DAY, run: () => blobs.sweep() }],
  ])
}

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'housekeeping' }
const ago = (span: number) => new Date(clock.now() - span).toISOString()

/** Changes of a row count that stay unsummed: reading a few takes no longer than reading one. */
const COUNTS_MAX = 16
/** Sums up the changes of kept row counts. Concurrent changes stay for the next round. */
function sumRowCounts(database: Database): Promise<number> {
  return database.withProvider(SYSTEM, async (db) => {
    const result = await sql`
      with many as (
        select organisation_id, counted, facet from row_counts
         group by organisation_id, counted, facet having count(*) > ${COUNTS_MAX}
      ), gone as (
        delete from row_counts c using many m
         where c.organisation_id = m.organisation_id and c.counted = m.counted and c.facet = m.facet
        returning c.organisation_id, c.counted, c.facet, c.amount
      )
      insert into row_counts (organisation_id, counted, facet, amount)
      select organisation_id, counted, facet, sum(amount) from gone
       group by organisation_id, counted, facet having sum(amount) <> 0`.execute(db)
    return Number(result.numAffectedRows ?? 0)
  })
}

/** Deletes expired tokens. Used ones stay until they expire, because a second use reveals a theft. */
function dropExpiredTokens(database: Database): Promise<number> {
  return database.withProvider(SYSTEM, async (db) => {
    let dropped = 0
    for (const table of [
      'refresh_tokens',
      'one_time_tokens',
      'pending_sign_ins',
      'staff_links',
      'staff_sessions',
      'staff_sign_ins',
      'file_tickets',
      'file_link_visits',
    ]) {
      const result = await sql`delete from ${sql.table(table)} where expires_timestamp < ${ago(DAY)}`.execute(
        db,
      )
      dropped += Number(result.numAffectedRows ?? 0)
    }
    return dropped
  })
}

/** Deletes counters of attempts that no longer have an effect. */
function dropForgottenAttempts(database: Database): Promise<number> {
  return database.withProvider(SYSTEM, async (db) => {
    const result = await sql`delete from attempts where forget_timestamp < ${clock.timestamp()}`.execute(db)
    return Number(result.numAffectedRows ?? 0)
  })
}

/** Deletes idempotency keys and their replies after a day (decisions §3). */
function dropOldRequests(database: Database): Promise<number> {
  return database.withProvider(SYSTEM, async (db) => {
    let dropped = 0
    for (const table of ['idempotent_requests', 'public_requests']) {
      const result = await sql`delete from ${sql.table(table)} where create_timestamp < ${ago(DAY)}`.execute(
        db,
      )
      dropped += Number(result.numAffectedRows ?? 0)
    }
    return dropped
  })
}

/** Fails messages that nobody retries any more, or that would arrive too late to be useful. */
function giveUpOnMessages(database: Database): Promise<number> {
  return database.withProvider(SYSTEM, async (db) => {
    const result = await sql`
      update messages
         set state = 'FAILED', reason = concat_ws(' ', 'It could not be sent within a day.', reason), carrier_trouble = false,
             done_timestamp = ${clock.timestamp()}
       where state in ('QUEUED', 'SENDING') and create_timestamp < ${ago(DAY)}`.execute(db)
    return Number(result.numAffectedRows ?? 0)
  })
}

/** Deletes expired report requests, with their bytes unless they were handed out. */
async function dropExpiredReports(database: Database, blobs: Pick<Blobs, 'remove'>): Promise<number> {
  const { dropped, freed } = await database.withProvider(SYSTEM, async (db) => {
    const requests = await sql<{ blob_id: string | null }>`
      delete from report_requests where expire_timestamp < ${clock.timestamp()} returning blob_id`.execute(db)
    const ids = requests.rows.flatMap(({ blob_id }) => blob_id ?? [])
    const unused = await sql<{ organisation_id: string; id: string }>`
      delete from blobs b where id = any(${ids}::uuid[])
         and not exists (select from incident_reports r where r.blob_id = b.id)
      returning organisation_id, id`.execute(db)
    return { dropped: requests.rows.length, freed: unused.rows }
  })
  for (const { organisation_id, id } of freed) await blobs.remove(organisation_id, id)
  return dropped
}

/** Deletes expired playbook exports with their bytes. */
async function dropExpiredExports(database: Database, blobs: Pick<Blobs, 'remove'>): Promise<number> {
  const { dropped, freed } = await database.withProvider(SYSTEM, async (db) => {
    const exports = await sql<{ blob_id: string | null }>`
      delete from playbook_exports where expire_timestamp < ${clock.timestamp()} returning blob_id`.execute(
      db,
    )
    const ids = exports.rows.flatMap(({ blob_id }) => blob_id ?? [])
    const unused = await sql<{ organisation_id: string; id: string }>`
      delete from blobs where id = any(${ids}::uuid[]) returning organisation_id, id`.execute(db)
    return { dropped: exports.rows.length, freed: unused.rows }
  })
  for (const { organisation_id, id } of freed) await blobs.remove(organisation_id, id)
  return dropped
}

/** Deletes uploads in parts that were not resumed in time, with their bytes. */
async function dropExpiredUploads(database: Database, blobs: Pick<Blobs, 'remove'>): Promise<number> {
  const { dropped, freed } = await database.withProvider(SYSTEM, async (db) => {
    const old = await sql<{ id: string }>`
      select id from file_uploads where expires_timestamp < ${clock.timestamp()} for update`.execute(db)
    const ids = old.rows.map(({ id }) => id)
    const parts = await sql<{ blob_id: string }>`
      delete from file_upload_parts where upload_id = any(${ids}::uuid[]) returning blob_id`.execute(db)
    await sql`delete from file_uploads where id = any(${ids}::uuid[])`.execute(db)
    const unused = await sql<{ organisation_id: string; id: string }>`
      delete from blobs where id = any(${parts.rows.map(({ blob_id }) => blob_id)}::uuid[])
      returning organisation_id, id`.execute(db)
    return { dropped: ids.length, freed: unused.rows }
  })
  for (const { organisation_id, id } of freed) await blobs.remove(organisation_id, id)
  return dropped
}

/** Deletes the rows of deletions that can no longer be undone, and their bytes unless a copy still refers to them. */
async function dropOldDeletions(database: Database, blobs: Pick<Blobs, 'remove'>): Promise<number> {
  const { dropped, freed } = await database.withProvider(SYSTEM, async (db) => {
    const old = await sql<{ blob_ids: string[] }>`
      delete from deletions where delete_timestamp < ${ago(UNDO_SPAN)} returning blob_ids`.execute(db)
    const ids = old.rows.flatMap(({ blob_ids }) => blob_ids)
    // The later one of two concurrent deletions of copies sees that it is the last.
    await sql`select from blobs where id = any(${ids}::uuid[]) order by id for update`.execute(db)
    const unused = await sql<{ organisation_id: string; id: string }>`
      delete from blobs b where id = any(${ids}::uuid[])
         and not exists (select from attachments a where a.blob_id = b.id)
         and not exists (select from deletions d where d.blob_ids @> array[b.id])
      returning organisation_id, id`.execute(db)
    return { dropped: old.rows.length, freed: unused.rows }
  })
  for (const { organisation_id, id } of freed) await blobs.remove(organisation_id, id)
  return dropped
}

/** Deletes reports of imports after a year, with their rows. */
function dropOldImports(database: Database): Promise<number> {
  return database.withProvider(SYSTEM, async (db) => {
    const result = await sql`delete from imports where create_timestamp < ${ago(REPORT_DAYS * DAY)}`.execute(
      db,
    )
    return Number(result.numAffectedRows ?? 0)
  })
}

/** Messages deleted per round. */
const OLD_MESSAGES = 10_000
/**
 * Deletes uploads that were not sent within a day, expired exports, and messages older than `chatRetentionDays` with
 * their files. An event per room records how many messages were deleted.
 */
async function tidyChat(database: Database, blobs: Pick<Blobs, 'remove'>): Promise<number> {
  const now = clock.timestamp()
  const { dropped, freed, old } = await database.withProvider(SYSTEM, async (db) => {
    const files = await sql<{ blob_id: string }>`
      delete from room_files f where message_id is null and create_timestamp < ${ago(DAY)}
         and not exists (select from scheduled_messages s where s.file_ids @> array[f.id])
        returning blob_id`.execute(db)
    const exports = await sql<{ blob_id: string | null }>`
      delete from room_exports where expire_timestamp < ${now} returning blob_id`.execute(db)
    const blobIds = [...files.rows, ...exports.rows].flatMap(({ blob_id }) => blob_id ?? [])
    const unused = await sql<{ organisation_id: string; id: string }>`
      delete from blobs where id = any(${blobIds}::uuid[]) returning organisation_id, id`.execute(db)
    return {
      dropped: files.rows.length + exports.rows.length,
      freed: unused.rows,
      old: await listOldMessages(db, now),
    }
  })
  for (const { organisation_id, id } of freed) await blobs.remove(organisation_id, id)
  let deleted = 0
  for (const [organisationId, those] of Map.groupBy(old, (one) => one.organisation_id)) {
    const ids = those.map(({ id }) => id)
    const gone = await database.withOrganisation({ organisationId, actor: () => SYSTEM }, (db) =>
      deleteOldMessages(db, ids),
    )
    for (const id of gone.blobs) await blobs.remove(organisationId, id)
    deleted += gone.messages
  }
  return dropped + deleted
}

/**
 * The oldest messages beyond their organisations' retention, except those of active calls: a call is deleted with its
 * message.
 */
async function listOldMessages(db: ProviderDb, now: string) {
  const { rows } = await sql<{ organisation_id: string; id: string }>`
    with kept as (
      select o.id, coalesce((o.config ->> 'chatRetentionDays')::integer,
          (select value::text::integer from global_config where key = 'chatRetentionDays'), 0) as days
        from organisations o)
    select m.organisation_id, m.id from kept join room_messages m on m.organisation_id = kept.id
     where kept.days > 0 and m.create_timestamp < ${now}::timestamptz - make_interval(days => kept.days)
       and not (m.is_call and exists (
         select from calls c where c.message_id = m.id and c.end_timestamp is null))
     order by m.create_timestamp limit ${OLD_MESSAGES}`.execute(db)
  return rows
}

/** Deletes messages with their files. Returns their number and the ids of unreferenced bytes. */
async function deleteOldMessages(
  db: OrgDb,
  ids: readonly string[],
): Promise<{ messages: number; blobs: string[] }> {
  const { rows: files } = await sql<{ blob_id: string }>`
    delete from room_files where message_id = any(${ids}::uuid[]) returning blob_id`.execute(db)
  const { rows: threads } = await sql<{ id: string }>`
    select distinct thread_id as id from room_messages
     where id = any(${ids}::uuid[]) and thread_id is not null`.execute(db)
  // Deleted messages no longer count as unread.
  const { rows: rooms } = await sql<{ room_id: string; deleted: number }>`
    with gone as (delete from room_messages where id = any(${ids}::uuid[]) returning room_id, sequence),
      ends as (select room_id, max(sequence) as sequence, count(*) as deleted from gone group by room_id),
      marks as (
        update room_members m set read_sequence = greatest(m.read_sequence, ends.sequence),
            unread_from = case when ends.sequence < m.read_sequence then ends.sequence + 1 end
          from ends
         where m.room_id = ends.room_id and (m.read_sequence < ends.sequence or m.unread_from <= ends.sequence))
    select room_id, deleted from ends order by room_id`.execute(db)
  if (threads.length > 0)
    await sql`select recount_threads(${threads.map(({ id }) => id)}::uuid[])`.execute(db)
  const { rows: unused } = await sql<{ id: string }>`
    delete from blobs where id = any(${files.map(({ blob_id }) => blob_id)}::uuid[]) returning id`.execute(db)
  for (const { room_id, deleted } of rooms)
    record(db, {
      noun: 'rooms',
      record: room_id,
      verb: 'old messages deleted',
      changes: { messages: { from: deleted, to: null } },
    })
  return {
    messages: rooms.reduce((sum, { deleted }) => sum + deleted, 0),
    blobs: unused.map(({ id }) => id),
  }
}

/** Deleted files and folders that one round purges. */
const OLD_DELETIONS = 1_000
/** Purges items that were deleted 30 days ago, unless they or a folder above them are on legal hold now. */
async function emptyTrash(database: Database, blobs: Pick<Blobs, 'remove'>): Promise<number> {
  const { rows: old } = await database.withProvider(SYSTEM, (db) =>
    sql<{ organisation_id: string; id: number }>`
      select organisation_id, id from file_items
       where trash_id = id and holds = 0 and delete_timestamp < ${ago(TRASH_DAYS * DAY)}
       order by delete_timestamp limit ${OLD_DELETIONS}`.execute(db),
  )
  let dropped = 0
  for (const [organisationId, those] of Map.groupBy(old, (one) => one.organisation_id)) {
    for (const { id } of those) {
      const freed = await database.withOrganisation({ organisationId, actor: () => SYSTEM }, (db) =>
        deleteForGood(db, id),
      )
      for (const blob of freed ?? []) await blobs.remove(organisationId, blob)
      if (freed) dropped += 1
    }
  }
  return dropped
}

/** Purges an item in the trash with everything below it. Returns the ids of unreferenced bytes; null where it stays. */
async function deleteForGood(db: OrgDb, id: number): Promise<string[] | null> {
  await lockFor(db, 'files')
  const { rows } = await sql<{ name: string; root_id: number }>`
    select name || case when extension = '' then '' else '.' || extension end as name, root_id
      from file_items i where id = ${id} and trash_id = id and not exists (
        select from file_items b where b.root_id = i.root_id and b.holds > 0 and (b.id = i.id or i.id = any(b.path)))`.execute(
    db,
  )
  const [top] = rows
  if (!top) return null
  const below = sql`root_id = ${top.root_id} and (id = ${id} or ${id} = any(path))`
  const { rows: gone } = await sql<{ blob_id: string }>`
    delete from file_versions where item_id in (select id from file_items where ${below}) returning blob_id`.execute(
    db,
  )
  await sql`delete from file_items where ${below}`.execute(db)
  const { rows: freed } = await sql<{ id: string }>`
    delete from blobs b where id = any(${gone.map(({ blob_id }) => blob_id)}::uuid[])
       and not exists (select from file_versions v where v.blob_id = b.id) returning id`.execute(db)
  record(db, {
    noun: 'files',
    record: String(id),
    verb: 'deleted for good',
    changes: { name: { from: top.name, to: null } },
  })
  return freed.map((blob) => blob.id)
}
