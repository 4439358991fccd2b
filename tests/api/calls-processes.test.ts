import { afterEach, describe, expect, test, vi } from 'vitest'

import { clock, SECOND } from '#server/kit/core/clock.ts'

import { joinedCall, openCallPage, startedCall } from '../support/calls.ts'
import { madeRoom } from '../support/chat.ts'
import { type Caller, startTestServer } from '../support/server.ts'

const muster = await startTestServer()
const second = await startTestServer({
  DATABASE_URL: muster.services.settings.databaseUrl!,
  DATA_DIR: muster.dataDir,
})

afterEach(() => void vi.restoreAllMocks())

describe('over two processes', () => {
  async function world() {
    const org = await muster.anOrganisation()
    const [ana, ben] = [await muster.signedInAs(org), await muster.signedInAs(org)]
    const room = await madeRoom(ana, { userIds: [ben.uuid] })
    const mine = await startedCall(ana, room.id)
    const theirs = await joinedCall(ben, mine.call.callId)
    return { ana, ben, room, mine, theirs, here: await openCallPage(muster, ana) }
  }
  const callOf = async (who: Caller, id: string) => (await who.get(`/chat/rooms/${id}`)).body.callDetails

  test('signals of any length and media arrive in their order', async () => {
    const { ben, mine, theirs, here } = await world()
    const there = await openCallPage(second, ben)
    expect([await here.sign(mine), await there.sign(theirs)]).toEqual([true, true])
    const { callId } = mine.call
    const signal = { type: 'call-signal', callId, from: theirs.participantId, to: mine.participantId }
    const long = `${'é😀'.repeat(8_000)}"\\`
    for (let n = 0; n < 20; n += 1) there.say({ ...signal, data: { n, text: n % 3 === 0 ? long : 'short' } })
    await here.frame('call-signal', 20)
    const received = here.frames('call-signal').map(({ data }) => data as { n: number; text: string })
    expect(received.map(({ n }) => n)).toEqual(Array.from({ length: 20 }, (_, n) => n))
    expect(received[18]!.text).toBe(long)
    const media = { audio: true, video: true, screen: false }
    there.say({ type: 'call-media', callId, participantId: theirs.participantId, media })
    expect(await here.frame('call-media')).toMatchObject({ participantId: theirs.participantId, media })
    // A page that connects to the other process gets the change as well.
    const moved = await openCallPage(second, ben)
    const elsewhere = await openCallPage(muster, ben)
    await elsewhere.sign(theirs)
    elsewhere.say({ ...signal, data: 'from here' })
    await here.page.until(() => here.frames('call-signal').at(-1)?.data === 'from here')
    there.say({ ...signal, data: 'from where it was' })
    expect(await moved.sign(theirs)).toBe(true)
    expect(here.frames('call-signal').at(-1)?.data).toBe('from here')
  })

  test('people are rung wherever their page is', async () => {
    const { ana, ben, mine, theirs } = await world()
    const there = await openCallPage(second, ben)
    await ben.delete(`/calls/${mine.call.callId}/participants/${theirs.participantId}`)
    await ana.post(`/calls/${mine.call.callId}/rings`, { who: 'EVERYBODY' })
    await there.frame('call-ring')
    await joinedCall(ben, mine.call.callId)
    await there.frame('call-ring-over')
  })

  test('who was with a process that dies is taken out by another one', async () => {
    const { ana, ben, room, mine, theirs, here } = await world()
    const there = await openCallPage(second, ben)
    await here.sign(mine)
    await there.sign(theirs)
    await second.stop()
    vi.spyOn(clock, 'now').mockImplementation(() => Date.now() + 15 * SECOND)
    await here.sign(mine)
    await here.page.until(() => here.page.of('room').at(-1)?.room.callDetails?.participants.length === 1)
    expect((await callOf(ana, room.id)).participants).toMatchObject([{ userId: ana.uuid }])
  })
})
