import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'

import type { CommunicationTest, Readiness, ReadinessPerson, TestPlan } from '#contract/readiness/schema.ts'
import { answer, API, open, server, signedIn } from '#tests/support/client.tsx'
import { hearing, refused } from '#tests/support/client-incidents.ts'

const GROUP = { id: '00000000-0000-4000-8000-000000000001', name: 'Fleet' }
const NOTIFICATION = '00000000-0000-4000-8000-000000000002'
const aBoard = (changes: Partial<Readiness> = {}): Readiness => ({
  timestamp: '2026-11-28T12:00:00.000Z',
  people: 40,
  proved: 12,
  addressed: 20,
  lacking: 8,
  bounced: 0,
  withoutNumber: 8,
  numbers: 32,
  numbersUnproved: 0,
  neverSignedIn: 0,
  invitable: 0,
  secondFactor: 'TOTP',
  withoutSecondFactor: 0,
  playbooks: { count: 3, due: 0 },
  lastExerciseTimestamp: '2026-11-01T12:00:00.000Z',
  lastTestTimestamp: '2026-11-20T12:00:00.000Z',
  testProblem: null,
  canTest: true,
  exerciseDays: 90,
  proofDays: 90,
  ...changes,
})
const aPlan = (changes: Partial<TestPlan> = {}): TestPlan => ({
  enabled: false,
  everybody: true,
  groups: [],
  groupsGone: 0,
  types: [],
  setBy: null,
  version: 0,
  nextMonth: null,
  ...changes,
})
const aTest = (changes: Partial<CommunicationTest> = {}): CommunicationTest => ({
  id: '00000000-0000-4000-8000-000000000003',
  isPlanned: false,
  groupNames: [],
  types: ['EMAIL'],
  createdBy: 'ada@demo.example',
  createTimestamp: '2026-11-20T12:00:00.000Z',
  state: 'SENT',
  problem: null,
  notificationId: NOTIFICATION,
  approvalId: null,
  asked: 40,
  answered: 30,
  medianSeconds: 130,
  notReached: 2,
  isOpen: false,
  ...changes,
})
const aPerson = (changes: Partial<ReadinessPerson> = {}): ReadinessPerson => ({
  uuid: '00000000-0000-4000-8000-000000000004',
  firstName: 'Bo',
  lastName: 'Lee',
  email: 'bo@demo.example',
  phones: [],
  reach: 'LACKING',
  gaps: ['NO_NUMBER'],
  bounce: null,
  ...changes,
})

interface Served {
  readonly board?: Partial<Readiness>
  readonly plan?: Partial<TestPlan>
  readonly tests?: readonly CommunicationTest[]
}
function opened({ board = {}, plan = {}, tests = [] }: Served = {}) {
  signedIn('ADMIN')
  answer('get', '/readiness', aBoard(board))
  answer('get', '/readiness/plan', aPlan(plan))
  answer('get', '/readiness/tests', [...tests])
  answer('get', '/readiness/groups', [{ ...GROUP, people: 5, proved: 3, addressed: 1, lacking: 1 }])
  answer('get', '/massNotification', {
    subscribed: true,
    organisation: 'Acme',
    remainingEvents: 100,
    types: ['EMAIL', 'SMS'],
    answerLink: 'https://muster.test/answer/x',
    takesReplies: false,
    takesKeys: false,
  })
  return open('/readiness')
}
const linesOf = (card: HTMLElement) =>
  within(card)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

test('lists what is to be mended first, and says where all is in order', async () => {
  opened()
  expect(await screen.findByRole('heading', { name: '1 thing to mend' })).toBeVisible()
  expect(linesOf(await screen.findByRole('region', { name: '1 thing to mend' }))[0]).toMatch(
    /To mend: 8 of 40 people have no phone number/,
  )
  expect(screen.getByText(/The last exercise was 27 days ago/)).toBeVisible()
})

