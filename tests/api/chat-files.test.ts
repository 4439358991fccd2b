import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'

import type { AuditEvent } from '#contract/audit-log/schema.ts'
import type { Message, MessageAttachment } from '#contract/chat/schema.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'
import { chores } from '#server/kit/jobs/housekeeping.ts'

import { startedCall } from '../support/calls.ts'
import { headquartersOf, madeRoom, openPage, sending, sent } from '../support/chat.ts'
import { PNG } from '../support/files.ts'
import { type Caller, startTestServer } from '../support/server.ts'
import { unzip } from '../support/zip.ts'

const muster = await startTestServer()
const { services } = muster

function upload(
  by: Caller,
  name = 'plan.txt',
  content: BlobPart = 'Pumps first',
): Promise<{ status: number; body: any }> {
  const form = new FormData()
  form.append('file', new File([content], name))
  return muster.send('POST', '/fe', { headers: by.headers, raw: form })
}
async function uploaded(by: Caller, name?: string, content?: BlobPart): Promise<MessageAttachment> {
  const { status, body } = await upload(by, name, content)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
async function aTeam(config = {}) {
  const organisation = await muster.anOrganisation(config)
  const [ana, ben, cleo] = [
    await muster.signedInAs(organisation, 'USER', { firstName: 'Ana', lastName: 'Alvarez' }),
    await muster.signedInAs(organisation, 'USER', { firstName: 'Ben', lastName: 'Baker' }),
    await muster.signedInAs(organisation, 'USER', { firstName: 'Cleo', lastName: 'Clark' }),
  ]
  const room = await madeRoom(ana, { userIds: [ben.uuid], name: `Pumps ${crypto.randomUUID()}` })
  return { organisation, ana, ben, cleo, room }
}
const statusesOf = async (by: Caller, id: string): Promise<number[]> =>
  Promise.all([`/fe/${id}`, `/fe/${id}/info`].map(async (path) => (await by.get(path)).status))
const housekeeping = () => chores({ database: services.database, blobs: services.blobs }).get('chat')!.run()
function later(span: number): void {
  const now = clock.now()
  vi.spyOn(clock, 'now').mockImplementation(() => now + span)
  onTestFinished(() => void vi.restoreAllMocks())
}

test('a file is its uploader’s until it is sent, then of everybody in the room and nobody else', async () => {
  const { ana, ben, cleo, room } = await aTeam()
  const file = await uploaded(ana)
  expect(await statusesOf(ana, file.id)).toEqual([200, 200])
  expect(await statusesOf(ben, file.id)).toEqual([404, 404])
  const image = await uploaded(ana, 'hall.png', PNG)
  const message = await sent(ana, room.id, 'Both', { fileIds: [image.id, file.id] })
  expect(message.attachments).toEqual([image, file])
  expect(message).toMatchObject({
    hasAttachments: true,
    attachments: [
      { type: 'image', image_url: `/fe/${image.id}`, title: 'hall.png', mimeType: 'image/png' },
      {
        type: 'file',
        image_url: null,
        asset_url: `/fe/${file.id}`,
        name: 'plan',
        extension: 'txt',
        size: 11,
      },
    ],
  })
  const download = await ben.get(`/fe/${file.id}`)
  expect([download.status, download.text]).toEqual([200, 'Pumps first'])
  expect(download.headers.get('content-disposition')).toContain('attachment')
  expect((await ben.get(`/fe/${file.id}/info`)).body).toEqual({
    nameWithExtension: 'plan.txt',
    extension: 'txt',
  })
  expect(await statusesOf(cleo, file.id)).toEqual([404, 404])
  await ana.delete(`/chat/rooms/${room.id}/members/${ben.uuid}`)
  expect(await statusesOf(ben, file.id)).toEqual([404, 404])
})

test('a file is sent once, by who uploaded it, and deleted with its message', async () => {
  const { ana, ben, room } = await aTeam()
  const file = await uploaded(ana)
  const steal = await sending(ben, room.id, 'Mine', { fileIds: [file.id] })
  expect(steal.status).toBe(400)
  expect((await ben.get(`/chat/rooms/${room.id}/messages`)).body.messages).toEqual([])
  const alone = await ana.post(`/chat/rooms/${room.id}/messages`, {
    clientId: crypto.randomUUID(),
    text: '',
    fileIds: [file.id],
  })
  expect(alone.status).toBe(201)
  expect((await sending(ana, room.id, 'Again', { fileIds: [file.id] })).status).toBe(400)
  expect((await ana.delete(`/fe/${file.id}`)).status).toBe(409)
  const page = await openPage(muster, ben)
  expect((await ana.delete(`/chat/messages/${alone.body.id}`)).status).toBe(204)
  await page.until(() => page.messages().length > 0)
  expect(page.messages()[0]).toMatchObject({ attachments: [], text: '' })
  expect(await statusesOf(ana, file.id)).toEqual([404, 404])
  const unsent = await uploaded(ana)
  expect((await ben.delete(`/fe/${unsent.id}`)).status).toBe(404)
  expect((await ana.delete(`/fe/${unsent.id}`)).status).toBe(204)
  expect(await statusesOf(ana, unsent.id)).toEqual([404, 404])
})

test('files of a kind that is not taken, or that are not what they say, are refused', async () => {
  const { ana } = await aTeam({ maxFileSize: 1 })
  const refused = 'One or more files are unsupported types or exceed the 100 MB limit.'
  expect(await upload(ana, 'run.exe', 'MZ')).toMatchObject({ status: 415, body: { message: refused } })
  expect(await upload(ana, 'hall.png', 'no picture')).toMatchObject({
    status: 415,
    body: { message: refused },
  })
  expect((await upload(ana, 'large.txt', 'x'.repeat(1024 * 1024 + 1))).status).toBe(413)
  expect((await upload(ana, 'empty.txt', '')).status).toBe(400)
})

test('the files of a room are listed newest first, in pages, and found by name', async () => {
  const { ana, ben, room } = await aTeam()
  for (let n = 1; n <= 4; n += 1) {
    const file = await uploaded(ana, `Plan ${n}.txt`)
    await sent(ana, room.id, `File ${n}`, { fileIds: [file.id] })
  }
  const path = `/chat/rooms/${room.id}/files`
  const page = await ben.get(`${path}?range=[0,2]`)
  expect(page.headers.get('content-range')).toBe('items 0-2/4')
  expect(page.body.map(({ title }: MessageAttachment) => title)).toEqual([
    'Plan 4.txt',
    'Plan 3.txt',
    'Plan 2.txt',
  ])
  const found = await ben.get(`${path}?filter=${encodeURIComponent('{"q":"plan 1"}')}`)
  expect(found.body).toMatchObject([{ title: 'Plan 1.txt', messageSequence: 1, user: ana.uuid }])
})

test('words of messages and of their files are found in one’s own rooms, with people, room and time', async () => {
  const { ana, ben, cleo, room } = await aTeam()
  const everywhere = await headquartersOf(ana)
  const valve = await sent(ana, room.id, 'Das <strong>Überdruckventil</strong> klemmt')
  const reply = await sent(ben, room.id, 'Which valve? See ventil-plan')
  const file = await uploaded(ben, 'Ventil_Übersicht.v2.txt')
  const withFile = await sent(ben, room.id, 'Attached', { fileIds: [file.id] })
  const all = await sent(cleo, everywhere.id, '緊急停止 of every ventil')
  const found = async (by: Caller, query: string): Promise<string[]> => {
    const { status, body } = await by.get(`/chat/search?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.messages.map(({ id }: Message) => id)
  }
  expect(await found(ana, 'q=uberdruck')).toEqual([valve.id])
  expect(await found(ana, 'q=VENTIL')).toEqual([all.id, withFile.id, reply.id])
  expect(await found(cleo, 'q=ventil')).toEqual([all.id])
  expect(await found(ana, 'q=ventil+ubersicht')).toEqual([withFile.id])
  expect(await found(ana, `q=${encodeURIComponent('停止')}`)).toEqual([all.id])
  expect(await found(ana, `q=ventil&userId=${cleo.uuid}`)).toEqual([all.id])
  expect(await found(ana, `q=ventil&roomId=${room.id}&to=${withFile.created_at}`)).toEqual([reply.id])
  expect(await found(ana, `q=ventil&from=${all.created_at}`)).toEqual([all.id])
  for (const odd of ["'", '%', '*', '!', '&|!', '::', '\\', "a' | 'b", ':', `:${ana.organisation.id}`])
    expect(await found(ana, `q=${encodeURIComponent(odd)}`), odd).toEqual([])
  expect(await found(ana, `q=${encodeURIComponent('"see ventil"')}`)).toEqual([reply.id])
  expect(await found(ana, `q=${encodeURIComponent('“VENTIL see”')}`)).toEqual([])
  expect(await found(ana, `q=${encodeURIComponent('ventil "100%"')}`)).toEqual([])
  const first = await ana.get('/chat/search?q=ventil&limit=2')
  expect(first.body.next).toBe(withFile.id)
  expect(await found(ana, `q=ventil&limit=2&cursor=${first.body.next}`)).toEqual([reply.id])
  expect((await cleo.get(`/chat/search?q=ventil&roomId=${room.id}`)).status).toBe(404)
  await ben.patch(`/chat/messages/${reply.id}`, { text: '<p>Never mind</p>' })
  await ben.delete(`/chat/messages/${withFile.id}`)
  expect(await found(ana, 'q=ventil')).toEqual([all.id])
  const stranger = await muster.signedInAs(await muster.anOrganisation())
  expect(await found(stranger, 'q=ventil')).toEqual([])
})

test('a mention is found by the name that is shown', async () => {
  const { ana, ben, room } = await aTeam()
  const { user } = (await ana.get('/me')).body
  const named = await sent(ben, room.id, `Please call @${ana.email} back`)
  const found = await ben.get(`/chat/search?q=${encodeURIComponent(`${user.firstName} ${user.lastName}`)}`)
  expect(found.body.messages.map(({ id }: Message) => id)).toEqual([named.id])
})

async function exported(by: Caller, body: object) {
  const { status, body: request } = await by.post('/stream/exportChannel', body)
  expect(status, JSON.stringify(request)).toBe(201)
  await expect.poll(async () => (await by.get(`/chat/exports/${request.id}`)).body.state).toBe('READY')
  const reply = await fetch(`${muster.url}/api/chat/exports/${request.id}/file`, { headers: by.headers })
  expect(reply.headers.get('content-type')).toBe('application/zip')
  return { id: request.id as string, files: unzip(Buffer.from(await reply.arrayBuffer())) }
}
const span = (messages: readonly Message[]) => ({
  messagesSince: messages[0]!.created_at,
  messagesUntil: messages.at(-1)!.created_at,
})

test('an export has exactly the messages of its time, as text and HTML, with their files', async () => {
  const { ana, ben, room } = await aTeam()
  const file = await uploaded(ben, 'plan: final.txt')
  const early = await sent(ana, room.id, 'Too early')
  const messages = [
    await sent(ana, room.id, `@${ben.email} where is the <em>plan</em> &lt;b&gt;`),
    await sent(ben, room.id, 'Here', { fileIds: [file.id] }),
  ]
  const late = await sent(ana, room.id, 'Too late')
  expect(early.created_at < messages[0]!.created_at && late.created_at > messages[1]!.created_at).toBe(true)
  const { id, files } = await exported(ana, { id: room.id, type: 'team', ...span(messages) })
  const names = [...files.keys()]
  expect(names).toEqual([`${room.name}.txt`, `${room.name}.html`, 'attachments/3-1-plan_ final.txt'])
  const [text, html, plan] = [...files.values()].map(String)
  expect(plan).toBe('Pumps first')
  expect(text).toContain('Ana Alvarez:\r\n  @Ben Baker where is the plan <b>')
  expect(html).toContain('@Ben Baker where is the <em>plan</em> &lt;b&gt;')
  for (const content of [text, html]) expect(content).not.toMatch(/Too early|Too late|confidential/)

  expect((await ben.get(`/chat/exports/${id}`)).status).toBe(404)
  expect(
    (await ben.post('/stream/exportChannel', { id: room.id, type: 'team', ...span(messages) })).status,
  ).toBe(403)
  const swapped = { messagesSince: late.created_at, messagesUntil: early.created_at }
  expect(
    (await ana.post('/stream/exportChannel', { id: room.id, type: 'team', ...swapped })).body.fields,
  ).toEqual({
    messagesSince: 'The start date must match or precede the end date.',
    messagesUntil: 'The end date must match or be after the start date.',
  })
  const future = { ...span(messages), messagesUntil: new Date(Date.now() + DAY).toISOString() }
  expect((await ana.post('/stream/exportChannel', { id: room.id, type: 'team', ...future })).status).toBe(400)
  await ana.patch(`/chat/rooms/${room.id}/members/${ben.uuid}`, { role: 'channel_admin' })
  await ben.delete(`/chat/rooms/${room.id}/members/${ana.uuid}`)
  await ana.post(`/chat/rooms/${room.id}/leave`)
  for (const path of [`/chat/exports/${id}`, `/chat/exports/${id}/file`])
    expect((await ana.get(path)).status).toBe(404)
})

test('an export has the answers of threads, each with the time of the message that it belongs to', async () => {
  const { ana, ben, room } = await aTeam()
  const file = await uploaded(ben, 'plan.txt')
  const first = await sent(ana, room.id, 'Where is the plan?')
  const inside = await sent(ben, room.id, 'Here', { threadId: first.id, fileIds: [file.id] })
  const later = await sent(ana, room.id, 'Next')
  const both = await sent(ben, room.id, 'Also said', { threadId: first.id, isAlsoInRoom: true })
  const { files } = await exported(ana, { id: room.id, type: 'team', ...span([first, inside, later, both]) })
  expect([...files.keys()].at(-1)).toBe('attachments/1.1-1-plan.txt')
  const [text, html] = [...files.values()].map(String)
  const order = ['Where is the plan?', 'Here', 'Next', 'Also said']
  for (const content of [text!, html!])
    expect(order.map((one) => content.indexOf(one))).toEqual(
      order.map((one) => content.indexOf(one)).toSorted((a, b) => a - b),
    )
  expect(text!.match(/Ben Baker, answer to the message of .+:\r\n  (Here|Also said)/g)).toHaveLength(2)
  expect(html).toContain('id="m1.1"')
})

test('the export of a privileged room carries the statement on every page', async () => {
  const statement = 'Privileged & confidential.'
  const { ana, room } = await aTeam({ markAsPrivilegedEnabled: true, statementOfPrivilege: statement })
  await ana.post(`/privilege/${room.id}/true`)
  const messages = []
  for (let n = 0; n < 41; n += 1) messages.push(await sent(ana, room.id, `Line ${n}`))
  const { files } = await exported(ana, { id: room.id, type: 'team', ...span(messages) })
  const [text, html] = [...files.values()].map(String)
  const pages = text!.replace('\uFEFF', '').split('\f')
  expect(pages).toHaveLength(3)
  for (const page of pages) expect(page.startsWith(statement)).toBe(true)
  expect(html).toContain(
    '<thead><tr><th><p class="statement">Privileged &amp; confidential.</p></th></tr></thead>',
  )
})

test('uploads that were not sent go after a day, and old messages where the organisation says so', async () => {
  const keeping = await aTeam()
  const forgetting = await aTeam({ chatRetentionDays: 30 })
  const message = await sent(keeping.ana, keeping.room.id, 'Kept')
  const file = await uploaded(forgetting.ana)
  const old = await sent(forgetting.ana, forgetting.room.id, 'Old', { fileIds: [file.id] })
  const unsent = await uploaded(forgetting.ana)
  await housekeeping()
  expect(await statusesOf(forgetting.ana, unsent.id)).toEqual([200, 200])
  later(31 * DAY)
  await housekeeping()
  vi.restoreAllMocks()
  const admin = await muster.signedInAs(forgetting.organisation, 'ADMIN')
  const { body: log } = await admin.get('/useradmin/auditLog')
  expect((log as AuditEvent[]).filter(({ verb }) => verb === 'old messages deleted')).toMatchObject([
    { noun: 'rooms', record: forgetting.room.id, changes: [{ field: 'messages', from: '1', to: null }] },
  ])
  expect(await statusesOf(forgetting.ana, unsent.id)).toEqual([404, 404])
  expect(await statusesOf(forgetting.ana, file.id)).toEqual([404, 404])
  expect((await forgetting.ana.get(`/chat/messages/${old.id}`)).status).toBe(404)
  expect((await keeping.ana.get(`/chat/messages/${message.id}`)).status).toBe(200)
  const next = await sent(forgetting.ana, forgetting.room.id, 'New')
  expect(next.sequence).toBe(2)
  const { body } = await forgetting.ben.get(`/chat/rooms/${forgetting.room.id}/messages`)
  expect(body).toMatchObject({ messages: [{ sequence: 2 }], hasOlder: false })
  expect((await forgetting.ben.get(`/chat/rooms/${forgetting.room.id}`)).body.membership.unread).toBe(1)
})

test('retention deletes old messages from threads, and a thread with its last answer', async () => {
  const { organisation, ana, ben, room } = await aTeam({ chatRetentionDays: 30 })
  const first = await sent(ana, room.id, 'Old')
  const old = await sent(ben, room.id, 'Old answer', { threadId: first.id })
  const young = await sent(ana, room.id, 'New answer', { threadId: first.id })
  const other = await sent(ana, room.id, 'Old as well')
  await sent(ben, room.id, 'Its only answer', { threadId: other.id })
  await services.database.withOrganisation(
    { organisationId: organisation.id, actor: () => ({ kind: 'system', id: null, name: 'test' }) },
    (db) =>
      sql`update room_messages set create_timestamp = now() - interval '31 days' where id <> ${young.id}`.execute(
        db,
      ),
  )
  await housekeeping()
  expect((await ana.get(`/chat/messages/${old.id}`)).status).toBe(404)
  const { status, body } = await ben.get(`/chat/threads/${first.id}`)
  expect([status, body]).toMatchObject([
    200,
    { first: null, messages: [{ id: young.id, thread: { sequence: 2 } }], hasOlder: false },
  ])
  expect((await ben.get(`/chat/threads/${other.id}`)).status).toBe(404)
  const { body: list } = await ben.get('/chat/threads')
  expect(list.threads).toMatchObject([{ id: first.id, messageId: young.id, answers: { count: 1 } }])
  expect((await sent(ben, room.id, 'It goes on', { threadId: first.id })).thread?.sequence).toBe(3)
})

test('the message of a running call is kept however old it is, and the call with it', async () => {
  const { organisation, ana, room } = await aTeam({ chatRetentionDays: 30 })
  const old = await sent(ana, room.id, 'Old')
  const { call } = await startedCall(ana, room.id)
  await services.database.withOrganisation(
    { organisationId: organisation.id, actor: () => ({ kind: 'system', id: null, name: 'test' }) },
    (db) => sql`update room_messages set create_timestamp = now() - interval '31 days'`.execute(db),
  )
  await housekeeping()
  expect((await ana.get(`/chat/messages/${old.id}`)).status).toBe(404)
  expect((await ana.get(`/chat/messages/${call.messageId}`)).status).toBe(200)
  expect((await ana.get(`/calls/${call.callId}`)).status).toBe(200)
})
