import Box from '@mui/material/Box'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { memo } from 'react'

import { MEDIUM_TEXT_MAX } from '#contract/kit/text.ts'
import { MomentField } from '#src/kit/form/MomentField.tsx'
import { useText } from '#src/kit/useText.ts'
import { PersonPicker } from '#src/users/PersonPicker.tsx'
import { useCategories } from '../useCategories.ts'

import type { EditorErrors, EditorFields } from './editorValues.ts'

interface Props {
  fields: EditorFields
  errors: EditorErrors['fields']
  onChange: (changes: Partial<EditorFields>) => void
  autoFocus: boolean
}

/** Category, owner and review date. */
function Keeping({ fields, errors, onChange }: Omit<Props, 'autoFocus'>) {
  const text = useText()
  const { data: categories = [] } = useCategories()
  const { categoryId, owner, reviewDate } = fields
  // The field stays empty instead of invalid while the categories load.
  const known = categoryId === null || categories.some(({ id }) => id === categoryId)
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        alignItems: 'start',
        gridTemplateColumns: 'repeat(auto-fill, minmax(min(220px, 100%), 1fr))',
      }}
    >
      <TextField
        select
        label={text('playbooks.category')}
        value={known ? (categoryId ?? 'none') : ''}
        onChange={({ target }) => onChange({ categoryId: target.value === 'none' ? null : target.value })}
        error={errors.categoryId !== undefined}
        helperText={errors.categoryId}
      >
        {categories.map(({ id, name }) => (
          <MenuItem key={id} value={id}>
            {name}
          </MenuItem>
        ))}
        <MenuItem value="none">{text('playbooks.uncategorized')}</MenuItem>
      </TextField>
      <PersonPicker
        label={text('playbooks.owner')}
        value={owner}
        onChange={(email) => onChange({ owner: email })}
        nobody={text('playbooks.nobody')}
        clearLabel={text('playbooks.clearOwner')}
        error={errors.owner}
      />
      <MomentField
        isDay
        label={text('playbooks.reviewDate')}
        value={reviewDate ?? ''}
        onChange={(date) => onChange({ reviewDate: date || null })}
        problem={errors.reviewDate}
        help={text('playbooks.reviewHelp')}
      />
    </Box>
  )
}

/** The playbook's own fields, without headings and tasks. */
export const MainFields = memo(function MainFields({ fields, errors, onChange, autoFocus }: Props) {
  const text = useText()
  const { name: nameError, description: briefError } = errors
  const length = fields.description.length
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <TextField
        label={text('playbooks.name')}
        value={fields.name}
        onChange={({ target }) => onChange({ name: target.value })}
        required
        autoFocus={autoFocus}
        error={nameError !== undefined}
        helperText={nameError}
        slotProps={{ htmlInput: { dir: 'auto', autoComplete: 'off' } }}
      />
      <TextField
        label={text('playbooks.brief')}
        value={fields.description}
        onChange={({ target }) => onChange({ description: target.value })}
        multiline
        minRows={2}
        maxRows={10}
        error={briefError !== undefined || length > MEDIUM_TEXT_MAX}
        helperText={
          <Box component="span" sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
            <span>{briefError ?? text('playbooks.briefHelp')}</span>
            <Box component="span" sx={{ flex: 'none' }}>
              {text('playbooks.characters', { count: length, max: MEDIUM_TEXT_MAX })}
            </Box>
          </Box>
        }
        slotProps={{ htmlInput: { dir: 'auto' } }}
      />
      <Keeping fields={fields} errors={errors} onChange={onChange} />
    </Box>
  )
})
