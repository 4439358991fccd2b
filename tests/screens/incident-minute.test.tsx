import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'

import { aDashboard, anIncident, answer, open, signedIn } from '#tests/support/client.tsx'
import {
  at,
  aTask,
  anUpdate,
  aWhole,
  fill,
  GRACE,
  hearing,
  ME,
  minutesAgo,
  page,
  person,
  preparePages,
  refused,
  resolved,
  shown,
  uuid,
} from '#tests/support/client-incidents.ts'
import { onAPhone } from '#tests/support/client-lists.ts'
import { peopleAre } from '#tests/support/client-people.ts'

preparePages()

/** The link in the bar of a phone, which styles hide in a window without a width. */
const declare = () =>
  [...document.querySelectorAll('nav[aria-label="Most used"] a')].find(
    ({ textContent }) => textContent === 'Declare',
  )
const declareShown = () =>
  waitFor(() => {
    const link = declare()
    if (!link) throw new Error('There is no button to declare an incident.')
    return link
  })

describe('declaring', () => {
  test.each(['/', '/incidents', '/secure-file-storage'])('is in the bar of a phone on %s', async (path) => {
    signedIn()
    open(path)
    expect(await declareShown()).toHaveAttribute('href', '/incidents/create')
  })

  test('is not offered to people who may not', async () => {
    signedIn('BUSINESS_USER')
    open('/incidents')
    await screen.findByRole('main')
    await waitFor(() => expect(document.querySelector('nav[aria-label="Most used"] a')).not.toBeNull())
    expect(declare()).toBeUndefined()
  })

  test('says why it is not possible', async () => {
    signedIn()
    const exercise = anIncident({ id: crypto.randomUUID(), isTabletop: true })
    answer('get', '/dashboard', aDashboard([anIncident(), exercise]))
    const user = open('/')
    const link = await declareShown()
    await waitFor(() => expect(link).toHaveAttribute('aria-disabled', 'true'))
    await user.click(link)
    expect(location.pathname).toBe('/')
    const said = await screen.findAllByText('An incident and an exercise are already in progress.')
    // The tile of the dashboard says so, too.
    await waitFor(() => expect(said.some((one) => one.closest('output'))).toBe(true))
  })
})

describe('the head of an incident on a phone', () => {
  test('has the call and the room in words, and one menu', async () => {
    onAPhone()
    page(aWhole())
    await shown()
    expect(await screen.findByRole('button', { name: 'Call everybody' })).toHaveTextContent('Call everybody')
    expect(screen.getByRole('link', { name: 'Go to War Rooms' })).toHaveTextContent('Room')
    expect(screen.queryByRole('button', { name: 'Resolve' })).toBeNull()
    screen.getByRole('button', { name: 'More actions' }).click()
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'Notify',
      'Edit Incident',
      'Download report',
      'Change severity',
      'Merge as duplicate',
      'Declare one like it',
      'Resolve',
    ])
  })

  test('has one filled button: the call of everybody', async () => {
    page(aWhole())
    await shown()
    const call = await screen.findByRole('button', { name: 'Call everybody' })
    expect(call.className).toContain('contained')
    for (const other of [
      screen.getByRole('link', { name: 'Go to War Rooms' }),
      screen.getByRole('link', { name: 'Edit Incident' }),
      screen.getByRole('button', { name: 'Download report' }),
      screen.getByRole('button', { name: 'Resolve' }),
    ])
      expect(other.className).not.toContain('contained')
  })
})

