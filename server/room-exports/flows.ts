import { roomCan } from '#contract/chat/rules.ts'
import type { Room } from '#contract/chat/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import {
  END_BEFORE_START,
  IN_THE_FUTURE,
  type NewExport,
  type RoomExport,
  START_AFTER_END,
} from '#contract/room-exports/schema.ts'
import { demandBuiltIn } from '#server/chat/hosted.flows.ts'
import { administersChat, meIn, openedRoom, recordRoom } from '#server/chat/rooms.flows.ts'
import { findRoom } from '#server/chat/rooms.store.ts'
import { clock, MINUTE } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { FileReply } from '#server/kit/http/answers.ts'
import { demand, notFound, Refusal } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import {
  type ArchiveContent,
  archiveFile,
  type Inside,
  makeArchives,
  newArchive,
  openedArchive,
} from '#server/kit/jobs/archives.ts'
import type { Services } from '#server/kit/services.ts'
import type { ZipEntry } from '#server/kit/core/zip.ts'

import { type ExportHeading, htmlEnd, htmlHeading, htmlOf, pathOf, safeName, TextPages } from './report.ts'
import {
  type ExportedMessage,
  type ExportRow,
  exportStore,
  findStatement,
  listExported,
  measure,
} from './store.ts'

const QUEUE = 'room-exports'
/** Messages read per transaction. */
const READ_AT_ONCE = 500
/** Tolerance for browser clocks that are ahead. */
const TOLERANCE = MINUTE

const toExport = (row: ExportRow): RoomExport => ({
  id: row.id,
  roomId: row.roomId,
  state: row.state,
  progress: row.progress,
  createTimestamp: row.createTimestamp,
  expireTimestamp: row.expireTimestamp,
})

/** Requests an export in the background. */
export async function requestExport(
  { jobs }: Services,
  db: OrgDb,
  caller: Caller,
  given: NewExport,
): Promise<RoomExport> {
  demandBuiltIn(caller)
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
  const row: ExportRow = {
    ...newArchive(caller),
    roomId: room.id,
    sinceTimestamp: given.messagesSince,
    untilTimestamp: given.messagesUntil,
  }
  await exportStore.insert(db, row)
  await jobs.enqueue(db, QUEUE, { id: row.id })
  recordRoom(db, room.id, 'exported', {
    messagesSince: { from: null, to: given.messagesSince },
    messagesUntil: { from: null, to: given.messagesUntil },
  })
  return toExport(row)
}

/** An export that the caller requested, of a room that they are still in. */
async function openedExport(db: OrgDb, caller: Caller, id: string): Promise<ExportRow> {
  const row = await openedArchive(exportStore, db, caller, id)
  if (!(await findRoom(db, caller.id, row.roomId))) throw notFound('This export')
  return row
}

export const exportProgress = async (db: OrgDb, caller: Caller, id: string): Promise<RoomExport> =>
  toExport(await openedExport(db, caller, id))

/** @throws Refusal 404, 409 while the export is being made */
export const exportFile = async (
  { blobs }: Services,
  db: OrgDb,
  caller: Caller,
  id: string,
): Promise<FileReply> => archiveFile(blobs, db, caller, await openedExport(db, caller, id))

/** Registers the handler of exports; call before the jobs begin. */
export const makeExports = (services: Services): void =>
  makeArchives(services, {
    queue: QUEUE,
    store: exportStore,
    parallel: 2,
    open: (db, row) => contentOf(services, db, row),
  })

/** The heading of an export; null where the requester is no longer in the room. */
async function contentOf(services: Services, db: OrgDb, row: ExportRow): Promise<ArchiveContent | null> {
  const room = await findRoom(db, row.requestedBy, row.roomId)
  if (!room) return null
  const { messages, files, isPrivileged } = await measure(db, row)
  const statement = room.privileged || isPrivileged ? await findStatement(db) : ''
  const heading = {
    room: titleOf(room),
    since: row.sinceTimestamp,
    until: row.untilTimestamp,
    statement: statement.trim() === '' ? null : statement,
  }
  return {
    fileName: `Chat_Export_${safeName(heading.room)}_${row.createTimestamp.slice(0, 10)}.zip`,
    // Each message is written to two texts.
    steps: messages * 2 + files,
    entries: (parts) => entriesOf(services, row, heading, parts),
  }
}
const titleOf = (room: Room): string => room.name ?? room.people.map(fullName).join(', ')

async function* messagesOf(inside: Inside, row: ExportRow): AsyncGenerator<ExportedMessage> {
  for (let at: string | null = null; ;) {
    const after: string | null = at
    const messages: ExportedMessage[] = await inside((db) =>
      listExported(db, row, { after, limit: READ_AT_ONCE }),
    )
    yield* messages
    if (messages.length < READ_AT_ONCE) return
    at = messages.at(-1)!.id
  }
}

/** The files of the archive, each of which streams the messages. */
async function* entriesOf(
  { blobs }: Services,
  row: ExportRow,
  heading: ExportHeading,
  { organisationId, inside, onStep }: Parameters<ArchiveContent['entries']>[0],
): AsyncGenerator<ZipEntry> {
  const name = safeName(heading.room)
  const at = row.createTimestamp
  async function* text() {
    const pages = new TextPages(heading)
    yield Buffer.from(`\uFEFF${pages.heading()}`)
    for await (const message of messagesOf(inside, row)) {
      onStep()
      yield Buffer.from(pages.message(message))
    }
  }
  async function* html() {
    yield Buffer.from(htmlHeading(heading))
    for await (const message of messagesOf(inside, row)) {
      onStep()
      yield Buffer.from(htmlOf(message))
    }
    yield Buffer.from(htmlEnd(heading))
  }
  yield { name: `${name}.txt`, at, isText: true, content: text }
  yield { name: `${name}.html`, at, isText: true, content: html }
  for await (const message of messagesOf(inside, row)) {
    for (const [index, file] of message.files.entries()) {
      onStep()
      const blob = { id: file.blob_id, size: file.size, sha256: file.sha256 }
      // Deleted with its message meanwhile: the archive leaves the file out.
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
