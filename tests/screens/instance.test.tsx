import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'

import { type Instance, PHONE_REQUIRED } from '#contract/instance/schema.ts'
import { answer, API, aProblem, open, server } from '#tests/support/client.tsx'
import { staffSignedIn } from '#tests/support/client-console.ts'
import { receive } from '#tests/support/client-lists.ts'

// Preloaded, so that the first test does not wait for these modules.
import '#src/app/console/Console.tsx'
import '#src/management/InstancePage.tsx'

const NOW = '2026-03-01T12:00:00.000Z'
const minutesAgo = (minutes: number) => new Date(Date.parse(NOW) - minutes * 60_000).toISOString()
const GIGABYTE = 1_024 ** 3

const MESSAGES: Instance['messages'] = { waiting: 0, oldestWaitingTimestamp: null, failed: 0, problems: [] }
const anInstance = (changes: Partial<Instance> = {}): Instance => ({
  version: '1.14.10',
  startTimestamp: minutesAgo(90),
  timestamp: NOW,
  database: { kind: 'POSTGRESQL', version: '17.2', bytes: 2 * GIGABYTE, clockSkewMs: 3 },
  disk: { freeBytes: 40 * GIGABYTE, bytes: 100 * GIGABYTE },
  backups: { newestTimestamp: minutesAgo(600), problem: null },
  carriers: [
    { carrier: 'MAIL', service: 'SMTP', trouble: null },
    { carrier: 'SMS', service: 'TWILIO', trouble: null },
    { carrier: 'VOICE_CALL', service: 'OUTBOX', trouble: null },
    { carrier: 'STORAGE', service: 'FOLDER', trouble: null },
  ],
  queues: [
    { name: 'messages', waiting: 1_234, active: 2, failed: 0 },
    { name: 'organisation-deletions', waiting: 0, active: 0, failed: 0 },
  ],
  messages: MESSAGES,
  ...changes,
})

beforeEach(() => staffSignedIn())
function opened(changes: Partial<Instance> = {}) {
  answer('get', '/instance', anInstance(changes))
  return open('/management/instance')
}
const section = async (name: string) => within(await screen.findByRole('region', { name }))
const warnings = async () => {
  await section('Installation')
  return screen.queryAllByRole('alert').map(({ textContent }) => textContent)
}

