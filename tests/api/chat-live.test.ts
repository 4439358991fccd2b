import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'

import type { ChatChange, Message } from '#contract/chat/schema.ts'

import { ChatPage, headquartersOf, madeRoom, openPage, sending, sent } from '../support/chat.ts'
import { type Caller, startTestServer } from '../support/server.ts'

const muster = await startTestServer()
/** Another process on the same database. */
const second = await startTestServer({
  DATABASE_URL: muster.services.settings.databaseUrl!,
  DATA_DIR: muster.dataDir,
})

async function aCrowd(size: number): Promise<Caller[]> {
  const organisation = await muster.anOrganisation()
  return Promise.all(Array.from({ length: size }, () => muster.signedInAs(organisation)))
}
const ids = (messages: readonly Message[]): string[] => messages.map(({ id }) => id)
const sequences = (messages: readonly Message[]): number[] => messages.map(({ sequence }) => sequence)
const upTo = (last: number): number[] => Array.from({ length: last }, (_, n) => n + 1)

test.each([1, 2, 3])(
  'of many who send at once in several rooms, each acknowledged message is there once, in one order for everybody (%s)',
  async () => {
    const people = await aCrowd(6)
    const [first, ...others] = people
    const userIds = others.map(({ uuid }) => uuid)
    const rooms = [
      await madeRoom(first!, { userIds }),
      await madeRoom(first!, { userIds }),
      await headquartersOf(first!),
    ]
    const pages = await Promise.all(people.map((one) => openPage(muster, one)))
    const comesBack = pages[2]!
    const each = 12
    const acknowledged: Message[] = []
    let later: ChatPage | undefined
    await Promise.all(
      people.map(async (one, who) => {
        for (let n = 0; n < each; n += 1) {
          const room = rooms[(who + n) % rooms.length]!
          const clientId = crypto.randomUUID()
          const attempts = n % 4 === 0 ? 2 : 1
          const replies = await Promise.all(
            Array.from({ length: attempts }, () => sending(one, room.id, `${who} ${n}`, { clientId })),
          )
          expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
          acknowledged.push(replies[0]!.body)
          // One of them loses the connection halfway, and reconnects from its last change.
          if (who === 0 && n === 4) {
            comesBack.socket.terminate()
            await comesBack.closed
          }
          if (who === 0 && n === 8) later = await openPage(muster, people[2]!, comesBack.last())
        }
      }),
    )
    expect(new Set(ids(acknowledged)).size).toBe(people.length * each)
    for (const { id } of rooms) {
      const expected = acknowledged
        .filter(({ roomId }) => roomId === id)
        .toSorted((a, b) => a.sequence - b.sequence)
      expect(sequences(expected)).toEqual(upTo(expected.length))
      for (const page of pages.filter((one) => one !== comesBack)) {
        await page.until(() => page.messages(id).length >= expected.length)
        expect(ids(page.messages(id))).toEqual(ids(expected))
      }
      const both = () => [...comesBack.messages(id), ...later!.messages(id)]
      await later!.until(() => both().length >= expected.length)
      expect(ids(both())).toEqual(ids(expected))
      const { body } = await people[3]!.get(`/chat/rooms/${id}/messages?limit=100`)
      expect(ids(body.messages)).toEqual(ids(expected))
    }
    for (const page of pages) page.socket.close()
  },
)

