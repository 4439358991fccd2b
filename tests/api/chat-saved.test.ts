import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, test, vi } from 'vitest'

import type { MessagePage, SavedPage } from '#contract/chat/schema.ts'
import type { Notification, Notifications } from '#contract/notifications/schema.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'

import { madeRoom, openPage, sent } from '../support/chat.ts'
import { signIn, startProduct } from '../support/product.ts'
import { type Caller, startTestServer } from '../support/server.ts'

const muster = await startTestServer()

async function talk() {
  const organisation = await muster.anOrganisation()
  const [lead, ana] = [
    await muster.signedInAs(organisation, 'ADMIN'),
    await muster.signedInAs(organisation, 'USER'),
  ]
  const room = await madeRoom(lead, { userIds: [(await ana.get('/me')).body.user.uuid] })
  return { lead, ana, room, message: await sent(lead, room.id, 'Read this later') }
}
const save = (caller: Caller, id: string, body: object = {}) => caller.put(`/chat/messages/${id}/saved`, body)
const savedOf = async (caller: Caller, query = ''): Promise<SavedPage> =>
  (await caller.get(`/chat/saved${query}`)).body
const remindersOf = async (caller: Caller): Promise<readonly Notification[]> =>
  ((await caller.get('/notifications')).body as Notifications).data.filter(({ title }) =>
    title.startsWith('Reminder'),
  )
const byText = (a: string | null, b: string | null) => (a ?? '').localeCompare(b ?? '')
const from = (milliseconds: number) => new Date(clock.now() + milliseconds).toISOString()

describe('a saved message', () => {
  test('is in the list of who saved it, last saved first and a page at a time, and in the room', async () => {
    const { lead, ana, room, message } = await talk()
    const others = [await sent(lead, room.id, 'two'), await sent(lead, room.id, 'three')]
    for (const { id } of [others[1]!, message, others[0]!])
      // oxlint-disable-next-line no-await-in-loop -- in this order
      expect((await save(ana, id)).status).toBe(200)
    const first = await savedOf(ana, '?limit=2')
    expect(first.messages.map(({ text }) => text)).toEqual(['<p>two</p>', '<p>Read this later</p>'])
    expect(first.saved.map(({ messageId }) => messageId)).toEqual(first.messages.map(({ id }) => id))
    const rest = await savedOf(ana, `?limit=2&cursor=${first.next}`)
    expect(rest.messages.map(({ id }) => id)).toEqual([others[1]!.id])
    expect(rest.next).toBeNull()
    const page = (await ana.get(`/chat/rooms/${room.id}/messages`)).body as MessagePage
    expect(page.saved?.toSorted(byText)).toEqual([message.id, ...others.map(({ id }) => id)].toSorted(byText))
    expect((await savedOf(lead)).messages).toEqual([])
    expect((await lead.get(`/chat/rooms/${room.id}/messages`)).body).not.toHaveProperty('saved')
  })

  test('is saved once however often, told to the own pages, and gone when it is removed', async () => {
    const { ana, room, message } = await talk()
    const page = await openPage(muster, ana)
    await save(ana, message.id)
    await page.frame((frame) => frame.type === 'chat-own' && frame.roomId === room.id)
    await save(ana, message.id)
    expect((await savedOf(ana)).messages).toHaveLength(1)
    expect((await ana.delete(`/chat/messages/${message.id}/saved`)).status).toBe(204)
    expect((await ana.delete(`/chat/messages/${message.id}/saved`)).status).toBe(204)
    expect((await savedOf(ana)).messages).toEqual([])
    await page.close()
  })

  test('goes with the message and with the membership', async () => {
    const { lead, ana, room, message } = await talk()
    const other = await sent(lead, room.id, 'stays')
    await save(ana, message.id)
    await save(ana, other.id)
    await lead.delete(`/chat/messages/${message.id}`)
    expect((await savedOf(ana)).messages.map(({ id }) => id)).toEqual([other.id])
    expect((await save(ana, message.id)).status).toBe(409)
    await ana.post(`/chat/rooms/${room.id}/leave`)
    expect((await savedOf(ana)).messages).toEqual([])
  })
})

