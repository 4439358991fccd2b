import PersonRemoveRounded from '@mui/icons-material/PersonRemoveRounded'

import { staffApi } from '#contract/staff/api.ts'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'

export const staffResourceApi = { list: staffApi.list, create: staffApi.invite, remove: staffApi.remove }

const StaffInputs = ({ inputs: { TextInput } }: InputsOf<typeof staffResourceApi>) => (
  <TextInput source="email" label="management.staff.email" type="email" required autoFocus />
)

/** Who may sign in to the console: those whom the settings name, and those whom staff invited. */
export const staff = defineResource({
  title: 'management.sections.staff',
  api: staffResourceApi,
  paginationMode: 'client',
  columns: [
    { field: 'email', label: 'management.staff.email', flex: 2, minWidth: 200 },
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
    blank: { email: '' },
    done: 'management.staff.invited',
  },
  actions: [
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
