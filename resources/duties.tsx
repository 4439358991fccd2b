import DeleteRounded from '@mui/icons-material/DeleteRounded'

import { dutyRecords } from '#contract/duties/api.ts'
import { dutyList } from '#providers/i18n/duty-list.ts'
import { ownTexts } from '#providers/i18n/own-texts.ts'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'

const words = ownTexts(dutyList)

const DutyInputs = ({ inputs: { TextInput } }: InputsOf<typeof dutyRecords>) => (
  <>
    <TextInput source="name" label="channels.name" required autoFocus />
    <TextInput source="hours" label={words.hours} inputMode="numeric" required />
    <TextInput source="filedTo" label={words.filedTo} />
    <TextInput source="hint" label={words.hint} />
  </>
)

/** The organisation's list of what is filed within hours of an incident (decision 123). */
export const duties = defineResource({
  title: words.title,
  api: dutyRecords,
  columns: [
    { field: 'name', label: 'channels.name', flex: 1, minWidth: 160 },
    { field: 'hours', label: words.hours, kind: 'number', width: 96 },
    { field: 'filedTo', label: words.filedTo, flex: 1, minWidth: 180, sortable: false, card: 'line' },
    { field: 'hint', label: words.hint, flex: 2, minWidth: 200, sortable: false, card: 'line' },
  ],
  sort: ['hours', 'ASC'],
  search: words.filter,
  empty: words.empty,
  failed: 'apiKeys.failed',
  inputs: DutyInputs,
  create: {
    label: words.create,
    blank: { name: '', hours: '', filedTo: null, hint: null },
    done: words.saved,
  },
  edit: {
    label: words.edit,
    values: ({ name, hours, filedTo, hint, version }) => ({ name, hours, filedTo, hint, version }),
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
