import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import CleaningServicesRounded from '@mui/icons-material/CleaningServicesRounded'
import BlockRounded from '@mui/icons-material/BlockRounded'
import CrisisAlertRounded from '@mui/icons-material/CrisisAlertRounded'
import DeleteForeverRounded from '@mui/icons-material/DeleteForeverRounded'
import EditNoteRounded from '@mui/icons-material/EditNoteRounded'
import ErrorRounded from '@mui/icons-material/ErrorRounded'
import ForwardToInboxRounded from '@mui/icons-material/ForwardToInboxRounded'
import HourglassTopRounded from '@mui/icons-material/HourglassTopRounded'
import KeyRounded from '@mui/icons-material/KeyRounded'
import MailOutlineRounded from '@mui/icons-material/MailOutlineRounded'
import PauseCircleRounded from '@mui/icons-material/PauseCircleRounded'
import PeopleRounded from '@mui/icons-material/PeopleRounded'
import PlayCircleRounded from '@mui/icons-material/PlayCircleRounded'
import RemoveRounded from '@mui/icons-material/RemoveRounded'
import RestartAltRounded from '@mui/icons-material/RestartAltRounded'
import TuneRounded from '@mui/icons-material/TuneRounded'
import UnsubscribeRounded from '@mui/icons-material/UnsubscribeRounded'
import Skeleton from '@mui/material/Skeleton'
import { Suspense } from 'react'

import { managedOrganisationsApi } from '#contract/managed-organisations/api.ts'
import { canClear } from '#contract/managed-organisations/rules.ts'
import { type ManagedOrganisation, OrganisationStatus } from '#contract/managed-organisations/schema.ts'
import { SUBSCRIPTION_LEVELS } from '#contract/organisations/schema.ts'
import { managementWelcomeApi } from '#contract/welcome/api.ts'
import { invitationState } from '#contract/welcome/rules.ts'
import { InvitationState } from '#contract/welcome/schema.ts'
import { serverNow } from '#providers/serverClock.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'
import { SECOND } from '#src/kit/time/clock.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

const NewOrganisationInputs = lazy(async () => ({
  default: (await import('#src/managed-organisations/NewOrganisationInputs.tsx')).NewOrganisationInputs,
}))
const CreatedDialog = lazy(async () => ({
  default: (await import('#src/managed-organisations/CreatedDialog.tsx')).CreatedDialog,
}))
const Deletions = lazy(async () => ({
  default: (await import('#src/managed-organisations/Deletions.tsx')).Deletions,
}))
const DeleteOrganisationDialog = lazy(async () => ({
  default: (await import('#src/managed-organisations/DeleteOrganisationDialog.tsx')).DeleteOrganisationDialog,
}))
const CredentialsDialog = lazy(async () => ({
  default: (await import('#src/managed-organisations/CredentialsDialog.tsx')).CredentialsDialog,
}))

const WelcomeDialog = lazy(async () => ({
  default: (await import('#src/managed-organisations/WelcomeDialog.tsx')).WelcomeDialog,
}))

const invitationOf = (row: ManagedOrganisation) =>
  invitationState({ status: row.welcomePackageStatus, sentTimestamp: row.welcomePackageSentTimestamp })

const INVITATIONS = {
  NOT_SENT: { icon: MailOutlineRounded },
  WITHDRAWN: { icon: UnsubscribeRounded },
  NOT_APPLICABLE: { icon: RemoveRounded },
  CREATED: { icon: ForwardToInboxRounded },
  SAVED: { icon: EditNoteRounded },
  SUBMITTED: { icon: HourglassTopRounded },
  COMPLETED: { icon: CheckCircleRounded, tone: 'success' },
  ERROR: { icon: ErrorRounded, tone: 'error' },
} as const
function Invitation({ record }: { record: ManagedOrganisation }) {
  const text = useText()
  const state = invitationOf(record)
  return <StatusChip label={text(`management.welcome.states.${state}`)} {...INVITATIONS[state]} />
}
function useInvitations() {
  const text = useText()
  return InvitationState.options.map((value) => ({
    value,
    label: text(`management.welcome.states.${value}`),
  }))
}

