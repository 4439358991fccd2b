import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'

import type { IncidentPlaybook } from '#contract/incident-playbooks/schema.ts'
import { NO_PROPOSAL, NO_START } from '#contract/playbooks/schema.ts'

import { open } from '#tests/support/client.tsx'
import {
  aTask,
  aWhole,
  hearing,
  ME,
  minutesAgo,
  page,
  preparePages,
  refused,
  resolved,
  uuid,
} from '#tests/support/client-incidents.ts'

preparePages()

const item = (n: number, changes: object = {}) => ({
  id: uuid(300 + n),
  type: 'TASK' as const,
  title: `Step ${n}`,
  description: `Do ${n}`,
  level: 1,
  condition: null,
  priority: 'MEDIUM' as const,
  idealTitleToExecute: null,
  expectedTimeToComplete: null,
  attachedFileIds: [],
  index: n,
  ...changes,
})
const FIRE = {
  id: uuid(200),
  name: 'Fire',
  categoryId: null,
  description: 'Everybody out.',
  attachmentsFolderId: uuid(200),
  activitiesCount: 3,
  createdBy: ME.email,
  createTimestamp: minutesAgo(900),
  updatedBy: ME.email,
  updateTimestamp: minutesAgo(500),
  owner: null,
  reviewDate: null,
  sharedBy: null,
  version: 4,
  proposal: NO_PROPOSAL,
  start: NO_START,
}
const WHOLE = {
  ...FIRE,
  activities: [item(0, { type: 'HEADING', title: 'At once' }), item(1), item(2)],
  people: [],
}
const taken = (changes: Partial<IncidentPlaybook> = {}): IncidentPlaybook => ({
  id: uuid(400),
  incidentId: uuid(1),
  playbookId: FIRE.id,
  name: 'Fire',
  version: 4,
  currentVersion: 4,
  tasksCount: 2,
  addedBy: ME.email,
  addedTimestamp: minutesAgo(60),
  notificationTemplateId: null,
  conditions: [],
  ...changes,
})
const having = (...rows: IncidentPlaybook[]) => hearing('get', '/incident/:id/playbooks', () => rows)
const panel = async (user: ReturnType<typeof open>) => {
  await user.click(await screen.findByRole('tab', { name: 'Files' }))
  return within(await screen.findByRole('region', { name: 'Playbooks' }))
}

describe('the playbooks of an incident', () => {
  test('name the version that was taken, and lead to the playbook', async () => {
    having(taken())
    const { user } = page(aWhole())
    const playbooks = await panel(user)
    expect(await playbooks.findByRole('link', { name: 'Fire' })).toHaveAttribute(
      'href',
      `/playbooks/${FIRE.id}`,
    )
    expect(playbooks.getByText(/2 tasks of version 4/)).toBeVisible()
    expect(playbooks.queryByText('Changed since')).toBeNull()
  })

  test('say when one changed since, and show what', async () => {
    having(taken({ version: 3 }))
    hearing('get', `/playbook/template/${FIRE.id}`, () => WHOLE)
    hearing('get', `/playbook/template/${FIRE.id}/versions/3`, () => ({
      version: 3,
      savedBy: ME.email,
      savedTimestamp: minutesAgo(800),
      restoredFrom: null,
      approvedBy: null,
      fileNames: {},
      content: {
        name: 'Fire',
        categoryId: null,
        description: 'Everybody out.',
        activities: WHOLE.activities.slice(0, 2),
        proposal: NO_PROPOSAL,
        start: NO_START,
      },
    }))
    const { user } = page(aWhole())
    const playbooks = await panel(user)
    expect(await playbooks.findByText('Changed since')).toBeVisible()
    await user.click(playbooks.getByRole('button', { name: 'What changed?' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Changes in “Fire”' }))
    expect(await dialog.findByText(/Step 2/)).toBeVisible()
    expect(dialog.queryByText(/Step 1/)).toBeNull()
  })

  test('say when one was deleted since', async () => {
    having(taken({ playbookId: null, currentVersion: null }))
    const { user } = page(aWhole())
    const playbooks = await panel(user)
    expect(await playbooks.findByText(/deleted since/)).toBeVisible()
    expect(playbooks.queryByRole('link', { name: 'Fire' })).toBeNull()
  })

  test('are added while the incident is active, without the tasks that are left out', async () => {
    hearing('get', '/playbook/templates', () => [FIRE])
    hearing('get', `/playbook/template/${FIRE.id}`, () => WHOLE)
    const asked = hearing(
      'post',
      `/incident/${uuid(1)}/playbook`,
      ({ times }) => (times === 1 ? refused(409, 'Grace changed the playbook meanwhile.') : taken()),
      201,
    )
    const { user } = page(aWhole())
    const playbooks = await panel(user)
    await user.click(playbooks.getByRole('button', { name: 'Add playbook' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a playbook?' }))
    expect(dialog.getByRole('button', { name: /^Add 0 tasks/ })).toBeDisabled()
    await user.click(dialog.getByRole('combobox', { name: 'Playbook' }))
    await user.click(await screen.findByRole('option', { name: /^Fire/ }))
    await user.click(await dialog.findByRole('checkbox', { name: 'Step 1' }))
    await user.click(dialog.getByRole('button', { name: 'Add 1 task' }))
    expect(await dialog.findByText('Grace changed the playbook meanwhile.')).toBeVisible()
    expect(dialog.getByRole('checkbox', { name: 'Step 1' })).not.toBeChecked()
    await user.click(dialog.getByRole('button', { name: 'Add 1 task' }))
    expect(await screen.findByText('“Fire” was added.')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(asked.bodies.at(-1)).toEqual({ playbookId: FIRE.id, version: 4, activityIds: [uuid(302)] })
  })

  test('cannot be added to a resolved incident, nor by those who read only', async () => {
    having(taken())
    const { user } = page(aWhole(resolved))
    const playbooks = await panel(user)
    expect(await playbooks.findByText('Fire')).toBeVisible()
    expect(playbooks.queryByRole('button', { name: 'Add playbook' })).toBeNull()
  })
})

describe('the tasks of a playbook', () => {
  test('stand in their order below their headings, also with the newest first', async () => {
    const at = minutesAgo(30)
    const step = (n: number, section: string | null) =>
      aTask(n, { title: `Step ${n}`, section, createTimestamp: at, updateTimestamp: at })
    const later = aTask(9, { title: 'Later', createTimestamp: minutesAgo(1) })
    page(
      aWhole({ activities: [step(2, null), step(3, 'At once'), step(4, 'At once'), step(5, 'Then'), later] }),
    )
    const feed = within(await screen.findByRole('list', { name: 'Activity' }))
    const lines = () =>
      [...feed.getAllByRole('listitem')].map(
        (line) =>
          `${within(line).queryByRole('heading')?.textContent ?? ''} ${/Step \d|Later/.exec(line.textContent)?.[0]}`,
      )
    expect(lines()).toEqual([' Later', ' Step 2', 'At once Step 3', ' Step 4', 'Then Step 5'])
  })
})