describe('severity', () => {
  test('stands in the banner and in the strip, in words', async () => {
    signedIn()
    answer('get', '/dashboard', aDashboard([anIncident({ severity: 'CRITICAL' })]))
    open('/')
    const state = await screen.findByRole('region', { name: 'Current State' })
    expect(within(state).getByText('Critical severity')).toBeInTheDocument()
    const [strip] = within(screen.getByRole('banner')).getAllByRole('link', { name: /^Active incident/ })
    expect(strip).toHaveTextContent('Critical severity')
  })

  test("begins the browser's tab, and the page has no strip about itself", async () => {
    const other = anIncident({ id: uuid(9), title: 'Flood' })
    const own = anIncident({ id: uuid(1), severity: 'CRITICAL' })
    answer('get', '/dashboard', aDashboard([own, other]))
    page(aWhole({ severity: 'CRITICAL' }))
    await shown()
    await waitFor(() =>
      expect(document.title).toBe('Critical: INC-2026-014 Ransomware in the payment network · Muster'),
    )
    const banner = within(screen.getByRole('banner'))
    expect(banner.queryByRole('link', { name: /^Active incident/ })).toBeNull()
    expect((await banner.findAllByRole('link', { name: '2 incidents' }))[0]).toBeInTheDocument()
  })

  test("marks an exercise in the browser's tab", async () => {
    page(aWhole({ isTabletop: true }))
    await waitFor(() => expect(document.title).toMatch(/^EXERCISE · High: INC-2026-014 Ransomware/))
  })
})

