import AddRounded from '@mui/icons-material/AddRounded'
import EditNoteRounded from '@mui/icons-material/EditNoteRounded'
import HourglassTopRounded from '@mui/icons-material/HourglassTopRounded'
import SummarizeRounded from '@mui/icons-material/SummarizeRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { useNotify } from 'react-admin'
import { Link } from 'react-router-dom'

import { incidentRolesAccess } from '#contract/incident-roles/access.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { massNotificationsAccess } from '#contract/mass-notifications/access.ts'
import type { SituationReport } from '#contract/situation-reports/schema.ts'
import { situationReports as words } from '#providers/i18n/situation-reports.ts'
import { usePeople } from '#providers/people.ts'
import { messageOf } from '#providers/problem.ts'
import { useCan } from '#providers/useCan.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { RichTextView } from '#src/kit/rich-text/RichTextView.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { Card } from '#src/kit/layout/Card.tsx'
import { DraftEditor } from './DraftEditor.tsx'
import { StakeholderPages } from './StakeholderPages.tsx'
import { WaitingReport } from './WaitingReport.tsx'
import { useReportActs, useReports } from './queries.ts'

/** Height in pixels above which an earlier report folds. */
const FOLD_AT = 160

/** The line below the title of a report: when, by whom, and what it corrects. */
function Byline({ report }: { report: SituationReport }) {
  const { nameOf } = usePeople()
  const { publishedTimestamp, publishedBy, approvedBy, correctsNumber, updatedBy, updateTimestamp } = report
  const parts =
    publishedTimestamp === null
      ? [words.savedBy(nameOf(updatedBy))]
      : [
          words.by(nameOf(publishedBy ?? '')),
          ...(approvedBy === null ? [] : [words.approvedBy(nameOf(approvedBy))]),
        ]
  return (
    <Typography variant="body2" color="textSecondary" sx={{ mb: 1.5, overflowWrap: 'anywhere' }}>
      <Time at={publishedTimestamp ?? updateTimestamp} /> · {parts.join(' · ')}
      {correctsNumber !== null && ` · ${words.corrects(correctsNumber)}`}
    </Typography>
  )
}

interface Published {
  report: SituationReport
  incident: Incident
  isNewest: boolean
  /** Begins a correction; undefined where the viewer may not, or another report is written. */
  onCorrect: (() => void) | undefined
}
function PublishedReport({ report, incident, isNewest, onCorrect }: Published) {
  const can = useCan()
  const canSend = incident.isActive && can(massNotificationsAccess)
  return (
    <Card heading="h3" title={words.number(report.number ?? 0)}>
      <Byline report={report} />
      <RichTextView html={report.content} {...(!isNewest && { foldAt: FOLD_AT })} />
      {(onCorrect || canSend) && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: 1, mt: 1.5 }}>
          {onCorrect && (
            <Button size="small" color="inherit" onClick={onCorrect}>
              {words.correct}
            </Button>
          )}
          {canSend && (
            <Button
              size="small"
              component={Link}
              to={`/mass-notifications/send?about=${incident.id}&report=${report.id}`}
            >
              {words.send}
            </Button>
          )}
        </Box>
      )}
    </Card>
  )
}

function Unpublished({ report, canWrite }: { report: SituationReport; canWrite: boolean }) {
  const isDraft = report.state === 'DRAFT'
  return (
    <Card
      heading="h3"
      title={words.label}
      side={
        <StatusChip
          label={isDraft ? words.draft : words.waiting}
          icon={isDraft ? EditNoteRounded : HourglassTopRounded}
          tone={isDraft ? 'neutral' : 'warning'}
        />
      }
    >
      <Byline report={report} />
      {isDraft && canWrite ? (
        <DraftEditor key={report.id} report={report} />
      ) : isDraft ? (
        <RichTextView html={report.content} />
      ) : (
        <WaitingReport report={report} canWrite={canWrite} />
      )}
    </Card>
  )
}

/** The situation reports of an incident: the one that is written first, then the newest. */
export function SituationReportsView({ incident }: { incident: Incident }) {
  const text = useText()
  const notify = useNotify()
  const can = useCan()
  const query = useReports(incident.id)
  const { begin } = useReportActs(incident.id)
  const [busy, setBusy] = useState(false)
  const canWrite = can(incidentRolesAccess.write)
  const { data, error, refetch } = query
  if (!data)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton variant="rounded" height={320} />
    )
  const reports = data.pages.flatMap((page) => page.data)
  const unpublished = reports.find(({ state }) => state !== 'PUBLISHED')
  const published = reports.filter(({ state }) => state === 'PUBLISHED')
  const start = async (corrects: string | null) => {
    setBusy(true)
    try {
      await begin(corrects)
      window.scrollTo({ top: 0 })
    } catch (problem) {
      notify(messageOf(problem, text('kit.wentWrong')), { type: 'error' })
      await refetch()
    } finally {
      setBusy(false)
    }
  }
  const write = canWrite && !unpublished && (
    <Button
      variant="contained"
      startIcon={<AddRounded />}
      disabled={busy}
      onClick={() => void start(null)}
      sx={{ justifySelf: reports.length === 0 ? 'center' : 'start', minHeight: { xs: 44, sm: 36 } }}
    >
      {busy ? words.writing : words.write}
    </Button>
  )
  return (
    <Box component="section" aria-label={words.title} sx={{ display: 'grid', gap: 2 }}>
      {reports.length === 0 ? (
        <EmptyState icon={<SummarizeRounded />} text={words.empty} action={write} />
      ) : (
        write
      )}
      {unpublished && <Unpublished report={unpublished} canWrite={canWrite} />}
      {published.map((report, n) => (
        <PublishedReport
          key={report.id}
          report={report}
          incident={incident}
          isNewest={n === 0}
          onCorrect={canWrite && !unpublished && !busy ? () => void start(report.id) : undefined}
        />
      ))}
      {query.hasNextPage && (
        <Button
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
          sx={{ justifySelf: 'center' }}
        >
          {words.more}
        </Button>
      )}
      <StakeholderPages incidentId={incident.id} canMake={canWrite} />
    </Box>
  )
}