test('who was away receives every missed message of every room in order, however many, and what changed in them', async () => {
  const [ana, ben] = (await aCrowd(2)) as [Caller, Caller]
  const rooms = [await madeRoom(ana, { userIds: [ben.uuid] }), await madeRoom(ana, { userIds: [ben.uuid] })]
  const before = await openPage(muster, ben)
  const early = await sent(ana, rooms[0]!.id, 'Before')
  await before.message('Before')
  const known = before.last()
  await before.close()

  const missed = 1_200
  await muster.inside(ana.organisation, async (db) => {
    for (const { id } of rooms)
      await sql`select count(*) from generate_series(1, ${missed / 2}) n cross join lateral post_message(
        ${id}, ${ana.uuid}, gen_random_uuid(), '<p>' || n || '</p>', n::text, array[n::text], '{}', null, '{}', null, now(), null, false)`.execute(
        db,
      )
  })
  await ana.patch(`/chat/messages/${early.id}`, { text: '<p>Edited meanwhile</p>' })
  await ana.patch(`/chat/rooms/${rooms[1]!.id}`, { name: 'Renamed meanwhile' })
  const made = await madeRoom(ana, { userIds: [ben.uuid] })

  const after = await openPage(muster, ben, known)
  const [first, second] = rooms.map(({ id }) => after.messages(id))
  expect(sequences(first!.filter(({ id }) => id !== early.id))).toEqual(upTo(missed / 2).map((n) => n + 1))
  expect(sequences(second!)).toEqual(upTo(missed / 2))
  expect(first!.filter(({ id }) => id === early.id).map(({ text }) => text)).toEqual([
    '<p>Edited meanwhile</p>',
  ])
  expect(after.of('room').map(({ room }) => room.name)).toEqual(['Renamed meanwhile', made.name])
  expect(after.of('members')).toMatchObject([{ roomId: made.id }])
  const order = after.changes().map(({ sequence }) => sequence)
  expect(order).toEqual([...new Set(order)].toSorted((a, b) => a - b))
  await after.close()

  const pages: ChatChange[] = []
  for (let at = known, more = true; more;) {
    const { body } = await ben.get(`/chat/changes?after=${at}&limit=100`)
    pages.push(...body.changes)
    at = body.sequence
    more = body.hasMore
  }
  expect(pages).toEqual(after.changes())
})

test('who is removed receives nothing from then on, in open pages too, and learns of it later', async () => {
  const [ana, ben] = (await aCrowd(2)) as [Caller, Caller]
  const room = await madeRoom(ana, { userIds: [ben.uuid] })
  const [open, closed] = [await openPage(muster, ben), await openPage(muster, ben)]
  const { id } = await sent(ana, room.id, 'Still here')
  await closed.message('Still here')
  await closed.close()
  expect((await ana.delete(`/chat/rooms/${room.id}/members/${ben.uuid}`)).status).toBe(204)
  for (const call of ['', '/messages', '/members', '/files', '/pins'])
    expect((await ben.get(`/chat/rooms/${room.id}${call}`)).status).toBe(404)
  expect((await ben.get(`/chat/messages/${id}`)).status).toBe(404)
  await sent(ana, room.id, 'Among ourselves')
  const everywhere = await headquartersOf(ana)
  await sent(ana, everywhere.id, 'To all')
  await open.message('To all')
  expect(open.texts()).toEqual(['<p>Still here</p>', '<p>To all</p>'])
  const left = { roomId: room.id, members: [{ user_id: ben.uuid, left: true }] }
  expect(open.of('members').at(-1)).toMatchObject(left)
  const back = await openPage(muster, ben, closed.last())
  expect(back.texts()).toEqual(['<p>To all</p>'])
  expect(back.of('members')).toMatchObject([left])
  const { body } = await ben.get(`/chat/search?q=ourselves`)
  expect(body.messages).toEqual([])
})

test('who is added receives the room at once and can read what was said before', async () => {
  const [ana, ben] = (await aCrowd(2)) as [Caller, Caller]
  const room = await madeRoom(ana)
  await sent(ana, room.id, 'Before')
  const page = await openPage(muster, ben)
  await ana.post(`/chat/rooms/${room.id}/members`, { userIds: [ben.uuid] })
  await page.until(() => page.of('members').length > 0)
  await sent(ana, room.id, 'Welcome')
  await page.message('Welcome')
  const { body } = await ben.get(`/chat/rooms/${room.id}/messages`)
  expect(body.messages.map(({ text }: Message) => text)).toEqual(['<p>Before</p>', '<p>Welcome</p>'])
  expect((await ben.get(`/chat/rooms/${room.id}`)).body.membership).toMatchObject({
    unread: 1,
    role: 'member',
  })
})

