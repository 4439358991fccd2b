import { expect, test } from 'vitest'

import { SMS_OFF } from '#contract/mass-notifications/schema.ts'
import { startTestServer } from '../support/server.ts'

const { anOrganisation, inside, signedInAs, signedInAsStaff } = await startTestServer({ SMS: 'off' })

test('where SMS are off, they are neither offered nor sent, and email is', async () => {
  const org = await anOrganisation({ contactsAndMassNotificationsEnabled: true })
  const admin = await signedInAs(org, 'ADMIN')
  await admin.post('/contact', [{ name: 'Bo', email: 'bo@example.org', phone: '+14165550102', list: 'All' }])
  expect((await admin.get('/massNotification')).body.types).toEqual(['EMAIL'])
  const words = { title: 'Gate 2', emailMessage: 'Closed', smsMessage: 'Closed', contactListIds: ['All'] }
  for (const types of [['SMS'], ['VOICE_CALL'], ['EMAIL', 'SMS']]) {
    const { status, body } = await admin.post('/massNotification', { ...words, types })
    expect([status, body.fields]).toEqual([400, { types: SMS_OFF }])
  }
  expect((await admin.post('/massNotification', { ...words, types: ['EMAIL'] })).status).toBe(201)
  const channels = await inside(org, (db) => db.selectFrom('messages').select('channel').execute())
  expect(channels).toEqual([{ channel: 'EMAIL' }])
})

test('where SMS are off, pages know it from the configuration', async () => {
  const ana = await signedInAs(await anOrganisation())
  expect((await ana.get('/config')).body.offersSms).toBe(false)
})

test('the operator reads that they are off, and cannot test them', async () => {
  const staff = await signedInAsStaff()
  const { carriers } = (await staff.get('/instance')).body
  for (const carrier of ['SMS', 'VOICE_CALL']) {
    expect(carriers).toContainEqual({ carrier, service: 'OFF', trouble: null })
    const { status, body } = await staff.post(`/instance/test/${carrier}`, { to: '+14165550102' })
    expect([status, body.message]).toEqual([409, SMS_OFF])
  }
})
