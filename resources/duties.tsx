import DeleteRounded from '@mui/icons-material/DeleteRounded'

import { dutyRecords } from '#contract/duties/api.ts'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'

const DutyInputs = ({ inputs: { TextInput } }: InputsOf<typeof dutyRecords>) => (
  <>
    <TextInput source="name" label="channels.name" required autoFocus />
    <TextInput source="hours" label="dutyList.hours" inputMode="numeric" required />
    <TextInput source="filedTo" label="dutyList.filedTo" />
    <TextInput source="hint" label="dutyList.hint" />
  </>
)

/** What the organisation has to file within hours of an incident (decision 123). */
export const duties = defineResource({
  title: 'dutyList.title',
  api: dutyRecords,
  columns: [
    { field: 'name', label: 'channels.name', flex: 1, minWidth: 160 },
    { field: 'hours', label: 'dutyList.hours', kind: 'number', width: 96 },
    { field: 'filedTo', label: 'dutyList.filedTo', flex: 1, minWidth: 180, sortable: false, card: 'line' },
    { field: 'hint', label: 'dutyList.hint', flex: 2, minWidth: 200, sortable: false, card: 'line' },
  ],
  sort: ['hours', 'ASC'],
  search: 'dutyList.filter',
  empty: 'dutyList.empty',
  failed: 'apiKeys.failed',
  inputs: DutyInputs,
  create: {
    label: 'dutyList.create',
    blank: { name: '', hours: '', filedTo: null, hint: null },
    done: 'dutyList.saved',
  },
  edit: {
    label: 'dutyList.edit',
    values: ({ name, hours, filedTo, hint, version }) => ({ name, hours, filedTo, hint, version }),
    done: 'dutyList.saved',
  },
  actions: [
    {
      call: 'remove',
      label: 'groups.remove',
      icon: DeleteRounded,
      destructive: true,
      confirm: { title: 'dutyList.removeTitle', text: 'dutyList.removeText' },
      done: 'groups.removed',
      failed: 'apiKeys.failed',
    },
  ],
})
