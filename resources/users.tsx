import ArchiveRounded from '@mui/icons-material/ArchiveRounded'
import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import HourglassEmptyRounded from '@mui/icons-material/HourglassEmptyRounded'
import FileUploadRounded from '@mui/icons-material/FileUploadRounded'
import ForwardToInboxRounded from '@mui/icons-material/ForwardToInboxRounded'
import HistoryRounded from '@mui/icons-material/HistoryRounded'
import KeyRounded from '@mui/icons-material/KeyRounded'
import LockResetRounded from '@mui/icons-material/LockResetRounded'
import LogoutRounded from '@mui/icons-material/LogoutRounded'
import MailRounded from '@mui/icons-material/MailRounded'
import PersonAddRounded from '@mui/icons-material/PersonAddRounded'
import PersonOffRounded from '@mui/icons-material/PersonOffRounded'
import PhonelinkEraseRounded from '@mui/icons-material/PhonelinkEraseRounded'
import Alert from '@mui/material/Alert'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy } from 'react'

import { dashboardApi } from '#contract/dashboard/api.ts'
import { pick } from '#contract/kit/pick.ts'
import { usersApi } from '#contract/users/api.ts'
import { fullName, nameProblem, roleOption, userCan, userStatus } from '#contract/users/rules.ts'
import { type User, USER_FIELDS, USER_ROLES, UserType } from '#contract/users/schema.ts'
import { call } from '#providers/api.ts'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import { readablePhone } from '#src/kit/time/formats.ts'
import type { InputsOf } from '#src/kit/resource/resource.ts'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { useText } from '#src/kit/useText.ts'
import { CONFIG_QUERY, useConfig, useConfigQuery } from '#src/shared/useConfig.ts'

const useDashboard = () =>
  useQuery({
    queryKey: ['dashboard'],
    queryFn: ({ signal }) => call(dashboardApi.get, { signal }),
  }).data

const UserHistoryDialog = lazy(async () => ({
  default: (await import('#src/shared/UserHistoryDialog.tsx')).UserHistoryDialog,
}))

function History(props: { record: User; onClose: () => void }) {
  return (
    <UserHistoryDialog {...props} ask={(uuid, signal) => call(usersApi.get, { params: { uuid }, signal })} />
  )
}

const ImportUsersDialog = lazy(async () => ({
  default: (await import('#src/shared/import-users/ImportUsersDialog.tsx')).ImportUsersDialog,
}))

