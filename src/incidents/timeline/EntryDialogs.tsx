import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useLocaleState } from 'react-admin'
import { type FormEvent, useId } from 'react'

import type { EntryChange, TimelineEntry } from '#contract/incident-timeline/schema.ts'
import { timeline as words } from '#providers/i18n/timeline.ts'
import { usePeople } from '#providers/people.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { SubmitButton } from '#src/kit/form/SubmitButton.tsx'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { exactTime } from '#src/kit/time/formats.ts'
import { localTime, momentOf } from '#src/kit/time/localTime.ts'
import { Time } from '#src/kit/time/Time.tsx'

import { EntryFields } from './EntryFields.tsx'
import { useEntryActs, useEntryHistory } from './queries.ts'
import { useEntryForm } from './useEntryForm.ts'

interface Props {
  entry: TimelineEntry
  onClose: () => void
}

/** Changes text and time of an entry. */
export function EditEntry({ entry, onClose }: Props) {
  const formId = useId()
  const { change } = useEntryActs(entry.incidentId)
  const when = localTime(entry.happenedTimestamp)
  const form = useEntryForm({ text: entry.text, when }, async (values) => {
    // The field holds minutes; a time that was not touched keeps its seconds.
    const happenedTimestamp = (values.when === when ? null : momentOf(values.when)) ?? entry.happenedTimestamp
    await change.mutateAsync({ id: entry.id, text: values.text, happenedTimestamp, version: entry.version })
    onClose()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.submit()
  }
  return (
    <DialogFrame
      title={words.editTitle}
      maxWidth="sm"
      onClose={onClose}
      actions={
        <>
          <CancelButton onClick={onClose} disabled={form.busy} />
          <SubmitButton form={formId} label={words.save} busyLabel={words.saving} busy={form.busy} />
        </>
      }
    >
      <Box component="form" id={formId} noValidate onSubmit={submit} sx={{ display: 'grid', gap: 2, pt: 1 }}>
        <EntryFields form={form} autoFocus />
      </Box>
    </DialogFrame>
  )
}

/** Removes an entry, which stays as a struck one. */
export function RemoveEntry({ entry, onClose }: Props) {
  const { remove } = useEntryActs(entry.incidentId)
  return (
    <ConfirmDialog
      open
      destructive
      title={words.removeTitle}
      text={words.removeText}
      submitLabel={words.remove}
      onSubmit={() => remove.mutateAsync(entry.id)}
      onClose={onClose}
    >
      <Box sx={{ mt: 1.5, fontWeight: 600 }}>
        <PlainText text={entry.text} rows={3} />
      </Box>
    </ConfirmDialog>
  )
}

function Change({ change }: { change: EntryChange }) {
  const { nameOf } = usePeople()
  const [locale] = useLocaleState()
  return (
    <Box component="li" sx={{ py: 1, borderTop: 1, borderColor: 'divider', overflowWrap: 'anywhere' }}>
      <Box sx={{ color: 'text.secondary' }}>
        <bdi>{nameOf(change.author)}</bdi> {words.verbs[change.verb] ?? change.verb},{' '}
        <Time at={change.timestamp} absolute />
      </Box>
      {change.textBefore !== null && (
        <Box sx={{ mt: 0.5 }}>
          {words.was}: <PlainText text={change.textBefore} rows={4} />
        </Box>
      )}
      {change.happenedBefore !== null && (
        <Box sx={{ mt: 0.5 }}>
          {words.happenedAt}: {exactTime(locale, Date.parse(change.happenedBefore))}
        </Box>
      )}
    </Box>
  )
}

/** The former states of an entry. */
export function EntryHistory({ entry, onClose }: Props) {
  const query = useEntryHistory(entry.incidentId, entry.id)
  return (
    <DialogFrame
      title={words.historyTitle}
      maxWidth="sm"
      isText
      onClose={onClose}
      actions={<Button onClick={onClose}>{words.close}</Button>}
    >
      {query.data === undefined ? (
        <Awaiting queries={[query]} />
      ) : query.data.length === 0 ? (
        words.noHistory
      ) : (
        <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {query.data.map((change) => (
            <Change key={change.id} change={change} />
          ))}
        </Box>
      )}
    </DialogFrame>
  )
}
