import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'

import { wholeName } from '#contract/kit/files.ts'
import { useAttachments } from '#src/attachments/useAttachments.ts'
import { useText } from '#src/kit/useText.ts'

import type { FieldsProps } from './editorValues.ts'

/** Chooses the playbook's files for a task. */
export function TaskFiles({ item, errors, onChange, playbookId }: FieldsProps & { playbookId: string }) {
  const text = useText()
  const { data: files } = useAttachments({ parentType: 'PLAYBOOK', parentId: playbookId })
  const chosen = files?.filter(({ id }) => item.attachedFileIds.includes(id)) ?? []
  return (
    <Autocomplete
      multiple
      size="small"
      options={files ?? []}
      value={chosen}
      onChange={(_, next) => onChange({ attachedFileIds: next.map(({ id }) => id) })}
      getOptionLabel={wholeName}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(a, b) => a.id === b.id}
      filterSelectedOptions
      disableCloseOnSelect
      noOptionsText={text('playbooks.noFiles')}
      openText={text('people.openList')}
      closeText={text('people.closeList')}
      renderInput={(params) => (
        <TextField
          {...params}
          label={text('playbooks.files')}
          error={errors.attachedFileIds !== undefined}
          helperText={errors.attachedFileIds}
        />
      )}
    />
  )
}
