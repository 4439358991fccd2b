import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import PersonRemoveRounded from '@mui/icons-material/PersonRemoveRounded'
import PhonelinkEraseRounded from '@mui/icons-material/PhonelinkEraseRounded'
import RemoveRounded from '@mui/icons-material/RemoveRounded'

import { STAFF_ROLES } from '#contract/kit/access.ts'
import { staffApi } from '#contract/staff/api.ts'
import type { StaffMember } from '#contract/staff/schema.ts'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'
import { useText } from '#src/kit/useText.ts'

export const staffResourceApi = {
  list: staffApi.list,
  create: staffApi.invite,
  update: staffApi.update,
  resetAuthenticator: staffApi.resetAuthenticator,
  remove: staffApi.remove,
}

function StaffInputs({ inputs: { SelectInput, TextInput }, record }: InputsOf<typeof staffResourceApi>) {
  const text = useText()
  const roles = STAFF_ROLES.map((value) => ({
    value,
    label: text(`management.staff.roles.${value}`),
    description: text(`management.staff.roleTexts.${value}`),
  }))
  return (
    <>
      {!record && <TextInput source="email" label="management.staff.email" type="email" required autoFocus />}
      <SelectInput source="role" label="management.staff.role" choices={roles} required />
    </>
  )
}

const authenticatorOf = ({ hasAuthenticator }: StaffMember) =>
  hasAuthenticator ? 'management.staff.enrolled' : 'management.staff.notEnrolled'
function Authenticator({ member }: { member: StaffMember }) {
  const text = useText()
  return (
    <StatusChip
      label={text(authenticatorOf(member))}
      {...(member.hasAuthenticator ? { icon: CheckCircleRounded, tone: 'success' } : { icon: RemoveRounded })}
    />
  )
}

/** Staff with access to the console: named in the settings, or invited. */
export const staff = defineResource({
  title: 'management.sections.staff',
  api: staffResourceApi,
  columns: [
    { field: 'email', label: 'management.staff.email', flex: 2, minWidth: 200 },
    {
      field: 'role',
      label: 'management.staff.role',
      width: 128,
      card: 'line',
      text: ({ role }, text) => text(`management.staff.roles.${role}`),
    },
    {
      field: 'hasAuthenticator',
      label: 'management.staff.authenticator',
      width: 160,
      card: 'line',
      text: (member, text) => text(authenticatorOf(member)),
      render: (member) => <Authenticator member={member} />,
    },
    {
      field: 'invitedBy',
      label: 'management.staff.invitedBy',
      flex: 2,
      minWidth: 160,
      card: 'line',
      text: ({ invitedBy }, text) => invitedBy ?? text('management.staff.bySettings'),
    },
    {
      field: 'createTimestamp',
      label: 'management.staff.since',
      kind: 'time',
      width: 172,
      yields: 2,
      card: 'line',
    },
    {
      field: 'lastSignInTimestamp',
      label: 'management.staff.lastSignIn',
      kind: 'time',
      width: 172,
      yields: 1,
      card: 'line',
    },
  ],
  sort: ['email', 'ASC'],
  search: 'management.staff.search',
  empty: 'management.staff.empty',
  inputs: StaffInputs,
  create: {
    label: 'management.staff.invite',
    blank: { email: '', role: 'LOOK' },
    done: 'management.staff.invited',
  },
  edit: {
    label: 'management.staff.edit',
    values: ({ role }) => ({ role }),
    when: ({ invitedBy }) => invitedBy !== null,
    done: 'management.staff.updated',
  },
  actions: [
    {
      call: 'resetAuthenticator',
      label: 'management.staff.reset',
      icon: PhonelinkEraseRounded,
      destructive: true,
      when: ({ hasAuthenticator }) => hasAuthenticator,
      confirm: { title: 'management.staff.resetTitle', text: 'management.staff.resetText' },
      done: 'management.staff.resetDone',
      failed: 'management.staff.notReset',
    },
    {
      call: 'remove',
      label: 'management.staff.remove',
      icon: PersonRemoveRounded,
      destructive: true,
      when: ({ invitedBy }) => invitedBy !== null,
      confirm: { title: 'management.staff.removeTitle', text: 'management.staff.removeText' },
      done: 'management.staff.removed',
      failed: 'management.staff.notRemoved',
    },
  ],
})
