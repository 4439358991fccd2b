import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'

import type { SituationReport } from '#contract/situation-reports/schema.ts'
import { FOR_REQUIRED, type StakeholderLink } from '#contract/stakeholder-links/schema.ts'
import { answer, type open } from '#tests/support/client.tsx'
import {
  aWhole,
  fill,
  GRACE,
  hearing,
  ME,
  minutesAgo,
  page,
  preparePages,
  refused,
  uuid,
} from '#tests/support/client-incidents.ts'

preparePages()

const aReport = (changes: Partial<SituationReport> = {}): SituationReport => ({
  id: uuid(701),
  incidentId: uuid(1),
  number: null,
  correctsNumber: null,
  state: 'DRAFT',
  content: '<h2>State</h2><p>High severity.</p>',
  createdBy: ME.email,
  createTimestamp: minutesAgo(9),
  updatedBy: ME.email,
  updateTimestamp: minutesAgo(8),
  submittedBy: null,
  returnReason: null,
  returnedBy: null,
  approvedBy: null,
  publishedBy: null,
  publishedTimestamp: null,
  version: 1,
  ...changes,
})
const published = (number: number, changes: Partial<SituationReport> = {}) =>
  aReport({
    id: uuid(800 + number),
    number,
    state: 'PUBLISHED',
    content: `<p>Words of ${number}</p>`,
    publishedBy: GRACE.email,
    publishedTimestamp: minutesAgo(20 - number),
    ...changes,
  })
/** Serves lists of reports, one after the other. */
const having = (...lists: SituationReport[][]) =>
  hearing('get', `/incident/${uuid(1)}/situationReports`, ({ times }) => {
    const data = lists[Math.min(times, lists.length) - 1]!
    return { data, total: data.length }
  })
const tab = async (user: ReturnType<typeof open>) =>
  user.click(await screen.findByRole('tab', { name: 'Situation reports' }))

