import { afterEach, describe, expect, test } from 'vitest'

import { CONFIRM_REMIND_EVERY, type ConfirmationRequest } from '#contract/confirmations/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import { madeRoom, sent } from '#tests/support/chat.ts'
import { added, declared, resolve, UPDATE } from '#tests/support/incidents.ts'
import { newsOf } from '#tests/support/news.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const realNow = clock.now
afterEach(() => {
  clock.now = realNow
})

async function aRoom() {
  const org = await muster.anOrganisation()
  const lead = await muster.signedInAs(org, 'ADMIN', { firstName: 'Lea' })
  const ana = await muster.signedInAs(org, 'USER', { firstName: 'Ana' })
  const ben = await muster.signedInAs(org, 'USER', { firstName: 'Ben' })
  const stranger = await muster.signedInAs(org)
  const room = await madeRoom(lead, { userIds: [ana.uuid, ben.uuid] })
  const message = await sent(lead, room.id, 'Nobody enters hall 3')
  return { org, lead, ana, ben, stranger, room, message }
}
const ask = (who: Caller, body: object) => who.post('/confirmation', body)
const confirm = (who: Caller, id: string) => who.post(`/confirmation/${id}/confirm`)
const remind = (who: Caller, id: string) => who.post(`/confirmation/${id}/remind`)
const people = async (who: Caller, id: string, query = '') =>
  (await who.get(`/confirmation/${id}/people?${query}`)).body as {
    data: { firstName: string; confirmTimestamp: string | null }[]
    total: number
  }
const inRoom = async (who: Caller, roomId: string) =>
  (await who.get(`/confirmation?place=ROOM&id=${roomId}`)).body as ConfirmationRequest[]
const noticesOf = async (who: Caller) => (await who.get('/notifications')).body.data

describe('a message', () => {
  test('is confirmed in one press, once, and everybody in the room sees who has and who has not', async () => {
    const { lead, ana, ben, room, message } = await aRoom()
    const { status, body } = await ask(lead, { subject: 'MESSAGE', id: message.id })
    expect([status, body]).toMatchObject([
      201,
      { askedCount: 2, confirmedCount: 0, isAsked: false, canRemind: true },
    ])
    expect((await ask(lead, { subject: 'MESSAGE', id: message.id })).body.id).toBe(body.id)
    const first = await confirm(ana, body.id)
    expect(first.body).toMatchObject({ confirmedCount: 1, isAsked: true, canRemind: false })
    expect((await confirm(ana, body.id)).body).toEqual(first.body)
    expect(await inRoom(ben, room.id)).toMatchObject([
      { messageId: message.id, isAsked: true, confirmTimestamp: null, confirmedCount: 1 },
    ])
    expect(await people(ben, body.id)).toMatchObject({
      data: [{ firstName: 'Ben', confirmTimestamp: null }],
      total: 1,
    })
    expect(await people(ben, body.id, 'confirmed=true')).toMatchObject({
      data: [{ firstName: 'Ana', confirmTimestamp: first.body.confirmTimestamp }],
      total: 1,
    })
  })

  test('is neither seen nor confirmed outside its room, and the one who asks is not asked', async () => {
    const { lead, stranger, room, message } = await aRoom()
    const { body } = await ask(lead, { subject: 'MESSAGE', id: message.id })
    expect((await stranger.get(`/confirmation?place=ROOM&id=${room.id}`)).status).toBe(404)
    expect((await stranger.get(`/confirmation/${body.id}/people`)).status).toBe(404)
    expect((await confirm(stranger, body.id)).status).toBe(404)
    expect((await ask(stranger, { subject: 'MESSAGE', id: message.id })).status).toBe(404)
    expect((await confirm(lead, body.id)).status).toBe(409)
  })

  test('is asked about by its sender and by those who manage the room', async () => {
    const { lead, ana, ben, room } = await aRoom()
    const message = await sent(ana, room.id, 'I am at gate 2')
    expect((await ask(ben, { subject: 'MESSAGE', id: message.id })).status).toBe(403)
    const { body } = await ask(ana, { subject: 'MESSAGE', id: message.id })
    expect(body).toMatchObject({ createdById: ana.uuid, askedCount: 2 })
    expect((await remind(ben, body.id)).status).toBe(403)
    expect((await remind(lead, body.id)).body).toEqual({ reminded: 2 })
  })

  test('reminds those who have not confirmed, once a minute, and nobody else', async () => {
    const { lead, ana, ben, room, message } = await aRoom()
    const { body } = await ask(lead, { subject: 'MESSAGE', id: message.id })
    await confirm(ana, body.id)
    const both = await Promise.all([remind(lead, body.id), remind(lead, body.id)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 429])
    const refused = both.find(({ status }) => status === 429)!
    expect(refused.body).toMatchObject({ code: 'limit_reached', msUntilNextAttempt: expect.any(Number) })
    expect(await noticesOf(ana)).toEqual([])
    expect(await noticesOf(ben)).toMatchObject([
      { title: 'Please confirm that you have read this', roomId: room.id, messageId: message.id },
    ])
    const later = realNow() + CONFIRM_REMIND_EVERY
    clock.now = () => later
    await remind(lead, body.id)
    expect(await noticesOf(ben)).toHaveLength(2)
    await confirm(ben, body.id)
    expect((await remind(lead, body.id)).body.message).toBe('Everybody has confirmed.')
  })

  test('of somebody who left counts among those who confirmed; a deleted one is not listed', async () => {
    const { lead, ana, room, message } = await aRoom()
    const { body } = await ask(lead, { subject: 'MESSAGE', id: message.id })
    await confirm(ana, body.id)
    await ana.delete(`/chat/rooms/${room.id}/members/me`)
    await lead.delete(`/chat/rooms/${room.id}/members/${ana.uuid}`)
    expect(await inRoom(lead, room.id)).toMatchObject([{ askedCount: 2, confirmedCount: 1 }])
    await lead.delete(`/chat/messages/${message.id}`)
    expect(await inRoom(lead, room.id)).toEqual([])
    expect((await ask(lead, { subject: 'MESSAGE', id: message.id })).status).toBe(409)
  })

  test('tells open pages of the room, without its name', async () => {
    const { lead, ana, message } = await aRoom()
    const news = await newsOf(muster.url, ana)
    await ask(lead, { subject: 'MESSAGE', id: message.id })
    await expect
      .poll(() => news.filter(({ noun }) => noun === 'confirmations'))
      .toMatchObject([{ record: '' }])
  })
})

