import ArchiveRounded from '@mui/icons-material/ArchiveRounded'
import ForwardToInboxRounded from '@mui/icons-material/ForwardToInboxRounded'
import HourglassEmptyRounded from '@mui/icons-material/HourglassEmptyRounded'
import LockResetRounded from '@mui/icons-material/LockResetRounded'
import LogoutRounded from '@mui/icons-material/LogoutRounded'
import MailRounded from '@mui/icons-material/MailRounded'
import PersonAddRounded from '@mui/icons-material/PersonAddRounded'
import PersonOffRounded from '@mui/icons-material/PersonOffRounded'
import PhonelinkEraseRounded from '@mui/icons-material/PhonelinkEraseRounded'
import PublicRounded from '@mui/icons-material/PublicRounded'
import ShieldRounded from '@mui/icons-material/ShieldRounded'

import { pick } from '#contract/kit/pick.ts'
import type { usersApi } from '#contract/users/api.ts'
import { fullName } from '#contract/kit/names.ts'
import { USER_STATUSES, userCan, userStatus } from '#contract/users/rules.ts'
import {
  type User,
  USER_DEFAULTS,
  USER_FIELDS,
  USER_ROLES,
  type UserRole,
  UserType,
} from '#contract/users/schema.ts'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { PhoneLinks } from '#src/kit/list/PhoneLinks.tsx'
import { readablePhones, type WrittenPhone } from '#src/kit/phones.ts'
import type { Declaration, RowAction } from '#src/kit/resource/resource.ts'
import { useText } from '#src/kit/useText.ts'
import { EmailCell, Markable } from '#src/suppressions/SuppressionMark.tsx'

type UsersApi = typeof usersApi
type Table = Extract<Declaration<UsersApi>, { readonly layout?: 'table' }>

/** States that get a chip. Usual states are plain text, so that these stand out. */
const UNUSUAL_STATUS = {
  Archived: { icon: ArchiveRounded, tone: 'neutral' },
  'Sent Activation Email': { icon: MailRounded, tone: 'neutral' },
  Uninitialized: { icon: HourglassEmptyRounded, tone: 'warning' },
} as const
const isUnusual = (status: string): status is keyof typeof UNUSUAL_STATUS => status in UNUSUAL_STATUS

function Status({ user }: { user: User }) {
  const text = useText()
  const status = userStatus(user)
  const label = text(`users.statuses.${status}`)
  return isUnusual(status) ? <StatusChip label={label} {...UNUSUAL_STATUS[status]} /> : <Usual>{label}</Usual>
}
function Role({ role }: { role: UserRole }) {
  const text = useText()
  const label = text(`app.roles.${role}`)
  return role === 'ADMIN' ? <StatusChip label={label} icon={ShieldRounded} /> : <Usual>{label}</Usual>
}
function Type({ type }: { type: UserType }) {
  const text = useText()
  const label = text(`users.types.${type}`)
  return type === 'EXTERNAL' ? (
    <StatusChip label={label} icon={PublicRounded} tone="warning" />
  ) : (
    <Usual>{label}</Usual>
  )
}
const Usual = ({ children }: { children: string }) => <span className="cell-text">{children}</span>

function useRoles() {
  const text = useText()
  return USER_ROLES.map((role) => ({ value: role, label: text(`app.roles.${role}`) }))
}
function useTypes() {
  const text = useText()
  return UserType.options.map((type) => ({ value: type, label: text(`users.types.${type}`) }))
}

function useStatuses() {
  const text = useText()
  return USER_STATUSES.map((status) => ({ value: status, label: text(`users.statuses.${status}`) }))
}

const phonesOf = (
  user: Pick<User, 'phoneNumber' | 'phoneExtension' | 'secondPhoneNumber' | 'secondPhoneExtension'>,
): WrittenPhone[] => [
  [user.phoneNumber, user.phoneExtension],
  [user.secondPhoneNumber, user.secondPhoneExtension],
]

/** Common declaration of the organisation's and the console's lists of users. */
export const USER_TABLE = {
  columns: [
    { field: 'firstName', label: 'users.name', text: fullName, flex: 2, minWidth: 140 },
    {
      field: 'email',
      label: 'users.email',
      flex: 3,
      minWidth: 200,
      card: 'line',
      render: ({ email }) => <EmailCell email={email} />,
    },
    {
      field: 'phoneNumber',
      label: 'users.phone',
      width: 168,
      minWidth: 168,
      sortable: false,
      yields: 4,
      card: 'line',
      text: (user) => readablePhones(phonesOf(user)),
      render: (user) => (
        <Markable isNarrow addresses={[user.phoneNumber, user.secondPhoneNumber]}>
          <PhoneLinks phones={phonesOf(user)} />
        </Markable>
      ),
    },
    {
      field: 'role',
      label: 'users.role',
      width: 144,
      yields: 1,
      card: 'line',
      text: (user, text) => text(`app.roles.${user.role}`),
      render: ({ role }) => <Role role={role} />,
    },
    {
      field: 'type',
      label: 'users.type',
      width: 112,
      yields: 2,
      text: (user, text) => text(`users.types.${user.type}`),
      render: ({ type }) => <Type type={type} />,
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
    { field: 'deputy', label: 'users.fields.deputy', flex: 1, minWidth: 104, yields: 7 },
    {
      field: 'lastLoginTimestamp',
      label: 'users.lastLogin',
      kind: 'time',
      width: 176,
      yields: 3,
      card: 'line',
    },
  ],
  sort: ['firstName', 'ASC'],
  search: 'users.search',
  filters: [
    { field: 'role', label: 'users.role', useChoices: useRoles },
    { field: 'type', label: 'users.type', useChoices: useTypes },
    { field: 'status', label: 'users.status', useChoices: useStatuses },
  ],
  toggles: [{ id: 'archived', label: 'users.showArchived', off: { active: true }, unless: 'status' }],
  faded: (user) => !user.active,
  empty: 'users.empty',
  create: {
    label: 'users.add',
    blank: {
      firstName: '',
      lastName: '',
      email: '',
      ...USER_DEFAULTS,
      active: true,
      passwordChangeRequired: false,
      sendWelcomeSetPasswordEmail: true,
    },
    done: 'users.createdToast',
  },
  edit: {
    label: 'users.edit',
    when: userCan.edit,
    values: (user) => ({
      ...pick(user, [...USER_FIELDS, 'passwordChangeRequired']),
      active: true,
      sendWelcomeSetPasswordEmail: false,
      version: user.version,
    }),
    done: 'users.updatedToast',
  },
} satisfies Partial<Table>

/** Actions of administrators and staff on a user. */
export const USER_ACTIONS = [
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
    undo: 'reactivate',
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
] as const satisfies readonly RowAction<UsersApi, User>[]
