import { describe, expect, test } from 'vitest'

import type { Config } from '#contract/config/catalogue.ts'
import { startTestServer } from '#tests/support/server.ts'

const { anOrganisation, signedInAs } = await startTestServer()
const PATH = '/massNotification'
const PRICES = ['SMS + 0.1', 'SMS +1 0.0075', 'SMS +1416 0.02', 'VOICE_CALL +1 0.05']

/** An organisation with three people: two in Toronto, one of whom has two lists, and one in Berlin. */
async function aTeam(config: Partial<Config>) {
  const org = await anOrganisation({
    contactsAndMassNotificationsEnabled: true,
    twilioAllowedCountryCodes: ['CA', 'DE'],
    massNotifsSmsMessageLimit: 500,
    ...config,
  })
  const admin = await signedInAs(org, 'ADMIN')
  const rows = [
    { email: 'a@example.org', phone: '+14165550111', list: 'All' },
    { email: 'b@example.org', phone: '+16475550112', list: 'All' },
    { email: 'c@example.org', phone: '+4930901820', list: 'All' },
    { email: 'd@example.org', list: 'All' },
  ]
  expect((await admin.post('/contact', rows)).status).toBe(201)
  const reach = async () => (await admin.post(`${PATH}/reach`, { contactListIds: ['All'] })).body
  const send = async (words: object) => {
    const { body, status } = await admin.post(PATH, { contactListIds: ['All'], ...words })
    expect(status).toBe(201)
    return (await admin.get(`${PATH}/history/${body.id}`)).body
  }
  return { reach, send }
}

describe('the price list', () => {
  test('adds up what the chosen people cost, by the longest beginning of their numbers', async () => {
    const { reach } = await aTeam({ messagePrices: PRICES, messageCurrency: 'CAD' })
    expect((await reach()).prices).toEqual({
      currency: 'CAD',
      SMS: 0.1275,
      VOICE_CALL: 0.1,
      unpriced: { SMS: 0, VOICE_CALL: 1 },
    })
  })

  test('says nothing where there is none', async () => {
    const { reach, send } = await aTeam({})
    expect(await reach()).not.toHaveProperty('prices')
    expect(await send({ types: ['SMS'], smsMessage: 'Out' })).toMatchObject({ price: null })
  })

  test('is kept with what was sent, by the SMS of each message and its calls', async () => {
    const { send } = await aTeam({ messagePrices: PRICES })
    const priceOf = async (words: object) => (await send(words)).price
    expect(await priceOf({ types: ['EMAIL'], title: 'Out', emailMessage: 'Out' })).toEqual({
      currency: 'USD',
      amount: 0,
    })
    expect(await priceOf({ types: ['SMS', 'VOICE_CALL'], smsMessage: 'Out' })).toEqual({
      currency: 'USD',
      amount: 0.2275,
    })
    // 100 letters, one of them outside GSM-7, and the tag: two SMS for each.
    expect(await priceOf({ types: ['SMS'], smsMessage: `ł${'x'.repeat(99)}` })).toMatchObject({
      amount: 0.255,
    })
    // A question adds a link of its own and the answers.
    const question = {
      answers: [
        { label: 'Safe', tone: 'GOOD' },
        { label: 'Help', tone: 'ATTENTION' },
      ],
    }
    expect(await priceOf({ types: ['SMS'], smsMessage: 'x'.repeat(90), question })).toMatchObject({
      amount: 0.255,
    })
  })
})
