import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Decision } from '#contract/incident-decisions/schema.ts'
import type { TimelineEntry, TimelineKind, TimelineRow } from '#contract/incident-timeline/schema.ts'

import { answer, open, signedIn } from '#tests/support/client.tsx'
import {
  aWhole,
  feedOf,
  fill,
  hearing,
  ME,
  minutesAgo,
  preparePages,
  refused,
  serving,
  uuid,
} from '#tests/support/client-incidents.ts'

preparePages()

const anEntry = (changes: Partial<TimelineEntry> = {}): TimelineEntry => ({
  id: uuid(401),
  incidentId: uuid(1),
  text: 'The gate was shut',
  happenedTimestamp: minutesAgo(90),
  createdBy: ME.email,
  createTimestamp: minutesAgo(5),
  updateTimestamp: minutesAgo(5),
  isAfterResolution: false,
  removedBy: null,
  removedTimestamp: null,
  message: null,
  canEdit: true,
  version: 1,
  ...changes,
})
const aRow = (
  n: number,
  kind: TimelineKind,
  text: string,
  changes: Partial<TimelineRow> = {},
): TimelineRow => ({
  id: uuid(500 + n),
  kind,
  happenedTimestamp: minutesAgo(n),
  recordedTimestamp: null,
  author: 'Ada Admin',
  lines: [{ text, tone: 'strong' }],
  moreCount: 0,
  entry: null,
  ...changes,
})
const ofEntry = (entry: TimelineEntry) =>
  aRow(90, 'ENTRY', entry.text, {
    lines: [{ text: entry.text, tone: null }],
    happenedTimestamp: entry.happenedTimestamp,
    recordedTimestamp: entry.createTimestamp,
    entry,
  })
const KINDS = { kinds: [{ kind: 'ENTRY', count: 1 }], people: [{ author: ME.email, name: 'Ada', count: 3 }] }

const view = (name: 'timeline' | 'decisions', role: 'ADMIN' | 'BUSINESS_USER' = 'ADMIN') => {
  signedIn(role)
  feedOf([])
  serving(aWhole())
  return open(`/incidents/${uuid(1)}?view=${name}`)
}
const panel = async (name: string) => within(await screen.findByRole('tabpanel', { name }))

describe('the timeline', () => {
  beforeEach(() => {
    answer('get', '/incident/:id/timeline/filters', KINDS)
  })

  test('shows rows with both times, and earlier ones on demand', async () => {
    const { urls } = hearing('get', '/incident/:id/timeline', ({ url }) =>
      url.searchParams.has('cursor')
        ? { data: [aRow(95, 'INCIDENT', 'Incident declared: Flood')], next: null }
        : { data: [aRow(1, 'TASK', 'Task 1 changed'), ofEntry(anEntry())], next: '9.1.1' },
    )
    const user = view('timeline')
    const timeline = await panel('Timeline')
    expect(await timeline.findByText('Task 1 changed')).toBeVisible()
    const entry = within(timeline.getByText('The gate was shut').closest('li')!)
    expect(entry.getByText(/recorded/)).toBeVisible()
    await user.click(timeline.getByRole('button', { name: 'Show earlier' }))
    expect(await timeline.findByText('Incident declared: Flood')).toBeVisible()
    expect(urls.at(-1)!.searchParams.get('cursor')).toBe('9.1.1')
  })

  test('asks for the chosen kind', async () => {
    const { urls } = hearing('get', '/incident/:id/timeline', () => ({ data: [], next: null }))
    const user = view('timeline')
    const timeline = await panel('Timeline')
    await user.click(await timeline.findByRole('button', { name: 'Entries 1', pressed: false }))
    await waitFor(() => expect(urls.at(-1)!.searchParams.get('kinds')).toBe('ENTRY'))
    expect(timeline.getByRole('button', { name: 'Entries 1', pressed: true })).toBeVisible()
    expect(timeline.getByText('Nothing matches these filters.')).toBeVisible()
  })

  test('keeps what was typed when the server refuses it, with the sentence at the field', async () => {
    answer('get', '/incident/:id/timeline', { data: [], next: null })
    const sentence = 'This time is in the future. Please enter when it happened.'
    const { bodies } = hearing('post', '/incident/:id/timeline', () =>
      refused(400, sentence, { code: 'invalid', fields: { happenedTimestamp: sentence } }),
    )
    const user = view('timeline')
    const timeline = await panel('Timeline')
    await user.click(await timeline.findByRole('textbox', { name: 'What happened?' }))
    await user.click(timeline.getByRole('button', { name: 'Add entry' }))
    expect(timeline.getByText('Please enter what happened.')).toBeVisible()
    expect(bodies).toHaveLength(0)
    await fill(user, timeline.getByRole('textbox', { name: 'What happened?' }), 'The gate was shut')
    await fill(user, timeline.getByRole('textbox', { name: /^When it happened/ }), '2099-01-01 10:00')
    await user.click(timeline.getByRole('button', { name: 'Add entry' }))
    expect(await timeline.findByText(sentence)).toBeVisible()
    expect(timeline.getByRole('textbox', { name: 'What happened?' })).toHaveValue('The gate was shut')
  })

  test('lets people without the permission only read', async () => {
    answer('get', '/incident/:id/timeline', { data: [ofEntry(anEntry({ canEdit: false }))], next: null })
    view('timeline', 'BUSINESS_USER')
    const timeline = await panel('Timeline')
    expect(await timeline.findByText('The gate was shut')).toBeVisible()
    expect(timeline.queryByRole('textbox')).toBeNull()
  })
})