test('an operator reads what runs, with what, and how long its queues are', async () => {
  opened()
  const facts = await section('Installation')
  for (const fact of ['1.14.10', 'Server, 17.2, 2 GB', '3 ms', '40 GB of 100 GB free'])
    expect(facts.getByText(fact)).toBeVisible()
  const carriers = await section('Carriers')
  for (const service of ['An SMTP server', 'Twilio', 'Kept in the outbox', 'The data folder'])
    expect(carriers.getByText(service)).toBeVisible()
  const queues = await section('Jobs')
  const cells = (name: RegExp) =>
    within(queues.getByRole('row', { name }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent)
  expect(cells(/^messages/)).toEqual(['1,234', '2', '0'])
  expect(await warnings()).toEqual(['Nothing needs attention.'])
  expect((await section('Messages that were not delivered')).getByText('None in the last day.')).toBeVisible()
})

describe('a warning stands first', () => {
  const refused: Instance['messages']['problems'][number] = {
    enterprise: 'Harbour Bank',
    channel: 'EMAIL',
    state: 'QUEUED',
    reason: '554 Not from you',
    createTimestamp: minutesAgo(2),
  }

  test('of mail that waits because its server refuses it, with what that said and whose mail it is', async () => {
    opened({
      messages: { ...MESSAGES, waiting: 1, oldestWaitingTimestamp: minutesAgo(2), problems: [refused] },
    })
    expect(await warnings()).toEqual(['Messages wait to be delivered: see what the services said below.'])
    const problems = await section('Messages that were not delivered')
    expect(problems.getByText('554 Not from you')).toBeVisible()
    expect(problems.getByRole('listitem')).toHaveTextContent(
      /Email · waiting to be tried again · Harbour Bank/,
    )
  })

  test.each([
    [4, 'Nothing needs attention.'],
    [6, 'Messages wait to be delivered: see what the services said below.'],
  ])('of mail that waits without a reason for longer than five minutes: after %d', async (minutes, words) => {
    opened({ messages: { ...MESSAGES, waiting: 1, oldestWaitingTimestamp: minutesAgo(minutes) } })
    expect(await warnings()).toEqual([words])
  })

  test('of messages and jobs that were given up, of a full disk and of a wrong clock, all at once', async () => {
    opened({
      database: { kind: 'EMBEDDED', version: '17.2', bytes: 1, clockSkewMs: -4_000 },
      disk: { freeBytes: 5 * GIGABYTE, bytes: 100 * GIGABYTE },
      queues: [{ name: 'messages', waiting: 0, active: 0, failed: 1 }],
      messages: { ...MESSAGES, failed: 2, problems: [{ ...refused, state: 'FAILED' }] },
    })
    expect(await warnings()).toEqual([
      "The database's clock differs by -4,000 ms: codes and sign-ins may fail.",
      'The disk has only 5 GB left.',
      '2 messages were not delivered in the last day.',
      'Jobs were given up in the last day.',
    ])
  })
})

describe('a carrier is tested', () => {
  const SAID = { carrier: 'MAIL', isWorking: true, said: '250 Queued as 4711', milliseconds: 82 }

  test('and what came back stands below it', async () => {
    const user = opened()
    const bodies = receive('post', '/instance/test/MAIL', () => SAID, 200)
    const carriers = await section('Carriers')
    await user.click(carriers.getByRole('button', { name: 'Test Email' }))
    expect(await carriers.findByText('250 Queued as 4711 (82 ms)')).toBeVisible()
    expect(bodies).toEqual([{ to: null }])
  })

  test('which says in the words of the service why it does not work', async () => {
    const user = opened()
    const refusal = { ...SAID, isWorking: false, said: '554 Not from you' }
    answer('post', '/instance/test/MAIL', refusal)
    const carriers = await section('Carriers')
    await user.click(carriers.getByRole('button', { name: 'Test Email' }))
    const alert = (await carriers.findByText('554 Not from you (82 ms)')).closest('[role=alert]')
    expect(alert?.querySelector('[data-testid=ErrorRoundedIcon]')).not.toBeNull()
  })

  test('by telephone with the number that is typed, and not without one', async () => {
    const user = opened()
    const sent: unknown[] = []
    server.use(
      http.post(`${API}/instance/test/SMS`, async ({ request }) => {
        const body = (await request.json()) as { to: string }
        sent.push(body.to)
        return body.to
          ? HttpResponse.json({ ...SAID, carrier: 'SMS', said: 'SM1' })
          : HttpResponse.json(
              { ...aProblem(PHONE_REQUIRED), fields: { to: PHONE_REQUIRED } },
              { status: 400 },
            )
      }),
    )
    const carriers = await section('Carriers')
    const button = carriers.getByRole('button', { name: 'Test SMS' })
    await user.click(button)
    expect(await carriers.findByText(PHONE_REQUIRED)).toBeVisible()
    await user.type(
      carriers.getByRole('textbox', { name: 'Phone number for the test of SMS' }),
      '+14165550123',
    )
    await user.click(button)
    expect(await carriers.findByText('SM1 (82 ms)')).toBeVisible()
    expect(carriers.queryByText(PHONE_REQUIRED)).toBeNull()
    expect(sent).toEqual(['', '+14165550123'])
  })

  test('and where the server does not answer, that is said', async () => {
    const user = opened()
    answer('post', '/instance/test/STORAGE', {}, 500)
    const carriers = await section('Carriers')
    await user.click(carriers.getByRole('button', { name: 'Test Files' }))
    expect(await carriers.findByText('The test could not be made.')).toBeVisible()
    await waitFor(() => expect(carriers.getByRole('button', { name: 'Test Files' })).toBeEnabled())
  })
})

test('an operator reads which carrier is in trouble, and what is off is not tested', async () => {
  const reason = 'Twilio: Authenticate (20003)'
  opened({
    carriers: [
      { carrier: 'MAIL', service: 'SMTP', trouble: { waiting: 21, sinceTimestamp: minutesAgo(81), reason } },
      { carrier: 'SMS', service: 'OFF', trouble: null },
    ],
  })
  const carriers = await section('Carriers')
  expect(carriers.getByRole('alert')).toHaveTextContent(/^21 messages wait for it\..*Authenticate \(20003\)$/)
  expect(carriers.getByText('Off: not offered to anybody')).toBeVisible()
  expect(carriers.getByRole('button', { name: 'Test Email' })).toBeVisible()
  expect(carriers.queryByRole('button', { name: 'Test SMS' })).toBeNull()
})

test.each([
  ['none is planned', null, 'Not planned: set BACKUP_TO', []],
  ['there is none yet', { newestTimestamp: null, problem: null }, 'None yet', []],
  [
    'the newest is old',
    { newestTimestamp: minutesAgo(3_000), problem: null },
    'Newest backup',
    ['The newest backup is more than a day old.'],
  ],
  [
    'the last one failed',
    { newestTimestamp: minutesAgo(60), problem: 'There is no room.' },
    'Newest backup',
    ['The planned backup failed: There is no room.'],
  ],
] as const)('an operator reads about backups when %s', async (_, backups, fact, expected) => {
  opened({ backups })
  expect((await section('Installation')).getByText(fact)).toBeVisible()
  expect(await warnings()).toEqual(expected.length > 0 ? expected : ['Nothing needs attention.'])
})
