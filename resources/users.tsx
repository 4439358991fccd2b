import FileUploadRounded from '@mui/icons-material/FileUploadRounded'
import ForwardToInboxRounded from '@mui/icons-material/ForwardToInboxRounded'
import HistoryRounded from '@mui/icons-material/HistoryRounded'
import ManageAccountsRounded from '@mui/icons-material/ManageAccountsRounded'
import PersonOffRounded from '@mui/icons-material/PersonOffRounded'
import Alert from '@mui/material/Alert'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useListContext } from 'react-admin'
import { type ReactNode, useMemo } from 'react'

import { phoneCountryOf } from '#contract/kit/phone-country.ts'
import { dashboardApi } from '#contract/dashboard/api.ts'
import { usersApi } from '#contract/users/api.ts'
import { userCan } from '#contract/users/rules.ts'
import type { User } from '#contract/users/schema.ts'
import { call } from '#providers/api.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'
import { useText } from '#src/kit/useText.ts'
import { CONFIG_QUERY, useConfig, useConfigQuery } from '#src/config/useConfig.ts'
import { MarkSuppressed } from '#src/suppressions/MarkSuppressed.tsx'
import { UserInputs } from '#src/users/UserInputs.tsx'
import { USER_ACTIONS, USER_TABLE } from '#src/users/userTable.tsx'

const useDashboard = () =>
  useQuery({
    queryKey: ['dashboard'],
    queryFn: ({ signal }) => call(dashboardApi.get, { signal }),
  }).data

const UserHistoryDialog = lazy(async () => ({
  default: (await import('#src/users/UserHistoryDialog.tsx')).UserHistoryDialog,
}))

function History(props: { record: User; onClose: () => void }) {
  return (
    <UserHistoryDialog {...props} ask={(uuid, signal) => call(usersApi.get, { params: { uuid }, signal })} />
  )
}

const ImportUsersDialog = lazy(async () => ({
  default: (await import('#src/users/import/ImportOwnUsersDialog.tsx')).ImportOwnUsersDialog,
}))

const ImportsDialog = lazy(async () => ({
  default: (await import('#src/imports/ImportsDialog.tsx')).ImportsDialog,
}))

function ImportUsers({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const config = useConfigQuery()
  const dashboard = useDashboard()
  return (
    <ImportUsersDialog
      required={[config]}
      rules={{
        characters: config.data?.nameCharacters ?? 'STANDARD',
        phoneCountry: phoneCountryOf(config.data ?? {}),
      }}
      settings={SETTINGS}
      findKnown={async (emails) => (await call(usersApi.existing, { body: { emails } })).emails}
      allowance={dashboard && { used: dashboard.currentUsers, allowed: dashboard.maxUsers }}
      send={async (body, fileName) => {
        const result = await call(usersApi.import, { body, query: { fileName } })
        void queryClient.invalidateQueries({ queryKey: ['user-admin'] })
        return result
      }}
      onUndone={() => void queryClient.invalidateQueries({ queryKey: ['user-admin'] })}
      onClose={onClose}
    />
  )
}

function Imports({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  return (
    <ImportsDialog
      kind="USERS"
      onUndone={() => void queryClient.invalidateQueries({ queryKey: ['user-admin'] })}
      onClose={onClose}
    />
  )
}

/** Page of the settings that administrators change. */
const SETTINGS = '/settings/organisation'

/** Default if the server names none (administration §9). */
const COUNTRIES = ['CA', 'US']

/** Warns that another user would exceed the subscription (administration §5). */
function Allowance() {
  const text = useText()
  const data = useDashboard()
  if (!data || data.currentUsers < data.maxUsers) return null
  return (
    <Alert severity="warning">
      {text('users.allowanceReached', { used: data.currentUsers, allowed: data.maxUsers })}
    </Alert>
  )
}

/** Roles that can be assigned, with the server's texts. */
const useRoles = () =>
  useQuery({
    queryKey: ['user-admin', 'roles'],
    queryFn: ({ signal }) => call(usersApi.roles, { signal }),
  })
const useOfferedRoles = () =>
  useRoles().data?.map(({ role, visibleName, description }) => ({
    value: role,
    label: visibleName,
    description,
  }))

function Inputs(props: InputsOf<typeof usersApi>) {
  const config = useConfig()
  const { data: offered = [] } = useRoles()
  return (
    <UserInputs
      {...props}
      offered={offered}
      nameCharacters={config?.nameCharacters ?? 'STANDARD'}
      countries={config?.twilioAllowedCountryCodes ?? COUNTRIES}
      defaultCountry={phoneCountryOf(config ?? {})}
      settings={SETTINGS}
      offersSms={config?.offersSms}
      notice={<Allowance />}
    />
  )
}

/** Marks what is not tried among the addresses of the users on screen. */
function Marked({ children }: { children: ReactNode }) {
  const { data } = useListContext<User & { id: string }>()
  const lists = useMemo(
    () => [
      (data ?? []).flatMap(({ email, phoneNumber, secondPhoneNumber }) => [
        email,
        phoneNumber,
        secondPhoneNumber,
      ]),
    ],
    [data],
  )
  return <MarkSuppressed lists={lists}>{children}</MarkSuppressed>
}

/** User administration (administration §2.1). */
export const users = defineResource({
  ...USER_TABLE,
  title: 'users.title',
  api: usersApi,
  required: [CONFIG_QUERY],
  tools: [
    { call: 'import', label: 'imports.open', icon: HistoryRounded, show: Imports, isIcon: true },
    { call: 'import', label: 'userImport.open', icon: FileUploadRounded, show: ImportUsers },
  ],
  inputs: Inputs,
  around: Marked,
  bulkActions: [
    {
      call: 'changeRoleSeveral',
      label: 'users.several.changeRole',
      icon: ManageAccountsRounded,
      when: userCan.changeRole,
      title: 'users.several.roleTitle',
      text: 'users.several.roleText',
      choice: { field: 'role', label: 'users.role', useChoices: useOfferedRoles },
      done: 'users.several.roleChanged',
      refused: 'users.several.roleNotChanged',
    },
    {
      call: 'sendActivationSeveral',
      label: 'users.sendActivationEmail',
      icon: ForwardToInboxRounded,
      when: userCan.invite,
      title: 'users.several.inviteTitle',
      text: 'users.several.inviteText',
      done: 'users.several.invited',
      refused: 'users.several.notInvited',
    },
    {
      call: 'deactivateSeveral',
      label: 'users.deactivate',
      icon: PersonOffRounded,
      destructive: true,
      when: userCan.deactivate,
      title: 'users.several.deactivateTitle',
      text: 'users.several.deactivateText',
      done: 'users.several.deactivated',
      refused: 'users.several.notDeactivated',
    },
  ],
  actions: [
    { call: 'get', label: 'users.viewHistory', icon: HistoryRounded, show: History },
    ...USER_ACTIONS,
  ],
})
