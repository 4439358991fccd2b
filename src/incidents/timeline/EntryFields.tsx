import Alert from '@mui/material/Alert'
import TextField from '@mui/material/TextField'
import type { KeyboardEvent } from 'react'

import { ENTRY_MAX } from '#contract/incident-timeline/schema.ts'
import { timeline as words } from '#providers/i18n/timeline.ts'
import { WhenField } from './WhenField.tsx'
import type { useEntryForm } from './useEntryForm.ts'

interface Props {
  form: ReturnType<typeof useEntryForm>
  /** False shows the text alone. */
  isOpen?: boolean
  onFocus?: () => void
  autoFocus?: boolean
}

/** Text and time of an entry. Ctrl and Enter save. */
export function EntryFields({ form, isOpen = true, onFocus, autoFocus = false }: Props) {
  const { values, change, problems, submit } = form
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    submit()
  }
  return (
    <>
      <TextField
        fullWidth
        multiline
        minRows={isOpen ? 2 : 1}
        maxRows={10}
        autoFocus={autoFocus}
        label={words.what}
        value={values.text}
        error={problems.text !== undefined}
        helperText={problems.text}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
        onChange={({ target }) => change({ text: target.value })}
        slotProps={{ htmlInput: { maxLength: ENTRY_MAX, dir: 'auto' } }}
      />
      {isOpen && (
        <WhenField
          label={words.when}
          value={values.when}
          onChange={(when) => change({ when })}
          problem={problems.happenedTimestamp}
        />
      )}
      {problems.form !== undefined && <Alert severity="error">{problems.form}</Alert>}
    </>
  )
}
