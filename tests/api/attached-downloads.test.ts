import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { DOWNLOAD_OVER, type DownloadTicket } from '#contract/files/schema.ts'
import { blobPathOf } from '#server/kit/blobs/folder.ts'
import { clock, MINUTE } from '#server/kit/core/clock.ts'
import { NOUNS } from '#server/nouns.ts'
import { filesFor, formWith } from '#tests/support/attachments.ts'
import { madeRoom, sent } from '#tests/support/chat.ts'
import { added, declared, resolve } from '#tests/support/incidents.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'
import { storageFor } from '#tests/support/storage.ts'

/* Downloads of files attached to incidents, playbooks and messages, by a one-time address. */
const muster = await startTestServer()
const { anOrganisation, signedInAs, inside, send, dataDir } = muster
const { upload } = filesFor(muster)
const { fetched, upload: store } = storageFor(muster)

const TEXT = '0123456789'
const NOBODY = crypto.randomUUID()
const OVER = [410, DOWNLOAD_OVER]
const refusalOf = ({ status, bytes }: { status: number; bytes: Buffer }) => [
  status,
  (JSON.parse(String(bytes)) as { message: string }).message,
]
const later = (ms: number) => {
  const now = clock.now()
  vi.spyOn(clock, 'now').mockImplementation(() => now + ms)
}
afterEach(() => {
  vi.restoreAllMocks()
})

const pathOf = async (who: Caller, file: string): Promise<string> => {
  const { status, body } = await who.post(`${file}/download`)
  expect(status, JSON.stringify(body)).toBe(200)
  return (body as DownloadTicket).path
}
const setPerson = (organisation: Organisation, { uuid }: Caller, changes: object) =>
  inside(organisation, (db) =>
    db
      .updateTable('users')
      .set(changes as never)
      .where('id', '=', uuid)
      .execute(),
  )

interface World {
  readonly organisation: Organisation
  /** The person who adds the file. */
  readonly ana: Caller
  /** A person with access to it. */
  readonly ben: Caller
  /** An external person with access to it. */
  readonly guest: Caller
  /** A person of the organisation without access. */
  readonly stranger: Caller
  /** Path of the endpoint that returns the file. */
  readonly file: string
  /** Removes Ben's access to the file. */
  readonly shutOut: () => Promise<unknown>
}
const people = async () => {
  const organisation = await anOrganisation({ multiIncident: true })
  const [ana, ben, guest] = [
    await signedInAs(organisation),
    await signedInAs(organisation),
    await signedInAs(organisation, 'USER', { type: 'EXTERNAL' }),
  ]
  return { organisation, ana, ben, guest }
}
async function inAnIncident(of: 'INCIDENT' | 'ACTIVITY' = 'INCIDENT'): Promise<World> {
  const { organisation, ana, ben, guest } = await people()
  const stranger = await signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
  const incident = await declared(ana, { targetedUsers: [guest.email] })
  const parent = of === 'INCIDENT' ? incident.id : (await added(ana, incident)).id
  const { body } = await upload(ana, parent, TEXT, 'Évacuation “B”.txt', of)
  // Only external people can lose access to an incident: everybody else sees all of them.
  const shutOut = () => setPerson(organisation, ben, { type: 'EXTERNAL' })
  return { organisation, ana, ben, guest, stranger, file: `/fa/${body.id}`, shutOut }
}
async function inARoom(): Promise<World> {
  const { organisation, ana, ben, guest } = await people()
  const stranger = await signedInAs(organisation, 'ADMIN')
  const room = await madeRoom(ana, { userIds: [ben.uuid, guest.uuid], name: `Pumps ${crypto.randomUUID()}` })
  const raw = formWith(TEXT, 'Évacuation “B”.txt')
  const { body } = await send('POST', '/fe', { headers: ana.headers, raw })
  await sent(ana, room.id, 'Here', { fileIds: [body.id] })
  const shutOut = () => ana.delete(`/chat/rooms/${room.id}/members/${ben.uuid}`)
  return { organisation, ana, ben, guest, stranger, file: `/fe/${body.id}`, shutOut }
}
const WORLDS = [
  ['an incident', () => inAnIncident()],
  ['a task', () => inAnIncident('ACTIVITY')],
  ['a message', inARoom],
] as const

