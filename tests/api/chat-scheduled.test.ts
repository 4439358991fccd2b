import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, test, vi } from 'vitest'

import type { Message, MessagePage, ScheduledMessage, ThreadPage } from '#contract/chat/schema.ts'
import type { Notifications } from '#contract/notifications/schema.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'

import { madeRoom, openPage, sent } from '../support/chat.ts'
import { signIn, startProduct } from '../support/product.ts'
import { type Caller, startTestServer } from '../support/server.ts'

const muster = await startTestServer()

const idOf = async (caller: Caller): Promise<string> => (await caller.get('/me')).body.user.uuid
async function talk() {
  const organisation = await muster.anOrganisation()
  const [lead, ana] = [
    await muster.signedInAs(organisation, 'ADMIN'),
    await muster.signedInAs(organisation, 'USER'),
  ]
  const room = await madeRoom(lead, { userIds: [await idOf(ana)] })
  return { organisation, lead, ana, room }
}
const from = (milliseconds: number) => new Date(clock.now() + milliseconds).toISOString()
const scheduling = (caller: Caller, roomId: string, text: string, given: object = {}) =>
  caller.post(`/chat/rooms/${roomId}/scheduled`, {
    clientId: crypto.randomUUID(),
    text: `<p>${text}</p>`,
    sendAt: from(DAY),
    ...given,
  })
async function scheduled(caller: Caller, roomId: string, text: string, given: object = {}) {
  const { status, body } = await scheduling(caller, roomId, text, given)
  expect(status, JSON.stringify(body)).toBe(201)
  return body as ScheduledMessage
}
const waitingOf = async (caller: Caller): Promise<ScheduledMessage[]> =>
  (await caller.get('/chat/scheduled')).body
const textsIn = async (caller: Caller, roomId: string): Promise<string[]> =>
  ((await caller.get(`/chat/rooms/${roomId}/messages`)).body as MessagePage).messages.map(({ text }) => text)
const unsentOf = async (caller: Caller) =>
  ((await caller.get('/notifications')).body as Notifications).data.filter(({ title }) =>
    title.includes('scheduled message'),
  )
const isSent = (caller: Caller, roomId: string, text: string) =>
  vi.waitFor(async () => expect(await textsIn(caller, roomId)).toContain(`<p>${text}</p>`), {
    timeout: 15_000,
  })

