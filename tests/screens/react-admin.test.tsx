import { ThemeProvider } from '@mui/material/styles'
import { render, screen } from '@testing-library/react'
import {
  CoreAdminContext,
  Datagrid,
  EditButton,
  List,
  ResourceContextProvider,
  ResourceDefinitionContextProvider,
  TextField,
  useGetResourceLabel,
} from 'react-admin'
import { expect, test } from 'vitest'

import { createAuthProvider } from '#providers/authProvider.ts'
import { signOut } from '#providers/send.ts'
import { createDataProvider } from '#providers/dataProvider.ts'
import { i18nProvider, loadMessages } from '#providers/i18nProvider.ts'
import { apisOf, definitionsOf } from '#src/app/resourceDefinitions.ts'
import { SECTION_RESOURCES } from '#src/app/sections.ts'
import { getTheme } from '#src/kit/theme/theme.ts'
import { signedIn } from '#tests/support/client.tsx'
import { serveList } from '#tests/support/client-lists.ts'

function Label() {
  return <h1>{useGetResourceLabel()('groups')}</h1>
}

test("a page of react-admin's own components shows a resource with our providers and definitions", async () => {
  signedIn()
  const asked = serveList('/useradmin/groups', () => [{ id: 'g1', name: 'Crew' }])
  await loadMessages()
  render(
    <ThemeProvider theme={getTheme()}>
      <CoreAdminContext
        dataProvider={createDataProvider(apisOf(SECTION_RESOURCES))}
        authProvider={createAuthProvider(apisOf(SECTION_RESOURCES), signOut)}
        i18nProvider={i18nProvider}
      >
        <ResourceDefinitionContextProvider definitions={definitionsOf(SECTION_RESOURCES)}>
          <ResourceContextProvider value="groups">
            <Label />
            <List sort={{ field: 'name', order: 'ASC' }} perPage={25} exporter={false}>
              <Datagrid bulkActionButtons={false} rowClick={false}>
                <TextField source="name" />
                <EditButton />
              </Datagrid>
            </List>
          </ResourceContextProvider>
        </ResourceDefinitionContextProvider>
      </CoreAdminContext>
    </ThemeProvider>,
  )
  expect(await screen.findByRole('cell', { name: 'Crew' })).toBeVisible()
  expect(screen.getByRole('heading', { name: 'Groups' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Create' })).toHaveAttribute('href', '#/groups/create')
  expect(await screen.findByRole('link', { name: 'Edit' })).toHaveAttribute('href', '#/groups/g1')
  expect(asked).toEqual([{ sort: ['name', 'ASC'], range: [0, 24], filter: {} }])
})