describe.each(WORLDS)('a file of %s', (_, aWorld) => {
  test('is downloaded once from an address without a header, also by an external person', async () => {
    const { ben, guest, file } = await aWorld()
    for (const who of [ben, guest]) {
      const { body } = await who.post(`${file}/download`)
      expect(Object.keys(body)).toEqual(['path', 'expireTimestamp'])
      const whole = await fetched(body.path)
      expect([whole.status, String(whole.bytes)]).toEqual([200, TEXT])
      expect(Object.fromEntries(whole.headers)).toMatchObject({
        'content-type': 'text/plain',
        'content-length': String(TEXT.length),
        'content-disposition': expect.stringMatching(/^attachment; .*filename\*=UTF-8''%C3%89vacuation/),
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
        'accept-ranges': 'bytes',
        etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
      })
      expect(refusalOf(await fetched(body.path))).toEqual(OVER)
    }
  })

  test('is given to one of two who open an address at the same time', async () => {
    const { ben, file } = await aWorld()
    const path = await pathOf(ben, file)
    const both = await Promise.all([fetched(path), fetched(path)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410])
  })

  test('is not given again once it was sent, neither whole nor in part', async () => {
    const { ben, file } = await aWorld()
    const path = await pathOf(ben, file)
    expect((await fetched(path, { Range: 'bytes=10-' })).status).toBe(416)
    const etag = (await fetched(path)).headers.get('etag')!
    for (const headers of [
      { Range: 'bytes=0-' },
      { Range: 'bytes=1-' },
      { Range: 'bytes=4-', 'If-Range': '"another"' },
    ] as Record<string, string>[])
      expect(refusalOf(await fetched(path, headers)), JSON.stringify(headers)).toEqual(OVER)
    // The server records the sent bytes after the response.
    const again = () => fetched(path, { Range: 'bytes=4-', 'If-Range': etag })
    await expect.poll(async () => (await again()).status).toBe(410)
  })

  test('has an address for a minute', async () => {
    const { ben, file } = await aWorld()
    const [path, early] = [await pathOf(ben, file), await pathOf(ben, file)]
    later(MINUTE - 5_000)
    expect((await fetched(early)).status).toBe(200)
    later(5_000)
    expect(refusalOf(await fetched(path))).toEqual(OVER)
  })

  test('has no address for people who may not have it, nor for keys', async () => {
    const { organisation, stranger, file } = await aWorld()
    const elsewhere = await signedInAs(await anOrganisation(), 'ADMIN')
    for (const who of [stranger, elsewhere]) expect((await who.post(`${file}/download`)).status).toBe(404)
    const admin = await signedInAs(organisation, 'ADMIN')
    const key = (await admin.post('/apiManagement/credentials', { name: 'Downloads' })).body.key as string
    const asKey = await send('POST', `${file}/download`, { headers: { 'X-Api-Key': key } })
    expect(asKey.status).toBe(403)
  })

  test('is refused to who loses the right before the address is opened or resumed', async () => {
    const { ben, guest, file, shutOut } = await aWorld()
    const [path, begun, others] = [
      await pathOf(ben, file),
      await pathOf(ben, file),
      await pathOf(guest, file),
    ]
    expect((await fetched(begun)).status).toBe(200)
    await shutOut()
    expect((await fetched(path)).status).toBe(404)
    expect((await fetched(begun, { Range: 'bytes=4-' })).status).toBe(404)
    expect((await ben.post(`${file}/download`)).status).toBe(404)
    // Another person's credentials do not make the address valid again.
    expect((await fetched(path, guest.headers)).status).toBe(404)
    expect((await fetched(others)).status).toBe(200)
  })

  test('is refused to a session that has ended and to a person who was deactivated', async () => {
    const { organisation, ben, guest, file } = await aWorld()
    const [path, another] = [await pathOf(ben, file), await pathOf(guest, file)]
    await setPerson(organisation, guest, { active: false })
    expect((await fetched(another)).status).toBe(401)
    await inside(organisation, (db) =>
      db
        .updateTable('sessions')
        .set({ ended_timestamp: clock.timestamp() })
        .where('id', '=', ben.sessionId)
        .execute(),
    )
    expect((await fetched(path)).status).toBe(401)
  })

  test('is answered below its own path alone, and not by a guess', async () => {
    const { ben, file } = await aWorld()
    const path = await pathOf(ben, file)
    const token = path.split('/').at(-1)!
    const other = file.startsWith('/fa') ? '/fe' : '/fa'
    const wrong = path.replace(/.$/, path.endsWith('A') ? 'B' : 'A')
    for (const address of [`${other}/content/${token}`, `/sfs/content/${token}`, wrong])
      expect((await fetched(address)).status, address).toBe(404)
    expect((await fetched(path)).status).toBe(200)
  })

  test('is gone with its record, and its address with it', async () => {
    const { organisation, ben, file } = await aWorld()
    const path = await pathOf(ben, file)
    const id = file.split('/').at(-1)!
    await inside(organisation, (db) =>
      db
        .deleteFrom(file.startsWith('/fa') ? 'attachments' : 'room_files')
        .where('id', '=', id)
        .execute(),
    )
    expect((await fetched(path)).status).toBe(404)
    expect((await ben.post(`${file}/download`)).status).toBe(404)
    expect((await ben.post(`${file.replace(id, NOBODY)}/download`)).status).toBe(404)
  })

  test('that is missing on the disk is said before there is an address', async () => {
    const { organisation, ben, file } = await aWorld()
    const blobs = await inside(organisation, (db) => db.selectFrom('blobs').select('id').execute())
    for (const { id } of blobs) await rm(blobPathOf(join(dataDir, 'files'), id))
    expect((await ben.post(`${file}/download`)).status).toBe(500)
  })
})

