import { ThemeProvider } from '@mui/material/styles'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import {
  CoreAdminContext,
  Datagrid,
  Edit,
  EditButton,
  ExportButton,
  List,
  Notification,
  ResourceContextProvider,
  ResourceDefinitionContextProvider,
  SaveButton,
  TextField,
  TextInput,
  useGetResourceLabel,
  useListContext,
  useRecordContext,
} from 'react-admin'
import { useFormContext } from 'react-hook-form'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { afterEach, expect, test, vi } from 'vitest'

import { groupsApi } from '#contract/groups/api.ts'
import { createAuthProvider } from '#providers/authProvider.ts'
import { signOut } from '#providers/send.ts'
import { createDataProvider } from '#providers/dataProvider.ts'
import { i18nProvider, loadMessages } from '#providers/i18nProvider.ts'
import { apisOf, definitionsOf } from '#src/app/resourceDefinitions.ts'
import { SECTION_RESOURCES } from '#src/app/sections.ts'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import { type TableDefinition, tableOf } from '#src/kit/resource/resource.ts'
import '#src/kit/resource/ResourceDialog.tsx'
import { ResourceForm } from '#src/kit/resource/ResourceForm.tsx'
import '#src/kit/resource/ResourceGrid.tsx'
import { ListView } from '#src/kit/resource/ResourceSection.tsx'
import { getTheme } from '#src/kit/theme/theme.ts'
import { answer, signedIn } from '#tests/support/client.tsx'
import { filterNow, linesOf, receive, savedFiles, serveList } from '#tests/support/client-lists.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** Opens a page of groups with our providers and definitions, and without our application. */
async function openPage(page: ReactNode, path = '/groups') {
  signedIn()
  await loadMessages()
  window.history.replaceState(null, '', path)
  const apis = apisOf(SECTION_RESOURCES)
  const element = (
    <CoreAdminContext
      dataProvider={createDataProvider(apis)}
      authProvider={createAuthProvider(apis, signOut)}
      i18nProvider={i18nProvider}
    >
      <ResourceDefinitionContextProvider definitions={definitionsOf(SECTION_RESOURCES)}>
        <ResourceContextProvider value="groups">{page}</ResourceContextProvider>
        <Notification />
      </ResourceDefinitionContextProvider>
    </CoreAdminContext>
  )
  render(
    <ThemeProvider theme={getTheme()}>
      <RouterProvider router={createBrowserRouter([{ path: '*', element }])} />
    </ThemeProvider>,
  )
  return userEvent.setup()
}

function Label() {
  return <h1>{useGetResourceLabel()('groups')}</h1>
}

