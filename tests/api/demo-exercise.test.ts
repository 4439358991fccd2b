import { expect, test, vi } from 'vitest'

import { insertDemonstration } from '#server/demo/exercise.store.ts'
import { type Organisation, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, aUser, inside, signedInAs } = await startTestServer()

const EXERCISE = '/demonstration/exercise'
async function aDemonstration(): Promise<Organisation> {
  const org = await anOrganisation()
  await inside(org, (db) => insertDemonstration(db))
  return org
}
const demonstrationOf = async (by: Awaited<ReturnType<typeof signedInAs>>) =>
  (await by.get('/dashboard/asked')).body.demonstration

test('the people of a demonstration act in its exercise, until somebody ends it', async () => {
  const org = await aDemonstration()
  for (const name of ['responder', 'mateo.fernandez', 'hana.kimura'])
    await aUser(org, { email: `${name}@demo.example` })
  const admin = await signedInAs(org, 'ADMIN')
  expect(await demonstrationOf(admin)).toEqual({ exerciseId: null })
  const begun = await admin.post(EXERCISE)
  expect(begun.status).toBe(201)
  const { id } = begun.body
  expect((await admin.post(EXERCISE)).body).toEqual({ id })
  expect(await demonstrationOf(admin)).toEqual({ exerciseId: id })
  const { breakoutRoomId } = (await admin.get(`/incident/${id}`)).body
  const said = async () =>
    (await admin.get(`/chat/rooms/${breakoutRoomId}/messages`)).body.messages.map(
      ({ text }: { text: string }) => text,
    )
  await vi.waitFor(async () =>
    expect(await said()).toEqual([expect.stringContaining('switch room of berth 1')]),
  )
  const { body } = await admin.get(`/incident/${id}?populateCheckIns=true`)
  expect(body).toMatchObject({ isTabletop: true, isActive: true })
  expect(body.checkIns).toHaveLength(2)

  expect((await admin.delete(EXERCISE)).status).toBe(204)
  expect((await admin.get(`/incident/${id}`)).body.isActive).toBe(false)
  expect(await demonstrationOf(admin)).toEqual({ exerciseId: null })
  expect((await admin.delete(EXERCISE)).status).toBe(404)
})

test('other organisations know no demonstration', async () => {
  const admin = await signedInAs(await anOrganisation(), 'ADMIN')
  expect(await demonstrationOf(admin)).toBeNull()
  expect((await admin.post(EXERCISE)).status).toBe(404)
  expect((await admin.delete(EXERCISE)).status).toBe(404)
  expect((await admin.get('/incident')).body.total).toBe(0)
})