test('a ticket of secure storage opens nothing that is attached', async () => {
  const { ana } = await inAnIncident()
  const { id } = (await store(ana)).body
  const token = (await ana.post(`/sfs/item/${id}/download`, {})).body.path.split('/').at(-1)
  for (const base of ['/fa', '/fe']) expect((await fetched(`${base}/content/${token}`)).status).toBe(404)
})

test('what is uploaded and not sent is downloaded by who uploaded it', async () => {
  const { ana, ben } = await people()
  const { body } = await send('POST', '/fe', { headers: ana.headers, raw: formWith(TEXT, 'a.txt') })
  expect((await ben.post(`/fe/${body.id}/download`)).status).toBe(404)
  expect(String((await fetched(await pathOf(ana, `/fe/${body.id}`))).bytes)).toBe(TEXT)
})

test('a file of a resolved incident and one of a playbook are downloaded by who may read them', async () => {
  const organisation = await anOrganisation({ multiIncident: true })
  const planner = await signedInAs(organisation, 'PLAYBOOK_MANAGER')
  const incident = await declared(planner)
  const { body: note } = await upload(planner, incident.id, TEXT, 'a.txt')
  await resolve(planner, incident)
  expect((await fetched(await pathOf(planner, `/fa/${note.id}`))).status).toBe(200)

  const category = (await planner.post('/playbook/category', { name: 'Fire' })).body.id
  const playbook = { name: 'Fire', categoryId: category, activities: [{ type: 'HEADING', title: 'First' }] }
  const { id } = (await planner.post('/playbook/template', playbook)).body
  const { body: plan } = await upload(planner, id, TEXT, 'plan.txt', 'PLAYBOOK')
  const path = await pathOf(planner, `/fa/${plan.id}`)
  const guest = await signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
  expect((await guest.post(`/fa/${plan.id}/download`)).status).toBe(404)
  expect(String((await fetched(path)).bytes)).toBe(TEXT)
})

test('of the incident that no longer targets an external person, the address opens nothing', async () => {
  const { organisation, guest, file } = await inAnIncident()
  const path = await pathOf(guest, file)
  await inside(organisation, (db) => sql`delete from incident_target_users`.execute(db))
  expect((await fetched(path)).status).toBe(404)
})

test('tickets are given while the disk is full', () => {
  expect(NOUNS['attachments']!.needsNoDiskSpace).toContain('downloadTicket')
  expect(NOUNS['chat']!.needsNoDiskSpace).toContain('fileTicket')
})
