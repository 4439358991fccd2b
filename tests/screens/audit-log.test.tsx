import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'

import type { AuditEvent } from '#contract/audit-log/schema.ts'
import { answer, API, aProblem, open, server, signedIn } from '#tests/support/client.tsx'
import { peopleAre } from '#tests/support/client-people.ts'
import { aListedUser } from '#tests/support/client-users.ts'
import { filteredBy, onAPhone, receive, serveList } from '#tests/support/client-lists.ts'

const PATH = '/useradmin/auditLog'
const anEvent = (changes: Partial<AuditEvent> = {}): AuditEvent => ({
  id: crypto.randomUUID(),
  sequence: 7,
  timestamp: '2026-11-20T10:00:00.000Z',
  actor: { kind: 'person', id: '7f8a4b62-7a0b-4a5c-9a3e-0d8f4c1b2a90', name: 'ada@demo.example' },
  noun: 'users',
  verb: 'updated',
  record: 'f0000000-0000-4000-8000-000000000001',
  recordName: 'Ben Brandt',
  parent: null,
  parentName: null,
  changes: [{ field: 'role', from: 'USER', to: 'ADMIN' }],
  fingerprint: 'ab'.repeat(32),
  ...changes,
})
const EVENTS = [
  anEvent(),
  anEvent({
    sequence: 6,
    noun: 'incidents',
    verb: 'created',
    recordName: 'Power failure',
    actor: { kind: 'key', id: 'k', name: 'Monitoring' },
    changes: [{ field: 'title', from: null, to: 'Power failure' }],
  }),
]

const ada = aListedUser({
  uuid: '7f8a4b62-7a0b-4a5c-9a3e-0d8f4c1b2a90',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@demo.example',
})
const gone = aListedUser({
  firstName: 'Grace',
  lastName: 'Hopper',
  active: false,
  email: 'grace@demo.example',
})

function opened(path = '/audit-log', rows: () => readonly AuditEvent[] = () => EVENTS, people = [ada]) {
  signedIn()
  peopleAre([ada])
  const searched = serveList('/useradmin/users', () => people)
  for (const person of people) answer('get', `/useradmin/user/${person.uuid}`, person)
  answer('get', `${PATH}/choices`, {
    nouns: ['incidents', 'users'],
    actors: [{ key: 'key:k', kind: 'key', name: 'Monitoring' }],
  })
  // Filtering is up to the server.
  const asked = serveList(PATH, () =>
    rows().map((row) => ({ ...row, notifications: false, actor: row.actor })),
  )
  return { asked, searched, user: open(path) }
}
const rowOf = async (name: string) => (await screen.findByText(name)).closest<HTMLElement>('[role=row]')!

