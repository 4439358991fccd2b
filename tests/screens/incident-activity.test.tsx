import type { UserEvent } from '@testing-library/user-event'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'

import { withTaskState } from '#contract/incidents/rules.ts'
import { answer, sessionEnds } from '#tests/support/client.tsx'
import {
  anUpdate,
  aTask,
  aWhole,
  below,
  BOARD,
  fill,
  GRACE,
  hearing,
  ME,
  minutesAgo,
  page,
  preparePages,
  refused,
  shown,
  uuid,
} from '#tests/support/client-incidents.ts'

preparePages()

const rowOf = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}\\b`) })
const actOn = async (user: UserEvent, name: string) => {
  await user.click(screen.getByRole('button', { name: 'Actions for this update' }))
  await user.click(screen.getByRole('menuitem', { name }))
}
const feed = () => within(screen.getByRole('list', { name: 'Activity' }))

describe('the activity feed', () => {
  test('leads to the messages that tasks and updates were made from', async () => {
    const [roomId, id] = [uuid(20), uuid(21)]
    const message = { id, roomId }
    const { user } = page(
      aWhole({ activities: [aTask(2, { message }), anUpdate(3, { message }), anUpdate(4)] }),
    )
    await shown()
    await user.click(rowOf('Task 2'))
    const links = feed().getAllByRole('link', { name: 'From the chat' })
    expect(links.map((link) => link.getAttribute('href'))).toEqual(
      [1, 2].map(() => `/chat/${roomId}?message=${id}`),
    )
  })

  const several = [
    aTask(2, { priority: 'LOW', progress: 100, status: 'COMPLETE' }),
    anUpdate(3),
    aTask(4, { priority: 'HIGH', progress: 50, status: 'IN_PROGRESS', updateTimestamp: minutesAgo(1) }),
    aTask(5),
  ]
  const order = () =>
    feed()
      .getAllByRole('listitem')
      .map((item) => /Task \d|News \d/.exec(item.textContent)?.[0])
      .filter(Boolean)

  test('filters and sorts', async () => {
    const { user } = page(aWhole({ activities: several }))
    await shown()
    // The latest update stands above the feed; completed tasks come last.
    const latest = screen.getByRole('region', { name: 'Latest update' })
    expect(within(latest).getByText('News 3')).toBeVisible()
    expect(order()).toEqual(['Task 5', 'Task 4', 'Task 2'])
    expect(feed().getByRole('heading', { name: 'Done' })).toBeVisible()
    const choose = async (name: string) => {
      await user.click(screen.getByRole('combobox', { name: 'Sort' }))
      await user.click(await screen.findByRole('option', { name }))
    }
    await choose('Oldest first')
    expect(order()).toEqual(['News 3', 'Task 4', 'Task 5', 'Task 2'])
    await choose('Recently updated')
    expect(order()).toEqual(['Task 4', 'Task 5', 'News 3', 'Task 2'])
    await choose('Priority')
    expect(order()).toEqual(['Task 4', 'Task 5', 'News 3', 'Task 2'])
    await choose('Status')
    expect(order()).toEqual(['Task 5', 'Task 4', 'Task 2', 'News 3'])
    await user.click(screen.getByRole('button', { name: 'Updates' }))
    expect(order()).toEqual(['News 3'])
    await user.click(screen.getByRole('button', { name: 'Tasks' }))
    expect(order()).toHaveLength(3)
  })

  test('keeps state and progress in agreement, at once and as the server says', async () => {
    const { user, state } = page(aWhole({ activities: [aTask(2)] }))
    const asked = hearing('patch', `/incident/activity/${uuid(2)}`, ({ body }) => {
      const before = state.incident.activities[0]!
      const task = { ...before, ...withTaskState(before, body), version: before.version + 1 }
      state.incident = aWhole({ activities: [task] })
      return task
    })
    await shown()
    await user.click(rowOf('Task 2'))
    const progress = within(screen.getByRole('group', { name: 'Progress' }))
    const status = within(screen.getByRole('group', { name: 'Status' }))
    await user.click(status.getByRole('button', { name: 'In Progress' }))
    expect(progress.getByRole('button', { name: '25%' })).toHaveAttribute('aria-pressed', 'true')
    await waitFor(() => expect(asked.bodies).toHaveLength(1))
    await user.click(progress.getByRole('button', { name: '100%' }))
    expect(status.getByRole('button', { name: 'Complete' })).toHaveAttribute('aria-pressed', 'true')
    await waitFor(() => expect(asked.bodies).toHaveLength(2))
    await user.click(status.getByRole('button', { name: 'To Do' }))
    expect(progress.getByRole('button', { name: '0%' })).toHaveAttribute('aria-pressed', 'true')
    await waitFor(() =>
      expect(asked.bodies).toEqual([
        { status: 'IN_PROGRESS', incidentId: uuid(1) },
        { progress: 100, incidentId: uuid(1) },
        { status: 'TO_DO', incidentId: uuid(1) },
      ]),
    )
  })

  test('shows the server’s words below the description, and takes the change back', async () => {
    const { user } = page(aWhole({ activities: [aTask(2)] }))
    hearing('patch', `/incident/activity/${uuid(2)}`, () => refused(400, 'Not today.'))
    await shown()
    await user.click(rowOf('Task 2'))
    await user.click(screen.getByRole('button', { name: 'Complete' }))
    expect(await screen.findByText('Not today.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'To Do' })).toHaveAttribute('aria-pressed', 'true')
  })

  test('adds a task, and keeps what was typed when it is refused', async () => {
    const { user, state } = page(aWhole())
    const asked = hearing(
      'post',
      `/incident/${uuid(1)}/activity`,
      ({ body, times }) => {
        if (times === 1) return refused(400, 'The database is full.')
        state.incident = aWhole({ activities: [aTask(2, { title: body.title })] })
        return state.incident.activities[0]!
      },
      201,
    )
    await shown()
    await user.click(screen.getByRole('button', { name: 'Add task' }))
    const form = within(screen.getByRole('form', { name: 'Add task' }))
    await user.click(form.getByRole('button', { name: 'Add task' }))
    expect(await form.findByText('Title is a required field.')).toBeVisible()
    expect(form.getByText('Description is a required field.')).toBeVisible()
    await fill(user, form.getByRole('textbox', { name: 'Title' }), 'Call the insurer')
    await fill(user, form.getByRole('textbox', { name: 'Description' }), 'At once.')
    await fill(user, form.getByRole('textbox', { name: 'Expected time' }), 'soon')
    await user.click(form.getByRole('button', { name: 'Add task' }))
    expect(await form.findByText('Please enter a whole number, at most a year.')).toBeVisible()
    await user.clear(form.getByRole('textbox', { name: 'Expected time' }))
    await fill(user, form.getByRole('textbox', { name: 'Expected time' }), '2')
    await user.click(form.getByRole('combobox', { name: 'Unit of time' }))
    await user.click(await screen.findByRole('option', { name: 'Hours' }))
    const ideal = form.getByRole('textbox', { name: 'Ideal title or role' })
    await fill(user, ideal, 'x'.repeat(256))
    await user.click(form.getByRole('button', { name: 'Add task' }))
    expect(await form.findByText('Maximum length of 255 characters exceeded.')).toBeVisible()
    await user.clear(ideal)
    await fill(user, ideal, 'Head of finance')
    await user.click(form.getByRole('combobox', { name: 'Assigned to' }))
    await user.click(within(await screen.findByRole('listbox')).getByText('Grace Hopper'))
    await user.click(form.getByRole('button', { name: 'Add task' }))
    expect(await form.findByText('The database is full.')).toBeVisible()
    expect(form.getByRole('textbox', { name: 'Title' })).toHaveValue('Call the insurer')
    await user.click(form.getByRole('button', { name: 'Add task' }))
    expect(await screen.findByRole('button', { name: /^Call the insurer/ })).toBeVisible()
    expect(asked.bodies[1]).toEqual({
      type: 'TASK',
      title: 'Call the insurer',
      description: 'At once.',
      priority: 'MEDIUM',
      assignedTo: GRACE.email,
      idealTitleToExecute: 'Head of finance',
      expectedTimeToComplete: 120,
    })
  })

  test('has its own message for an update below a task', async () => {
    const { user } = page(aWhole({ activities: [aTask(2, { childActivities: [below(3, 2, 'Half done')] })] }))
    await shown()
    await user.click(screen.getByRole('button', { name: 'Add update' }))
    await user.click(screen.getAllByRole('button', { name: 'Add update' }).at(-1)!)
    expect(await screen.findByText('Description is a required field.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await user.click(rowOf('Task 2'))
    expect(feed().getByText('Half done')).toBeVisible()
    await user.click(feed().getByRole('button', { name: 'Add update' }))
    await user.click(feed().getByRole('button', { name: 'Add update' }))
    expect(await screen.findByText('Update description is required.')).toBeVisible()
  })

  test('keeps one form open at a time, and asks before what is typed goes', async () => {
    const { user } = page(aWhole({ activities: [anUpdate(2)] }))
    await shown()
    await user.click(screen.getByRole('button', { name: 'Add task' }))
    await fill(user, screen.getByRole('textbox', { name: 'Title' }), 'Half')
    await actOn(user, 'Edit update')
    const dialog = within(await screen.findByRole('dialog', { name: 'Discard changes?' }))
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('Half')
    await actOn(user, 'Edit update')
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    expect(await screen.findByRole('textbox', { name: 'Update' })).toHaveValue('News 2')
    expect(screen.getAllByRole('form')).toHaveLength(1)
  })

  test('keeps what is typed over a reload, and nothing that was looked at again', async () => {
    const { user } = page(aWhole())
    await shown()
    await user.click(screen.getByRole('button', { name: 'Add task' }))
    await fill(user, await screen.findByRole('textbox', { name: 'Title' }), 'Half written')
    fireEvent(window, new Event('pagehide'))
    expect(sessionStorage.getItem('muster.drafts')).toContain('Half written')
    fireEvent(window, new Event('pageshow'))
    expect(sessionStorage.getItem('muster.drafts')).toBeNull()
    fireEvent(window, new Event('pagehide'))
    cleanup()
    page(aWhole())
    await shown()
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('Half written'))
    expect(screen.getByText(/^What you typed before the page was reloaded is back/)).toBeVisible()
  })

  describe('when the session ends', () => {
    const BACK = /^What you typed before you were signed out is back/
    test.each([
      ['Add task', 'TASK'],
      ['Add update', 'UPDATE'],
    ])('keeps the form that “%s” opened', async (button, type) => {
      const { user } = page(aWhole())
      await shown()
      await user.click(screen.getByRole('button', { name: button }))
      await fill(user, await screen.findByRole('textbox', { name: /^Title/ }), 'Half written')
      await sessionEnds()
      const again = page(aWhole())
      await shown()
      const form = within(await screen.findByRole('form', { name: button }))
      await waitFor(() => expect(form.getByRole('textbox', { name: /^Title/ })).toHaveValue('Half written'))
      expect(screen.getByText(BACK)).toBeVisible()
      const asked = hearing('post', `/incident/${uuid(1)}/activity`, () => aTask(2), 201)
      const words = form.getByRole('textbox', { name: type === 'TASK' ? 'Description' : 'Update' })
      await fill(again.user, words, 'Now whole.')
      await again.user.click(form.getByRole('button', { name: button }))
      await waitFor(() =>
        expect(asked.bodies[0]).toMatchObject({ type, title: 'Half written', description: 'Now whole.' }),
      )
    })

    test('keeps what is changed of a task, on top of what it was then', async () => {
      const { user } = page(aWhole({ activities: [aTask(2)] }))
      await shown()
      await user.click(rowOf('Task 2'))
      await user.click(screen.getByRole('button', { name: 'Edit task' }))
      await fill(user, await screen.findByRole('textbox', { name: 'Title' }), ', soon')
      await sessionEnds()
      const again = page(aWhole({ activities: [aTask(2, { title: 'Theirs', version: 2 })] }))
      await shown()
      await waitFor(() => expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('Task 2, soon'))
      const asked = hearing('patch', `/incident/activity/${uuid(2)}`, () =>
        refused(409, 'Somebody changed this.', { code: 'stale' }),
      )
      await again.user.click(screen.getByRole('button', { name: 'Save' }))
      expect(await screen.findByText(/Somebody changed this/)).toBeVisible()
      expect(asked.bodies[0]).toMatchObject({ title: 'Task 2, soon', version: 1 })
    })
  })

  test('shows the formatting of a task, and keeps it when something else is changed', async () => {
    const formattedDescription = '<p>Run <strong>this</strong></p><pre><code>valve --close</code></pre>'
    const task = aTask(2, { description: 'Run this\n\nvalve --close', formattedDescription })
    const { user } = page(aWhole({ activities: [task] }))
    const asked = hearing('patch', `/incident/activity/${uuid(2)}`, ({ body }) => aTask(2, body as object))
    await shown()
    await user.click(rowOf('Task 2'))
    const details = within(screen.getByRole('region', { name: 'Task 2' }))
    expect(details.getByRole('strong')).toHaveTextContent('this')
    expect(details.getByRole('button', { name: 'Copy code' })).toBeVisible()
    await user.click(details.getByRole('button', { name: 'Edit task' }))
    const box = await details.findByRole('textbox', { name: 'Description' })
    expect(within(box).getByRole('strong')).toHaveTextContent('this')
    await fill(user, details.getByRole('textbox', { name: 'Title' }), ', soon')
    await user.click(details.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(asked.bodies[0]).toMatchObject({ title: 'Task 2, soon', formattedDescription }),
    )
    expect(asked.bodies[0]).not.toHaveProperty('description')
  })

  test('sets, changes and clears the due time of a task, and leaves its seconds alone', async () => {
    const dueTimestamp = '2026-12-24T10:20:37.000Z'
    const { user, state } = page(aWhole({ activities: [aTask(2, { dueTimestamp })] }))
    const asked = hearing('patch', `/incident/activity/${uuid(2)}`, ({ body }) => {
      state.incident = aWhole({ activities: [aTask(2, { dueTimestamp, ...(body as object) })] })
      return state.incident.activities[0]!
    })
    await shown()
    await user.click(rowOf('Task 2'))
    const edit = async (change: () => Promise<void> | void) => {
      await user.click(await screen.findByRole('button', { name: 'Edit task' }))
      await screen.findByLabelText('Due time')
      await change()
      await user.click(screen.getByRole('button', { name: 'Save' }))
      await screen.findByRole('button', { name: 'Edit task' })
    }
    const due = () => screen.getByLabelText('Due time')
    await edit(() => fill(user, screen.getByRole('textbox', { name: 'Title' }), ', soon'))
    await edit(() => void fireEvent.change(due(), { target: { value: '2026-12-25T08:00' } }))
    await edit(() => void fireEvent.change(due(), { target: { value: '' } }))
    const [other, ...changes] = asked.bodies
    expect(other).not.toHaveProperty('dueTimestamp')
    expect(changes).toMatchObject([
      { dueTimestamp: new Date('2026-12-25T08:00').toISOString() },
      { dueTimestamp: null },
    ])
  })

  test('keeps typed plain text where somebody else has formatted theirs meanwhile', async () => {
    const { user, state } = page(aWhole({ activities: [aTask(2)] }))
    const asked = hearing('patch', `/incident/activity/${uuid(2)}`, ({ body }) =>
      body.version === 2
        ? aTask(2, { ...body, version: 3 })
        : refused(409, 'Somebody changed this.', { code: 'stale' }),
    )
    await shown()
    await user.click(rowOf('Task 2'))
    await user.click(screen.getByRole('button', { name: 'Edit task' }))
    await fill(user, screen.getByRole('textbox', { name: 'Description' }), ' – mine')
    const theirs = { description: 'Theirs', formattedDescription: '<p><b>Theirs</b></p>', version: 2 }
    state.incident = aWhole({ activities: [aTask(2, theirs)] })
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await user.click(await screen.findByRole('button', { name: 'Load latest version' }))
    const notice = await screen.findByText(/Saving it replaces what somebody else saved here:/)
    expect(notice).toHaveTextContent('DescriptionTheirs')
    expect(screen.getByRole('textbox', { name: 'Description' })).toHaveValue('What to do 2 – mine')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(asked.bodies.at(-1)).toMatchObject({ version: 2, description: 'What to do 2 – mine' }),
    )
    expect(asked.bodies.at(-1)).not.toHaveProperty('formattedDescription')
  })

  test('says who changed what of a task meanwhile, and keeps what was typed', async () => {
    const { user, state } = page(aWhole({ activities: [aTask(2)] }))
    const asked = hearing('patch', `/incident/activity/${uuid(2)}`, ({ body }) =>
      body.version === 2
        ? aTask(2, { ...body, version: 3 })
        : refused(409, `${GRACE.email} and ${BOARD.email} changed the title and the priority meanwhile.`, {
            code: 'stale',
          }),
    )
    await shown()
    await user.click(rowOf('Task 2'))
    await user.click(screen.getByRole('button', { name: 'Edit task' }))
    await fill(user, screen.getByRole('textbox', { name: 'Description' }), ' – mine')
    await fill(user, screen.getByRole('textbox', { name: 'Expected time' }), '3')
    await user.click(screen.getByRole('combobox', { name: 'Priority' }))
    await user.click(await screen.findByRole('option', { name: 'Low' }))
    const theirs = {
      title: 'Theirs',
      description: 'Other',
      priority: 'HIGH',
      expectedTimeToComplete: 2_880,
      idealTitleToExecute: 'Plumber',
      version: 2,
    } as const
    state.incident = aWhole({ activities: [aTask(2, theirs)] })
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(
      await screen.findByText(/Grace Hopper and Berta Board changed the title and the priority meanwhile/),
    ).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Load latest version' }))
    const notice = await screen.findByText(/Saving it replaces what somebody else saved here:/)
    for (const words of ['DescriptionOther', 'PriorityHigh', 'Expected time2 days'])
      expect(notice).toHaveTextContent(words)
    expect(screen.getByRole('textbox', { name: 'Description' })).toHaveValue('What to do 2 – mine')
    expect(screen.getByRole('combobox', { name: 'Priority' })).toHaveTextContent('Low')
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveValue('Theirs')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(asked.bodies.at(-1)).toMatchObject({
        version: 2,
        title: 'Theirs',
        description: 'What to do 2 – mine',
        priority: 'LOW',
        expectedTimeToComplete: 3,
        idealTitleToExecute: 'Plumber',
      }),
    )
  })

  test('deletes after asking', async () => {
    const { user, state } = page(aWhole({ activities: [anUpdate(2), anUpdate(3, { canDelete: false })] }))
    const asked = hearing('delete', `/incident/activity/${uuid(2)}`, () => {
      state.incident = aWhole({ activities: [anUpdate(3)] })
      return new HttpResponse(null, { status: 204 })
    })
    await shown()
    await user.click(screen.getByRole('button', { name: 'Updates' }))
    const menus = feed().getAllByRole('button', { name: 'Actions for this update' })
    expect(menus).toHaveLength(2)
    await user.click(menus[0]!)
    expect(screen.getByRole('menuitem', { name: 'History of the update' })).toBeVisible()
    expect(screen.queryByRole('menuitem', { name: 'Delete update' })).toBeNull()
    await user.keyboard('{Escape}')
    await user.click(menus[1]!)
    await user.click(screen.getByRole('menuitem', { name: 'Delete update' }))
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByText('News 2')).toBeNull())
    expect(asked.urls).toHaveLength(1)
  })

  test('says when there is no room for more', async () => {
    answer('get', '/config', { maxActivitiesPerIncident: 3 })
    const { user } = page(aWhole({ activities: several.slice(0, 2).concat(anUpdate(9)) }))
    await shown()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Add task' })).toBeDisabled())
    expect(screen.getByRole('button', { name: 'Add update' })).toBeDisabled()
    await user.hover(screen.getByRole('button', { name: 'Add task' }).parentElement!)
    expect(
      await screen.findByText('The number of tasks/updates has reached the maximum of 3.'),
    ).toBeInTheDocument()
  })

  test('tells the history six entries at a time', async () => {
    const { user } = page(aWhole({ activities: [aTask(2)] }))
    const entry = (n: number) => ({
      id: uuid(500 + n),
      activityId: uuid(2),
      fieldName: n === 0 ? 'status' : n === 1 ? 'assignedTo' : 'progress',
      fieldType: n === 0 ? 'ActivityStatus' : n === 1 ? 'String' : 'Integer',
      oldValue: n === 0 ? 'TO_DO' : n === 1 ? null : '0',
      newValue: n === 0 ? 'IN_PROGRESS' : n === 1 ? GRACE.email : '25',
      createdBy: ME.email,
      createTimestamp: minutesAgo(n),
      isDelete: false,
    })
    answer(
      'get',
      `/incident/activity/${uuid(2)}/history`,
      Array.from({ length: 14 }, (_, n) => entry(n)),
    )
    await shown()
    await user.click(rowOf('Task 2'))
    await user.click(screen.getByRole('button', { name: 'History of the task' }))
    const history = within(await screen.findByRole('region', { name: 'History' }))
    expect(
      await history.findByText('Ada Lovelace changed the status from To Do to In Progress.'),
    ).toBeVisible()
    expect(history.getByText('Ada Lovelace assigned this to Grace Hopper.')).toBeVisible()
    expect(history.getByText(/^\d\d:\d\d.* · 1 min\. ago$/)).toBeVisible()
    const more = () => history.queryByRole('button', { name: 'Show more' })
    for (const count of [6, 12, 14]) {
      expect(history.getAllByRole('listitem')).toHaveLength(count)
      if (count < 14) await user.click(more()!)
    }
    expect(more()).toBeNull()
  })
})
