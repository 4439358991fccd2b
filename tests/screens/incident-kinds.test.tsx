import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Definitions, FieldDefinition } from '#contract/incident-fields/schema.ts'
import type { ChoosableKind, IncidentKind } from '#contract/incident-kinds/schema.ts'
import { API, open, server, signedIn } from '#tests/support/client.tsx'
import { aWhole, fill, listed, page, preparePages, uuid } from '#tests/support/client-incidents.ts'
import { receive, serveList } from '#tests/support/client-lists.ts'

preparePages()

const FIRE: ChoosableKind = {
  id: uuid(800),
  name: 'Fire',
  icon: 'FIRE',
  severity: 'CRITICAL',
  playbookId: null,
  playbookName: null,
  isPlaybookUsable: false,
  roles: ['Commander', 'Legal'],
  isRetired: false,
}
const field = (n: number, changes: Partial<FieldDefinition> = {}): FieldDefinition => ({
  id: uuid(n),
  label: `Field ${n}`,
  type: 'TEXT',
  choices: [],
  isRequired: false,
  kindIds: [],
  isRetired: false,
  ...changes,
})
const SITE = field(811, { label: 'Site', type: 'CHOICE', choices: ['North', 'South'] })
const DEPTH = field(812, { label: 'Depth', type: 'NUMBER', kindIds: [FIRE.id] })
let defined: Definitions

beforeEach(() => {
  signedIn('ADMIN')
  defined = { kinds: [FIRE], fields: [SITE, DEPTH] }
  server.use(http.get(`${API}/incidentDefinitions`, () => HttpResponse.json(defined)))
})

describe('the form', () => {
  test('asks for the kind first, proposes its severity, and sends its fields', async () => {
    const sent = receive('post', '/incident', () => aWhole())
    const user = open('/incidents/create')
    expect(await screen.findByRole('group', { name: 'Details' })).toBeVisible()
    expect(screen.queryByRole('textbox', { name: 'Depth' })).toBeNull()
    await user.click(await screen.findByRole('combobox', { name: 'Kind' }))
    await user.click(await screen.findByRole('option', { name: 'Fire' }))
    expect(screen.getByRole('button', { name: 'Critical' })).toHaveAttribute('aria-pressed', 'true')
    await fill(user, screen.getByRole('textbox', { name: 'Title' }), 'Smoke')
    await fill(user, await screen.findByRole('textbox', { name: 'Depth' }), '2,5')
    await user.click(screen.getByRole('combobox', { name: 'Site' }))
    await user.click(await screen.findByRole('option', { name: 'South' }))
    await user.click(screen.getByRole('button', { name: 'Create Incident' }))
    await waitFor(() =>
      expect(sent.at(-1)).toMatchObject({
        kindId: FIRE.id,
        severity: 'CRITICAL',
        fieldValues: { [DEPTH.id]: 2.5, [SITE.id]: 'South' },
      }),
    )
  })

  test('keeps a severity that was chosen by hand', async () => {
    const user = open('/incidents/create')
    await user.click(await screen.findByRole('button', { name: 'Low' }))
    await user.click(await screen.findByRole('combobox', { name: 'Kind' }))
    await user.click(await screen.findByRole('option', { name: 'Fire' }))
    expect(screen.getByRole('button', { name: 'Low' })).toHaveAttribute('aria-pressed', 'true')
  })

  test('is as before where nothing is defined', async () => {
    defined = { kinds: [], fields: [] }
    open('/incidents/create')
    expect(await screen.findByRole('textbox', { name: 'Title' })).toBeVisible()
    expect(screen.queryByRole('combobox', { name: 'Kind' })).toBeNull()
    expect(screen.queryByRole('group', { name: 'Details' })).toBeNull()
  })
})

test('the page of an incident has its kind with the wanted roles, and its fields', async () => {
  const kind = { id: FIRE.id, name: 'Fire', icon: 'FIRE' }
  page(aWhole({ kindId: FIRE.id, kind, fieldValues: { [SITE.id]: 'North', [DEPTH.id]: 3 } }))
  expect(await screen.findByText('Commander, Legal')).toBeVisible()
  expect(screen.getByText('Site').nextSibling).toHaveTextContent('North')
  expect(screen.getByText('Depth').nextSibling).toHaveTextContent('3')
})

test('the feed is narrowed by kind and by a choice', async () => {
  const queries: URLSearchParams[] = []
  server.use(
    http.get(`${API}/incident`, ({ request }) => {
      queries.push(new URL(request.url).searchParams)
      return HttpResponse.json({ data: [listed(1)], page: 0, size: 20, total: 1, people: [] })
    }),
  )
  const user = open('/incidents')
  const filters = within(await screen.findByRole('group', { name: 'Kind and details' }))
  await user.click(filters.getByRole('combobox', { name: 'Kind' }))
  await user.click(await screen.findByRole('option', { name: 'Fire' }))
  await user.click(filters.getByRole('combobox', { name: 'Site' }))
  await user.click(await screen.findByRole('option', { name: 'South' }))
  await waitFor(() => {
    expect(queries.at(-1)?.get('kindId')).toBe(FIRE.id)
    expect(JSON.parse(queries.at(-1)?.get('fieldValues') ?? '{}')).toEqual({ [SITE.id]: 'South' })
  })
})

describe('the settings', () => {
  const kind: IncidentKind = {
    id: FIRE.id,
    name: 'Fire',
    icon: 'FIRE',
    severity: 'CRITICAL',
    playbookId: uuid(820),
    playbookName: 'Evacuate',
    isPlaybookUsable: false,
    roleIds: [],
    isRetired: false,
    usedCount: 2,
    updateTimestamp: '2026-01-05T10:00:00.000Z',
    version: 1,
  }

  test('say what kinds are for while there are none', async () => {
    serveList('/incidentKinds', () => [])
    open('/settings/incident-kinds')
    expect(await screen.findByText(/Kinds say what an incident is about/)).toBeVisible()
  })

  test('name a playbook that was deleted', async () => {
    serveList('/incidentKinds', () => [kind])
    open('/settings/incident-kinds')
    const cell = await screen.findByText('Evacuate (archived or deleted)')
    await waitFor(() => expect(cell).toBeVisible())
  })

  test('add a field with its choices', async () => {
    serveList('/incidentFields', () => [])
    const bodies = receive('post', '/incidentField', (body) => ({
      ...body,
      id: uuid(830),
      usedCount: 0,
      updateTimestamp: kind.updateTimestamp,
      version: 1,
    }))
    const user = open('/settings/incident-fields')
    await screen.findByText(/Fields are what else/)
    await user.click(screen.getAllByRole('button', { name: 'Add field' })[0]!)
    await fill(user, await screen.findByRole('textbox', { name: /Label/ }), 'Site')
    await user.click(screen.getByRole('combobox', { name: 'Type' }))
    await user.click(await screen.findByRole('option', { name: 'Choice' }))
    await fill(user, await screen.findByRole('textbox', { name: 'New choice' }), 'North')
    const dialog = within(screen.getByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: 'Add' }))
    await user.click(dialog.getByRole('button', { name: 'Add field' }))
    await waitFor(() => expect(bodies).toMatchObject([{ label: 'Site', type: 'CHOICE', choices: ['North'] }]))
  })
})
