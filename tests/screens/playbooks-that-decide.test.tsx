import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'

import type { IncidentCondition, IncidentPlaybook } from '#contract/incident-playbooks/schema.ts'
import { NO_START, type OpenedPlaybook } from '#contract/playbooks/schema.ts'
import { answer, open, signedIn } from '#tests/support/client.tsx'
import {
  aTask,
  aWhole,
  feedOf,
  fill,
  GRACE,
  hearing,
  ME,
  minutesAgo,
  page,
  preparePages,
  serving,
  shown,
  uuid,
} from '#tests/support/client-incidents.ts'
import {
  aHeading,
  aPlaybook,
  aStep,
  playbooksPage,
  preparePlaybooks,
  servePlaybooks,
} from '#tests/support/client-playbooks.ts'

const heading = { ...aHeading(0, 'Outside'), condition: 'somebody is outside' }
const storm = aPlaybook(1, {
  name: 'Storm',
  description: 'Everybody in.',
  activities: [heading, aStep(1, { idealTitleToExecute: 'Warden' }), aStep(2)],
})
const flood = aPlaybook(2, { name: 'Flood', activities: [aStep(3)] })

describe('the form of declaring', () => {
  preparePages()
  const serve = (...playbooks: OpenedPlaybook[]) => {
    hearing('get', '/playbook/templates', ({ url }) => {
      const { hasProposal } = JSON.parse(url.searchParams.get('filter') ?? '{}') as { hasProposal?: boolean }
      const rows = hasProposal ? playbooks.filter(({ proposal }) => proposal.words.length > 0) : playbooks
      return rows.map((one) => ({ ...one, activities: undefined }))
    })
    for (const one of playbooks) hearing('get', `/playbook/template/${one.id}`, () => one)
    answer('get', '/authentication/users/search', { users: [GRACE], hasExternals: false })
    signedIn('USER')
    serving(aWhole())
    feedOf([])
  }
  const title = () => screen.findByRole('textbox', { name: /^Title/ })
  const choose = async (user: ReturnType<typeof open>, name: string) => {
    await user.click(await screen.findByRole('combobox', { name: 'Playbook' }))
    await user.click(await screen.findByRole('option', { name: new RegExp(`^${name}`) }))
  }

  test('asks once whether conditions apply and who is who, and shows what happens at the start', async () => {
    serve({ ...storm, start: { ...NO_START, createRoom: true, firstMessage: 'Meet at gate 4.' } })
    const asked = hearing('post', '/incident/withActivities', () => aWhole(), 201)
    const user = open('/incidents/create')
    await choose(user, 'Storm')
    const conditions = within(await screen.findByRole('region', { name: 'What applies?' }))
    const group = within(conditions.getByRole('group', { name: /somebody is outside/ }))
    expect(group.getByRole('button', { name: 'Later' })).toHaveAttribute('aria-pressed', 'true')
    await user.click(group.getByRole('button', { name: 'No' }))
    await fill(user, conditions.getByRole('textbox', { name: /^Reason/ }), 'All are in.')
    const roles = within(screen.getByRole('region', { name: 'Who is who?' }))
    await user.click(roles.getByRole('combobox', { name: 'Warden' }))
    await user.click(await screen.findByRole('option', { name: /Grace/ }))
    const start = within(screen.getByRole('region', { name: 'At the start' }))
    expect(start.getByRole('checkbox', { name: /Meet at gate 4/ })).toBeChecked()
    expect(screen.getByRole('switch', { name: /^Create a breakout room/ })).toBeChecked()
    await fill(user, await title(), 'Storm at the harbour')
    await user.click(screen.getByRole('button', { name: 'Create Incident' }))
    await waitFor(() => expect(asked.bodies).toHaveLength(1))
    expect(asked.bodies[0]).toMatchObject({
      createBreakoutRoom: true,
      conditionAnswers: [{ itemId: heading.id, answer: 'SKIPPED', reason: 'All are in.' }],
      roles: [{ title: 'Warden', assignedTo: GRACE.email }],
      startActs: ['ROOM', 'MESSAGE'],
    })
  })

  test('leaves out what is not wanted, and a message without a room', async () => {
    serve({ ...storm, start: { ...NO_START, createRoom: true, people: [GRACE.email], firstMessage: 'Go.' } })
    const asked = hearing('post', '/incident/withActivities', () => aWhole(), 201)
    const user = open('/incidents/create')
    await choose(user, 'Storm')
    await user.click(await screen.findByRole('checkbox', { name: /^Adds Grace/ }))
    await user.click(screen.getByRole('switch', { name: /^Create a breakout room/ }))
    expect(screen.getByRole('checkbox', { name: /Go\..*there is no room/ })).toBeDisabled()
    await fill(user, await title(), 'Storm')
    await user.click(screen.getByRole('button', { name: 'Create Incident' }))
    await waitFor(() => expect(asked.bodies).toMatchObject([{ startActs: ['MESSAGE'] }]))
  })

  test('puts the playbooks first that are proposed for the title', async () => {
    serve(flood, { ...storm, proposal: { kinds: [], severities: [], words: ['storm'] } })
    const user = open('/incidents/create')
    const names = async () => {
      await user.click(await screen.findByRole('combobox', { name: 'Playbook' }))
      const options = (await screen.findAllByRole('option')).map((one) => one.textContent?.slice(0, 5))
      await user.keyboard('{Escape}')
      return options
    }
    expect(await names()).toEqual(['Flood', 'Storm'])
    await fill(user, await title(), 'A storm is coming')
    expect(await names()).toEqual(['Storm', 'Flood'])
  })
})