describe('the log', () => {
  test('says what happened to what, who did it, and what changed', async () => {
    opened()
    const row = await rowOf('User updated')
    await waitFor(() => expect(row).toHaveTextContent('Ada Lovelace'))
    expect(row).toHaveTextContent('Ben Brandt')
    expect(row).toHaveTextContent('Role: User → Admin')
    expect(row.querySelector('time')).toHaveAttribute('datetime', '2026-11-20T10:00:00.000Z')
    const other = await rowOf('Incident created')
    expect(other).toHaveTextContent('API key Monitoring')
    expect(other).toHaveTextContent('Title: Power failure')
  })

  test('is narrowed by who, kind and time, and says by what', async () => {
    const { asked, user } = opened()
    await rowOf('User updated')
    expect(asked[0]).toMatchObject({ sort: ['timestamp', 'DESC'], filter: { notifications: false } })
    await user.click(screen.getByRole('button', { name: 'Who' }))
    const menu = await screen.findByRole('menu', { name: 'Who' })
    expect(
      within(menu)
        .getAllByRole('menuitemradio')
        .map((item) => item.textContent),
    ).toEqual(['All', 'API key Monitoring', 'Ada Lovelaceada@demo.example'])
    await user.click(within(menu).getByText('API key Monitoring'))
    await waitFor(() => expect(asked.at(-1)?.filter).toEqual({ notifications: false, actor: 'key:k' }))
    expect(await screen.findByRole('button', { name: 'Who: API key Monitoring' })).toBeVisible()

    await user.click(screen.getByRole('button', { name: 'Time' }))
    await user.click(await screen.findByRole('button', { name: 'Last 7 days' }))
    await waitFor(() => expect(asked.at(-1)?.filter).toHaveProperty('from'))
    const from = Date.parse(String(asked.at(-1)?.filter['from']))
    expect(Math.round((Date.now() - from) / 86_400_000)).toBe(7)

    await user.click(screen.getByRole('button', { name: 'Clear filter: Time' }))
    await user.click(screen.getByRole('button', { name: 'Clear filter: Who' }))
    await waitFor(() => expect(location.search).toBe(''))
    expect(await screen.findByRole('button', { name: 'Who' })).toBeVisible()
  })

  test('loses neither of two filters that are cleared before the page has followed', async () => {
    opened(`/audit-log?${filteredBy({ noun: 'users', actor: 'key:k', from: '2026-11-01T00:00:00.000Z' })}`)
    const crosses = await screen.findAllByRole('button', { name: /^Clear filter/ })
    expect(crosses).toHaveLength(3)
    act(() => {
      for (const cross of crosses) cross.click()
    })
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Clear filter/ })).toBeNull())
    expect(location.search).toBe('')
  })

  test('finds people on the server as one types, archived ones too', async () => {
    const others = Array.from({ length: 12 }, (_, n) => aListedUser({ firstName: `Other${n}` }))
    const { asked, searched, user } = opened(undefined, undefined, [ada, ...others, gone])
    await rowOf('User updated')
    await user.click(screen.getByRole('button', { name: 'Who' }))
    await user.type(await screen.findByRole('textbox', { name: 'Find' }), 'moni')
    const items = () => screen.queryAllByRole('menuitemradio').map((item) => item.textContent)
    await waitFor(() => expect(items()).toEqual(['API key Monitoring']))
    await user.clear(screen.getByRole('textbox', { name: 'Find' }))
    await user.type(screen.getByRole('textbox', { name: 'Find' }), 'hopper')
    await waitFor(() => expect(items()).toEqual(['Grace Hoppergrace@demo.example']))
    await waitFor(() => expect(searched.at(-1)).toMatchObject({ range: [0, 49], filter: { q: 'hopper' } }))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(asked.at(-1)?.filter).toMatchObject({ actor: `person:${gone.uuid}` }))
    expect(await screen.findByRole('button', { name: 'Who: Grace Hopper' })).toBeVisible()
  })

  test('names a person in the address after a reload', async () => {
    const { asked } = opened(`/audit-log?${filteredBy({ actor: `person:${gone.uuid}` })}`, undefined, [gone])
    expect(await screen.findByRole('button', { name: 'Who: Grace Hopper' })).toBeVisible()
    expect(asked[0]?.filter).toMatchObject({ actor: `person:${gone.uuid}` })
  })

  test('takes a period that is typed, and none that ends before it begins', async () => {
    const { asked, user } = opened()
    await rowOf('User updated')
    await user.click(screen.getByRole('button', { name: 'Time' }))
    await user.type(await screen.findByLabelText('From'), '2026-11-01T08:00')
    await user.type(screen.getByLabelText('To'), '2026-10-01T08:00')
    expect(await screen.findByText('This is before the beginning.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Apply' })).toBeDisabled()
    await user.clear(screen.getByLabelText('To'))
    await user.type(screen.getByLabelText('To'), '2026-11-02T08:00')
    await user.click(screen.getByRole('button', { name: 'Apply' }))
    await waitFor(() =>
      expect(asked.at(-1)?.filter).toEqual({
        notifications: false,
        from: new Date('2026-11-01T08:00').toISOString(),
        to: new Date('2026-11-02T08:00').toISOString(),
      }),
    )
  })

  test('opens an event with everything that is known of it', async () => {
    const { user } = opened()
    answer(
      'get',
      `${PATH}/7`,
      anEvent({ changes: [{ field: 'location', from: 'x'.repeat(600), to: 'Oslo' }] }),
    )
    await user.click(await screen.findByRole('button', { name: 'User updated' }))
    const dialog = await screen.findByRole('dialog', { name: 'User updated' })
    expect(dialog).toHaveTextContent('Ben Brandt (f0000000-0000-4000-8000-000000000001)')
    expect(await within(dialog).findByText('x'.repeat(600))).toBeVisible()
    expect(dialog).toHaveTextContent('ab'.repeat(32))
  })

  test("is saved by the server's own file", async () => {
    const { user } = opened(`/audit-log?${filteredBy({ noun: 'users' })}`)
    await screen.findByRole('button', { name: 'Kind of record: User' })
    const wanted: unknown[] = []
    server.use(
      http.get(`${API}${PATH}/export`, ({ request }) => {
        wanted.push(JSON.parse(new URL(request.url).searchParams.get('filter')!))
        return HttpResponse.json(aProblem('You do not have permission to do this.'), { status: 403 })
      }),
    )
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    expect(await screen.findByText('You do not have permission to do this.')).toBeVisible()
    expect(wanted).toEqual([{ notifications: false, noun: 'users' }])
  })

  test('on a phone the events are cards', async () => {
    onAPhone()
    opened()
    const list = await screen.findByRole('list', { name: 'Audit Log' })
    const [card] = within(list).getAllByRole('listitem')
    expect(card).toHaveTextContent('User updated')
    expect(card).toHaveTextContent('Ben Brandt')
    expect(card!.querySelector('time')).not.toBeNull()
  })

  test('is no page of who does not administer people', async () => {
    signedIn('USER')
    open('/audit-log')
    expect(await screen.findByText('Current State')).toBeVisible()
  })
})

