import BlockRounded from '@mui/icons-material/BlockRounded'
import FileUploadRounded from '@mui/icons-material/FileUploadRounded'
import HistoryRounded from '@mui/icons-material/HistoryRounded'
import PeopleRounded from '@mui/icons-material/PeopleRounded'
import SettingsBackupRestoreRounded from '@mui/icons-material/SettingsBackupRestoreRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { DataProviderContext } from 'react-admin'
import { type ComponentType, useMemo } from 'react'
import { Link, useParams } from 'react-router-dom'

import { managementConfigItemsApi } from '#contract/config-items/api.ts'
import { managedOrganisationsApi } from '#contract/managed-organisations/api.ts'
import { managedUsersApi } from '#contract/managed-users/api.ts'
import type { ManagedUser } from '#contract/managed-users/schema.ts'
import { fullName } from '#contract/kit/names.ts'
import { phoneCountryOf } from '#contract/kit/phone-country.ts'
import { call } from '#providers/api.ts'
import { createDataProvider } from '#providers/dataProvider.ts'
import { useLive } from '#providers/live.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { defineTable } from '#src/kit/resource/defineResource.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'
import { useText } from '#src/kit/useText.ts'
import { UserInputs } from '#src/users/UserInputs.tsx'
import { USER_ACTIONS, USER_TABLE } from '#src/users/userTable.tsx'

import { AccessGate } from './AccessGate.tsx'

const UserHistoryDialog = lazy(async () => ({
  default: (await import('#src/users/UserHistoryDialog.tsx')).UserHistoryDialog,
}))
const ImportUsersDialog = lazy(async () => ({
  default: (await import('#src/users/import/ImportUsersDialog.tsx')).ImportUsersDialog,
}))

/** The API of one organisation's users, with its id filled into the paths. */
function apiOf(id: string): typeof managedUsersApi {
  const calls = Object.entries(managedUsersApi).map(([name, endpoint]) => [
    name,
    { ...endpoint, path: endpoint.path.replace('/:id/', `/${encodeURIComponent(id)}/`) },
  ])
  return Object.fromEntries(calls) as typeof managedUsersApi
}

/** Name of the resource, and thereby of its queries. It contains the organisation, so that two of them share no rows. */
const resourceOf = (id: string) => `management/users/${id}`

const detailOf = (id: string) => ({
  queryKey: ['management/organizations', 'detail', id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call(managedOrganisationsApi.get, { params: { id }, signal }),
})

const settingsOf = (id: string): string => `/management/config/${id}`
/** The configuration that validates the forms of an organisation's users. */
const configOf = (id: string) => ({
  queryKey: ['config-items', id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call(managementConfigItemsApi.listEnterprise, { params: { id }, signal }),
})
function useUserConfig(id: string) {
  const { data } = useQuery(configOf(id))
  const value = (key: string) => data?.find(({ databaseKey }) => databaseKey === key)?.currentValue
  const countries = value('twilioAllowedCountryCodes')
  return {
    nameCharacters: String(value('nameCharacters') ?? 'STANDARD'),
    countries: Array.isArray(countries) ? countries.map(String) : [],
    defaultCountry: phoneCountryOf({
      defaultPhoneCountry: String(value('defaultPhoneCountry') ?? ''),
      twilioAllowedCountryCodes: Array.isArray(countries) ? countries.map(String) : [],
    }),
  }
}

function createUsers(id: string): ComponentType {
  const api = apiOf(id)
  const name = resourceOf(id)

  function Inputs(props: InputsOf<typeof managedUsersApi>) {
    const { data: offered = [] } = useQuery({
      queryKey: ['managed-users', 'roles'],
      queryFn: ({ signal }) => call(managedUsersApi.roles, { signal }),
    })
    return (
      <UserInputs
        {...props}
        hasPicker={false}
        offered={offered}
        {...useUserConfig(id)}
        settings={settingsOf(id)}
      />
    )
  }

  function History({ record, onClose }: { record: ManagedUser; onClose: () => void }) {
    return (
      <UserHistoryDialog
        record={record}
        onClose={onClose}
        ask={(uuid, signal) => call(managedUsersApi.get, { params: { id, uuid }, signal })}
      />
    )
  }

  function ImportUsers({ onClose }: { onClose: () => void }) {
    const queryClient = useQueryClient()
    const config = useQuery(configOf(id))
    const detail = useQuery(detailOf(id)).data
    const { nameCharacters, defaultCountry } = useUserConfig(id)
    return (
      <ImportUsersDialog
        required={[config]}
        rules={{ characters: nameCharacters, phoneCountry: defaultCountry }}
        settings={settingsOf(id)}
        findKnown={async (emails) =>
          (await call(managedUsersApi.existing, { params: { id }, body: { emails } })).emails
        }
        allowance={detail && { used: detail.activeUsers, allowed: detail.maxUsers }}
        send={async (body) => {
          const result = await call(managedUsersApi.import, { params: { id }, body })
          void queryClient.invalidateQueries({ queryKey: [name] })
          return result
        }}
        onClose={onClose}
      />
    )
  }

  return defineTable<typeof managedUsersApi>({
    ...USER_TABLE,
    name,
    icon: PeopleRounded,
    nameOf: fullName,
    title: 'users.title',
    api,
    required: [configOf(id)],
    tools: [{ call: 'import', label: 'userImport.open', icon: FileUploadRounded, show: ImportUsers }],
    inputs: Inputs,
    actions: [
      { call: 'get', label: 'users.viewHistory', icon: HistoryRounded, show: History },
      ...USER_ACTIONS,
      {
        call: 'ban',
        label: 'management.users.ban',
        icon: BlockRounded,
        destructive: true,
        when: ({ active, banned }) => active && !banned,
        confirm: { title: 'management.users.banTitle', text: 'management.users.banText' },
        done: 'management.users.banned',
        failed: 'management.users.failed',
      },
      {
        call: 'unban',
        label: 'management.users.unban',
        icon: SettingsBackupRestoreRounded,
        when: ({ banned }) => banned,
        done: 'management.users.unbanned',
        failed: 'management.users.failed',
      },
    ],
  })
}

/** The users of one organisation, for staff who gave a reason (administration §2.2). */
export function OrganisationUsersPage() {
  const text = useText()
  const { id = '' } = useParams()
  const { data } = useQuery(detailOf(id))
  const queryClient = useQueryClient()
  const { Users, dataProvider } = useMemo(
    () => ({
      Users: createUsers(id),
      dataProvider: createDataProvider({ [resourceOf(id)]: async () => apiOf(id) }),
    }),
    [id],
  )
  useLive((news) => {
    if (news.type === 'event' && news.noun === 'managed-users')
      void queryClient.invalidateQueries({ queryKey: [resourceOf(id)] })
  })
  return (
    <>
      <PageTitle title={text('management.users.title', { name: data?.enterprise.displayName ?? '' })} />
      <Box sx={{ px: { xs: 2, md: 3 }, pt: 2 }}>
        <Button component={Link} to="/management/organizations" color="inherit" size="small">
          {text('management.back')}
        </Button>
      </Box>
      <AccessGate id={id}>
        <DataProviderContext.Provider value={dataProvider}>
          <Box sx={{ p: { xs: 2, md: 3 } }}>
            <Users />
          </Box>
        </DataProviderContext.Provider>
      </AccessGate>
    </>
  )
}