describe('the situation reports of an incident', () => {
  test('begin with one button, which fills in a draft', async () => {
    having([], [aReport()])
    const asked = hearing('post', `/incident/${uuid(1)}/situationReport`, () => aReport(), 201)
    const { user } = page(aWhole())
    await tab(user)
    await user.click(await screen.findByRole('button', { name: 'Write report' }))
    expect(await screen.findByRole('textbox', { name: 'Situation report' })).toHaveTextContent(
      'High severity.',
    )
    expect(asked.bodies).toEqual([{ corrects: null }])
    expect(screen.queryByRole('button', { name: 'Write report' })).toBeNull()
  })

  test('are published after a question, with what was typed', async () => {
    having([aReport()], [published(1)])
    const sent = hearing('post', `/situationReport/${uuid(701)}/publish`, () => published(1))
    const { user } = page(aWhole())
    await tab(user)
    await user.click(await screen.findByRole('button', { name: 'Publish' }))
    const asked = within(await screen.findByRole('dialog', { name: 'Publish this situation report?' }))
    await user.click(asked.getByRole('button', { name: 'Publish' }))
    expect(await screen.findByRole('heading', { name: 'No. 1' })).toBeVisible()
    expect(sent.bodies).toEqual([{ version: 1 }])
  })

  test('wait for a second person where the organization asks for one', async () => {
    answer('get', '/config', { maxActivitiesPerIncident: 1_000, situationReportApproval: true })
    having([aReport()], [aReport({ state: 'WAITING', submittedBy: ME.email, version: 2 })])
    hearing('post', `/situationReport/${uuid(701)}/publish`, () =>
      aReport({ state: 'WAITING', submittedBy: ME.email, version: 2 }),
    )
    const { user } = page(aWhole())
    await tab(user)
    await user.click(await screen.findByRole('button', { name: 'Ask for approval' }))
    expect(await screen.findByText(/You wrote it\./)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Approve and publish' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Take back' })).toBeVisible()
  })

  test('are approved or sent back with a reason by the second person', async () => {
    const waiting = aReport({
      state: 'WAITING',
      createdBy: GRACE.email,
      updatedBy: GRACE.email,
      submittedBy: GRACE.email,
      version: 4,
    })
    having([waiting])
    const sent = hearing('post', `/situationReport/${uuid(701)}/sendBack`, () => aReport({ version: 5 }))
    const { user } = page(aWhole())
    await tab(user)
    expect(await screen.findByRole('button', { name: 'Approve and publish' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Send back' }))
    const asked = within(await screen.findByRole('dialog', { name: 'Send this situation report back?' }))
    await user.click(asked.getByRole('button', { name: 'Send back' }))
    expect(await asked.findByText('Please say what has to change.')).toBeVisible()
    expect(sent.bodies).toEqual([])
    await fill(user, asked.getByRole('textbox', { name: 'Reason' }), 'Feed B runs.')
    await user.click(asked.getByRole('button', { name: 'Send back' }))
    await waitFor(() => expect(sent.bodies).toEqual([{ reason: 'Feed B runs.', version: 4 }]))
  })

  test('show why a draft came back, and say who saved it meanwhile', async () => {
    having([aReport({ returnReason: 'Feed B runs.', returnedBy: GRACE.email })])
    hearing('post', `/situationReport/${uuid(701)}/publish`, () =>
      refused(409, 'Grace changed the situation report meanwhile. Your changes were not saved.', {
        code: 'stale',
      }),
    )
    const { user } = page(aWhole())
    await tab(user)
    expect(await screen.findByText('Feed B runs.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Publish' }))
    const asked = within(await screen.findByRole('dialog', { name: 'Publish this situation report?' }))
    await user.click(asked.getByRole('button', { name: 'Publish' }))
    expect(await screen.findByText(/Grace changed the situation report meanwhile\./)).toBeVisible()
  })

  test('are corrected by the next one, and sent as a notification', async () => {
    having([published(2, { correctsNumber: 1, approvedBy: ME.email }), published(1)])
    const asked = hearing('post', `/incident/${uuid(1)}/situationReport`, () => aReport(), 201)
    const { user } = page(aWhole())
    await tab(user)
    const newest = within(await screen.findByRole('region', { name: 'No. 2' }))
    expect(newest.getByText(/Corrects no\. 1/)).toBeVisible()
    expect(newest.getByText(/approved by/)).toBeVisible()
    expect(newest.getByRole('link', { name: 'Send as notification' })).toHaveAttribute(
      'href',
      `/mass-notifications/send?about=${uuid(1)}&report=${uuid(802)}`,
    )
    await user.click(newest.getByRole('button', { name: 'Correct' }))
    await waitFor(() => expect(asked.bodies).toEqual([{ corrects: uuid(802) }]))
  })

  test('are read by people who may not write', async () => {
    having([aReport(), published(1)])
    const { user } = page(aWhole(), 'BUSINESS_USER')
    await tab(user)
    expect(await screen.findByText('Words of 1')).toBeVisible()
    for (const name of ['Publish', 'Correct', 'Write report'])
      expect(screen.queryByRole('button', { name })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Send as notification' })).toBeNull()
  })
})

describe('the pages for stakeholders', () => {
  const link = (changes: Partial<StakeholderLink> = {}): StakeholderLink => ({
    id: uuid(900),
    incidentId: uuid(1),
    label: 'The board',
    createdBy: ME.email,
    createTimestamp: minutesAgo(9),
    expireTimestamp: new Date(Date.now() + 86_400_000).toISOString(),
    withdrawnBy: null,
    withdrawnTimestamp: null,
    visitsCount: 2,
    lastVisitTimestamp: minutesAgo(3),
    state: 'OPEN',
    ...changes,
  })
  const pages = (...lists: StakeholderLink[][]) =>
    hearing('get', `/incident/${uuid(1)}/stakeholderLinks`, ({ times }) => {
      const data = lists[Math.min(times, lists.length) - 1]!
      return { data, total: data.length }
    })

  test('are made for somebody, and show address and passcode once', async () => {
    having([published(1)])
    pages([], [link({ visitsCount: 0, lastVisitTimestamp: null })])
    const issued = { ...link(), address: 'https://muster.example/situation/abc', passcode: 'k7mw-p2xr-9fhd' }
    const made = hearing('post', `/incident/${uuid(1)}/stakeholderLink`, () => issued, 201)
    const { user } = page(aWhole())
    await tab(user)
    await user.click(await screen.findByRole('button', { name: 'Make a page' }))
    const asked = within(await screen.findByRole('dialog', { name: 'Make a page' }))
    await user.click(asked.getByRole('button', { name: 'Make a page' }))
    expect(await asked.findByText(FOR_REQUIRED)).toBeVisible()
    await fill(user, asked.getByRole('textbox', { name: 'For whom' }), 'The board')
    await user.click(asked.getByRole('button', { name: 'Make a page' }))
    const shown = within(await screen.findByRole('dialog', { name: 'The page is made' }))
    expect(shown.getByRole('textbox', { name: 'Address' })).toHaveValue(issued.address)
    expect(shown.getByRole('textbox', { name: 'Passcode' })).toHaveValue(issued.passcode)
    expect(made.bodies).toEqual([{ label: 'The board', days: 7 }])
    await user.click(shown.getByRole('button', { name: 'Done' }))
    expect(await screen.findByText(/not visited yet/)).toBeVisible()
    expect(screen.queryByText(issued.passcode)).toBeNull()
  })

  test('say how often they were read, and are withdrawn after a question', async () => {
    having([published(1)])
    pages([link()], [link({ state: 'WITHDRAWN' })])
    const withdrawn = hearing('delete', `/incident/stakeholderLink/${uuid(900)}`, () => undefined, 204)
    const { user } = page(aWhole())
    await tab(user)
    expect(await screen.findByText(/2 visits/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Withdraw the page for The board' }))
    const asked = within(await screen.findByRole('dialog', { name: 'Withdraw this page?' }))
    await user.click(asked.getByRole('button', { name: 'Withdraw' }))
    expect(await screen.findByText(/^Withdrawn/)).toBeVisible()
    expect(withdrawn.bodies).toHaveLength(1)
    expect(screen.queryByRole('button', { name: 'Withdraw the page for The board' })).toBeNull()
  })
})
