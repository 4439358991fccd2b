import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'

import type { NotificationDetail, Respondent } from '#contract/mass-notifications/schema.ts'
import type { AskedQuestion } from '#contract/notification-questions/schema.ts'
import { answer, API, FakeSocket, open, server, signedIn } from '#tests/support/client.tsx'
import { serveList } from '#tests/support/client-lists.ts'
import {
  aContact,
  aNotification,
  aNotifiedPerson,
  aTemplate,
  serveNotifying,
} from '#tests/support/client-notifications.ts'

const SAFE: AskedQuestion['answers'] = [
  { label: 'Safe', tone: 'GOOD' },
  { label: 'Need help', tone: 'ATTENTION' },
]
const aQuestion = (changes: Partial<AskedQuestion> = {}): AskedQuestion => ({
  kind: 'CHOICE',
  answers: SAFE,
  endTimestamp: '2099-01-05T10:00:00.000Z',
  closedTimestamp: null,
  closedBy: null,
  isOpen: true,
  askedCount: 4,
  answeredCount: 2,
  ...changes,
})
const RESULT = {
  answers: [1, 1],
  standings: { ATTENTION: 1, NOT_REACHED: 1, NO_ANSWER: 1, ANSWERED: 1 },
}
const aRespondent = (name: string, changes: Partial<Respondent> = {}): Respondent => ({
  ...aNotifiedPerson(name),
  person: name.length,
  standing: 'NO_ANSWER',
  messages: [{ type: 'EMAIL', state: 'SENT', problem: null, reason: null, doneTimestamp: null }],
  replies: [],
  answers: [],
  ...changes,
})
const given = (index: number, note = '') => ({
  answer: index,
  note,
  channel: 'LINK' as const,
  answeredBy: null,
  reason: null,
  createTimestamp: '2026-01-05T10:05:00.000Z',
})
const PEOPLE = [
  aRespondent('Ana', { standing: 'ATTENTION', answers: [given(1, 'Floor 3'), given(0)] }),
  aRespondent('Bo', {
    standing: 'NOT_REACHED',
    messages: [
      { type: 'EMAIL', state: 'FAILED', problem: null, reason: '550 No such mailbox', doneTimestamp: null },
    ],
  }),
  aRespondent('Cleo'),
  aRespondent('Donna', { standing: 'ANSWERED', answers: [given(0)] }),
]

beforeEach(() => {
  signedIn()
  serveNotifying({ contacts: [aContact('Ana', { lists: ['Board'] })] })
  serveList('/massNotification/history', () => [])
})

interface Filter {
  readonly standing?: string
  readonly answer?: number
  readonly q?: string
}
/** The page of a sent question. Returns the filters of the requests for its people. */
function opened(changes: Partial<NotificationDetail> = {}) {
  const notification = aNotification({ question: aQuestion(), result: RESULT, ...changes })
  const filters: Filter[] = []
  const current = { notification }
  server.use(
    http.get(`${API}/massNotification/history/${notification.id}`, () =>
      HttpResponse.json(current.notification),
    ),
    http.get(`${API}/massNotification/history/${notification.id}/respondents`, ({ request }) => {
      const filter = JSON.parse(new URL(request.url).searchParams.get('filter')!) as Filter
      filters.push(filter)
      const found = PEOPLE.filter(
        ({ standing, answers, name }) =>
          (filter.standing === undefined || filter.standing === standing) &&
          (filter.answer === undefined || filter.answer === answers[0]?.answer) &&
          (filter.q === undefined || name.toLowerCase().includes(filter.q)),
      )
      return HttpResponse.json(found, { headers: { 'Content-Range': `items 0-3/${found.length}` } })
    }),
  )
  const user = open(`/mass-notifications/history/${notification.id}`)
  return { user, filters, notification, current }
}
const card = async () => within(await screen.findByRole('region', { name: 'Answers' }))
const names = async () =>
  within(await (await card()).findByRole('list', { name: 'Answers' }))
    .getAllByRole('listitem')
    .map((item) => item.textContent)

