import { describe, expect, test } from 'vitest'

import type { Respondent } from '#contract/mass-notifications/schema.ts'
import { QUESTION_SETS } from '#contract/notification-questions/rules.ts'
import { CONTACTS } from '#server/demo/notifications.content.ts'
import { scriptOf } from '#server/kit/messages/simulator.ts'
import { startTestServer } from '#tests/support/server.ts'

const { anOrganisation, send, services, signedInAs } = await startTestServer({ SIMULATOR: '1' })
const PATH = '/massNotification'
const [{ question }] = QUESTION_SETS

/** An organisation that has asked people. */
async function asked(contacts: readonly object[], types: readonly string[]) {
  const org = await anOrganisation({ contactsAndMassNotificationsEnabled: true })
  const admin = await signedInAs(org, 'ADMIN')
  expect((await admin.post('/contact', contacts)).status).toBe(201)
  const lists = [...new Set(contacts.map((one) => (one as { list: string }).list))]
  const words = { title: 'Fire', emailMessage: 'Fire at gate 2', smsMessage: 'Fire at gate 2' }
  const sent = await admin.post(PATH, { ...words, types, contactListIds: lists, question })
  expect(sent.status).toBe(201)
  const { id } = sent.body as { id: string }
  const detail = async () => (await admin.get(`${PATH}/history/${id}`)).body
  const people = async () => {
    const { body } = await admin.get(`${PATH}/history/${id}/respondents?range=[0,99]`)
    return new Map((body as Respondent[]).map((person) => [person.name, person]))
  }
  return { admin, detail, people }
}
/** Plays what is due later at once. */
const makeDue = () =>
  services.database.pool.query(
    `update pgboss.job set start_after = now() where name = 'simulator-acts' and state = 'created'`,
  )
const row = (name: string, phone: string | null, email = `${name}@example.org`) => ({
  name,
  email,
  phone,
  list: 'All',
})

describe('the simulator', () => {
  test('plays a number by its last digit, with reports and replies as a carrier has them', async () => {
    const { people, detail } = await asked(
      [
        row('safe', '+19025550111'),
        row('help', '+19025550112'),
        row('gone', '+19025550114'),
        row('off', '+19025550115'),
        row('words', '+19025550116'),
        row('note', '+19025550118'),
        row('silent', '+19025550119'),
        row('real', '+19025551234'),
      ],
      ['SMS'],
    )
    await expect.poll(async () => (await people()).get('gone')!.standing).toBe('NOT_REACHED')
    await makeDue()
    await expect.poll(async () => (await detail()).question.answeredCount, { timeout: 20_000 }).toBe(3)
    await expect.poll(async () => (await people()).get('words')!.replies.length).toBe(1)
    await expect.poll(async () => (await people()).get('off')!.standing).toBe('NOT_REACHED')
    const all = await people()
    const seen = ([...all] as const).map(
      ([
        name,
        {
          messages: [sms],
          answers: [given],
        },
      ]) => [name, sms!.state, given ? `${given.channel} ${given.answer} ${given.note}`.trim() : null],
    )
    expect(Object.fromEntries(seen.map(([name, ...rest]) => [name, rest]))).toEqual({
      safe: ['DELIVERED', 'SMS 0'],
      help: ['DELIVERED', 'SMS 1'],
      gone: ['FAILED', null],
      off: ['FAILED', null],
      words: ['DELIVERED', null],
      note: ['DELIVERED', 'SMS 0 All well here'],
      silent: ['SENT', null],
      real: ['SENT', null],
    })
    const outbox = await send('GET', '/outbox', { headers: { Accept: 'application/json' } })
    expect(outbox.body).toHaveLength(8)
  })

  test('presses the key of a call, and bounces a mail', async () => {
    const called = await asked([row('help', '+19025550122')], ['VOICE_CALL'])
    await makeDue()
    await expect
      .poll(
        async () => {
          await makeDue()
          return (await called.people()).get('help')!.answers.map(({ channel, answer }) => [channel, answer])
        },
        { timeout: 20_000 },
      )
      .toEqual([['VOICE_CALL', 1]])
    const mailed = await asked([row('Bo', null, 'bo+bounces@example.org')], ['EMAIL'])
    await expect
      .poll(
        async () => {
          await makeDue()
          return (await mailed.people()).get('Bo')!.messages[0]
        },
        { timeout: 20_000 },
      )
      .toMatchObject({ state: 'FAILED', reason: '550 5.1.1 There is no such mailbox. (simulated)' })
    expect(await mailed.detail()).toMatchObject({ notReachedCount: 1, sentCount: 0 })
  })

  test('lets two of the fourteen people of the demonstration need help, and reaches three of them not', async () => {
    expect(new Set(CONTACTS.map(({ email }) => email)).size).toBe(14)
    for (const types of [['SMS'], ['EMAIL', 'SMS']]) {
      const { detail } = await asked(CONTACTS, types)
      await expect
        .poll(
          async () => {
            await makeDue()
            return (await detail()).result.standings
          },
          { timeout: 30_000 },
        )
        .toMatchObject({ ATTENTION: 2, NOT_REACHED: 3 })
    }
  })
})

test.each([
  ['SMS', '+19025550121', true],
  ['VOICE_CALL', '+14165550199', true],
  ['SMS', '+14165550101', false],
  ['SMS', '+14165551234', false],
  ['SMS', '+442079460121', false],
  ['EMAIL', 'ana+bounces@example.org', true],
  ['EMAIL', 'ana@example.org', false],
  ['EMAIL', 'ana+news@example.org', false],
] as const)('%s to %s is scripted: %s', (channel, to, expected) => {
  expect(scriptOf(channel, to) !== undefined).toBe(expected)
})