/** Label of the invite action, by state of the welcome package (administration §4). */
function welcomeLabel({ welcomePackageStatus: status }: ManagedOrganisation) {
  switch (status) {
    case null:
      return 'management.welcome.send'
    case 'NOT_APPLICABLE':
      return 'management.welcome.notApplicable'
    case 'SUBMITTED':
    case 'COMPLETED':
    case 'ERROR':
      return 'management.welcome.completed'
    default:
      return 'management.welcome.sendAgain'
  }
}
const WELCOME_BLOCKED = {
  NOT_APPLICABLE: 'management.welcome.notApplicableText',
  SUBMITTED: 'management.welcome.completedText',
  COMPLETED: 'management.welcome.completedText',
  ERROR: 'management.welcome.failedBlocked',
} as const
const welcomeBlocked = ({ welcomePackageStatus: status }: ManagedOrganisation) =>
  status !== null && status in WELCOME_BLOCKED
    ? WELCOME_BLOCKED[status as keyof typeof WELCOME_BLOCKED]
    : undefined

/** Endpoints of organisations, and those of the welcome package for row actions. */
const api = {
  ...managedOrganisationsApi,
  sendWelcomePackage: managementWelcomeApi.send,
  retryWelcomePackage: managementWelcomeApi.retry,
}

const nameOf = ({ enterprise }: ManagedOrganisation) => enterprise.displayName
const contactName = ({ adminUser }: ManagedOrganisation) =>
  adminUser ? `${adminUser.firstName} ${adminUser.lastName}`.trim() : ''

const statusOf = ({ suspendedTimestamp, nearLimits }: ManagedOrganisation) =>
  suspendedTimestamp !== null ? 'SUSPENDED' : nearLimits.length > 0 ? 'NEAR' : 'ACTIVE'
const STATUSES = {
  ACTIVE: { icon: CheckCircleRounded },
  NEAR: { icon: ErrorRounded, tone: 'warning' },
  SUSPENDED: { icon: BlockRounded, tone: 'warning' },
} as const
function Status({ record }: { record: ManagedOrganisation }) {
  const text = useText()
  const status = statusOf(record)
  const limits = record.nearLimits.map((limit) => text(`management.organizations.limits.${limit}`)).join(', ')
  return (
    <span title={status === 'NEAR' ? text('management.organizations.nearLimits', { limits }) : undefined}>
      <StatusChip label={text(`management.organizations.statuses.${status}`)} {...STATUSES[status]} />
    </span>
  )
}
function useStatuses() {
  const text = useText()
  return OrganisationStatus.options.map((value) => ({
    value,
    label: text(`management.organizations.statuses.${value}`),
  }))
}

function useLevels() {
  const text = useText()
  return SUBSCRIPTION_LEVELS.map((value) => ({
    value,
    label: text(`management.organizations.levels.${value}`),
  }))
}

type OrganisationInputsProps = InputsOf<typeof managedOrganisationsApi>

function OrganisationInputs(props: OrganisationInputsProps) {
  const levels = useLevels()
  if (!props.record)
    return (
      <Suspense fallback={<Skeleton variant="rounded" height={480} />}>
        <NewOrganisationInputs {...props} levels={levels} />
      </Suspense>
    )
  const { TextInput, SelectInput } = props.inputs
  return (
    <>
      <TextInput source="contractNumber" label="management.organizations.fields.contractNumber" autoFocus />
      <SelectInput source="level" label="management.organizations.fields.level" choices={levels} required />
      <TextInput
        source="maxUser"
        label="management.organizations.fields.maxUsers"
        inputMode="numeric"
        required
      />
    </>
  )
}

