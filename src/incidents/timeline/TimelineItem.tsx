import AlarmRounded from '@mui/icons-material/AlarmRounded'
import AssignmentIndRounded from '@mui/icons-material/AssignmentIndRounded'
import AssignmentTurnedInRounded from '@mui/icons-material/AssignmentTurnedInRounded'
import AttachFileRounded from '@mui/icons-material/AttachFileRounded'
import CallRounded from '@mui/icons-material/CallRounded'
import CampaignRounded from '@mui/icons-material/CampaignRounded'
import ChatBubbleOutlineRounded from '@mui/icons-material/ChatBubbleOutlineRounded'
import ChecklistRounded from '@mui/icons-material/ChecklistRounded'
import DescriptionRounded from '@mui/icons-material/DescriptionRounded'
import EditNoteRounded from '@mui/icons-material/EditNoteRounded'
import GavelRounded from '@mui/icons-material/GavelRounded'
import HowToRegRounded from '@mui/icons-material/HowToRegRounded'
import MenuBookRounded from '@mui/icons-material/MenuBookRounded'
import QuestionAnswerRounded from '@mui/icons-material/QuestionAnswerRounded'
import WarningAmberRounded from '@mui/icons-material/WarningAmberRounded'
import Box from '@mui/material/Box'
import type { SvgIconProps } from '@mui/material/SvgIcon'
import { useLocaleState } from 'react-admin'
import { type ComponentType, memo } from 'react'

import type { TimelineKind, TimelineLine, TimelineRow } from '#contract/incident-timeline/schema.ts'
import { timeline as words } from '#providers/i18n/timeline.ts'
import { usePeople } from '#providers/people.ts'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { clockTime, exactTime, shortDay } from '#src/kit/time/formats.ts'
import { Time } from '#src/kit/time/Time.tsx'

import { FromChat } from '../feed/FromChat.tsx'
import { EntryMenu } from './EntryMenu.tsx'

export const KIND_ICONS: { readonly [K in TimelineKind]: ComponentType<SvgIconProps> } = {
  INCIDENT: WarningAmberRounded,
  ROLE: AssignmentIndRounded,
  DECISION: GavelRounded,
  TASK: ChecklistRounded,
  UPDATE: ChatBubbleOutlineRounded,
  ENTRY: EditNoteRounded,
  CHECK_IN: HowToRegRounded,
  ANSWER: QuestionAnswerRounded,
  NOTIFICATION: CampaignRounded,
  CALL: CallRounded,
  FILE: AttachFileRounded,
  PLAYBOOK: MenuBookRounded,
  REPORT: DescriptionRounded,
  FOLLOW_UP: AssignmentTurnedInRounded,
  DUTY: AlarmRounded,
}
/** Lines of one text before it is folded. */
const ROWS = 6
/** Details shown of a row of several acts; the rest unfolds. */
const DETAILS = 4

const isSameDay = (a: string, b: string) => new Date(a).toDateString() === new Date(b).toDateString()

function Details({ lines, moreCount }: { lines: readonly TimelineLine[]; moreCount: number }) {
  const detail = ({ text, tone }: TimelineLine, n: number) => (
    <Box
      // oxlint-disable-next-line react/no-array-index-key -- lines of a row may be equal, and never move
      key={n}
      sx={{ color: tone === 'muted' ? 'text.secondary' : 'text.primary', mt: 0.25 }}
    >
      <PlainText text={text} rows={ROWS} />
    </Box>
  )
  const folded = lines.slice(DETAILS)
  return (
    <>
      {lines.slice(0, DETAILS).map(detail)}
      {folded.length > 0 && (
        <details>
          <Box component="summary" sx={{ cursor: 'pointer', py: 0.5, color: 'primary.main' }}>
            {words.moreLines(folded.length + moreCount)}
          </Box>
          {folded.map(detail)}
          {moreCount > 0 && <Box sx={{ color: 'text.secondary' }}>{words.moreLines(moreCount)}</Box>}
        </details>
      )}
    </>
  )
}

/** Time and author of the record, where they differ from the act. */
function Source({ row }: { row: TimelineRow }) {
  const [locale] = useLocaleState()
  const { recordedTimestamp: recorded, happenedTimestamp, author, entry } = row
  const { nameOf } = usePeople()
  const recordedAt = (at: string) => {
    const day = isSameDay(at, happenedTimestamp)
      ? ''
      : `${shortDay(locale, Date.parse(at), Date.parse(happenedTimestamp))}, `
    return `${day}${clockTime(locale, Date.parse(at))}`
  }
  const isChanged = entry !== null && entry.version > 1 && entry.removedTimestamp === null
  return (
    <Box
      sx={{ mt: 0.25, fontSize: '0.8125rem', color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}
    >
      {recorded !== null && (
        <>
          {words.recorded} <time dateTime={recorded}>{recordedAt(recorded)}</time> {words.by}{' '}
        </>
      )}
      <bdi>{author}</bdi>
      {isChanged && (
        <>
          {' · '}
          {words.changed} <Time at={entry.updateTimestamp} />
        </>
      )}
      {entry && <FromChat message={entry.message} />}
      {entry?.removedTimestamp && (
        <Box>
          {words.removedBy(nameOf(entry.removedBy!))}, <Time at={entry.removedTimestamp} absolute />
        </Box>
      )}
    </Box>
  )
}

/** A row of a timeline. */
export const TimelineItem = memo(function TimelineItem({ row }: { row: TimelineRow }) {
  const [locale] = useLocaleState()
  const { kind, happenedTimestamp, entry } = row
  const Icon = KIND_ICONS[kind]
  const at = Date.parse(happenedTimestamp)
  const isRemoved = entry?.removedTimestamp != null
  const [first, ...details] = row.lines
  // The page says itself who removed an entry.
  const shown = isRemoved ? [] : details
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '60px 20px minmax(0, 1fr) auto', sm: '68px 20px minmax(0, 1fr) auto' },
        columnGap: { xs: 1, sm: 1.5 },
        py: 1,
        overflowWrap: 'anywhere',
        // Skips layout and paint of rows out of sight.
        contentVisibility: 'auto',
        containIntrinsicSize: 'auto 64px',
      }}
    >
      <Box
        component="time"
        dateTime={happenedTimestamp}
        title={exactTime(locale, at)}
        sx={{
          fontVariantNumeric: 'tabular-nums',
          fontSize: '0.8125rem',
          lineHeight: '20px',
          whiteSpace: 'nowrap',
          color: 'text.secondary',
          textAlign: 'end',
        }}
      >
        {clockTime(locale, at)}
      </Box>
      <Icon
        titleAccess={words.kind[kind]}
        sx={{ fontSize: 20, color: kind === 'INCIDENT' ? 'text.primary' : 'text.secondary' }}
      />
      <Box sx={{ minWidth: 0 }}>
        <Box
          sx={{
            fontWeight: first?.tone === 'strong' ? 600 : 400,
            ...(isRemoved && { textDecoration: 'line-through', color: 'text.secondary' }),
          }}
        >
          <PlainText text={first?.text ?? ''} rows={ROWS} />
        </Box>
        <Details lines={shown} moreCount={row.moreCount} />
        <Source row={row} />
      </Box>
      {entry ? <EntryMenu entry={entry} /> : <span />}
    </Box>
  )
})
