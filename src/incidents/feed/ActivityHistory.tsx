import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useLocaleState } from 'react-admin'
import { useState } from 'react'

import {
  ACTIVITY_FIELD_WORDS,
  type HistoryEntry,
  type Priority,
  type TaskStatus,
} from '#contract/incidents/schema.ts'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { exactTime } from '#src/kit/time/formats.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'
import { usePeople } from '#providers/people.ts'

import { useDuration } from '#src/playbooks/useDuration.ts'
import { useActivityHistory } from '../queries.ts'

/** Entries shown at first and added by "more" (operations §4). */
const STEP = 6
const ROWS = 4
/** Characters above which values stand below the sentence. */
const INLINE = 50
type Field = keyof typeof ACTIVITY_FIELD_WORDS
const isKnown = (name: string): name is Field => Object.hasOwn(ACTIVITY_FIELD_WORDS, name)

/** Formats the old and new values of history entries. */
function useWords() {
  const text = useText()
  const { ofMinutes } = useDuration()
  const { nameOf } = usePeople()
  const [locale] = useLocaleState()
  const words = (field: string, value: string | null): string => {
    if (value === null || value === '') return ''
    if (field === 'status') return text(`incidents.statuses.${value as TaskStatus}`)
    if (field === 'priority') return text(`incidents.priorities.${value as Priority}`)
    if (field === 'progress') return `${value}%`
    if (field === 'assignedTo') return nameOf(value)
    if (field === 'dueTimestamp') return exactTime(locale, Date.parse(value))
    if (field === 'expectedTimeToComplete') return ofMinutes(Number(value))
    return value
  }
  return { words, nameOf }
}

function Value({ name, value }: { name: string; value: string }) {
  return (
    <Box
      sx={{
        mt: 0.5,
        pl: 1.5,
        borderInlineStart: '3px solid',
        borderColor: 'divider',
        color: 'text.secondary',
      }}
    >
      <Box component="span" sx={{ fontSize: '0.75rem' }}>
        {name}
      </Box>
      <PlainText text={value} rows={ROWS} />
    </Box>
  )
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const text = useText()
  const { words, nameOf } = useWords()
  const { fieldName, createdBy, isDelete } = entry
  const from = words(fieldName, entry.oldValue)
  const to = words(fieldName, entry.newValue)
  const field = isKnown(fieldName) ? text(`incidents.fieldNames.${fieldName}`) : fieldName
  const free = ['title', 'description', 'idealTitleToExecute', 'attachedFileIds'].includes(fieldName)
  const quoted = (value: string) => (free ? text('incidents.quoted', { value }) : value)
  const long = free && [from, to].some((value) => value.length >= INLINE || value.includes('\n'))
  const who = nameOf(createdBy)
  const manner = isDelete ? 'deleted' : from === '' ? 'set' : to === '' ? 'cleared' : 'changed'
  const about = { who, field, from: quoted(from), to: quoted(to) }
  const sentence =
    fieldName === 'formatting'
      ? text('incidents.historyFormatting', { who })
      : fieldName === 'assignedTo' && !isDelete
        ? text(`incidents.historyAssigned.${manner === 'deleted' ? 'changed' : manner}`, about)
        : long
          ? text(`incidents.historyLong.${manner}`, about)
          : text(`incidents.history.said.${manner}`, about)
  return (
    <Box component="li" sx={{ py: 1, '& + &': { borderTop: 1, borderColor: 'divider' } }}>
      <Box component="span" dir="auto" sx={{ overflowWrap: 'anywhere' }}>
        {sentence}
      </Box>{' '}
      <Box component="span" sx={{ color: 'text.secondary', fontSize: '0.75rem', whiteSpace: 'nowrap' }}>
        <Time clock at={entry.createTimestamp} />
      </Box>
      {long && from !== '' && <Value name={text('incidents.historyFrom')} value={from} />}
      {long && to !== '' && <Value name={text('incidents.historyTo')} value={to} />}
    </Box>
  )
}

/** Changes of a task or an update: author, field, old and new value. */
export function ActivityHistory({ incidentId, id }: { incidentId: string; id: string }) {
  const text = useText()
  const [shown, setShown] = useState(STEP)
  const { data, error, refetch } = useActivityHistory(incidentId, id)
  return (
    <Box
      component="section"
      aria-label={text('incidents.historyTitle')}
      sx={{ px: 1.5, py: 0.5, borderRadius: 1, bgcolor: 'background.default' }}
    >
      {!data && !error && (
        <Box component="output" aria-label={text('kit.loading')}>
          <Skeleton height={36} />
          <Skeleton height={36} />
        </Box>
      )}
      {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <Typography color="textSecondary" sx={{ py: 1 }}>
          {text('incidents.historyEmpty')}
        </Typography>
      )}
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {data?.slice(0, shown).map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </Box>
      {data && shown < data.length && (
        <Button size="small" onClick={() => setShown(shown + STEP)} sx={{ mb: 0.5, ml: -0.5 }}>
          {text('richText.showMore')}
        </Button>
      )}
    </Box>
  )
}
