import { Readable } from 'node:stream'

import { roomCan } from '#contract/chat/rules.ts'
import type { Room } from '#contract/chat/schema.ts'
import {
  END_BEFORE_START,
  IN_THE_FUTURE,
  type NewExport,
  type RoomExport,
  START_AFTER_END,
} from '#contract/room-exports/schema.ts'
import { administersChat, meIn, openedRoom, recordRoom } from '#server/chat/rooms.flows.ts'
import { findRoom } from '#server/chat/rooms.store.ts'
import { dropBlob, findBlob, keepBlob } from '#server/kit/blobs/blobs.ts'
import { clock, DAY, MINUTE, SECOND } from '#server/kit/clock.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import type { FileReply } from '#server/kit/http/answers.ts'
import { demand, notFound, Refusal } from '#server/kit/http/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import type { Job } from '#server/kit/jobs/jobs.ts'
import type { Services } from '#server/kit/services.ts'
import { zip, type ZipEntry } from '#server/kit/zip.ts'

import {
  type ExportHeading,
  HTML_END,
  htmlHeading,
  htmlOf,
  pathOf,
  safeName,
  textHeading,
  textOf,
} from './report.ts'
import {
  type ExportedMessage,
  type ExportRow,
  findExport,
  findStatement,
  insertExport,
  listExported,
  measure,
  updateExport,
} from './store.ts'

const QUEUE = 'room-exports'
const EXPORT = 'This export'
const TRIES = 3
/** How long a finished export can be fetched, and how long one may take. */
const KEPT = DAY
const TIMEOUT_SECONDS = 3_600
/** Messages that are read at once, each time in a transaction of its own. */
const READ_AT_ONCE = 500
const PROGRESS_EVERY = SECOND
/** What clocks of browsers may be ahead. */
const TOLERANCE = MINUTE
const SYSTEM: EventActor = { kind: 'system', id: null, name: 'exports' }

const after = (span: number) => new Date(clock.now() + span).toISOString()
const toExport = (row: ExportRow): RoomExport => ({
  id: row.id,
  roomId: row.room_id,
  state: row.state,
  progress: row.progress,
  createTimestamp: row.create_timestamp,
  expireTimestamp: row.expire_timestamp,
})

/** Has an export made in the background. */
export async function requestExport(
  { jobs }: Services,
  db: OrgDb,
  caller: Caller,
  given: NewExport,
): Promise<RoomExport> {
  const room = await openedRoom(db, caller, given.id)
  if (room.type !== given.type) throw notFound('This room')
  demand(
    roomCan.export(room, meIn(room, caller), administersChat(caller)),
    403,
    'Only the owner and admins of this chat can export it.',
  )
  const [since, until] = [Date.parse(given.messagesSince), Date.parse(given.messagesUntil)]
  if (since > until)
    throw new Refusal(400, START_AFTER_END, {
      fields: { messagesSince: START_AFTER_END, messagesUntil: END_BEFORE_START },
    })
  demand(until <= clock.now() + TOLERANCE, 400, IN_THE_FUTURE)
  const now = clock.timestamp()
  const row: ExportRow = {
    id: crypto.randomUUID(),
    room_id: room.id,
    requested_by: caller.id,
    since_timestamp: given.messagesSince,
    until_timestamp: given.messagesUntil,
    state: 'MAKING',
    progress: 0,
    tries: 0,
    file_name: null,
    blob_id: null,
    create_timestamp: now,
    update_timestamp: now,
    expire_timestamp: after(KEPT),
  }
  await insertExport(db, row)
  await jobs.enqueue(db, QUEUE, { id: row.id })
  recordRoom(db, room.id, 'exported', {
    messagesSince: { from: null, to: given.messagesSince },
    messagesUntil: { from: null, to: given.messagesUntil },
  })
  return toExport(row)
}

/** An export that the caller asked for, of a room that they are still in. */
async function openedExport(db: OrgDb, caller: Caller, id: string): Promise<ExportRow> {
  const row = await findExport(db, id)
  const isVisible =
    row &&
    row.requested_by === caller.id &&
    row.expire_timestamp > clock.timestamp() &&
    (await findRoom(db, caller.id, row.room_id))
  if (!isVisible) throw notFound(EXPORT)
  return row
}

export const exportProgress = async (db: OrgDb, caller: Caller, id: string): Promise<RoomExport> =>
  toExport(await openedExport(db, caller, id))

export async function exportFile(
  { blobs }: Services,
  db: OrgDb,
  caller: Caller,
  id: string,
): Promise<FileReply> {
  const row = await openedExport(db, caller, id)
  demand(row.state === 'READY', 409, 'The export is not ready.')
  const blob = await findBlob(db, row.blob_id!)
  if (!blob) throw notFound(EXPORT)
  return {
    name: row.file_name!,
    type: 'application/zip',
    size: blob.size,
    body: () => blobs.read(caller.organisation.id, blob),
  }
}

/** Says, before the jobs begin, who makes the exports. */
export function makeExports(services: Services): void {
  services.jobs.handle<{ id: string }>(QUEUE, (job) => make(services, job), {
    parallel: 2,
    timeoutSeconds: TIMEOUT_SECONDS,
  })
}