describe('people who have not checked in', () => {
  const nudged = { nudged: 1, tooSoon: 0, unreachable: 0 }

  test('are nudged one by one', async () => {
    const { user } = page(aWhole())
    const asked = hearing('post', `/incident/${uuid(1)}/nudge`, () => nudged)
    await shown()
    await user.click(screen.getByRole('tab', { name: 'People' }))
    expect(screen.queryByRole('button', { name: `Nudge ${ME.firstName} ${ME.lastName}` })).toBeNull()
    await user.click(await screen.findByRole('button', { name: 'Nudge Grace Hopper' }))
    await user.click(await screen.findByRole('menuitem', { name: 'By message and email' }))
    expect(await screen.findByText('1 person was nudged.')).toBeVisible()
    expect(asked.bodies).toEqual([{ channel: 'MESSAGE', userIds: [GRACE.uuid] }])
  })

  test('are nudged all at once, after asking, and it says who was left out', async () => {
    const { user } = page(aWhole())
    const asked = hearing('post', `/incident/${uuid(1)}/nudge`, () => ({
      nudged: 1,
      tooSoon: 1,
      unreachable: 1,
    }))
    await shown()
    await user.click(screen.getByRole('tab', { name: 'People' }))
    await user.click(await screen.findByRole('button', { name: 'Nudge all 3' }))
    await user.click(await screen.findByRole('menuitem', { name: 'By message and email' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Nudge 3 people?' }))
    await user.click(dialog.getByRole('button', { name: 'Nudge' }))
    expect(
      await screen.findByText(
        '1 person was nudged. 1 was nudged less than a minute ago. 1 cannot be reached this way.',
      ),
    ).toBeVisible()
    expect(asked.bodies).toEqual([{ channel: 'MESSAGE' }])
  })

  test('are told of once where the limit is reached', async () => {
    const { user } = page(aWhole())
    hearing('post', `/incident/${uuid(1)}/nudge`, () =>
      refused(429, 'This person was nudged by message less than a minute ago.', {
        code: 'limit_reached',
        msUntilNextAttempt: 40_000,
      }),
    )
    await shown()
    await user.click(screen.getByRole('tab', { name: 'People' }))
    await user.click(await screen.findByRole('button', { name: 'Nudge Grace Hopper' }))
    await user.click(await screen.findByRole('menuitem', { name: 'By message and email' }))
    expect(await screen.findAllByText(/^This person was nudged by message/)).toHaveLength(1)
  })

  test('are nobody’s to nudge once the incident is resolved, or for readers', async () => {
    page(aWhole(), 'BUSINESS_USER')
    await shown()
    screen.getByRole('tab', { name: 'People' }).click()
    await waitFor(() => expect(screen.getByText('Grace Hopper')).toBeVisible())
    expect(screen.queryByRole('button', { name: /^Nudge/ })).toBeNull()
  })

  test('can be written to, with the notification knowing the incident', async () => {
    const { user } = page(aWhole())
    await shown()
    await user.click(screen.getByRole('tab', { name: 'People' }))
    await user.click(await screen.findByRole('button', { name: 'Nudge all 3' }))
    expect(await screen.findByRole('menuitem', { name: 'Send Notification' })).toHaveAttribute(
      'href',
      `/mass-notifications/send?incident=${uuid(1)}`,
    )
  })
})

describe('the feed', () => {
  const [at15, at10, at1] = [minutesAgo(15), minutesAgo(10), minutesAgo(1)]
  const ofPlaybook = (n: number, changes: object = {}) => aTask(n, { createTimestamp: at10, ...changes })
  const tasks = [2, 3, 4, 5, 6, 7].map((n) => ofPlaybook(n))
  const rows = () =>
    within(screen.getByRole('list', { name: 'Activity' }))
      .getAllByRole('listitem')
      .map(
        ({ textContent }) =>
          /\d tasks? of “[^”]+”|\d tasks? added together|Task \d|News \d+/.exec(textContent)?.[0],
      )

  test('folds the tasks of a playbook once there are updates, and unfolds them', async () => {
    answer('get', '/incident/:id/playbooks', [
      {
        id: uuid(50),
        incidentId: uuid(1),
        playbookId: uuid(51),
        name: 'Ransomware',
        version: 1,
        currentVersion: 1,
        tasksCount: 6,
        addedBy: ME.email,
        addedTimestamp: at10,
      },
    ])
    const updates = [anUpdate(20, { createTimestamp: at15 }), anUpdate(21, { createTimestamp: at1 })]
    const { user } = page(aWhole({ activities: [...tasks, ...updates] }))
    await shown()
    // The latest update stands above the feed.
    await waitFor(() => expect(rows()).toEqual(['6 tasks of “Ransomware”', 'News 20']))
    const group = screen.getByRole('button', { name: /^6 tasks of “Ransomware”/ })
    expect(group).toHaveAttribute('aria-expanded', 'false')
    expect(group).toHaveTextContent('6 unassigned')
    await user.click(group)
    expect(rows()).toEqual([
      '6 tasks of “Ransomware”',
      ...[2, 3, 4, 5, 6, 7].map((n) => `Task ${n}`),
      'News 20',
    ])
  })

  test('folds nothing where there are no updates, or only a few tasks', async () => {
    page(aWhole({ activities: tasks }))
    await shown()
    expect(rows()).toEqual([2, 3, 4, 5, 6, 7].map((n) => `Task ${n}`))
  })

  test('puts the cursor into the text of a new update', async () => {
    const { user } = page(aWhole())
    await shown()
    await user.click(screen.getByRole('button', { name: 'Add update' }))
    expect(await screen.findByRole('textbox', { name: 'Update' })).toHaveFocus()
  })

  test('lets people take a task that nobody has', async () => {
    const mine = { uuid: ME.uuid, firstName: 'M', lastName: 'E', email: ME.email, active: true }
    const held = aTask(3, { assignedTo: mine })
    const taken = aTask(2, { assignedTo: mine })
    const { user, state } = page(aWhole({ activities: [aTask(2), held] }))
    const asked = hearing('post', `/incident/${uuid(1)}/assign`, () => {
      state.incident = aWhole({ activities: [taken, held] })
      return [taken]
    })
    await shown()
    expect(screen.queryByRole('button', { name: 'Take it: Task 3' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Take it: Task 2' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Take it: Task 2' })).toBeNull())
    expect(asked.bodies).toEqual([{ activityIds: [uuid(2)], assignedTo: ME.email }])
  })

  test('assigns several tasks at once', async () => {
    const done = aTask(4, { progress: 100, status: 'COMPLETE' })
    const { user } = page(aWhole({ activities: [aTask(2), aTask(3), done] }))
    const asked = hearing('post', `/incident/${uuid(1)}/assign`, () => [])
    await shown()
    await user.click(screen.getByRole('button', { name: 'Assign several' }))
    expect(screen.queryByRole('checkbox', { name: 'Task 4' })).toBeNull()
    await user.click(screen.getByRole('checkbox', { name: 'Task 2' }))
    await user.click(screen.getByRole('checkbox', { name: 'Task 3' }))
    expect(await screen.findByText('2 tasks selected')).toBeVisible()
    await user.click(screen.getByRole('combobox', { name: 'Assign to' }))
    await user.click(await screen.findByRole('option', { name: /Grace Hopper/ }))
    await waitFor(() => expect(screen.queryByText('2 tasks selected')).toBeNull())
    expect(asked.bodies).toEqual([{ activityIds: [uuid(2), uuid(3)], assignedTo: GRACE.email }])
  })
})

describe('the end of an incident', () => {
  test('asks what becomes of open tasks', async () => {
    const { user, state } = page(aWhole({ activities: [aTask(2)] }))
    const asked = hearing('patch', `/incident/${uuid(1)}`, () => (state.incident = aWhole(resolved)))
    await shown()
    await user.click(screen.getByRole('button', { name: 'Resolve' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Resolve incident?' }))
    expect(dialog.getByText(/1 task is not complete\./)).toBeVisible()
    expect(dialog.getByRole('radio', { name: 'Leave them open' })).toBeChecked()
    await user.click(dialog.getByRole('radio', { name: 'Mark them as not needed' }))
    await fill(user, dialog.getByRole('textbox', { name: /^Reason/ }), 'The tills run again.')
    await user.click(dialog.getByRole('button', { name: 'Resolve' }))
    await at(`/incidents/${uuid(1)}/post-incident-analysis`)
    expect(asked.bodies).toEqual([
      { isActive: false, openTasks: 'NOT_NEEDED', openTasksReason: 'The tills run again.' },
    ])
  })

  test('shows what became of them', async () => {
    page(
      aWhole({
        ...resolved,
        openTasks: 'NOT_NEEDED',
        openTasksReason: 'The tills run again.',
        activities: [aTask(2)],
      }),
    )
    await shown()
    expect(screen.getByText('Not needed: The tills run again.')).toBeVisible()
    const row = screen.getByRole('button', { name: /^Task 2/ })
    expect(row).toHaveTextContent('Not needed')
    expect(row).not.toHaveTextContent('To Do')
  })
})

describe('the form of an incident for everybody', () => {
  const COUNSEL = person({
    uuid: uuid(920),
    firstName: 'Cora',
    lastName: 'Counsel',
    email: 'cora@partner.example',
    type: 'EXTERNAL',
  })

  test('says that external people are not in it, and adds them by a press', async () => {
    peopleAre([person(), GRACE, COUNSEL])
    signedIn()
    const asked = hearing('post', '/incident', () => aWhole(), 201)
    const user = open('/incidents/create')
    await fill(user, await screen.findByRole('textbox', { name: 'Title' }), 'Flood')
    expect(await screen.findByText('External people are not among them.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Add external people' }))
    await user.click(screen.getByRole('combobox', { name: 'External people' }))
    await user.click(await screen.findByRole('option', { name: /Cora Counsel/ }))
    expect(screen.queryByRole('option', { name: /Grace Hopper/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Create Incident' }))
    await waitFor(() => expect(asked.bodies).toHaveLength(1))
    expect(asked.bodies[0]).toMatchObject({ targetedUsers: [COUNSEL.email], withEverybody: true })
  })

  test('says nothing of them where there are none', async () => {
    signedIn()
    open('/incidents/create')
    await screen.findByRole('textbox', { name: 'Title' })
    expect(screen.queryByText('External people are not among them.')).toBeNull()
  })
})