describe('decisions', () => {
  const aDecision = (changes: Partial<Decision> = {}): Decision => ({
    id: uuid(601),
    incidentId: uuid(1),
    number: 1,
    state: 'PROPOSED',
    title: 'Close the site',
    context: '',
    options: ['Close it now', 'Wait until noon'],
    decision: '',
    decider: ME.email,
    deciderName: 'Ada Admin',
    reason: '',
    acceptedRisk: '',
    createdBy: ME.email,
    createTimestamp: minutesAgo(9),
    updateTimestamp: minutesAgo(9),
    decidedBy: null,
    decidedByName: null,
    onBehalfReason: null,
    decidedTimestamp: null,
    recordedTimestamp: null,
    supersedes: null,
    supersededBy: null,
    message: null,
    isMine: true,
    canConfirm: true,
    version: 3,
    ...changes,
  })
  const listing = (...data: Decision[]) =>
    answer('get', '/incident/:id/decisions', { data, total: data.length })

  test('is confirmed with the option that is taken', async () => {
    listing(aDecision())
    const { bodies } = hearing('put', '/incident/decision/:id/confirmation', () =>
      aDecision({ state: 'DECIDED', decidedBy: ME.email, decidedTimestamp: minutesAgo(0) }),
    )
    const user = view('decisions')
    const decisions = await panel('Decisions')
    await user.click(await decisions.findByRole('button', { name: 'Confirm' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm D1' }))
    await user.click(dialog.getByRole('button', { name: 'Close it now' }))
    await user.click(dialog.getByRole('button', { name: 'Confirm' }))
    await waitFor(() =>
      expect(bodies).toEqual([
        {
          decision: 'Close it now',
          reason: '',
          acceptedRisk: '',
          decidedTimestamp: null,
          onBehalfReason: null,
          version: 3,
        },
      ]),
    )
  })

  test('can be superseded once it is decided, and no more edited', async () => {
    listing(
      aDecision({
        state: 'DECIDED',
        canConfirm: false,
        decision: 'Close it now',
        decidedBy: ME.email,
        decidedByName: 'Ada Admin',
        decidedTimestamp: minutesAgo(2),
        recordedTimestamp: minutesAgo(2),
      }),
    )
    const user = view('decisions')
    const decisions = await panel('Decisions')
    await user.click(await decisions.findByRole('button', { name: /D1 Close the site/ }))
    expect(decisions.queryByRole('button', { name: 'Edit' })).toBeNull()
    await user.click(decisions.getByRole('button', { name: 'Supersede' }))
    expect(await screen.findByRole('dialog', { name: /in the place of D1/ })).toBeVisible()
  })

  test('of nobody begin with a sentence and one button', async () => {
    listing()
    view('decisions')
    const decisions = await panel('Decisions')
    expect(await decisions.findByText(/^Decisions of the incident stand here/)).toBeVisible()
    expect(decisions.getByRole('button', { name: 'Propose decision' })).toBeVisible()
  })
})