describe('an update of an incident', () => {
  test('is confirmed by everybody who is asked to check in, and told to those who are reminded', async () => {
    const { lead, ana, ben, stranger } = await aRoom()
    const incident = await declared(lead, { isTabletop: true })
    const update = await added(lead, incident, UPDATE)
    const { status, body } = await ask(lead, { subject: 'UPDATE', id: update.id })
    expect([status, body]).toMatchObject([201, { activityId: update.id, askedCount: 3 }])
    await confirm(ana, body.id)
    await confirm(stranger, body.id)
    expect((await ben.get(`/confirmation?place=INCIDENT&id=${incident.id}`)).body).toMatchObject([
      { confirmedCount: 2, isAsked: true, canRemind: true },
    ])
    expect((await remind(lead, body.id)).body).toEqual({ reminded: 1 })
    expect(await noticesOf(ben)).toMatchObject([
      {
        title: 'EXERCISE: Please confirm that you have read this',
        incidentId: incident.id,
        activityId: update.id,
      },
    ])
    await resolve(lead, incident)
    expect((await remind(lead, body.id)).status).toBe(409)
  })

  test('of a targeted incident asks its targets; tasks ask nobody', async () => {
    const { lead, ana, ben } = await aRoom()
    const incident = await declared(lead, { targetedUsers: [ana.email] })
    const update = await added(lead, incident, UPDATE)
    const { body } = await ask(lead, { subject: 'UPDATE', id: update.id })
    expect(body.askedCount).toBe(1)
    expect((await confirm(ben, body.id)).status).toBe(409)
    const task = await added(lead, incident)
    expect((await ask(lead, { subject: 'UPDATE', id: task.id })).status).toBe(404)
  })
})

test('a subject and a place are named', async () => {
  const { lead, message } = await aRoom()
  expect((await ask(lead, { id: message.id })).body.fields).toHaveProperty('subject')
  expect((await ask(lead, { subject: 'MESSAGE', id: 'x' })).status).toBe(400)
  expect((await ask(lead, { subject: 'UPDATE', id: message.id })).status).toBe(404)
  expect((await lead.get('/confirmation')).status).toBe(400)
})