describe('verifying', () => {
  const result = { timestamp: '2026-11-20T10:00:00.000Z', total: 4_100, brokenAt: null }
  test('goes through the chain part by part, and says that it is whole', async () => {
    const { user } = opened()
    await rowOf('User updated')
    const bodies = receive(
      'post',
      `${PATH}/check`,
      ({ after }) =>
        after === 0
          ? { ...result, holdsTo: 2_000, fingerprint: 'aa'.repeat(32), done: false }
          : { ...result, holdsTo: 4_100, fingerprint: 'bb'.repeat(32), done: true },
      200,
    )
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    expect(await screen.findByText('The audit log is whole.')).toBeVisible()
    expect(screen.getByText(/^All 4,100 events hold, up to event 4,100 of/)).toBeVisible()
    expect(screen.getByText('bb'.repeat(32))).toBeVisible()
    expect(bodies.slice(-2)).toEqual([
      { after: 0, fingerprint: null },
      { after: 2_000, fingerprint: 'aa'.repeat(32) },
    ])
  })

  test('says where the chain is broken', async () => {
    const { user } = opened()
    await rowOf('User updated')
    receive(
      'post',
      `${PATH}/check`,
      () => ({ ...result, holdsTo: 2, fingerprint: 'aa'.repeat(32), brokenAt: 4, done: true }),
      200,
    )
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    expect(await screen.findByText('The audit log was tampered with.')).toBeVisible()
    expect(screen.getByText(/^Event 4 does not hold.* Everything up to event 2 holds\.$/)).toBeVisible()
  })

  test('says when it could not be done, and tries again', async () => {
    const { user } = opened()
    await rowOf('User updated')
    answer('post', `${PATH}/check`, {}, 500)
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    expect(await screen.findByText('The audit log could not be verified.')).toBeVisible()
    receive(
      'post',
      `${PATH}/check`,
      () => ({ holdsTo: 0, total: 0, brokenAt: null, fingerprint: null, timestamp: null, done: true }),
      200,
    )
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('There is no event yet.')).toBeVisible()
  })
})
