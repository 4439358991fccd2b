import { Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'

import { afterEach, describe, expect, test, vi } from 'vitest'

import { CALL_OVER, RESUME_WITHIN, RING_LIFE, SIGN_LIFE, SIGNAL_MAX } from '#contract/calls/schema.ts'
import { CallsFeed } from '#server/calls/live.flows.ts'
import { clock, SECOND } from '#server/kit/core/clock.ts'

import { CallPage, joinedCall, openCallPage, startedCall } from '../support/calls.ts'
import { madeRoom } from '../support/chat.ts'
import { type Caller, startTestServer } from '../support/server.ts'

/** Log lines about dropped messages. */
const drops: string[] = []
const waiting = new Set<() => void>()
const log = new Writable({
  write(line: Buffer, _encoding, done) {
    const { msg, reason } = JSON.parse(line.toString('utf8')) as { msg?: string; reason?: string }
    if (msg === 'message of a socket dropped') drops.push(reason!)
    for (const wake of waiting) wake()
    done()
  },
})
async function dropped(reason: string, count: number): Promise<void> {
  while (drops.filter((one) => one === reason).length < count) {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.add(resolve)
    await promise
    waiting.delete(resolve)
  }
}

const muster = await startTestServer({ LOG_LEVEL: 'debug' }, log)
const { services } = muster

/** Ana and Ben in a room, each with a page. */
async function world(kind: 'WAR_ROOM' | 'DIRECT_MESSAGE' = 'WAR_ROOM') {
  const org = await muster.anOrganisation()
  const ana = await muster.signedInAs(org, 'USER', { firstName: 'Ana' })
  const ben = await muster.signedInAs(org, 'USER', { firstName: 'Ben' })
  const admin = await muster.signedInAs(org, 'ADMIN')
  const given = kind === 'WAR_ROOM' ? {} : { name: undefined }
  const room = await madeRoom(ana, { kind, userIds: [ben.uuid], ...given })
  const [left, right] = [await openCallPage(muster, ana), await openCallPage(muster, ben)]
  return { org, ana, ben, admin, room, left, right }
}
/** Waits until a page shows this number of participants in its room's call; 0 for no call. */
const untilIn = (page: CallPage, count: number): Promise<void> =>
  page.page.until(() => {
    const told = page.page.of('room').at(-1)
    return told !== undefined && (told.room.callDetails?.participants.length ?? 0) === count
  })
const later = (ms: number) => vi.spyOn(clock, 'now').mockImplementation(() => Date.now() + ms)
const callOf = async (who: Caller, id: string) => (await who.get(`/chat/rooms/${id}`)).body.callDetails
const missed = async (who: Caller) =>
  (await who.get('/notifications')).body.data.filter(({ title }: { title: string }) =>
    /^(EXERCISE: )?Missed/.test(title),
  )

afterEach(() => void vi.restoreAllMocks())

describe('who is in a call', () => {
  test('is told within seconds of a page that is gone without a word', async () => {
    const { ana, room, left, right } = await world()
    const mine = await startedCall(ana, room.id)
    expect(await left.sign(mine)).toBe(true)
    await untilIn(right, 1)
    left.page.socket.terminate()
    later(SIGN_LIFE)
    await untilIn(right, 0)
    await right.page.until(() => right.page.messages(room.id).at(-1)?.call?.endedAt !== null)
  })

  test('stays while signs come, over another socket too, and comes back after it was taken for gone', async () => {
    const { ana, room, left, right } = await world()
    const mine = await startedCall(ana, room.id)
    await left.sign(mine)
    left.page.socket.terminate()
    const next = await openCallPage(muster, ana)
    expect(await next.sign(mine)).toBe(true)
    later(SIGN_LIFE)
    await untilIn(right, 0)
    // An ended call is over for the page, but another one can be joined with the same id.
    const again = await startedCall(ana, room.id, { participantId: mine.participantId })
    expect(await next.sign(again)).toBe(true)
    expect((await callOf(ana, room.id)).participants).toMatchObject([{ participantId: mine.participantId }])
    expect(await next.sign(mine)).toBe(false)
  })

  test('goes on in a call that lost all its pages at once and is resumed by one of them', async () => {
    const { ana, ben, room, left, right } = await world()
    const mine = await startedCall(ana, room.id)
    const { callId } = mine.call
    const theirs = await joinedCall(ben, callId)
    await Promise.all([left.sign(mine), right.sign(theirs)])
    later(SIGN_LIFE)
    await untilIn(left, 0)
    expect((await ana.get(`/calls/${callId}`)).body.endedAt).not.toBeNull()
    await joinedCall(ben, callId, theirs.participantId)
    await untilIn(left, 1)
    await joinedCall(ana, callId, mine.participantId)
    await untilIn(right, 2)
    expect(await left.sign(mine)).toBe(true)
    expect(await callOf(ana, room.id)).toMatchObject({
      callId,
      participants: [{ userId: ben.uuid }, { userId: ana.uuid }],
    })
    expect((await ana.get(`/calls/${callId}`)).body.endedAt).toBeNull()
    expect(left.page.messages(room.id).at(-1)?.call).toMatchObject({ endedAt: null, isMissed: false })
  })

  describe('is not resumed', () => {
    const rejoin = (
      who: Caller,
      { call, participantId }: { call: { callId: string }; participantId: string },
    ) => who.post(`/calls/${call.callId}/participants`, { participantId })
    /** Ana's call, after it has lost her page. */
    async function lostCall() {
      const { left, ...others } = await world()
      const mine = await startedCall(others.ana, others.room.id)
      await left.sign(mine)
      later(SIGN_LIFE)
      await untilIn(left, 0)
      return { ...others, left, mine }
    }

    test('by somebody who was not in it, or under the id of somebody else', async () => {
      const { ana, ben, mine } = await lostCall()
      const stranger = { call: mine.call, participantId: crypto.randomUUID() }
      expect((await rejoin(ana, stranger)).status).toBe(409)
      expect((await rejoin(ben, mine)).status).toBe(409)
      expect((await rejoin(ana, mine)).status).toBe(201)
    })

    test('after a minute', async () => {
      const { ana, mine } = await lostCall()
      later(SIGN_LIFE + RESUME_WITHIN + SECOND)
      expect((await rejoin(ana, mine)).body).toMatchObject({ message: CALL_OVER })
    })

    test('when its room has another call', async () => {
      const { ana, ben, room, mine } = await lostCall()
      const next = await startedCall(ben, room.id)
      expect((await rejoin(ana, mine)).status).toBe(409)
      expect((await callOf(ana, room.id)).callId).toBe(next.call.callId)
    })

    test('when its last page left it, or somebody ended it for everybody', async () => {
      const { ana, room } = await world()
      const first = await startedCall(ana, room.id)
      await ana.delete(`/calls/${first.call.callId}/participants/${first.participantId}`)
      expect((await rejoin(ana, first)).status).toBe(409)
      const second = await startedCall(ana, room.id)
      expect((await ana.delete(`/calls/${second.call.callId}`)).status).toBe(204)
      expect((await rejoin(ana, second)).status).toBe(409)
    })
  })

  test('stays whose sign has arrived while the process was too busy to read it', async () => {
    const { ana, room, left } = await world()
    const mine = await startedCall(ana, room.id)
    await left.sign(mine)
    const feed = services.calls as CallsFeed
    await feed.sweep()
    // A busy process runs its timers before it reads its sockets.
    await setTimeout(1)
    later(SIGN_LIFE)
    const answered = left.sign(mine)
    await feed.sweep()
    expect(await answered).toBe(true)
    expect((await callOf(ana, room.id)).participants).toHaveLength(1)
  })

  test('is nobody who has no place in its room any longer', async () => {
    const { ana, ben, room, right } = await world()
    const mine = await startedCall(ana, room.id)
    const theirs = await joinedCall(ben, mine.call.callId)
    await right.sign(theirs)
    expect((await ana.delete(`/chat/rooms/${room.id}/members/${ben.uuid}`)).status).toBe(204)
    expect((await callOf(ana, room.id)).participants).toMatchObject([{ userId: ana.uuid }])
    await right.page.until(() => right.page.of('members').length > 0)
    const refused = await ben.post(`/calls/${mine.call.callId}/participants`, {
      participantId: theirs.participantId,
    })
    expect(refused.status).toBe(404)
    // The process that holds the page learns about the removal shortly after the response.
    while (await right.sign(theirs)) continue
  })

  test('goes with a room that is left or deleted', async () => {
    const { ana, ben, room, left, right } = await world()
    const mine = await startedCall(ben, room.id)
    expect((await ben.post(`/chat/rooms/${room.id}/leave`)).status).toBe(204)
    await untilIn(left, 0)
    const { body } = await ana.get(`/calls/${mine.call.callId}`)
    expect(body.attendance).toMatchObject([{ person: { uuid: ben.uuid }, leftAt: body.endedAt }])
    await startedCall(ana, room.id)
    expect((await ana.delete(`/chat/rooms/${room.id}`)).status).toBe(204)
    expect((await ana.get(`/calls/${mine.call.callId}`)).status).toBe(404)
    await right.page.close()
  })

  test.each([
    ['signs out', async ({ ben }: { ben: Caller; admin: Caller }) => ben.post('/authentication/logout')],
    [
      'is archived',
      async ({ ben, admin }: { ben: Caller; admin: Caller }) => admin.delete(`/useradmin/user/${ben.uuid}`),
    ],
  ])('ends at once for somebody who %s', async (_, act) => {
    const { ana, ben, admin, room, left, right } = await world()
    const mine = await startedCall(ana, room.id)
    await right.sign(await joinedCall(ben, mine.call.callId))
    await untilIn(left, 2)
    expect((await act({ ben, admin })).status).toBeLessThan(300)
    await right.page.closed
    await untilIn(left, 1)
  })

  test('is taken over from a process that died', async () => {
    const { ana, ben, org, room, left, right } = await world()
    const mine = await startedCall(ana, room.id)
    const theirs = await joinedCall(ben, mine.call.callId)
    await left.sign(mine)
    const processId = crypto.randomUUID()
    await muster.inside(org, (db) =>
      db.updateTable('call_participants').set({ process_id: processId }).execute(),
    )
    const onError = vi.fn()
    // A new process first gives pages time to come back.
    const { database, bus } = services
    const another = new CallsFeed({ database, bus, isAlone: false, onError })
    later(7 * SECOND)
    await another.sweep()
    expect((await callOf(ana, room.id)).participants).toHaveLength(2)
    later(9 * SECOND)
    await another.sweep()
    await untilIn(right, 0)
    await another.close()
    expect(onError).not.toHaveBeenCalled()
    expect((await ben.get(`/calls/${mine.call.callId}`)).body.attendance).toHaveLength(2)
    expect(theirs.call.callId).toBe(mine.call.callId)
  })
})

describe('signals', () => {
  test('go between pages that are in the same call, and nowhere else', async () => {
    const { ana, ben, room, left, right } = await world()
    const other = await world()
    const mine = await startedCall(ana, room.id)
    const theirs = await joinedCall(ben, mine.call.callId)
    const elsewhere = await startedCall(other.ana, other.room.id)
    expect([await left.sign(mine), await right.sign(theirs), await other.left.sign(elsewhere)]).toEqual([
      true,
      true,
      true,
    ])
    const { callId } = mine.call
    const signal = {
      type: 'call-signal',
      callId,
      from: theirs.participantId,
      to: mine.participantId,
      data: 'good',
    }
    // With another person's id, from outside, for another call, and malformed.
    right.say({ ...signal, from: mine.participantId, to: theirs.participantId, data: 'bad' })
    other.left.say({ ...signal, data: 'bad' })
    other.left.say({ ...signal, from: elsewhere.participantId, data: 'bad' })
    other.left.say({ ...signal, callId: elsewhere.call.callId, from: elsewhere.participantId, data: 'bad' })
    right.say({ ...signal, to: elsewhere.participantId, data: 'bad' })
    right.say({ ...signal, data: 'x'.repeat(SIGNAL_MAX + 2_000) })
    right.say({ type: 'call-here', callId, participantId: mine.participantId })
    right.say({ type: 'nothing' })
    right.page.socket.send('{')
    right.page.socket.send(Buffer.from([0xff, 0xfe]))
    right.say({
      type: 'call-media',
      callId,
      participantId: mine.participantId,
      media: { audio: true, video: true, screen: true },
    })
    right.say(signal)
    expect(await left.frame('call-signal')).toMatchObject({ data: 'good' })
    await other.left.sign(elsewhere)
    expect([left.frames('call-signal').length, left.frames('call-media').length]).toEqual([1, 0])
    expect([right.frames('call-signal').length, other.left.frames('call-signal').length]).toEqual([0, 0])
    expect(right.frames('call-here').at(-1)?.isIn).toBe(false)
    // All sockets are still open.
    expect(await right.sign(theirs)).toBe(true)
  })

  test('that lower a hand come from managers of the room only', async () => {
    const { ana, ben, room, left, right } = await world()
    const mine = await startedCall(ana, room.id)
    const theirs = await joinedCall(ben, mine.call.callId)
    await left.sign(mine)
    await right.sign(theirs)
    const { callId } = mine.call
    const [mineId, theirId] = [mine.participantId, theirs.participantId]
    const data = { lowerHand: true }
    // The second signal follows the first in its order, so the first was refused by then.
    right.say({ type: 'call-signal', callId, from: theirId, to: mineId, data: { ...data, more: 1 } })
    right.say({ type: 'call-signal', callId, from: theirId, to: mineId, data: 'after' })
    expect(await left.frame('call-signal')).toMatchObject({ data: 'after' })
    left.say({ type: 'call-signal', callId, from: mineId, to: theirId, data })
    expect(await right.frame('call-signal')).toMatchObject({ data })
    await ana.patch(`/chat/rooms/${room.id}/members/${ben.uuid}`, { role: 'channel_moderator' })
    right.say({ type: 'call-signal', callId, from: theirId, to: mineId, data })
    await expect.poll(() => left.frames('call-signal').map((frame) => frame.data)).toEqual(['after', data])
  })

  test('wait for a page whose socket is gone for a moment', async () => {
    const { ana, ben, room, left, right } = await world()
    const mine = await startedCall(ana, room.id)
    const theirs = await joinedCall(ben, mine.call.callId)
    await left.sign(mine)
    await right.sign(theirs)
    await left.page.close()
    const { callId } = mine.call
    right.say({ type: 'call-signal', callId, from: theirs.participantId, to: mine.participantId, data: 1 })
    await right.sign(theirs)
    const next = await openCallPage(muster, ana)
    await next.sign(mine)
    expect(await next.frame('call-signal')).toMatchObject({ data: 1 })
  })

  test('are cut off when a page says too much, and the others go on', async () => {
    const { ana, ben, room, left, right } = await world()
    const mine = await startedCall(ana, room.id)
    const theirs = await joinedCall(ben, mine.call.callId)
    await left.sign(mine)
    await right.sign(theirs)
    const now = Date.now()
    const time = vi.spyOn(clock, 'now').mockImplementation(() => now)
    const { callId } = mine.call
    const signal = { type: 'call-signal', callId, from: theirs.participantId, to: mine.participantId }
    for (let n = 0; n < 1_500; n += 1) right.say({ ...signal, data: n })
    await dropped('too much', 499)
    left.say({ ...signal, from: mine.participantId, to: theirs.participantId, data: 'here' })
    await right.frame('call-signal')
    time.mockImplementation(() => now + SECOND)
    right.say({ ...signal, data: 'last' })
    await left.page.until(() => left.frames('call-signal').at(-1)?.data === 'last')
    expect(left.frames('call-signal').length).toBeLessThan(1_010)
  })
})

describe('ringing', () => {
  test('reaches everybody else of a direct message, on all of their pages, until one of them answers', async () => {
    const { ana, ben, room, left, right } = await world('DIRECT_MESSAGE')
    const another = await openCallPage(muster, ben)
    const mine = await startedCall(ana, room.id)
    const ring = { callId: mine.call.callId, roomId: room.id, isDirect: true, by: { uuid: ana.uuid } }
    for (const page of [right, another]) {
      const { incoming } = await page.frame('call-ring')
      expect(incoming).toMatchObject(ring)
      expect(incoming.title).toMatch(/^Ana /)
    }
    expect(await right.rings()).toMatchObject([ring])
    // A page opened meanwhile rings as well.
    const later = await openCallPage(muster, ben)
    await later.frame('call-ring')
    await joinedCall(ben, mine.call.callId)
    for (const page of [right, another, later])
      expect(await page.frame('call-ring-over')).toMatchObject({ callId: mine.call.callId })
    expect(await right.rings()).toEqual([])
    expect(await left.rings()).toEqual([])
    expect(left.frames('call-ring')).toEqual([])
  })

  test('is declined on all pages, and can begin again', async () => {
    const { ana, ben, room, right } = await world()
    const { call } = await startedCall(ana, room.id, { ringing: { who: 'PEOPLE', userIds: [ben.uuid] } })
    await right.frame('call-ring')
    expect((await ben.post(`/calls/${call.callId}/decline`)).status).toBe(204)
    await right.frame('call-ring-over')
    expect(await missed(ben)).toEqual([])
    const again = await ana.post(`/calls/${call.callId}/rings`, { who: 'EVERYBODY' })
    expect(again).toMatchObject({ status: 200, body: { rung: 1 } })
    await right.frame('call-ring', 2)
  })

  test('is for people of the room who are not in the call, and by somebody who is', async () => {
    const { ana, ben, admin, room } = await world()
    const { call } = await startedCall(ana, room.id)
    const ring = (who: Caller, userIds: string[]) =>
      who.post(`/calls/${call.callId}/rings`, { who: 'PEOPLE', userIds })
    expect((await ring(ana, [admin.uuid, ana.uuid])).body.message).toBe('There is nobody else to call.')
    expect((await ring(ben, [ana.uuid])).body.message).toBe('Please join the call first.')
    const many = Array.from({ length: 501 }, () => crypto.randomUUID())
    expect((await ring(ana, many)).body.message).toBe('A maximum of 500 people can be called at once.')
  })

  test('in vain leaves a missed call', async () => {
    const { ana, ben, room, right } = await world('DIRECT_MESSAGE')
    const mine = await startedCall(ana, room.id)
    await right.frame('call-ring')
    await ana.delete(`/calls/${mine.call.callId}/participants/${mine.participantId}`)
    await right.frame('call-ring-over')
    const { body } = await ben.get(`/chat/messages/${mine.call.messageId}`)
    expect(body.message.call).toMatchObject({ isMissed: true, endedAt: expect.any(String) })
    expect(await missed(ben)).toMatchObject([
      {
        title: expect.stringMatching(/^Missed call from Ana /),
        details: 'Direct message',
        roomId: room.id,
        messageId: mine.call.messageId,
      },
    ])
    expect(await missed(ana)).toEqual([])
  })

  test('ends by itself, while the call goes on', async () => {
    const { ana, ben, room, left, right } = await world()
    const mine = await startedCall(ana, room.id, { ringing: { who: 'EVERYBODY' } })
    await right.frame('call-ring')
    await left.sign(mine)
    later(RING_LIFE + SECOND)
    await left.sign(mine)
    await right.frame('call-ring-over')
    vi.restoreAllMocks()
    expect(await missed(ben)).toHaveLength(1)
    await joinedCall(ben, (await startedCall(ana, room.id)).call.callId)
    expect(await missed(ben)).toHaveLength(1)
  })

  test('stops for somebody who is taken out of the room', async () => {
    const { ana, ben, room, right } = await world()
    await startedCall(ana, room.id, { ringing: { who: 'EVERYBODY' } })
    await right.frame('call-ring')
    await ana.delete(`/chat/rooms/${room.id}/members/${ben.uuid}`)
    await right.frame('call-ring-over')
    expect(await missed(ben)).toEqual([])
  })
})