describe('a reminder', () => {
  test('is refused in the past and after a year, and nothing is saved', async () => {
    const { ana, message } = await talk()
    for (const remindAt of [from(-1_000), from(366 * DAY)]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { status, body } = await save(ana, message.id, { remindAt })
      expect([status, Object.keys(body.fields)]).toEqual([400, ['remindAt']])
    }
    expect((await save(ana, message.id, { remindAt: 'tomorrow' })).status).toBe(400)
    expect((await savedOf(ana)).saved).toEqual([])
  })

  test('comes as one notification, which reading the room leaves unread', async () => {
    const { lead, ana, room, message } = await talk()
    const mention = await sent(lead, room.id, `@${ana.email}`)
    const remindAt = from(1_000)
    expect((await save(ana, message.id, { remindAt })).body).toMatchObject({ remindAt })
    await save(ana, mention.id, { remindAt })
    await vi.waitFor(async () => expect(await remindersOf(ana)).toHaveLength(2), { timeout: 15_000 })
    await ana.post(`/chat/rooms/${room.id}/read`, { sequence: 2 })
    const reminders = await remindersOf(ana)
    expect(reminders.map(({ messageId }) => messageId).toSorted(byText)).toEqual(
      [message.id, mention.id].toSorted(byText),
    )
    for (const one of reminders)
      expect(one).toMatchObject({ roomId: room.id, details: room.name, hasBeenRead: false })
    expect((await savedOf(ana)).saved.map((one) => one.remindAt)).toEqual([null, null])
    expect(await remindersOf(lead)).toEqual([])
  })

  test('that is moved, removed, or about a room that was left does not come', async () => {
    const { lead, ana, room, message } = await talk()
    const [removed, moved, comes] = [
      await sent(lead, room.id, 'removed'),
      await sent(lead, room.id, 'moved'),
      await sent(lead, room.id, 'comes'),
    ]
    const guest = { lead, room: await madeRoom(lead, { userIds: [(await ana.get('/me')).body.user.uuid] }) }
    const left = await sent(lead, guest.room.id, 'left')
    const soon = from(1_000)
    for (const { id } of [message, removed, moved, left])
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await save(ana, id, { remindAt: soon })
    await save(ana, message.id, { remindAt: null })
    await ana.delete(`/chat/messages/${removed.id}/saved`)
    await save(ana, moved.id, { remindAt: from(DAY) })
    await ana.post(`/chat/rooms/${guest.room.id}/leave`)
    // The last in the queue.
    await save(ana, comes.id, { remindAt: from(2_000) })
    await vi.waitFor(async () => expect(await remindersOf(ana)).toHaveLength(1), { timeout: 15_000 })
    expect(await remindersOf(ana)).toMatchObject([{ messageId: comes.id }])
  })

  test.each(['commit', 'committed'] as const)(
    'comes once although the process is killed at the %s of its notification',
    { timeout: 120_000 },
    async (moment) => {
      const folder = await mkdtemp(join(tmpdir(), 'muster-reminder-'))
      const file = join(folder, 'kill-point.json')
      const point = pathToFileURL(join(import.meta.dirname, '../support/kill-point.ts')).href
      const data = join(folder, 'data')
      const first = await startProduct({ KILL_POINT: file, NODE_OPTIONS: `--import=${point}` }, data)
      let second
      try {
        const { call } = await signIn(first.url, 'admin@demo.example')
        const room = (await call('GET', '/chat/rooms')).body[0]
        const { messages } = (await call('GET', `/chat/rooms/${room.id}/messages`)).body
        const { id } = messages.at(-1)
        await call('PUT', `/chat/messages/${id}/saved`, { remindAt: from(2_000) })
        await writeFile(file, JSON.stringify({ statement: 'with due as', moment }))
        await vi.waitFor(() => expect(() => process.kill(first.pid, 0)).toThrow('ESRCH'), { timeout: 30_000 })
        await rm(file)
        second = await startProduct({}, data)
        const again = await signIn(second.url, 'admin@demo.example')
        const count = async () =>
          ((await again.call('GET', '/notifications')).body as Notifications).data.filter(
            ({ title, messageId }) => title.startsWith('Reminder') && messageId === id,
          ).length
        await vi.waitFor(async () => expect(await count()).toBe(1), { timeout: 60_000 })
        // A later reminder shows that the job of the first has run again.
        await again.call('PUT', `/chat/messages/${messages[0].id}/saved`, { remindAt: from(1_000) })
        const all = async () =>
          ((await again.call('GET', '/notifications')).body as Notifications).data.filter(({ title }) =>
            title.startsWith('Reminder'),
          )
        await vi.waitFor(async () => expect(await all()).toHaveLength(2), { timeout: 30_000 })
        expect(await count()).toBe(1)
      } finally {
        await first.kill('SIGKILL')
        await second?.crash()
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
})
