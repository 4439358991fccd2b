import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import CleaningServicesRounded from '@mui/icons-material/CleaningServicesRounded'
import AutoDeleteRounded from '@mui/icons-material/AutoDeleteRounded'
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
import LinearProgress from '@mui/material/LinearProgress'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocaleState, useNotify } from 'react-admin'
import { Suspense, useEffect, useRef } from 'react'

import { managedOrganisationsApi } from '#contract/managed-organisations/api.ts'
import { canClear } from '#contract/managed-organisations/rules.ts'
import {
  type Deletion,
  type ManagedOrganisation,
  OrganisationStatus,
} from '#contract/managed-organisations/schema.ts'
import { SUBSCRIPTION_LEVELS } from '#contract/organisations/schema.ts'
import { managementWelcomeApi } from '#contract/welcome/api.ts'
import { invitationState } from '#contract/welcome/rules.ts'
import { InvitationState } from '#contract/welcome/schema.ts'
import { call } from '#providers/api.ts'
import { messageOf } from '#providers/problem.ts'
import { serverNow } from '#providers/serverClock.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'
import { MINUTE, SECOND } from '#src/kit/time/clock.ts'
import { shortTime } from '#src/kit/time/formats.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

const ParentInput = lazy(async () => ({
  default: (await import('#src/managed-organisations/ParentInput.tsx')).ParentInput,
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

const statusOf = ({ suspendedTimestamp }: ManagedOrganisation) =>
  suspendedTimestamp === null ? 'ACTIVE' : 'SUSPENDED'
const STATUSES = {
  ACTIVE: { icon: CheckCircleRounded },
  SUSPENDED: { icon: BlockRounded, tone: 'warning' },
} as const
function Status({ record }: { record: ManagedOrganisation }) {
  const text = useText()
  const status = statusOf(record)
  return <StatusChip label={text(`management.organizations.statuses.${status}`)} {...STATUSES[status]} />
}
function useStatuses() {
  const text = useText()
  return OrganisationStatus.options.map((value) => ({
    value,
    label: text(`management.organizations.statuses.${value}`),
  }))
}

const POOL_QUERY = {
  queryKey: ['management/organizations', 'credentials'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(managedOrganisationsApi.credentials, { signal }),
} as const

function useLevels() {
  const text = useText()
  return SUBSCRIPTION_LEVELS.map((value) => ({
    value,
    label: text(`management.organizations.levels.${value}`),
  }))
}

type OrganisationInputsProps = InputsOf<typeof managedOrganisationsApi>

function NewOrganisationInputs({ inputs: { TextInput, SelectInput } }: OrganisationInputsProps) {
  const text = useText()
  const pool = useQuery(POOL_QUERY).data?.available ?? 0
  const chat = pool > 0 && {
    disabled: true,
    renderNote: () => text('management.organizations.fromPool', { smart_count: pool }),
  }
  return (
    <>
      <TextInput source="enterpriseName" label="management.organizations.fields.name" required autoFocus />
      <TextInput source="enterpriseDomain" label="management.organizations.fields.domain" required />
      <TextInput source="adminFirstName" label="management.organizations.fields.adminFirstName" required />
      <TextInput source="adminLastName" label="management.organizations.fields.adminLastName" required />
      <TextInput
        source="adminEmail"
        label="management.organizations.fields.adminEmail"
        type="email"
        required
      />
      <SelectInput
        source="subscriptionLevel"
        label="management.organizations.fields.level"
        choices={useLevels()}
        required
      />
      <TextInput
        source="subscriptionMaxUsers"
        label="management.organizations.fields.maxUsers"
        inputMode="numeric"
        required
      />
      <Suspense fallback={<Skeleton variant="rounded" height={40} />}>
        <ParentInput source="parentId" />
      </Suspense>
      <TextInput
        source="streamApiKey"
        label="management.organizations.fields.streamApiKey"
        help="management.organizations.builtInChat"
        {...chat}
      />
      <TextInput
        source="streamSecret"
        label="management.organizations.fields.streamSecret"
        type="password"
        autoComplete="new-password"
        {...chat}
      />
    </>
  )
}

function OrganisationInputs(props: OrganisationInputsProps) {
  const levels = useLevels()
  if (!props.record) return <NewOrganisationInputs {...props} />
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

/** Progress or failure of an organisation's removal. */
function Removal({ deletion: { id, displayName: name, progress, failure } }: { deletion: Deletion }) {
  const text = useText()
  const can = useCan()
  const queryClient = useQueryClient()
  const retry = useMutation({
    mutationFn: () => call(managedOrganisationsApi.retryDeletion, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: DELETIONS }),
  })
  return (
    <Alert
      severity={failure === null ? 'info' : 'error'}
      icon={false}
      sx={{ '& .MuiAlert-message': { flex: 1 } }}
      action={
        failure !== null &&
        can(managedOrganisationsApi.retryDeletion.access) && (
          <Button
            color="inherit"
            size="small"
            disabled={retry.isPending}
            aria-label={text('management.organizations.retryDeletionOf', { name })}
            onClick={() => retry.mutate()}
          >
            {text('management.organizations.retryDeletion')}
          </Button>
        )
      }
    >
      {failure === null
        ? text('management.organizations.deleting', { name, progress })
        : text('management.organizations.deletionFailed', { name, progress, failure })}
      <LinearProgress
        variant="determinate"
        color={failure === null ? 'primary' : 'error'}
        value={progress}
        aria-label={name}
        sx={{ mt: 1 }}
      />
    </Alert>
  )
}

/** A deleted organisation that can be restored. */
function Grace({ deletion: { id, displayName: name, removalTimestamp } }: { deletion: Deletion }) {
  const text = useText()
  const [locale] = useLocaleState()
  const notify = useNotify()
  const can = useCan()
  const queryClient = useQueryClient()
  const undo = useMutation({
    mutationFn: () => call(managedOrganisationsApi.undoDeletion, { params: { id } }),
    onSuccess: () => notify(text('management.organizations.undone', { name }), { type: 'success' }),
    onError: (error) => notify(messageOf(error, text('management.organizations.failed')), { type: 'error' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['management/organizations'] }),
  })
  const date = shortTime(locale, Date.parse(removalTimestamp))
  return (
    <Alert
      severity="warning"
      icon={<AutoDeleteRounded />}
      action={
        can(managedOrganisationsApi.undoDeletion.access) && (
          <Button
            color="inherit"
            size="small"
            disabled={undo.isPending}
            aria-label={text('management.organizations.undoOf', { name })}
            onClick={() => undo.mutate()}
          >
            {text('management.organizations.undo')}
          </Button>
        )
      }
    >
      {text('management.organizations.willBeDeleted', { name, date })}
    </Alert>
  )
}

const DELETIONS = ['management/organizations', 'deletions'] as const
/** Short while a removal is running. */
const pollDeletions = (deletions: readonly Deletion[] = []) =>
  deletions.length > 0 && (deletions.some(({ state }) => state !== 'WAITING') ? 2 * SECOND : MINUTE)

/** Deleted organisations: the time left to restore each, or the progress of its removal. */
function Deletions() {
  const queryClient = useQueryClient()
  const { data = [] } = useQuery({
    queryKey: DELETIONS,
    queryFn: ({ signal }) => call(managedOrganisationsApi.deletions, { signal }),
    refetchInterval: ({ state }) => pollDeletions(state.data),
  })
  const running = useRef(0)
  useEffect(() => {
    if (data.length < running.current)
      void queryClient.invalidateQueries({ queryKey: ['management/organizations', 'getList'] })
    running.current = data.length
  }, [data.length, queryClient])
  return data.map((deletion) =>
    deletion.state === 'WAITING' ? (
      <Grace key={deletion.id} deletion={deletion} />
    ) : (
      <Removal key={deletion.id} deletion={deletion} />
    ),
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
  ],
  empty: 'management.organizations.empty',
  leadsTo: ({ id }) => `/management/incidents/${id}`,
  closesAfter: SECOND,
  above: Deletions,
  inputs: OrganisationInputs,
  create: {
    label: 'management.organizations.create',
    blank: {
      enterpriseName: '',
      enterpriseDomain: '',
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