test('is ready where nothing lacks', async () => {
  opened({ board: { withoutNumber: 0, lacking: 0 } })
  expect(await screen.findByRole('heading', { name: 'Ready: nothing to mend.' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Show people' })).toBeNull()
})

test('shows the people behind a number, with the way to mend each', async () => {
  const user = opened()
  const filters: string[] = []
  server.use(
    http.get(`${API}/readiness/people`, ({ request }) => {
      filters.push(new URL(request.url).searchParams.get('filter') ?? '')
      return HttpResponse.json([aPerson()])
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'Show people' }))
  const dialog = await screen.findByRole('dialog', { name: 'Without a phone number' })
  expect(await within(dialog).findByText('Bo Lee')).toBeVisible()
  expect(within(dialog).getByRole('link', { name: 'Edit Bo Lee' })).toHaveAttribute(
    'href',
    `/user-admin?edit=${aPerson().uuid}`,
  )
  expect(filters.map((one) => JSON.parse(one) as unknown)).toEqual([{ gap: 'NO_NUMBER' }])
})

test('opens the members of a group by how they are reached', async () => {
  const user = opened()
  answer('get', '/readiness/people', [
    aPerson({ gaps: ['BOUNCED'], bounce: { address: 'bo@demo.example', reason: 'No mailbox' } }),
  ])
  await user.click(await screen.findByRole('button', { name: 'Fleet: Something lacks, 1' }))
  const dialog = await screen.findByRole('dialog', { name: 'Fleet: Something lacks' })
  expect(await within(dialog).findByText('bo@demo.example: No mailbox')).toBeVisible()
})

test('sends the activation email again, call by call until nobody is left', async () => {
  const user = opened({ board: { neverSignedIn: 3, invitable: 3 } })
  const bodies: unknown[] = []
  server.use(
    http.post(`${API}/readiness/activations`, async ({ request }) => {
      bodies.push(await request.json())
      return HttpResponse.json(
        bodies.length === 1 ? { sent: 2, refused: 0, next: GROUP.id } : { sent: 0, refused: 1, next: null },
      )
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'Send activation' }))
  const dialog = await screen.findByRole('dialog', { name: 'Send the activation email?' })
  expect(within(dialog).getByText(/3 people without a password/)).toBeVisible()
  await user.click(within(dialog).getByRole('button', { name: 'Send activation email' }))
  expect(await screen.findByText(/Sent to 2 people. 1 person had too many/)).toBeVisible()
  expect(bodies).toEqual([{ after: null }, { after: GROUP.id }])
})

test('sends a test after showing to whom and with what words, and says what is missing', async () => {
  const user = opened()
  const sent = hearing('post', '/readiness/tests', () => aTest({ answered: 0, notReached: 0, isOpen: true }))
  await user.click(await screen.findByRole('button', { name: 'Start a test' }))
  const dialog = await screen.findByRole('dialog', { name: 'Start a communication test' })
  expect(await within(dialog).findByText('TEST: communication test of Acme')).toBeVisible()
  await user.click(within(dialog).getByRole('checkbox', { name: 'Email' }))
  await user.click(within(dialog).getByRole('radio', { name: 'Selected groups' }))
  await user.click(within(dialog).getByRole('button', { name: 'Send test' }))
  expect(within(dialog).getByText('Please select at least one notification type.')).toBeVisible()
  expect(within(dialog).getByText('Please select at least one group, or everybody.')).toBeVisible()
  expect(sent.bodies).toEqual([])
  await user.click(within(dialog).getByRole('checkbox', { name: 'SMS' }))
  await user.click(within(dialog).getByRole('combobox', { name: 'Groups' }))
  await user.click(await screen.findByRole('option', { name: 'Fleet' }))
  await user.click(within(dialog).getByRole('button', { name: 'Send test' }))
  expect(await screen.findByText('The test was sent to 40 people.')).toBeVisible()
  expect(sent.bodies).toEqual([{ everybody: false, groupIds: [GROUP.id], types: ['SMS'] }])
})

test('shows why a test was refused, and keeps the form', async () => {
  const user = opened()
  hearing('post', '/readiness/tests', () => refused(409, 'This takes 40 notifications, and 3 remain.'))
  await user.click(await screen.findByRole('button', { name: 'Start a test' }))
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: 'Send test' }))
  expect(await within(dialog).findByText('This takes 40 notifications, and 3 remain.')).toBeVisible()
})

