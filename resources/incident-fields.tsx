import DeleteRounded from '@mui/icons-material/DeleteRounded'
import { useWatch } from 'react-hook-form'

import { fieldRecords } from '#contract/incident-fields/api.ts'
import { Choice, FIELD_TYPES } from '#contract/incident-fields/schema.ts'
import { incidentKinds, incidentKindWords } from '#providers/i18n/incident-kinds.ts'
import { ownTexts } from '#providers/i18n/own-texts.ts'
import { useDefinitions } from '#src/incidents/kinds/queries.ts'
import { SeveralInput } from '#src/incidents/kinds/SeveralInput.tsx'
import { defineResource } from '#src/kit/resource/defineResource.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'

const words = ownTexts(incidentKinds)
const TYPES = FIELD_TYPES.map((type) => ({ value: type, label: incidentKindWords.types[type] }))

function FieldInputs({
  inputs: { BooleanInput, ListInput, SelectInput, TextInput },
  record,
}: InputsOf<typeof fieldRecords>) {
  const type: unknown = useWatch({ name: 'type' })
  const kinds = useDefinitions().data?.kinds ?? []
  return (
    <>
      <TextInput source="label" label={words.label} required autoFocus={!record} />
      {/* The type of a field stays. */}
      {!record && <SelectInput source="type" label={words.type} choices={TYPES} required />}
      {type === 'CHOICE' && (
        <ListInput
          source="choices"
          label={words.choices}
          entryLabel={words.choice}
          entry={Choice}
          empty={words.noChoices}
        />
      )}
      {kinds.length > 0 && (
        <SeveralInput source="kindIds" label={words.askedFor} choices={kinds} none={incidentKinds.allKinds} />
      )}
      <TextInput source="position" label={words.position} inputMode="numeric" />
      <BooleanInput source="isRequired" label={words.required} help={words.requiredHelp} />
      <BooleanInput source="isRetired" label={words.retired} help={words.retiredHelp} />
    </>
  )
}

/** Fields of incidents that the organisation defines (decision 121). */
export const fields = defineResource({
  title: words.fieldsTitle,
  api: fieldRecords,
  columns: [
    { field: 'label', label: words.label, flex: 1, minWidth: 160 },
    {
      field: 'type',
      label: words.type,
      width: 112,
      sortable: false,
      card: 'line',
      text: ({ type }) => incidentKindWords.types[type],
    },
    {
      field: 'isRequired',
      label: words.required,
      width: 112,
      sortable: false,
      card: 'line',
      text: ({ isRequired }, text) => (isRequired ? text(words.required) : ''),
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
    { field: 'usedCount', label: words.used, kind: 'number', width: 112, sortable: false, card: 'line' },
  ],
  sort: ['position', 'ASC'],
  faded: ({ isRetired }) => isRetired,
  search: words.searchFields,
  empty: words.emptyFields,
  failed: words.failed,
  inputs: FieldInputs,
  create: {
    label: words.createField,
    blank: {
      label: '',
      type: 'TEXT',
      choices: [],
      isRequired: false,
      position: 100,
      kindIds: [],
      isRetired: false,
    },
    done: words.fieldSaved,
  },
  edit: {
    label: words.editField,
    values: ({ id: _id, usedCount: _used, updateTimestamp: _at, ...values }) => values,
    done: words.fieldSaved,
  },
  actions: [
    {
      call: 'remove',
      label: words.remove,
      icon: DeleteRounded,
      destructive: true,
      confirm: { title: words.removeFieldTitle, text: words.removeFieldText },
      done: words.removed,
      failed: words.failed,
    },
  ],
})