test("a page of react-admin's own components shows a resource with our providers and definitions", async () => {
  const asked = serveList('/useradmin/groups', () => [{ id: 'g1', name: 'Crew' }])
  await openPage(
    <>
      <Label />
      <List sort={{ field: 'name', order: 'ASC' }} perPage={25} exporter={false}>
        <Datagrid bulkActionButtons={false} rowClick={false}>
          <TextField source="name" />
          <EditButton />
        </Datagrid>
      </List>
    </>,
  )
  expect(await screen.findByRole('cell', { name: 'Crew' })).toBeVisible()
  expect(screen.getByRole('heading', { name: 'Groups' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Create' })).toHaveAttribute('href', '/groups/create')
  expect(await screen.findByRole('link', { name: 'Edit' })).toHaveAttribute('href', '/groups/g1')
  expect(asked).toEqual([{ sort: ['name', 'ASC'], range: [0, 24], filter: {} }])
})

const GROUPS = Array.from({ length: 60 }, (_, n) => ({
  id: `g${n}`,
  name: `Crew ${String(n).padStart(2, '0')}`,
  description: `Deck ${n}`,
  userIds: ['ana@demo.example'],
  userCount: 0,
  version: 1,
}))

/** Code as somebody writes it who knows react-admin. */
function ListOfStranger() {
  const list = useListContext()
  const { data = [], total, page, setPage, filterValues, setFilters, selectedIds, onToggleItem } = list
  return (
    <aside aria-label="Stranger">
      <output>
        {`${data[0]?.name} of ${total} on ${page}, ${JSON.stringify(filterValues)}, ${selectedIds.join()}`}
      </output>
      <button onClick={() => setPage(2)}>Second page</button>
      <button onClick={() => setFilters({ ...filterValues, q: '07' })}>Find 07</button>
      <button onClick={() => onToggleItem(data[0].id)}>Toggle</button>
      <ExportButton />
    </aside>
  )
}
function InputsOfStranger() {
  const record = useRecordContext()
  const { formState } = useFormContext()
  return (
    <>
      <TextInput source="name" label="Their name" />
      <output>{`${record?.['description']}, ${formState.isDirty ? 'changed' : 'unchanged'}`}</output>
      <SaveButton label="Their save" />
    </>
  )
}
const DECLARATION = {
  title: 'groups.title',
  api: groupsApi,
  columns: [
    { field: 'name', label: 'groups.name', flex: 1 },
    { field: 'createdBy', label: 'groups.description', render: () => <TextField source="description" /> },
  ],
  sort: ['name', 'ASC'],
  search: 'groups.search',
  empty: 'groups.empty',
  inputs: InputsOfStranger,
  edit: {
    label: 'groups.edit',
    values: ({ name, description, userIds = [], version }) => ({ name, description, userIds, version }),
    done: 'groups.updatedToast',
  },
  actions: [],
  below: ListOfStranger,
} satisfies Omit<TableDefinition<typeof groupsApi>, 'name' | 'nameOf' | 'icon'>
const Groups = defineResource<typeof groupsApi>(DECLARATION)
const TABLE = tableOf<typeof groupsApi>({
  ...DECLARATION,
  name: 'groups',
  nameOf: ({ name }) => name,
  icon: () => null,
})
const serveGroups = () => {
  for (const group of GROUPS) answer('get', `/useradmin/group/${group.id}`, group)
  return serveList('/useradmin/groups', () => GROUPS)
}
const said = () => within(screen.getByRole('complementary', { name: 'Stranger' })).getByRole('status')

test('a component that knows the list context of react-admin works in a list of ours', async () => {
  const files = savedFiles()
  const asked = serveGroups()
  const user = await openPage(<Groups />)
  await waitFor(() => expect(said()).toHaveTextContent('Crew 00 of 60 on 1, {},'))
  // A cell has react-admin's record context.
  expect(await screen.findByText('Deck 0')).toBeInTheDocument()

  await user.click(screen.getByRole('button', { name: 'Second page' }))
  await waitFor(() => expect(said()).toHaveTextContent('Crew 50 of 60 on 2'))
  expect(await screen.findByText('51–60 of 60')).toBeVisible()
  expect(asked.at(-1)?.range).toEqual([50, 99])

  await user.click(screen.getByRole('button', { name: 'Find 07' }))
  await waitFor(() => expect(said()).toHaveTextContent('Crew 07 of 1 on 1, {"q":"07"}'))
  expect(screen.getByRole('searchbox')).toHaveValue('07')
  expect(filterNow()).toEqual({ q: '07' })

  await user.click(screen.getByRole('button', { name: 'Toggle' }))
  expect(await screen.findByRole('region', { name: 'Crew 07 selected' })).toBeVisible()
  expect(said()).toHaveTextContent('g7')

  const theirs = within(screen.getByRole('complementary', { name: 'Stranger' }))
  await user.click(theirs.getByRole('button', { name: 'Export' }))
  await waitFor(() => expect(files).toHaveLength(1))
  expect(await linesOf(files[0]!)).toHaveLength(2)
})

test('inputs of react-admin and its record and form contexts work in a form of ours', async () => {
  serveGroups()
  const bodies = receive('put', '/useradmin/group/g0', (body) => ({ ...GROUPS[0], ...body }))
  const user = await openPage(<Groups />, '/groups?edit=g0')
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Group' }))
  const input = await dialog.findByRole('textbox', { name: 'Their name' })
  expect(input).toHaveValue('Crew 00')
  expect(dialog.getByText('Deck 0, unchanged')).toBeInTheDocument()
  await user.type(input, '!')
  expect(dialog.getByText('Deck 0, changed')).toBeInTheDocument()
  await user.click(dialog.getByRole('button', { name: 'Their save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(bodies).toEqual([
    { name: 'Crew 00!', description: 'Deck 0', userIds: ['ana@demo.example'], version: 1 },
  ])
})

test('the table of a resource stands in a list of react-admin, and its form in an edit page', async () => {
  const asked = serveGroups()
  const user = await openPage(
    <List sort={{ field: 'name', order: 'ASC' }} perPage={25} actions={false} pagination={false}>
      <ListView definition={TABLE} />
    </List>,
  )
  expect(await screen.findByText('1–25 of 60')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Go to next page' }))
  expect(await screen.findByText('Crew 25')).toBeInTheDocument()
  expect(asked.at(-1)).toEqual({ sort: ['name', 'ASC'], range: [25, 49], filter: {} })
  await user.type(screen.getByRole('searchbox'), '07')
  expect(await screen.findByText('1–1 of 1')).toBeVisible()

  cleanup()
  const bodies = receive('put', '/useradmin/group/g3', (body) => ({ ...GROUPS[3], ...body }))
  const saved = vi.fn<() => void>()
  await openPage(
    <Edit id="g3" mutationMode="pessimistic">
      <ResourceForm
        definition={TABLE}
        titleId="title"
        onDirty={() => undefined}
        onCancel={() => undefined}
        onSaved={saved}
      />
    </Edit>,
  )
  await user.type(await screen.findByRole('textbox', { name: 'Their name' }), '!')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved).toHaveBeenCalled())
  expect(bodies).toEqual([
    { name: 'Crew 03!', description: 'Deck 3', userIds: ['ana@demo.example'], version: 1 },
  ])
})
