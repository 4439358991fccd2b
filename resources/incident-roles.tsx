import DeleteRounded from '@mui/icons-material/DeleteRounded'

import { roleRecords } from '#contract/incident-roles/api.ts'
import { incidentRoles } from '#providers/i18n/incident-roles.ts'
import { ownTexts } from '#providers/i18n/own-texts.ts'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'

const words = ownTexts(incidentRoles)

const RoleInputs = ({ inputs: { TextInput, BooleanInput } }: InputsOf<typeof roleRecords>) => (
  <>
    <TextInput source="name" label="channels.name" required autoFocus />
    <TextInput source="description" label="channels.description" />
    <TextInput source="position" label={words.position} inputMode="numeric" />
    <BooleanInput source="isRetired" label={words.retired} />
  </>
)

/** Roles of incidents (decision 114). */
export const roles = defineResource({
  title: words.title,
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
    { field: 'position', label: words.position, kind: 'number', width: 96 },
    {
      field: 'isRetired',
      label: words.retired,
      width: 112,
      sortable: false,
      card: 'line',
      text: ({ isRetired }, text) => (isRetired ? text(words.retired) : ''),
    },
    {
      field: 'heldCount',
      label: words.held,
      kind: 'number',
      width: 152,
      sortable: false,
      card: 'line',
    },
  ],
  sort: ['position', 'ASC'],
  faded: ({ isRetired }) => isRetired,
  search: words.filter,
  empty: words.empty,
  failed: 'apiKeys.failed',
  inputs: RoleInputs,
  create: {
    label: words.create,
    blank: { name: '', description: null, position: 100, isRetired: false },
    done: words.saved,
  },
  edit: {
    label: words.edit,
    values: ({ name, description, position, isRetired, version }) => ({
      name,
      description,
      position,
      isRetired,
      version,
    }),
    done: words.saved,
  },
  actions: [
    {
      call: 'remove',
      label: 'groups.remove',
      icon: DeleteRounded,
      destructive: true,
      confirm: { title: words.removeTitle, text: words.removeText },
      done: 'groups.removed',
      failed: 'apiKeys.failed',
    },
  ],
})