describe('an incident', () => {
  preparePages()
  const condition: IncidentCondition = {
    id: uuid(700),
    itemId: heading.id,
    title: 'Outside',
    condition: 'somebody is outside',
    parentId: null,
    answer: 'OPEN',
    reason: null,
    decidedBy: null,
    decidedTimestamp: null,
  }
  const taken = (...conditions: IncidentCondition[]): IncidentPlaybook => ({
    id: uuid(400),
    incidentId: uuid(1),
    playbookId: storm.id,
    name: 'Storm',
    version: 1,
    currentVersion: 1,
    tasksCount: 2,
    addedBy: ME.email,
    addedTimestamp: minutesAgo(60),
    notificationTemplateId: null,
    conditions,
  })
  const step = (n: number, changes: object = {}) =>
    aTask(n, { title: `Step ${n}`, section: 'Outside', conditionId: condition.id, ...changes })

  test('asks at the heading, and skips with a reason', async () => {
    hearing('get', '/incident/:id/playbooks', () => [taken(condition)])
    const asked = hearing('put', `/incident/${uuid(1)}/condition/${condition.id}`, () => condition)
    const { user } = page(aWhole({ activities: [step(1), step(2)] }))
    await shown()
    expect(await screen.findByText('Only if somebody is outside')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Applies' }))
    await waitFor(() => expect(asked.bodies).toEqual([{ answer: 'APPLIES', reason: null }]))
    await user.click(screen.getByRole('button', { name: 'Skip' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Skip these tasks?' }))
    expect(dialog.getByRole('button', { name: 'Skip' })).toBeDisabled()
    await fill(user, dialog.getByRole('textbox', { name: /^Reason/ }), 'All are in.')
    await user.click(dialog.getByRole('button', { name: 'Skip' }))
    await waitFor(() => expect(asked.bodies[1]).toEqual({ answer: 'SKIPPED', reason: 'All are in.' }))
  })

  test('folds skipped tasks with reason and person, and brings them back', async () => {
    const skipped: IncidentCondition = {
      ...condition,
      answer: 'SKIPPED',
      reason: 'All are in.',
      decidedBy: GRACE.email,
      decidedTimestamp: minutesAgo(5),
    }
    hearing('get', '/incident/:id/playbooks', () => [taken(skipped)])
    const asked = hearing('put', `/incident/${uuid(1)}/condition/${condition.id}`, () => condition)
    const isSkipped = { isSkipped: true }
    const activities = [step(1, isSkipped), step(2, isSkipped), aTask(3)]
    const { user } = page(aWhole({ activities }))
    await shown()
    expect(await screen.findByText(/2 skipped tasks/)).toBeVisible()
    expect(screen.getByText(/Skipped by Grace/)).toHaveTextContent('All are in.')
    expect(screen.getByText('0 of 1 task complete')).toBeVisible()
    await user.click(screen.getByText(/2 skipped tasks/))
    expect(screen.getByText('Step 2')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Bring “Outside” back' }))
    await waitFor(() => expect(asked.bodies).toEqual([{ answer: 'OPEN', reason: null }]))
    cleanup()
    page(aWhole({ activities }), 'BUSINESS_USER')
    await shown()
    expect(screen.queryByRole('button', { name: /^Bring/ })).toBeNull()
  })

  test('shows when a task is due, and that it is overdue', async () => {
    const due = { dueTimestamp: minutesAgo(12), expectedTimeToComplete: 5 }
    page(aWhole({ activities: [aTask(1, due), aTask(2, { ...due, status: 'COMPLETE', progress: 100 })] }))
    await shown()
    expect(await screen.findAllByText(/^Overdue by/)).toHaveLength(1)
  })
})

describe('a playbook', () => {
  preparePlaybooks()

  test('says when it is proposed and what it does at the start', async () => {
    servePlaybooks({
      ...storm,
      proposal: { kinds: ['EXERCISE'], severities: ['HIGH'], words: ['storm'] },
      start: { ...NO_START, createRoom: true, people: [GRACE.email], firstMessage: 'Meet at gate 4.' },
    })
    playbooksPage(`/playbooks/${storm.id}`)
    const part = within(await screen.findByRole('region', { name: 'At the start' }))
    expect(part.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Proposed for: Exercises · High severity · “storm” in the title',
      'Creates a breakout room',
      expect.stringMatching(/^Adds Grace/),
      'Sends into the room: Meet at gate 4.',
    ])
    expect(screen.getByText('Only if somebody is outside')).toBeVisible()
  })

  test('is edited with its conditions and its start', async () => {
    const { updated } = servePlaybooks(storm)
    const user = playbooksPage(`/playbooks/${storm.id}?edit=1`)
    await user.click(await screen.findByRole('button', { name: 'Edit “Outside”' }))
    const condition = await screen.findByRole('textbox', { name: /^Only if/ })
    await user.clear(condition)
    await fill(user, condition, 'it rains')
    await user.click(screen.getByRole('button', { name: 'At the start' }))
    await user.click(await screen.findByRole('switch', { name: 'Creates a breakout room' }))
    await fill(user, screen.getByRole('combobox', { name: 'Words in the title' }), 'storm')
    await user.keyboard('{Enter}')
    await fill(user, screen.getByRole('textbox', { name: 'First message into the room' }), 'Meet at gate 4.')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Saved changes.')
    expect(updated.bodies[0]).toMatchObject({
      activities: [{ condition: 'it rains' }, { condition: null }, {}],
      proposal: { words: ['storm'] },
      start: { createRoom: true, firstMessage: 'Meet at gate 4.' },
    })
  })
})
