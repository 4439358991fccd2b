import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import { definitionsOf } from '#src/app/resourceDefinitions.ts'
import { SECTION_RESOURCES, SECTIONS } from '#src/app/sections.ts'
import { answer, open, signedIn } from '#tests/support/client.tsx'
import { serveList } from '#tests/support/client-lists.ts'

const crew = {
  id: '5d0d1c9e-7f0a-4a7e-9f3f-2a9c8f0d6b11',
  name: 'Crew',
  description: null,
  userIds: ['ana@demo.example'],
  createdBy: 'ana@demo.example',
  createTimestamp: '2026-01-01T00:00:00.000Z',
  updateTimestamp: '2026-01-01T00:00:00.000Z',
  version: 1,
}
beforeEach(() => {
  signedIn()
  serveList('/useradmin/groups', () => [crew])
  answer('get', `/useradmin/group/${crew.id}`, crew)
})

test.each(SECTIONS.flatMap(({ path, access, resource }) => (resource ? [{ path, access, resource }] : [])))(
  'what is said of $path before its calls have loaded is what they say',
  async ({ access, resource }) => {
    const { api: load, hasCreate = false, hasEdit = false } = resource
    const api = await load()
    expect(access).toEqual(api.list.access)
    expect({ hasCreate, hasEdit }).toEqual({
      hasCreate: api.create !== undefined,
      hasEdit: api.update !== undefined,
    })
  },
)

test('react-admin knows label, icon, forms and the names of records of each resource', () => {
  expect(definitionsOf(SECTION_RESOURCES)['groups']).toMatchObject({
    name: 'groups',
    hasList: true,
    hasCreate: true,
    hasEdit: true,
    recordRepresentation: 'name',
    options: { label: 'app.sections.groups' },
  })
  expect(definitionsOf(SECTION_RESOURCES)['audit-log']).toMatchObject({ hasCreate: false, hasEdit: false })
  expect(Object.keys(definitionsOf(SECTION_RESOURCES))).toEqual(
    expect.arrayContaining(['mass-notifications', 'mass-notifications/templates', 'settings/api-keys']),
  )
})

test.each([
  ['/groups/create', '?create=1'],
  [`/groups/${crew.id}`, `?edit=${crew.id}`],
])("react-admin's address %s opens the form beside the list", async (address, search) => {
  open(address)
  expect(await screen.findByRole('textbox', { name: /^Group Name/ })).toBeVisible()
  expect(location.pathname + location.search).toBe(`/groups${search}`)
  await waitFor(() => expect(screen.getByRole('list', { name: 'Groups' })).toBeVisible())
})
