import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'

import { type DeclarationSource, SOURCE_NAME_TAKEN, type SourceCall } from '#contract/declarations/schema.ts'
import { API, answer, aProblem, open, server, signedIn } from '#tests/support/client.tsx'
import { receive, serveList } from '#tests/support/client-lists.ts'

const PATH = '/declaration/source'
const PAGE = '/settings/declarations'
const aSource = (changes: Partial<DeclarationSource> = {}): DeclarationSource => ({
  id: crypto.randomUUID(),
  name: 'Prometheus',
  form: 'ALERTMANAGER',
  addressId: 'wd_organisation_source',
  isTabletop: false,
  criticalWords: 'critical, page',
  highWords: '',
  mediumWords: '',
  lowWords: '',
  defaultSeverity: 'MEDIUM',
  createTimestamp: '2026-01-05T10:00:00.000Z',
  updateTimestamp: '2026-01-05T10:00:00.000Z',
  version: 1,
  ...changes,
})
const source = aSource()
const aCall = (n: number, changes: Partial<SourceCall> = {}): SourceCall => ({
  id: crypto.randomUUID(),
  at: '2026-01-05T10:00:00.000Z',
  result: 'UNCHANGED',
  sentence: `Call ${n}`,
  incidentId: null,
  incidentTitle: null,
  ...changes,
})
let calls: readonly SourceCall[] = []
const pages: string[] = []

beforeEach(() => {
  signedIn()
  calls = []
  pages.length = 0
  server.use(
    http.get(`${API}${PATH}/:id/calls`, ({ request }) => {
      const { searchParams } = new URL(request.url)
      pages.push(searchParams.toString())
      const offset = Number(searchParams.get('offset'))
      return HttpResponse.json({ data: calls.slice(offset, offset + 10), total: calls.length })
    }),
  )
})
function opened(sources: () => readonly DeclarationSource[] = () => [source]) {
  serveList(`${PATH}s`, sources)
  return open(PAGE)
}
const detail = async (name = 'Prometheus') => within(await screen.findByRole('region', { name }))

describe('a source', () => {
  test('shows its address, what it declares, and its severities', async () => {
    opened()
    const page = await detail()
    expect(await page.findByText(`${location.origin}/webhooks/declare/wd_organisation_source`)).toBeVisible()
    expect(page.getByText('critical, page → Critical; otherwise Medium')).toBeVisible()
    expect(page.getByText('Incidents')).toBeVisible()
    expect(await page.findByText('No call whose proof was right has come in yet.')).toBeVisible()
  })

  test('shows its last calls in pages, with their incidents', async () => {
    const incidentId = crypto.randomUUID()
    calls = [
      aCall(0, {
        result: 'DECLARED',
        sentence: 'Declared the incident.',
        incidentId,
        incidentTitle: 'Disk full',
      }),
      ...Array.from({ length: 11 }, (_, n) => aCall(n + 1)),
    ]
    const user = opened()
    const page = await detail()
    const link = await page.findByRole('link', { name: 'Disk full' })
    expect(link).toHaveAttribute('href', `/incidents/${incidentId}`)
    expect(page.getByText('Call 9')).toBeVisible()
    expect(page.queryByText('Call 10')).toBeNull()
    await user.click(page.getByRole('button', { name: 'Go to next page' }))
    expect(await page.findByText('Call 11')).toBeVisible()
    expect(pages.at(-1)).toBe('offset=10&size=10')
  })

  test('says when its calls do not come', async () => {
    server.use(http.get(`${API}${PATH}/:id/calls`, () => HttpResponse.json({}, { status: 500 })))
    opened()
    expect(await (await detail()).findByRole('alert')).toBeVisible()
  })
})

test('a new source shows its secret once, until it is pressed away', async () => {
  const rows: DeclarationSource[] = []
  const made = aSource({ name: 'Zabbix', form: 'JSON' })
  const bodies = receive('post', PATH, () => {
    rows.push(made)
    return { ...made, secret: 'ms_the-secret' }
  })
  answer('get', `${PATH}/${made.id}`, made)
  const user = opened(() => rows)
  expect(await screen.findByText('No program declares incidents yet.')).toBeVisible()
  await user.click(screen.getAllByRole('button', { name: 'Create Source' })[0]!)
  await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Zabbix')
  await user.click(screen.getByRole('combobox', { name: /^Form/ }))
  await user.click(await screen.findByRole('option', { name: 'Generic JSON' }))
  await user.click(screen.getByRole('button', { name: 'Create Source' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Copy Secret' }))
  expect(dialog.getByRole('textbox', { name: 'Secret' })).toHaveValue('ms_the-secret')
  expect(bodies[0]).toMatchObject({
    name: 'Zabbix',
    form: 'JSON',
    criticalWords: 'critical',
    isTabletop: false,
  })
  await user.click(dialog.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByText('ms_the-secret')).toBeNull())
  expect(document.body.textContent).not.toContain('ms_the-secret')
})

test('a source is changed with its version, and a refusal stands at its field', async () => {
  server.use(
    http.put(`${API}${PATH}/${source.id}`, () =>
      HttpResponse.json(
        { ...aProblem(SOURCE_NAME_TAKEN, 'conflict'), fields: { name: SOURCE_NAME_TAKEN } },
        { status: 409 },
      ),
    ),
  )
  const user = opened()
  await detail()
  await user.click(screen.getByRole('button', { name: 'Edit' }))
  const name = await screen.findByRole('textbox', { name: /^Name/ })
  // The form of a source stays.
  expect(screen.queryByRole('combobox', { name: /^Form/ })).toBeNull()
  await user.clear(name)
  await user.type(name, 'Grafana')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(SOURCE_NAME_TAKEN, { selector: 'p' })).toBeVisible()
  const bodies = receive('put', `${PATH}/${source.id}`, (body) => ({ ...source, ...body }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(bodies[0]).toMatchObject({ name: 'Grafana', form: 'ALERTMANAGER', version: 1 }))
})