type Inside = <T>(work: (db: OrgDb) => Promise<T>) => Promise<T>

async function make(services: Services, job: Job<{ id: string }>): Promise<void> {
  const { organisationId, data } = job
  const { blobs, database } = services
  const inside: Inside = (work) => database.withOrganisation({ organisationId, actor: () => SYSTEM }, work)
  const note = (changes: Partial<ExportRow>) =>
    inside((db) => updateExport(db, data.id, { update_timestamp: clock.timestamp(), ...changes }))
  const begun = await inside((db) => begin(db, data.id))
  if (!begun) return
  try {
    const progress = progressOf(begun, note)
    const content = zip(entriesOf(services, organisationId, begun, { inside, progress }))
    const blob = await blobs.write(organisationId, Readable.from(content, { objectMode: false }))
    await inside(async (db) => {
      await keepBlob(db, blob)
      const done = await updateExport(db, data.id, {
        state: 'READY',
        progress: 100,
        file_name: `Chat_Export_${safeName(begun.heading.room)}_${begun.row.create_timestamp.slice(0, 10)}.zip`,
        blob_id: blob.id,
        update_timestamp: clock.timestamp(),
        expire_timestamp: after(KEPT),
      })
      if (!done) await dropBlob(db, blobs, blob.id)
    })
  } catch (error) {
    if (begun.row.tries < TRIES && !job.last) throw error
    await note({ state: 'FAILED' })
  }
}

interface Begun {
  readonly row: ExportRow
  readonly heading: ExportHeading
  /** Messages twice, once for each of the two texts, and files. */
  readonly steps: number
}

/** Counts a try, and reads what the export says of itself. Who asked must still be in the room. */
async function begin(db: OrgDb, id: string): Promise<Begun | null> {
  const row = await findExport(db, id)
  if (row?.state !== 'MAKING') return null
  const tries = row.tries + 1
  const room = await findRoom(db, row.requested_by, row.room_id)
  const failed = tries > TRIES || !room
  await updateExport(db, id, {
    tries,
    update_timestamp: clock.timestamp(),
    ...(failed ? { state: 'FAILED' } : {}),
  })
  if (failed) return null
  const { messages, files, isPrivileged } = await measure(db, row)
  const statement = room.privileged || isPrivileged ? await findStatement(db) : ''
  const heading = {
    room: titleOf(room),
    since: row.since_timestamp,
    until: row.until_timestamp,
    statement: statement.trim() === '' ? null : statement,
  }
  return { row: { ...row, tries }, heading, steps: messages * 2 + files }
}
const titleOf = (room: Room): string =>
  room.name ?? room.people.map(({ firstName, lastName }) => `${firstName} ${lastName}`).join(', ')

/** Notes now and then how far an export is. Whether that can be written down changes nothing. */
function progressOf({ steps }: Begun, note: (changes: Partial<ExportRow>) => Promise<unknown>): () => void {
  let done = 0
  let noted = clock.now()
  return () => {
    done += 1
    if (clock.now() - noted < PROGRESS_EVERY) return
    noted = clock.now()
    note({ progress: Math.min(99, Math.floor((done / steps) * 100)) }).catch(() => {})
  }
}

async function* messagesOf(inside: Inside, row: ExportRow): AsyncGenerator<ExportedMessage> {
  for (let at = 0; ;) {
    const messages = await inside((db) => listExported(db, row, { after: at, limit: READ_AT_ONCE }))
    yield* messages
    if (messages.length < READ_AT_ONCE) return
    at = messages.at(-1)!.sequence
  }
}

/** The files of the archive, each of which reads the messages as it is written. */
async function* entriesOf(
  { blobs }: Services,
  organisationId: string,
  { row, heading }: Begun,
  { inside, progress }: { inside: Inside; progress: () => void },
): AsyncGenerator<ZipEntry> {
  const name = safeName(heading.room)
  const at = row.create_timestamp
  async function* text() {
    yield Buffer.from(`\uFEFF${textHeading(heading)}`)
    let index = 0
    for await (const message of messagesOf(inside, row)) {
      progress()
      yield Buffer.from(textOf(message, index++, heading))
    }
  }
  async function* html() {
    yield Buffer.from(htmlHeading(heading))
    for await (const message of messagesOf(inside, row)) {
      progress()
      yield Buffer.from(htmlOf(message))
    }
    yield Buffer.from(HTML_END)
  }
  yield { name: `${name}.txt`, at, isText: true, content: text }
  yield { name: `${name}.html`, at, isText: true, content: html }
  for await (const message of messagesOf(inside, row)) {
    for (const [index, file] of message.files.entries()) {
      progress()
      const blob = { id: file.blob_id, size: file.size, sha256: file.sha256 }
      // Deleted with its message meanwhile: the archive goes on without it.
      const content = await blobs.read(organisationId, blob).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      if (content === null) continue
      yield {
        name: pathOf(message, file, index),
        at: message.create_timestamp,
        isText: false,
        content: () => content,
      }
    }
  }
}