describe('the page of a question', () => {
  test('leads with calls for attention, then not reached, no answer, and the rest', async () => {
    opened()
    const bar = await (await card()).findByRole('img', { name: /^Answers/ })
    expect(bar).toHaveAccessibleName('Answers: Need help 1, Not reached 1, No answer 1, Safe 1')
    expect((await card()).getByText('2 of 4 answered')).toBeVisible()
    const rows = await names()
    expect(rows[0]).toMatch(/^Ana.*Need help.*Floor 3.*Before: Safe/)
    expect(rows[1]).toMatch(/^Bo.*Not reached.*550 No such mailbox/)
    expect(rows[2]).toMatch(/^Cleo.*No answer/)
    expect(rows[3]).toMatch(/^Donna.*Safe/)
  })

  test('narrows the list to an answer, a state and a name, on the server', async () => {
    const { user, filters } = opened()
    await user.click(await (await card()).findByRole('button', { name: 'Need help 1' }))
    await waitFor(async () => expect(await names()).toHaveLength(1))
    await user.click((await card()).getByRole('button', { name: 'No answer 1' }))
    await waitFor(async () => expect((await names())[0]).toMatch(/^Cleo/))
    await user.click((await card()).getByRole('button', { name: 'No answer 1' }))
    await user.type((await card()).getByRole('searchbox'), 'donna')
    await waitFor(async () => expect(await names()).toHaveLength(1))
    expect(filters).toEqual([{}, { answer: 1 }, { standing: 'NO_ANSWER' }, { q: 'donna' }])
  })

  test('shows an answer that comes, and asks for nothing else', async () => {
    const { current, notification } = opened()
    await card()
    current.notification = {
      ...notification,
      question: aQuestion({ answeredCount: 3 }),
      result: { ...RESULT, answers: [2, 1] },
    }
    act(() => {
      FakeSocket.last!.say({ type: 'ready', sequence: 1 })
      FakeSocket.last!.say({
        type: 'event',
        sequence: 1,
        noun: 'mass-notifications',
        record: notification.id,
        verb: 'changed',
        parent: null,
      })
    })
    expect(await screen.findByText('3 of 4 answered')).toBeVisible()
    expect((await card()).getByRole('button', { name: 'Safe 2' })).toBeVisible()
  })

  test('enters an answer for a person, with how it is known', async () => {
    const { user, notification } = opened()
    const bodies: unknown[] = []
    server.use(
      http.post(`${API}/massNotification/history/${notification.id}/answers`, async ({ request }) => {
        bodies.push(await request.json())
        return new HttpResponse(null, { status: 204 })
      }),
    )
    await user.click(await (await card()).findByRole('button', { name: 'Enter answer for Cleo' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Enter answer for Cleo' }))
    const enter = dialog.getByRole('button', { name: 'Enter answer' })
    await user.click(dialog.getByRole('radio', { name: 'Need help' }))
    expect(enter).toBeDisabled()
    await user.type(dialog.getByRole('textbox', { name: /^How you know/ }), 'By telephone')
    await user.type(dialog.getByRole('textbox', { name: 'Note' }), 'Broken arm')
    await user.click(enter)
    expect(await screen.findByText('Answer entered.')).toBeVisible()
    expect(bodies).toEqual([{ person: 4, answer: 1, reason: 'By telephone', note: 'Broken arm' }])
  })

  test('keeps the dialog and says why when an answer is refused', async () => {
    const { user, notification } = opened()
    server.use(
      http.post(`${API}/massNotification/history/${notification.id}/answers`, () =>
        HttpResponse.json(
          { code: 'conflict', message: 'This question is closed and takes no more answers.' },
          { status: 409 },
        ),
      ),
    )
    await user.click(await (await card()).findByRole('button', { name: 'Enter answer for Cleo' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Enter answer for Cleo' }))
    await user.click(dialog.getByRole('radio', { name: 'Safe' }))
    await user.type(dialog.getByRole('textbox', { name: /^How you know/ }), 'Saw them')
    await user.click(dialog.getByRole('button', { name: 'Enter answer' }))
    expect(await dialog.findByText('This question is closed and takes no more answers.')).toBeVisible()
    expect(dialog.getByRole('textbox', { name: /^How you know/ })).toHaveValue('Saw them')
  })

  test('closes the question after asking, and then offers no answer', async () => {
    const { user, current, notification } = opened()
    server.use(
      http.post(`${API}/massNotification/history/${notification.id}/close`, () => {
        const closed = {
          isOpen: false,
          closedTimestamp: '2026-01-05T11:00:00.000Z',
          closedBy: 'ada@demo.example',
        }
        current.notification = { ...notification, question: aQuestion(closed) }
        return new HttpResponse(null, { status: 204 })
      }),
    )
    await user.click(await (await card()).findByRole('button', { name: 'Close question' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Close this question?' }))
    await user.click(dialog.getByRole('button', { name: 'Close question' }))
    expect(await (await card()).findByText(/^Closed by ada@demo.example/)).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Enter answer/ })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Close question' })).toBeNull()
  })

  test.each([true, false])('cancels what waits after asking, with a question: %s', async (isAsking) => {
    const { user, notification } = opened({
      waitingCount: 2,
      ...(!isAsking && { question: null, result: null }),
    })
    server.use(
      http.post(`${API}/massNotification/history/${notification.id}/cancel`, () =>
        HttpResponse.json({ cancelled: 3 }),
      ),
    )
    await user.click(await screen.findByRole('button', { name: 'Cancel what waits' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel messages that wait?' }))
    expect(dialog.getByText(/^2 people have got nothing yet/)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Cancel what waits' }))
    expect(await screen.findByText('3 messages cancelled.')).toBeVisible()
  })

  test('reminds those without an answer in their own words, with the question once more', async () => {
    const { user, notification } = opened()
    const bodies: Record<string, unknown>[] = []
    server.use(
      http.post(`${API}/massNotification`, async ({ request }) => {
        bodies.push((await request.json()) as Record<string, unknown>)
        return HttpResponse.json(notification, { status: 201 })
      }),
    )
    answer('post', '/massNotification/reach', {
      contacts: 0, doubtful: 0, withoutPhone: 0, emails: 1, phones: 1, suppressed: { EMAIL: 0, SMS: 0, VOICE_CALL: 0 }, waiting: 1, waitingPhones: 1,
    }) // prettier-ignore
    await user.click(await (await card()).findByRole('link', { name: 'Remind 1 without an answer' }))
    expect(await screen.findByRole('checkbox', { name: /^No answer/ })).toBeChecked()
    expect(screen.getByRole('textbox', { name: /^Email message/ })).toHaveValue('Berth 2 is closed.')
    await user.click(await screen.findByRole('button', { name: 'Send Notification' }))
    await waitFor(() => expect(bodies).toHaveLength(1))
    expect(bodies[0]).toMatchObject({
      followUp: { notificationId: notification.id, standing: 'NO_ANSWER' },
      question: { kind: 'CHOICE', answers: SAFE },
      contactListIds: [],
    })
  })

  test('writes something new to those who need attention', async () => {
    const { user } = opened()
    await user.click(await (await card()).findByRole('link', { name: 'Message to 1 who needs attention' }))
    expect(await screen.findByRole('checkbox', { name: /^Needs attention/ })).toBeChecked()
    expect(screen.getByRole('textbox', { name: /^Email message/ })).toHaveValue('')
  })
})

test('the history says how many of those who were asked have answered', async () => {
  serveList('/massNotification/history', () => [{ ...aNotification({ question: aQuestion() }) }])
  open('/mass-notifications')
  const grid = within(await screen.findByRole('grid', { name: 'Notification History' }))
  expect(await grid.findByText('2 of 4 answered')).toBeVisible()
})

describe('the question in the send form', () => {
  const labels = () =>
    screen.getAllByRole('textbox', { name: /^Answer \d$/ }).map((field) => (field as HTMLInputElement).value)
  const filled = async () => {
    const user = open('/mass-notifications/send')
    await user.click(await screen.findByRole('checkbox', { name: /^Board/ }))
    await user.type(screen.getByRole('textbox', { name: /^Email subject/ }), 'Fire')
    await user.type(screen.getByRole('textbox', { name: /^Email message/ }), 'Fire at gate 2.')
    await user.type(screen.getByRole('textbox', { name: /^SMS/ }), 'Fire.')
    return user
  }

  test('is off at first, a set in one press, and sent as it was edited', async () => {
    const bodies: Record<string, unknown>[] = []
    server.use(
      http.post(`${API}/massNotification`, async ({ request }) => {
        bodies.push((await request.json()) as Record<string, unknown>)
        return HttpResponse.json(aNotification(), { status: 201 })
      }),
    )
    const user = await filled()
    expect(screen.queryByRole('textbox', { name: /^Answer/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Safe / Need help / Not affected' }))
    await screen.findByRole('textbox', { name: 'Answer 1' })
    expect(labels()).toEqual(['Safe', 'Need help', 'Not affected'])
    await user.click(screen.getByRole('button', { name: 'Remove answer 3' }))
    await user.type(screen.getByRole('textbox', { name: 'Answer 1' }), ' at home')
    const preview = within(screen.getByRole('group', { name: 'Preview' }))
    expect(preview.getByText('Safe at home')).toBeVisible()
    expect(preview.getAllByText(/https:\/\/muster\.example\/answer\/1-1-rr-0000000000000$/)).toHaveLength(2)
    await user.click(screen.getByRole('button', { name: 'Send Notification' }))
    await waitFor(() => expect(bodies).toHaveLength(1))
    expect(bodies[0]!['question']).toEqual({
      kind: 'CHOICE',
      answers: [
        { label: 'Safe at home', tone: 'GOOD' },
        { label: 'Need help', tone: 'ATTENTION' },
      ],
    })
  })

  test('counts the link in the segments of an SMS', async () => {
    const user = await filled()
    const segments = () => screen.getByText(/SMS of GSM-7/).textContent
    expect(segments()).toContain('23 of 160')
    await user.click(screen.getByRole('button', { name: 'Can come / Cannot' }))
    // With "Answer:" on a line of its own.
    expect(segments()).toContain(
      `${23 + 9 + 'https://muster.example/answer/1-1-rr-0000000000000'.length} of 160`,
    )
  })

  test('of equal or empty answers is said at the answer, and nothing is sent', async () => {
    const user = await filled()
    await user.click(screen.getByRole('button', { name: 'Own answers' }))
    const second = await screen.findByRole('textbox', { name: 'Answer 2' })
    await user.type(screen.getByRole('textbox', { name: 'Answer 1' }), 'Yes')
    await user.type(second, ' y e s')
    expect(second).toHaveAccessibleDescription('This answer exists already.')
    await user.clear(second)
    await user.click(screen.getByRole('button', { name: 'Send Notification' }))
    await waitFor(() => expect(second).toHaveAccessibleDescription('Please enter an answer.'))
    await user.click(screen.getByRole('button', { name: 'No question' }))
    expect(screen.queryByRole('textbox', { name: /^Answer/ })).toBeNull()
  })

  test('comes with a template', async () => {
    serveNotifying({ templates: [aTemplate('Storm', { question: { kind: 'CHOICE', answers: SAFE } })] })
    const user = open('/mass-notifications/send')
    await user.click(await screen.findByRole('combobox', { name: 'Template' }))
    await user.click(await screen.findByRole('option', { name: /^Storm/ }))
    await screen.findByRole('textbox', { name: 'Answer 1' })
    expect(labels()).toEqual(['Safe', 'Need help'])
  })
})