describe('a scheduled message', () => {
  test('is listed for its author alone, the next one first, and kept once per client id', async () => {
    const { lead, ana, room } = await talk()
    const clientId = crypto.randomUUID()
    const later = await scheduled(ana, room.id, 'Later', { clientId, sendAt: from(2 * DAY) })
    expect(await scheduled(ana, room.id, 'Later', { clientId, sendAt: from(2 * DAY) })).toEqual(later)
    const sooner = await scheduled(ana, room.id, 'Sooner')
    expect((await waitingOf(ana)).map(({ id }) => id)).toEqual([sooner.id, later.id])
    expect(sooner).toMatchObject({ roomId: room.id, text: '<p>Sooner</p>', problem: null, version: 1 })
    expect(await waitingOf(lead)).toEqual([])
    expect(await textsIn(lead, room.id)).toEqual([])
  })

  test('is refused in the past, after a year, empty, too long, and in a room of others', async () => {
    const { lead, ana, room } = await talk()
    const others = await madeRoom(lead)
    const cases = [
      [{ sendAt: from(-1_000) }, 'sendAt'],
      [{ sendAt: from(366 * DAY) }, 'sendAt'],
      [{ sendAt: 'tomorrow' }, 'sendAt'],
      [{ text: `<p>${'x'.repeat(5_000)}</p>` }, 'text'],
      [{ text: '<p>a|b</p>' }, 'text'],
      [{ threadId: crypto.randomUUID() }, 'threadId'],
    ] as const
    const refused = await Promise.all(cases.map(([given]) => scheduling(ana, room.id, 'No', given)))
    expect(refused.map(({ status, body }) => [status, ...Object.keys(body.fields)])).toEqual(
      cases.map(([, field]) => [400, field]),
    )
    expect((await scheduling(ana, room.id, '')).status).toBe(400)
    expect((await scheduling(ana, others.id, 'No')).status).toBe(404)
    expect(await waitingOf(ana)).toEqual([])
  })

  test('is sent at its time as a message of its author, and leaves the list', async () => {
    const { lead, ana, room } = await talk()
    const page = await openPage(muster, lead)
    const form = new FormData()
    form.append('file', new File(['Plan'], 'plan.txt'))
    const file = (await muster.send('POST', '/fe', { headers: ana.headers, raw: form })).body
    const email = (await lead.get('/me')).body.user.email as string
    const { id } = await scheduled(ana, room.id, `Good morning @${email}`, {
      sendAt: from(1_000),
      fileIds: [file.id],
    })
    const message = await page.message(`Good morning @${email}`)
    expect(message).toMatchObject({ clientId: id, user: await idOf(ana), sequence: 1 })
    expect(message.attachments).toMatchObject([{ name: 'plan' }])
    expect(await waitingOf(ana)).toEqual([])
    expect((await lead.get('/chat/mentions')).body.messages).toMatchObject([{ id: message.id }])
    await page.close()
  })

  test('answers in its thread', async () => {
    const { lead, ana, room } = await talk()
    const first = await sent(lead, room.id, 'First')
    await scheduled(ana, room.id, 'Answer', { threadId: first.id, sendAt: from(1_000) })
    await vi.waitFor(
      async () =>
        expect(((await lead.get(`/chat/threads/${first.id}`)).body as ThreadPage).messages).toMatchObject([
          { text: '<p>Answer</p>', sequence: 0 },
        ]),
      { timeout: 15_000 },
    )
  })

  test('is changed, sent now or cancelled by its author, and then not sent at its old time', async () => {
    const { lead, ana, room } = await talk()
    const soon = from(1_500)
    const [changed, now, cancelled] = [
      await scheduled(ana, room.id, 'Changed', { sendAt: soon }),
      await scheduled(ana, room.id, 'Now', { sendAt: soon }),
      await scheduled(ana, room.id, 'Cancelled', { sendAt: soon }),
    ]
    const moved = await ana.patch(`/chat/scheduled/${changed.id}`, {
      text: '<p>Moved</p>',
      sendAt: from(DAY),
      version: 1,
    })
    expect(moved.body).toMatchObject({ text: '<p>Moved</p>', version: 2 })
    expect(
      (await ana.patch(`/chat/scheduled/${changed.id}`, { text: '<p>Stale</p>', version: 1 })).status,
    ).toBe(409)
    const { status, body } = await ana.patch(`/chat/scheduled/${changed.id}`, {
      sendAt: from(-1_000),
      version: 2,
    })
    expect([status, Object.keys(body.fields)]).toEqual([400, ['sendAt']])
    const ofOthers = await Promise.all([
      lead.patch(`/chat/scheduled/${changed.id}`, { version: 2 }),
      lead.post(`/chat/scheduled/${now.id}/send`),
      lead.delete(`/chat/scheduled/${now.id}`),
    ])
    expect(ofOthers.map((one) => one.status)).toEqual([404, 404, 404])
    expect(((await ana.post(`/chat/scheduled/${now.id}/send`)).body as Message).text).toBe('<p>Now</p>')
    expect((await ana.post(`/chat/scheduled/${now.id}/send`)).status).toBe(404)
    expect((await ana.delete(`/chat/scheduled/${cancelled.id}`)).status).toBe(204)
    // The last in the queue.
    await scheduled(ana, room.id, 'Last', { sendAt: from(2_500) })
    await isSent(lead, room.id, 'Last')
    expect(await textsIn(lead, room.id)).toEqual(['<p>Now</p>', '<p>Last</p>'])
    expect(await waitingOf(ana)).toMatchObject([{ id: changed.id, text: '<p>Moved</p>' }])
  })

  test('that is refused at its time stays with the reason, and its author is told once', async () => {
    const { lead, ana, room } = await talk()
    const other = await madeRoom(lead, { userIds: [await idOf(ana)] })
    const [left, deleted] = [
      await scheduled(ana, room.id, 'Left', { sendAt: from(1_500) }),
      await scheduled(ana, other.id, 'Deleted', { sendAt: from(1_500) }),
    ]
    await ana.post(`/chat/rooms/${room.id}/leave`)
    await lead.delete(`/chat/rooms/${other.id}`)
    await vi.waitFor(async () => expect(await unsentOf(ana)).toHaveLength(2), { timeout: 15_000 })
    const waiting = await waitingOf(ana)
    expect(waiting.map(({ id }) => id).toSorted((a, b) => a.localeCompare(b))).toEqual(
      [left.id, deleted.id].toSorted((a, b) => a.localeCompare(b)),
    )
    for (const { problem, text } of waiting) {
      expect(problem).toBe('This room does not exist.')
      expect(text).toMatch(/Left|Deleted/)
    }
    await lead.post(`/chat/rooms/${room.id}/members`, { userIds: [await idOf(ana)] })
    expect((await ana.post(`/chat/scheduled/${left.id}/send`)).status).toBe(201)
    expect(await textsIn(lead, room.id)).toEqual(['<p>Left</p>'])
  })

  test('of somebody who was archived is not sent', async () => {
    const { organisation, lead, ana, room } = await talk()
    await scheduled(ana, room.id, 'Archived', { sendAt: from(1_500) })
    await muster.inside(organisation, (db) =>
      db.updateTable('users').set({ active: false }).where('email', '=', ana.email).execute(),
    )
    await scheduled(lead, room.id, 'Last', { sendAt: from(2_500) })
    await isSent(lead, room.id, 'Last')
    expect(await textsIn(lead, room.id)).toEqual(['<p>Last</p>'])
  })

  test.each(['commit', 'committed'] as const)(
    'is sent once although the process is killed at the %s',
    { timeout: 120_000 },
    async (moment) => {
      const folder = await mkdtemp(join(tmpdir(), 'muster-scheduled-'))
      const file = join(folder, 'kill-point.json')
      const point = pathToFileURL(join(import.meta.dirname, '../support/kill-point.ts')).href
      const data = join(folder, 'data')
      const first = await startProduct({ KILL_POINT: file, NODE_OPTIONS: `--import=${point}` }, data)
      let second
      try {
        const { call } = await signIn(first.url, 'admin@demo.example')
        const room = (await call('GET', '/chat/rooms')).body[0]
        const schedule = (by: typeof call, text: string) =>
          by('POST', `/chat/rooms/${room.id}/scheduled`, {
            clientId: crypto.randomUUID(),
            text: `<p>${text}</p>`,
            sendAt: from(2_000),
          })
        await schedule(call, 'Once only')
        await writeFile(file, JSON.stringify({ statement: 'delete from "scheduled_messages"', moment }))
        await vi.waitFor(() => expect(() => process.kill(first.pid, 0)).toThrow('ESRCH'), { timeout: 30_000 })
        await rm(file)
        second = await startProduct({}, data)
        const again = await signIn(second.url, 'admin@demo.example')
        const count = async (text: string) =>
          ((await again.call('GET', `/chat/rooms/${room.id}/messages`)).body as MessagePage).messages.filter(
            (one) => one.text === `<p>${text}</p>`,
          ).length
        await vi.waitFor(async () => expect(await count('Once only')).toBe(1), { timeout: 60_000 })
        // A later one shows that the job of the first has run again.
        await schedule(again.call, 'Later')
        await vi.waitFor(async () => expect(await count('Later')).toBe(1), { timeout: 30_000 })
        expect(await count('Once only')).toBe(1)
        expect((await again.call('GET', '/chat/scheduled')).body).toEqual([])
      } finally {
        await first.kill('SIGKILL')
        await second?.crash()
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
})
