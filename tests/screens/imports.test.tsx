import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'

import type { ImportReport, ImportReportRow } from '#contract/imports/schema.ts'
import { answer, API, open, server, signedIn } from '#tests/support/client.tsx'

const aReport = (changes: Partial<ImportReport> = {}): ImportReport => ({
  id: '0b9e3f0a-58d8-4d3a-8a6f-3a0a3d1a7d11',
  kind: 'CONTACTS',
  source: 'CRM',
  fileName: 'night.csv',
  createTimestamp: '2026-01-05T02:00:00.000Z',
  actor: 'Nightly key',
  added: 1,
  changed: 1,
  unchanged: 7,
  gone: 1,
  problems: 1,
  goneAction: 'KEEP',
  undoTimestamp: null,
  undoneBy: null,
  notUndone: 0,
  ...changes,
})
const aRow = (changes: Partial<ImportReportRow>): ImportReportRow => ({
  n: 0,
  row: 2,
  outcome: 'ADDED',
  email: 'ana@example.org',
  changes: [],
  message: null,
  undo: null,
  ...changes,
})
const ROWS = [
  aRow({ changes: [{ field: 'name', from: null, to: 'Ana' }] }),
  aRow({
    n: 1,
    outcome: 'CHANGED',
    email: 'bo@example.org',
    changes: [
      { field: 'phone', from: null, to: '+14165550123' },
      { field: 'phoneCountry', from: null, to: 'CA' },
    ],
  }),
  aRow({ n: 2, row: null, outcome: 'GONE', email: 'cy@example.org' }),
  aRow({ n: 3, row: 9, outcome: 'PROBLEM', email: '', message: 'Invalid email address @x found in row 9.' }),
]

let report = aReport()
beforeEach(() => {
  signedIn()
  report = aReport()
  answer('get', '/config', { contactsUploadMaxLimit: 100 })
  answer('get', '/contact/lists', [])
  server.use(
    http.get(`${API}/imports`, ({ request }) => {
      expect(new URL(request.url).searchParams.get('filter')).toBe('{"kind":"CONTACTS"}')
      return HttpResponse.json([report])
    }),
    http.get(`${API}/imports/${report.id}`, () => HttpResponse.json(report)),
    http.get(`${API}/imports/${report.id}/rows`, ({ request }) => {
      const filter = JSON.parse(new URL(request.url).searchParams.get('filter')!) as {
        outcome?: string
        isKept?: boolean
      }
      const found = filter.isKept
        ? [aRow({ outcome: 'CHANGED', email: 'bo@example.org', undo: 'CHANGED_SINCE' })]
        : ROWS.filter(({ outcome }) => outcome === filter.outcome)
      return HttpResponse.json(found)
    }),
  )
})

async function opened() {
  const user = open('/mass-notifications/contacts')
  await user.click(await screen.findByRole('button', { name: 'Imports' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Imports of Contacts' }))
  await user.click(await dialog.findByRole('button', { name: /night\.csv/ }))
  return { user, dialog }
}

describe('the report of an import', () => {
  test('says what was added, changed, gone and wrong', async () => {
    const { user, dialog } = await opened()
    expect(await dialog.findByText('ana@example.org')).toBeVisible()
    expect(dialog.getByText('Name: Ana')).toBeVisible()
    await user.click(dialog.getByRole('tab', { name: 'Changed 1' }))
    expect(await dialog.findByText('Phone number: nothing → +1 416 555 0123')).toBeVisible()
    expect(dialog.queryByText(/CA/)).toBeNull()
    await user.click(dialog.getByRole('tab', { name: 'Gone 1' }))
    expect(await dialog.findByText('cy@example.org')).toBeVisible()
    expect(dialog.getByText(/Nothing was done with them/)).toBeVisible()
    await user.click(dialog.getByRole('tab', { name: 'Problems 1' }))
    expect(await dialog.findByText('Invalid email address @x found in row 9.')).toBeVisible()
  })

  test('is undone after a question, and then says what was not', async () => {
    server.use(
      http.post(`${API}/imports/${report.id}/undo`, () => {
        report = aReport({ undoTimestamp: '2026-01-05T08:00:00.000Z', undoneBy: 'Zoe', notUndone: 1 })
        return HttpResponse.json(report)
      }),
    )
    const { user, dialog } = await opened()
    await user.click(await dialog.findByRole('tab', { name: 'Undo' }))
    await user.click(dialog.getByRole('button', { name: 'Undo Import' }))
    const question = within(await screen.findByRole('dialog', { name: 'Undo this import?' }))
    await user.click(question.getByRole('button', { name: 'Undo Import' }))
    expect(await dialog.findByText('Somebody changed this person since.')).toBeVisible()
    await waitFor(() => expect(dialog.queryByRole('button', { name: 'Undo Import' })).toBeNull())
  })

  test('says why it cannot be undone', async () => {
    server.use(
      http.post(`${API}/imports/${report.id}/undo`, () =>
        HttpResponse.json({ code: 'conflict', message: 'This import was undone already.' }, { status: 409 }),
      ),
    )
    const { user, dialog } = await opened()
    await user.click(await dialog.findByRole('tab', { name: 'Undo' }))
    await user.click(dialog.getByRole('button', { name: 'Undo Import' }))
    const question = within(await screen.findByRole('dialog', { name: 'Undo this import?' }))
    await user.click(question.getByRole('button', { name: 'Undo Import' }))
    expect(await question.findByText('This import was undone already.')).toBeVisible()
  })
})
