import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useNotify } from 'react-admin'
import { type FormEvent, useState } from 'react'

import { timeline as words } from '#providers/i18n/timeline.ts'
import { momentOf } from '#src/kit/time/localTime.ts'
import { useText } from '#src/kit/useText.ts'

import { EntryFields } from './EntryFields.tsx'
import { useEntryActs } from './queries.ts'
import { useEntryForm } from './useEntryForm.ts'

const EMPTY = { text: '', when: '' }

/** Writes an entry by hand; unfolds at the first touch. */
export function EntryComposer({ incidentId }: { incidentId: string }) {
  const text = useText()
  const notify = useNotify()
  const { add } = useEntryActs(incidentId)
  const [isOpen, setOpen] = useState(false)
  const form = useEntryForm(EMPTY, async (values) => {
    await add.mutateAsync({ text: values.text, happenedTimestamp: momentOf(values.when) })
    setOpen(false)
    notify(words.added, { type: 'success' })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.submit()
  }
  return (
    <Box
      component="form"
      noValidate
      aria-label={words.add}
      onSubmit={submit}
      sx={{ display: 'grid', gap: 2, pt: 0.5 }}
    >
      <EntryFields form={form} isOpen={isOpen} onFocus={() => setOpen(true)} />
      {isOpen && (
        <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 1 }}>
          <Button
            color="inherit"
            disabled={form.busy}
            onClick={() => {
              form.reset()
              setOpen(false)
            }}
            sx={{ minHeight: { xs: 44, sm: 36 } }}
          >
            {text('kit.cancel')}
          </Button>
          <Button
            type="submit"
            variant="contained"
            loading={form.busy}
            sx={{ minHeight: { xs: 44, sm: 36 } }}
          >
            {words.add}
          </Button>
        </Box>
      )}
    </Box>
  )
}
