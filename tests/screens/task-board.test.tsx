import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'

import type { MyTask } from '#contract/incidents/schema.ts'
import { answer, asked, aDashboard, anIncident, open, signedIn } from '#tests/support/client.tsx'
import {
  aTask,
  aWhole,
  hearing,
  ME,
  minutesAgo,
  preparePages,
  refused,
  serving,
  uuid,
} from '#tests/support/client-incidents.ts'

preparePages()

const column = (name: string) => within(screen.getByRole('region', { name: new RegExp(`^${name}`) }))
const board = async (tasks = [aTask(2, { title: 'Close the valve' })]) => {
  signedIn()
  const state = serving(aWhole({ activities: tasks }))
  const user = open(`/incidents/${uuid(1)}?view=board`)
  await screen.findByRole('region', { name: 'Board' })
  return { user, ...state }
}
const moved = (changes: object) => aTask(2, { title: 'Close the valve', version: 2, ...changes })

describe('the board of an incident', () => {
  test('has its tasks by status, counted, with skipped ones left out', async () => {
    await board([
      aTask(2),
      aTask(3, { status: 'IN_PROGRESS', progress: 50 }),
      aTask(4, { status: 'COMPLETE', progress: 100 }),
      aTask(5, { isSkipped: true }),
    ])
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['To Do1', 'In Progress1', 'Complete1']),
    )
    expect(column('In Progress').getByText('50%')).toBeVisible()
  })

  test('shows a part of a long column', async () => {
    const { user } = await board(Array.from({ length: 60 }, (_, n) => aTask(n + 2)))
    expect(column('To Do').getAllByRole('listitem')).toHaveLength(50)
    await user.click(screen.getByRole('button', { name: 'Show 10 more' }))
    expect(column('To Do').getAllByRole('listitem')).toHaveLength(60)
  })

  test('moves a task by the arrow keys, says so, and keeps the focus on it', async () => {
    const { user, state } = await board()
    const sent = hearing('patch', `/incident/activity/${uuid(2)}`, ({ body }) => {
      const next = moved(
        (body as { status: string }).status === 'IN_PROGRESS'
          ? { status: 'IN_PROGRESS', progress: 25 }
          : { status: 'TO_DO', progress: 0, version: 3 },
      )
      state.incident = aWhole({ activities: [next] })
      return next
    })
    const card = () => screen.getByRole('group', { name: /^Close the valve,/ })
    card().focus()
    await user.keyboard('{ArrowLeft}')
    await user.keyboard('{ArrowRight}')
    expect(await column('In Progress').findByText('Close the valve')).toBeVisible()
    expect(screen.getByText('“Close the valve” is now in In Progress.')).toBeInTheDocument()

    await waitFor(() => expect(card()).toHaveFocus())
    await waitFor(() => expect(sent.bodies).toHaveLength(1))
    await user.keyboard('{ArrowLeft}')
    await waitFor(() => expect(sent.bodies).toHaveLength(2))
    expect(sent.bodies).toEqual([
      { status: 'IN_PROGRESS', incidentId: uuid(1), version: 1 },
      { status: 'TO_DO', incidentId: uuid(1), version: 2 },
    ])
  })

  test('moves a task by its menu, and back when somebody else was faster', async () => {
    const { user } = await board()
    hearing('patch', `/incident/activity/${uuid(2)}`, () =>
      refused(409, 'Grace Hopper changed the status meanwhile.', { code: 'stale' }),
    )
    await user.click(screen.getByRole('button', { name: 'Move “Close the valve”' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Move to Complete' }))
    expect(await screen.findByText('Grace Hopper changed the status meanwhile.')).toBeVisible()
    await waitFor(() => expect(column('To Do').getByText('Close the valve')).toBeVisible())
    expect(screen.getByText('“Close the valve” stays where it was.')).toBeInTheDocument()
  })

  test('moves nothing that one may not change', async () => {
    await board([aTask(2, { canEdit: false })])
    expect(screen.queryByRole('button', { name: /^Move/ })).toBeNull()
    fireEvent.keyDown(screen.getByRole('group', { name: /^Task 2,/ }), { key: 'ArrowRight' })
    expect(column('In Progress').queryByText('Task 2')).toBeNull()
  })

  test('says what it is for without tasks', async () => {
    signedIn()
    serving(aWhole())
    open(`/incidents/${uuid(1)}?view=board`)
    expect(await screen.findByText(/^Tasks appear here/)).toBeVisible()
  })
})

const mine = (n: number, changes: Partial<MyTask> = {}): MyTask => ({
  id: uuid(n),
  incidentId: uuid(1),
  incidentTitle: 'Ransomware',
  isTabletop: false,
  title: `Task ${n}`,
  status: 'TO_DO',
  priority: 'MEDIUM',
  progress: 0,
  dueTimestamp: null,
  updateTimestamp: minutesAgo(5),
  canEdit: true,
  version: 1,
  ...changes,
})
const INCIDENTS = [
  { id: uuid(1), title: 'Ransomware', isTabletop: false },
  { id: uuid(9), title: 'Drill', isTabletop: true },
]
const listing = (tasks: readonly MyTask[], more: object = {}) =>
  hearing('get', '/incident/tasks/mine', () => ({
    data: tasks,
    page: 0,
    size: 30,
    total: tasks.length,
    incidents: INCIDENTS,
    ...more,
  }))

describe('my tasks', () => {
  test('are listed with their incident, and done from there', async () => {
    signedIn()
    let tasks = [
      mine(2, { title: 'Close the valve', dueTimestamp: minutesAgo(5), priority: 'HIGH' }),
      mine(3, { isTabletop: true, status: 'IN_PROGRESS', progress: 50 }),
    ]
    hearing('get', '/incident/tasks/mine', () => ({
      data: tasks,
      page: 0,
      size: 30,
      total: tasks.length,
      incidents: INCIDENTS,
    }))
    const sent = hearing('patch', `/incident/activity/${uuid(2)}`, () => {
      tasks = [mine(3)]
      return aTask(2, { status: 'COMPLETE', progress: 100 })
    })
    const user = open('/my-tasks')
    expect(await screen.findByRole('link', { name: 'Close the valve' })).toHaveAttribute(
      'href',
      `/incidents/${uuid(1)}`,
    )
    expect(screen.getByText('Overdue by 5m')).toBeInTheDocument()
    expect(screen.getByText('EXERCISE')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Complete: Close the valve' }))
    expect(await screen.findByText('“Close the valve” is complete.')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Close the valve' })).toBeNull())
    expect(sent.bodies).toEqual([{ status: 'COMPLETE', version: 1 }])
  })

  test('are filtered by incident and list, and one takes what nobody has', async () => {
    signedIn()
    const listed = listing([mine(2, { title: 'Free task' })])
    const sent = hearing('patch', `/incident/activity/${uuid(2)}`, () => aTask(2))
    const user = open('/my-tasks')
    await user.click(await screen.findByRole('button', { name: 'Unassigned' }))
    await user.click(await screen.findByRole('button', { name: 'Take it: Free task' }))
    await waitFor(() => expect(sent.bodies).toEqual([{ assignedTo: ME.email, version: 1 }]))
    await user.click(screen.getByRole('combobox', { name: 'Incident' }))
    await user.click(await screen.findByRole('option', { name: 'EXERCISE: Drill' }))
    await waitFor(() => expect(location.search).toContain(uuid(9)))
    const queries = listed.urls.map(({ searchParams }) => [
      searchParams.get('list'),
      searchParams.get('incidentId'),
    ])
    expect(queries).toContainEqual(['FREE', uuid(9)])
  })

  test('come into a calendar by an address that is shown once', async () => {
    signedIn()
    listing([])
    const address = 'https://muster.example/calendar/ca_abc.ics'
    let feed: { createTimestamp: string | null } = { createTimestamp: null }
    hearing('get', '/calendarFeed', () => feed)
    hearing(
      'post',
      '/calendarFeed',
      () => {
        feed = { createTimestamp: new Date().toISOString() }
        return { ...feed, address }
      },
      201,
    )
    hearing('delete', '/calendarFeed', () => {
      feed = { createTimestamp: null }
      return new HttpResponse(null, { status: 204 })
    })
    const user = open('/my-tasks')
    await user.click(await screen.findByRole('button', { name: 'Make an address' }))
    expect(await screen.findByRole('textbox', { name: 'Address' })).toHaveValue(address)
    await user.click(screen.getByRole('button', { name: 'End the address' }))
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'End the address' }),
    )
    expect(await screen.findByText('The address has ended.')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Make an address' })).toBeVisible()
    expect(screen.queryByRole('textbox', { name: 'Address' })).toBeNull()
  })

  test('that are none, or could not be loaded, say what to do', async () => {
    signedIn()
    answer('get', '/incident/tasks/mine', { code: 'failed', message: 'No.' }, 500)
    const user = open('/my-tasks')
    const retry = await screen.findByRole('button', { name: 'Try again' })
    listing([], { incidents: [] })
    await user.click(retry)
    expect(await screen.findByText(/^Nothing is open\./)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Show unassigned tasks' })).toBeVisible()
  })

  test('are a click away from the dashboard', async () => {
    signedIn()
    answer('get', '/dashboard', aDashboard([anIncident()]))
    const task = { ...mine(2), incidentTitle: 'Ransomware' }
    answer('get', '/dashboard/asked', asked({ tasks: [task], tasksCount: 1 }))
    open('/')
    expect(await screen.findByRole('link', { name: 'Go to your tasks' })).toHaveAttribute('href', '/my-tasks')
  })
})