test('a room that is deleted goes with everything in it, for everybody and in open pages', async () => {
  const [ana, ben] = (await aCrowd(2)) as [Caller, Caller]
  const room = await madeRoom(ana, { userIds: [ben.uuid], name: 'Short-lived' })
  await sent(ana, room.id, 'Perishable')
  const [open, closed] = [await openPage(muster, ben), await openPage(muster, ben)]
  await closed.close()
  expect((await ben.delete(`/chat/rooms/${room.id}`)).status).toBe(403)
  expect((await ana.delete(`/chat/rooms/${room.id}`)).status).toBe(204)
  await open.until(() => open.of('removed').length > 0)
  expect((await openPage(muster, ben, closed.last())).of('removed')).toMatchObject([{ roomId: room.id }])
  expect((await ana.get('/chat/search?q=perishable')).body.messages).toEqual([])
  const again = await madeRoom(ana, { name: 'short-lived' })
  expect((await ana.get(`/chat/rooms/${again.id}/messages`)).body.messages).toEqual([])
})

test('a socket that does not ask for the chat receives none of it', async () => {
  const [ana] = (await aCrowd(1)) as [Caller]
  const { body } = await ana.post('/live/ticket')
  const page = new ChatPage(muster.url, { ticket: body.ticket, after: null })
  await page.frame(({ type }) => type === 'ready')
  const headquarters = await headquartersOf(ana)
  await sent(ana, headquarters.id, 'Hello')
  await ana.post('/incident', { title: 'Flood', fullText: '<p>Hall 3</p>' })
  await page.frame((frame) => frame.type === 'event' && frame.noun === 'incidents')
  expect(page.changes()).toEqual([])
})

test('several processes deliver to each other’s pages in one order, with what is of the moment', async () => {
  const other = second
  const [ana, ben] = (await aCrowd(2)) as [Caller, Caller]
  const room = await madeRoom(ana, { userIds: [ben.uuid] })
  const [here, there] = [await openPage(muster, ana), await openPage(other, ben)]
  const through = (server: { send: typeof muster.send }, by: Caller, path: string, body: object) =>
    server.send('POST', `/chat/rooms/${room.id}/${path}`, { headers: by.headers, body })
  const each = 20
  await Promise.all(
    [muster, other].flatMap((server) =>
      [ana, ben].map(async (by) => {
        for (let n = 0; n < each; n += 1)
          await through(server, by, 'messages', { clientId: crypto.randomUUID(), text: `<p>${n}</p>` })
      }),
    ),
  )
  for (const page of [here, there]) {
    await page.until(() => page.messages(room.id).length >= 4 * each)
    expect(sequences(page.messages(room.id))).toEqual(upTo(4 * each))
  }
  expect(ids(here.messages(room.id))).toEqual(ids(there.messages(room.id)))
  await through(muster, ana, 'typing', {})
  await there.frame(({ type }) => type === 'chat-typing')
  // Sending marks one's own messages as read.
  const last = await sent(ana, room.id, 'Read this')
  await there.message('Read this')
  await through(other, ben, 'read', { sequence: last.sequence })
  await here.frame(({ type }) => type === 'chat-read')
  const { body } = await ana.post('/chat/presence', { userIds: [ana.uuid, ben.uuid] })
  expect(body.userIds.toSorted()).toEqual([ana.uuid, ben.uuid].toSorted())
  await muster.send('DELETE', `/chat/rooms/${room.id}/members/${ben.uuid}`, { headers: ana.headers })
  await sent(ana, room.id, 'Among ourselves')
  await sent(ana, (await headquartersOf(ana)).id, 'To all')
  await there.message('To all')
  expect(there.texts()).not.toContain('<p>Among ourselves</p>')
  for (const page of [here, there]) await page.close()
})

test('a message whose process tells nobody is found by the pages of others', async () => {
  const [ana, ben] = (await aCrowd(2)) as [Caller, Caller]
  const room = await madeRoom(ana, { userIds: [ben.uuid] })
  const page = await openPage(muster, ben)
  const publish = vi.spyOn(second.services.bus, 'publish').mockImplementation(() => {})
  onTestFinished(() => publish.mockRestore())
  await second.send('POST', `/chat/rooms/${room.id}/messages`, {
    headers: ana.headers,
    body: { clientId: crypto.randomUUID(), text: '<p>Untold</p>' },
  })
  await page.message('Untold')
  expect(publish).toHaveBeenCalled()
  await page.close()
})
