import DeleteRounded from '@mui/icons-material/DeleteRounded'

import { roleRecords } from '#contract/incident-roles/api.ts'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'

const RoleInputs = ({ inputs: { TextInput, BooleanInput } }: InputsOf<typeof roleRecords>) => (
  <>
    <TextInput source="name" label="channels.name" required autoFocus />
    <TextInput source="description" label="channels.description" />
    <TextInput source="position" label="incidentRoles.position" inputMode="numeric" />
    <BooleanInput source="isRetired" label="incidentRoles.retired" />
  </>
)

/** Roles of incidents (decision 114). */
export const roles = defineResource({
  title: 'incidentRoles.title',
  api: roleRecords,
  columns: [
    { field: 'name', label: 'channels.name', flex: 1, minWidth: 160 },
    {
      field: 'description',
      label: 'channels.description',
      flex: 2,
      minWidth: 200,
      sortable: false,
      card: 'line',
    },
    { field: 'position', label: 'incidentRoles.position', kind: 'number', width: 96 },
    {
      field: 'isRetired',
      label: 'incidentRoles.retired',
      width: 112,
      sortable: false,
      card: 'line',
      text: ({ isRetired }, text) => (isRetired ? text('incidentRoles.retired') : ''),
    },
    {
      field: 'heldCount',
      label: 'incidentRoles.held',
      kind: 'number',
      width: 152,
      sortable: false,
      card: 'line',
    },
  ],
  sort: ['position', 'ASC'],
  faded: ({ isRetired }) => isRetired,
  search: 'incidentRoles.filter',
  empty: 'incidentRoles.empty',
  failed: 'apiKeys.failed',
  inputs: RoleInputs,
  create: {
    label: 'incidentRoles.create',
    blank: { name: '', description: null, position: 100, isRetired: false },
    done: 'incidentRoles.saved',
  },
  edit: {
    label: 'incidentRoles.edit',
    values: ({ name, description, position, isRetired, version }) => ({
      name,
      description,
      position,
      isRetired,
      version,
    }),
    done: 'incidentRoles.saved',
  },
  actions: [
    {
      call: 'remove',
      label: 'groups.remove',
      icon: DeleteRounded,
      destructive: true,
      confirm: { title: 'incidentRoles.removeTitle', text: 'incidentRoles.removeText' },
      done: 'groups.removed',
      failed: 'apiKeys.failed',
    },
  ],
})