/** The provider's organisations (administration §2.2). */
export const managedOrganisations = defineResource({
  title: 'management.organizations.title',
  api,
  columns: [
    {
      field: 'displayName',
      label: 'management.organizations.fields.name',
      flex: 2,
      minWidth: 180,
      text: nameOf,
    },
    {
      field: 'suspendedTimestamp',
      label: 'management.organizations.fields.status',
      width: 132,
      sortable: false,
      card: 'line',
      text: (row, text) => text(`management.organizations.statuses.${statusOf(row)}`),
      render: (row) => <Status record={row} />,
    },
    {
      field: 'enterpriseDomain',
      label: 'management.organizations.fields.domain',
      flex: 1,
      minWidth: 140,
      card: 'line',
      text: ({ enterprise }) => enterprise.enterpriseDomain ?? '',
    },
    {
      field: 'contactName',
      label: 'management.organizations.fields.contactName',
      flex: 1,
      minWidth: 140,
      yields: 1,
      card: 'line',
      text: contactName,
    },
    {
      field: 'contactEmail',
      label: 'management.organizations.fields.contactEmail',
      flex: 1,
      minWidth: 180,
      card: 'line',
      text: ({ adminUser }) => adminUser?.email ?? '',
    },
    {
      field: 'level',
      label: 'management.organizations.fields.level',
      width: 164,
      yields: 2,
      text: ({ subscription }, text) => text(`management.organizations.levels.${subscription.level}`),
    },
    {
      field: 'welcomePackageStatus',
      label: 'management.organizations.fields.welcomePackage',
      width: 160,
      sortable: false,
      card: 'corner',
      text: (row, text) => text(`management.welcome.states.${invitationOf(row)}`),
      render: (row) => <Invitation record={row} />,
    },
    {
      field: 'createTimestamp',
      label: 'management.organizations.fields.created',
      width: 172,
      yields: 3,
      text: ({ enterprise }) => enterprise.createTimestamp,
      render: ({ enterprise }) => <Time at={enterprise.createTimestamp} />,
    },
  ],
  sort: ['displayName', 'ASC'],
  search: 'management.organizations.search',
  faded: ({ suspendedTimestamp }) => suspendedTimestamp !== null,
  filters: [
    {
      field: 'status',
      label: 'management.organizations.fields.status',
      useChoices: useStatuses,
    },
    {
      field: 'invitation',
      label: 'management.organizations.fields.welcomePackage',
      useChoices: useInvitations,
    },
    {
      field: 'limit',
      label: 'management.organizations.fields.limits',
      useChoices: () => [{ value: 'NEAR', label: useText()('management.organizations.statuses.NEAR') }],
    },
  ],
  empty: 'management.organizations.empty',
  leadsTo: ({ id }) => `/management/incidents/${id}`,
  closesAfter: SECOND,
  above: () => (
    <Suspense>
      <Deletions />
    </Suspense>
  ),
  inputs: OrganisationInputs,
  create: {
    label: 'management.organizations.create',
    blank: {
      enterpriseName: '',
      enterpriseDomain: '',
      enterpriseCode: '',
      adminFirstName: '',
      adminLastName: '',
      adminEmail: '',
      subscriptionMaxUsers: 50,
      subscriptionLevel: '',
      streamApiKey: '',
      streamSecret: '',
      parentId: null,
    },
    done: 'management.organizations.created',
    after: CreatedDialog,
  },
  edit: {
    label: 'management.organizations.edit',
    values: ({ subscription: { contractNumber, level, maxUser } }) => ({
      contractNumber: contractNumber ?? '',
      level,
      maxUser,
    }),
    done: 'management.organizations.updated',
  },
  tools: [
    {
      call: 'addCredentials',
      label: 'management.organizations.addCredentials',
      icon: KeyRounded,
      show: CredentialsDialog,
    },
  ],
  actions: [
    {
      call: 'retryWelcomePackage',
      label: 'management.welcome.retryLong',
      icon: RestartAltRounded,
      when: ({ welcomePackageStatus }) => welcomePackageStatus === 'ERROR',
      show: WelcomeDialog,
    },
    {
      call: 'sendWelcomePackage',
      label: welcomeLabel,
      icon: ForwardToInboxRounded,
      blocked: welcomeBlocked,
      show: WelcomeDialog,
    },
    {
      call: 'get',
      label: 'management.organizations.open',
      icon: CrisisAlertRounded,
      to: ({ id }) => `/management/incidents/${id}`,
    },
    {
      call: 'get',
      label: 'management.organizations.manageUsers',
      icon: PeopleRounded,
      to: ({ id }) => `/management/users/${id}`,
    },
    {
      call: 'get',
      label: 'management.organizations.configure',
      icon: TuneRounded,
      to: ({ id }) => `/management/config/${id}`,
    },
    {
      call: 'suspend',
      label: 'management.organizations.suspend',
      icon: PauseCircleRounded,
      destructive: true,
      when: ({ suspendedTimestamp }) => suspendedTimestamp === null,
      confirm: {
        title: 'management.organizations.suspendTitle',
        text: 'management.organizations.suspendText',
      },
      done: 'management.organizations.suspended',
      undo: 'resume',
      failed: 'management.organizations.failed',
    },
    {
      call: 'resume',
      label: 'management.organizations.resume',
      icon: PlayCircleRounded,
      when: ({ suspendedTimestamp }) => suspendedTimestamp !== null,
      done: 'management.organizations.resumed',
      failed: 'management.organizations.failed',
    },
    {
      call: 'clear',
      label: 'management.organizations.clear',
      icon: CleaningServicesRounded,
      destructive: true,
      blocked: ({ enterprise }) =>
        canClear(enterprise, serverNow()) ? undefined : 'management.organizations.clearRefused',
      confirm: { title: 'management.organizations.clearTitle', text: 'management.organizations.clearText' },
      done: 'management.organizations.cleared',
      failed: 'management.organizations.failed',
    },
    {
      call: 'remove',
      label: 'management.organizations.remove',
      icon: DeleteForeverRounded,
      destructive: true,
      show: DeleteOrganisationDialog,
    },
  ],
})
