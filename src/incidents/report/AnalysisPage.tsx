import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Skeleton from '@mui/material/Skeleton'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { useNotify } from 'react-admin'
import { useState } from 'react'
import { Link, Navigate, useNavigate } from 'react-router-dom'

import { incidentCan } from '#contract/incidents/rules.ts'
import { type Incident, saysSomething } from '#contract/incidents/schema.ts'
import { LONG_TEXT_MAX, tooLong } from '#contract/kit/text.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { trimmed, wordsOf } from '#src/kit/rich-text/prose.ts'
import { RichText } from '#src/kit/rich-text/RichText.tsx'
import { useTyped } from '#src/kit/form/useDraft.ts'
import { useText } from '#src/kit/useText.ts'

import { ExerciseFrame } from '../page/ExerciseFrame.tsx'
import { IncidentTitle } from '../page/IncidentTitle.tsx'
import { OneIncident } from '../page/OneIncident.tsx'
import { useIncident, useSaveAnalysis } from '../queries.ts'
import { type Stale, StaleNotice } from '../feed/StaleNotice.tsx'

const MIN_HEIGHT = 275
const MAX_HEIGHT = 400

function AnalysisForm({ incident }: { incident: Incident }) {
  const text = useText()
  const notify = useNotify()
  const navigate = useNavigate()
  const { refetch, isFetching } = useIncident(incident.id)
  const save = useSaveAnalysis(incident.id)
  const [base, setBase] = useState(incident)
  const saved = base.postmortemDetails ?? ''
  const [html, setHtml] = useState(saved)
  const [stale, setStale] = useState<Stale | null>(null)
  const heading = text(`incidents.analysis.${incident.isTabletop ? 'exercise' : 'incident'}`)
  const home = `/incidents/${incident.id}`
  const written = trimmed(html)
  const error = written.length > LONG_TEXT_MAX ? tooLong(LONG_TEXT_MAX) : undefined
  const isTyped = saysSomething(html) && written !== trimmed(saved)
  const { guard, letGo } = useLeaveGuard(isTyped)
  useTyped('analysis', {
    value: { html, saved, version: base.version },
    isTyped,
    restore: (draft) => {
      setHtml(draft.html)
      // The restored draft keeps its base version, so that others' changes since then are reported as a conflict.
      setBase({ ...incident, postmortemDetails: draft.saved, version: draft.version })
    },
  })

  const submit = async () => {
    if (error) return
    try {
      await save.mutateAsync({ postmortemDetails: written, version: base.version })
      letGo()
      void navigate(home, { replace: true })
    } catch (problem) {
      if (problem instanceof HttpProblem && problem.body.code === 'stale')
        setStale({ message: problem.message, theirs: null })
      else notify(text('kit.wentWrong'), { type: 'error' })
    }
  }
  const reload = async () => {
    const { data, error: failed } = await refetch()
    if (!data) return notify(messageOf(failed, text('kit.wentWrong')), { type: 'error' })
    const theirs = data.postmortemDetails ?? ''
    setStale(
      (known) =>
        known && {
          ...known,
          theirs: theirs === saved ? [] : [{ label: heading, value: wordsOf(theirs) }],
        },
    )
    setBase(data)
  }
  return (
    <ExerciseFrame exercise={incident.isTabletop}>
      <IncidentTitle incident={incident} />
      <Box sx={{ display: 'grid', gap: 2, maxWidth: 840, mx: 'auto' }}>
        <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 2 }}>
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <Typography variant="h1" component="h2">
              {heading}
            </Typography>
            <Typography color="textSecondary" dir="auto" sx={{ overflowWrap: 'anywhere' }}>
              {incident.title}
            </Typography>
          </Box>
          <Tooltip title={text('kit.close')}>
            <IconButton component={Link} to={home} aria-label={text('kit.close')}>
              <CloseRounded />
            </IconButton>
          </Tooltip>
        </Box>
        <RichText
          label={text('incidents.analysisLabel')}
          value={html}
          onChange={setHtml}
          error={error}
          maxLength={LONG_TEXT_MAX}
          minHeight={MIN_HEIGHT}
          maxHeight={MAX_HEIGHT}
          autoFocus
        />
        {stale && <StaleNotice stale={stale} onReload={() => void reload()} busy={isFetching} />}
        <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 1 }}>
          <Button component={Link} to={home} color="inherit">
            {text('kit.cancel')}
          </Button>
          <Button
            variant="contained"
            disabled={save.isPending || error !== undefined || !saysSomething(html)}
            onClick={() => void submit()}
          >
            {text(save.isPending ? 'incidents.saving' : 'kit.submit')}
          </Button>
        </Box>
      </Box>
      {guard}
    </ExerciseFrame>
  )
}

/** Writes the analysis of a resolved incident (operations §2). */
export function AnalysisPage() {
  const text = useText()
  return (
    <OneIncident
      loading={
        <ExerciseFrame exercise={false}>
          <PageTitle title={text('incidents.incident')} />
          <Skeleton variant="rounded" height={MIN_HEIGHT + 41} sx={{ maxWidth: 840, mx: 'auto' }} />
        </ExerciseFrame>
      }
    >
      {(incident) =>
        incidentCan.analyse(incident) ? (
          <AnalysisForm key={incident.id} incident={incident} />
        ) : (
          <Navigate to={`/incidents/${incident.id}`} replace />
        )
      }
    </OneIncident>
  )
}