function ImportUsers({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const config = useConfigQuery()
  const dashboard = useDashboard()
  return (
    <ImportUsersDialog
      required={[config]}
      characters={config.data?.nameCharacters ?? 'STANDARD'}
      findKnown={async (emails) => (await call(usersApi.existing, { body: { emails } })).emails}
      allowance={dashboard && { used: dashboard.currentUsers, allowed: dashboard.maxUsers }}
      send={async (body) => {
        const result = await call(usersApi.import, { body })
        void queryClient.invalidateQueries({ queryKey: ['user-admin'] })
        return result
      }}
      onClose={onClose}
    />
  )
}

const STATUS = {
  Archived: { icon: ArchiveRounded, tone: 'neutral' },
  Active: { icon: CheckCircleRounded, tone: 'success' },
  'Has Set Password': { icon: KeyRounded, tone: 'neutral' },
  'Sent Activation Email': { icon: MailRounded, tone: 'neutral' },
  Uninitialized: { icon: HourglassEmptyRounded, tone: 'warning' },
} as const

function Status({ user }: { user: User }) {
  const text = useText()
  const status = userStatus(user)
  return <StatusChip label={text(`users.statuses.${status}`)} {...STATUS[status]} />
}

/** Where the server names none (administration §9). */
const COUNTRIES = ['CA', 'US']

/** Says that another user goes beyond what the organisation pays for (administration §5). */
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

function UserInputs({ inputs, record }: InputsOf<typeof usersApi>) {
  const { TextInput, PhoneInput, SelectInput, BooleanInput } = inputs
  const text = useText()
  const config = useConfig()
  const { data: offered = [] } = useQuery({
    queryKey: ['user-admin', 'roles'],
    queryFn: ({ signal }) => call(usersApi.roles, { signal }),
  })
  // Who has a role that is not offered, such as a playbook manager, keeps it.
  const kept = record && offered.every(({ role }) => role !== record.role) ? [roleOption(record.role)] : []
  const roles = [...offered, ...kept].map((option) => ({
    value: option.role,
    label: option.visibleName,
    description: option.description,
  }))
  const types = UserType.options.map((type) => ({
    value: type,
    label: text(`users.types.${type}`),
    description: text(`users.typeHelp.${type}`),
  }))
  const nameRule = (value: unknown) => nameProblem(String(value), config?.nameCharacters ?? 'STANDARD')
  const canActivate = !record || (!record.lastLoginTimestamp && !record.hasPasswordSet)
  return (
    <>
      {!record && <Allowance />}
      <TextInput source="firstName" label="users.firstName" required autoFocus={!record} rule={nameRule} />
      <TextInput source="lastName" label="users.lastName" required rule={nameRule} />
      <TextInput
        source="email"
        label="users.email"
        type="email"
        inputMode="email"
        required={!record}
        readOnly={record !== undefined}
        help={record ? 'users.emailFixed' : 'users.emailHelp'}
      />
      <PhoneInput
        source="phoneNumber"
        label="users.phone"
        help="users.phoneHelp"
        helpOutside="users.phoneOutside"
        countries={config?.twilioAllowedCountryCodes ?? COUNTRIES}
      />
      <SelectInput source="role" label="users.role" choices={roles} />
      <SelectInput source="type" label="users.type" choices={types} />
      <TextInput source="location" label="users.fields.location" />
      <TextInput source="department" label="users.fields.department" />
      {canActivate && (
        <BooleanInput
          as="checkbox"
          source="sendWelcomeSetPasswordEmail"
          label="users.sendActivation"
          help="users.sendActivationHelp"
        />
      )}
    </>
  )
}

function useRoles() {
  const text = useText()
  return USER_ROLES.map((role) => ({ value: role, label: text(`app.roles.${role}`) }))
}
function useTypes() {
  const text = useText()
  return UserType.options.map((type) => ({ value: type, label: text(`users.types.${type}`) }))
}

/** User administration (administration §2.1). */
export const users = defineResource({
  title: 'users.title',
  api: usersApi,
  required: [CONFIG_QUERY],
  columns: [
    { field: 'firstName', label: 'users.name', text: fullName, flex: 2, minWidth: 140 },
    { field: 'email', label: 'users.email', flex: 3, minWidth: 200, card: 'line' },
    {
      field: 'phoneNumber',
      label: 'users.phone',
      width: 136,
      minWidth: 136,
      sortable: false,
      yields: 3,
      card: 'line',
      text: (user) => readablePhone(user.phoneNumber),
    },
    {
      field: 'role',
      label: 'users.role',
      width: 144,
      yields: 1,
      card: 'line',
      text: (user, text) => text(`app.roles.${user.role}`),
    },
    {
      field: 'type',
      label: 'users.type',
      width: 92,
      yields: 4,
      text: (user, text) => text(`users.types.${user.type}`),
    },
    {
      field: 'status',
      label: 'users.status',
      width: 188,
      card: 'corner',
      text: (user, text) => text(`users.statuses.${userStatus(user)}`),
      render: (user) => <Status user={user} />,
    },
    { field: 'location', label: 'users.fields.location', flex: 1, minWidth: 104, yields: 5 },
    { field: 'department', label: 'users.fields.department', flex: 1, minWidth: 104, yields: 6 },
    {
      field: 'lastLoginTimestamp',
      label: 'users.lastLogin',
      kind: 'time',
      width: 176,
      yields: 2,
      card: 'line',
    },
  ],
  sort: ['firstName', 'ASC'],
  search: 'users.search',
  tools: [{ call: 'import', label: 'userImport.open', icon: FileUploadRounded, show: ImportUsers }],
  filters: [
    { field: 'role', label: 'users.role', useChoices: useRoles },
    { field: 'type', label: 'users.type', useChoices: useTypes },
  ],
  toggles: [{ id: 'archived', label: 'users.showArchived', off: { active: true } }],
  faded: (user) => !user.active,
  empty: 'users.empty',
  inputs: UserInputs,
  create: {
    label: 'users.add',
    blank: {
      firstName: '',
      lastName: '',
      email: '',
      phoneNumber: null,
      role: 'USER',
      type: 'INTERNAL',
      location: null,
      department: null,
      sendWelcomeSetPasswordEmail: true,
    },
    done: 'users.createdToast',
  },
  edit: {
    label: 'users.edit',
    when: userCan.edit,
    values: (user) => ({
      ...pick(user, USER_FIELDS),
      sendWelcomeSetPasswordEmail: false,
      version: user.version,
    }),
    done: 'users.updatedToast',
  },
  actions: [
    {
      call: 'get',
      label: 'users.viewHistory',
      icon: HistoryRounded,
      show: History,
    },
    {
      call: 'sendPasswordReset',
      label: 'users.sendReset',
      icon: LockResetRounded,
      when: userCan.help,
      done: 'users.resetSent',
      failed: 'users.mailFailed',
    },
    {
      call: 'sendActivation',
      label: 'users.sendActivationEmail',
      icon: ForwardToInboxRounded,
      when: userCan.help,
      done: 'users.activationSent',
      failed: 'users.mailFailed',
    },
    {
      call: 'resetAuthenticator',
      label: 'users.resetAuthenticator',
      icon: PhonelinkEraseRounded,
      when: userCan.help,
      confirm: { title: 'users.resetAuthenticatorTitle', text: 'users.resetAuthenticatorText' },
      done: 'users.authenticatorReset',
      failed: 'users.authenticatorNotReset',
    },
    {
      call: 'endSessions',
      label: 'users.endSessions',
      icon: LogoutRounded,
      when: userCan.endSessions,
      confirm: { title: 'users.endSessionsTitle', text: 'users.endSessionsText' },
      done: 'users.sessionsEnded',
      failed: 'users.sessionsNotEnded',
    },
    {
      call: 'deactivate',
      label: 'users.deactivate',
      icon: PersonOffRounded,
      destructive: true,
      when: userCan.deactivate,
      confirm: { title: 'users.deactivateTitle', text: 'users.deactivateText' },
      done: 'users.deactivated',
      failed: 'users.notDeactivated',
    },
    {
      call: 'reactivate',
      label: 'users.reactivate',
      icon: PersonAddRounded,
      when: userCan.reactivate,
      confirm: { title: 'users.reactivateTitle', text: 'users.reactivateText' },
      done: 'users.reactivated',
      failed: 'users.notReactivated',
    },
  ],
})