test('keeps the results, with the way to those who were not reached', async () => {
  const user = opened({
    tests: [
      aTest(),
      aTest({
        id: GROUP.id,
        state: 'FAILED',
        notificationId: null,
        problem: 'None of the selected groups exists any more.',
      }),
    ],
  })
  const table = await screen.findByRole('table', { name: 'Communication tests' })
  expect(within(table).getByText('75%')).toBeVisible()
  expect(within(table).getByText('2 min')).toBeVisible()
  expect(within(table).getByRole('link', { name: 'Notify 2 people' })).toHaveAttribute(
    'href',
    `/mass-notifications/send?followUp=${NOTIFICATION}&standing=NOT_REACHED`,
  )
  expect(within(table).getByText(/None of the selected groups exists any more/)).toBeVisible()
  answer('get', `/readiness/tests/${aTest().id}/groups`, [
    { ...GROUP, asked: 5, answered: 4, medianSeconds: 60 },
  ])
  await user.click(within(table).getByRole('button', { name: 'By group' }))
  const dialog = await screen.findByRole('dialog', { name: /Answers by group/ })
  expect(await within(dialog).findByText('Fleet')).toBeVisible()
  expect(within(dialog).getByText('80%')).toBeVisible()
})

test('tells the month of the planned test alone, and that a group of the plan is gone', async () => {
  const user = opened({
    plan: {
      enabled: true,
      everybody: false,
      groups: [GROUP],
      groupsGone: 1,
      types: ['EMAIL'],
      version: 3,
      nextMonth: '2026-12',
    },
  })
  expect(await screen.findByText('The next test is in December, to Fleet.')).toBeVisible()
  expect(screen.getByText(/1 group of the plan was deleted/)).toBeVisible()
  const saved = hearing('put', '/readiness/plan', () =>
    refused(409, 'Somebody else changed the plan meanwhile.'),
  )
  await user.click(screen.getByRole('button', { name: 'Plan' }))
  const dialog = await screen.findByRole('dialog', { name: 'Test every month' })
  await user.click(within(dialog).getByRole('switch', { name: 'Test every month' }))
  await user.click(within(dialog).getByRole('button', { name: 'Save plan' }))
  expect(await within(dialog).findByText('Somebody else changed the plan meanwhile.')).toBeVisible()
  await waitFor(() =>
    expect(saved.bodies).toEqual([
      { enabled: false, everybody: false, groupIds: [GROUP.id], types: ['EMAIL'], version: 3 },
    ]),
  )
})

test('offers no test without a subscription, and says why', async () => {
  opened({ board: { canTest: false, lastTestTimestamp: null } })
  expect(await screen.findByText(/need Mass Notifications/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Start a test' })).toBeNull()
})

test('says that the board could not be loaded, and tries again', async () => {
  signedIn('ADMIN')
  server.use(
    http.get(`${API}/readiness`, () => HttpResponse.json({ code: 'x', message: 'x' }, { status: 503 })),
  )
  const user = open('/readiness')
  const retry = await screen.findByRole('button', { name: /Try again|Retry/i }, { timeout: 8_000 })
  answer('get', '/readiness', aBoard())
  answer('get', '/readiness/plan', aPlan())
  answer('get', '/readiness/tests', [])
  answer('get', '/readiness/groups', [])
  await user.click(retry)
  expect(await screen.findByText(/1 thing to mend/)).toBeVisible()
})
