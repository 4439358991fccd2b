import EditNoteRounded from '@mui/icons-material/EditNoteRounded'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router-dom'

import { incidentsApi } from '#contract/incidents/api.ts'
import { incidentCan } from '#contract/incidents/rules.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { useCan } from '#providers/useCan.ts'
import { RichTextView } from '#src/kit/rich-text/RichTextView.tsx'
import { useText } from '#src/kit/useText.ts'

import { Card } from '#src/kit/layout/Card.tsx'

/** Height in pixels above which a text folds, so that the next one stays in reach. */
const FOLD_AT = 480

/** The analysis of a resolved incident, or a link to write it. */
export function Analysis({ incident }: { incident: Incident }) {
  const text = useText()
  const can = useCan()
  const mayWrite = can(incidentsApi.replace.access) && incidentCan.analyse(incident)
  const { id, isTabletop, postmortemDetails } = incident
  if (!incidentCan.analyse(incident) || (!postmortemDetails && !mayWrite)) return null
  const kind = isTabletop ? 'exercise' : 'incident'
  return (
    <Card
      heading="h3"
      title={text(`incidents.analysis.${kind}`)}
      side={
        mayWrite && (
          <Button
            component={Link}
            to={`/incidents/${id}/post-incident-analysis`}
            variant={postmortemDetails ? 'text' : 'contained'}
            startIcon={<EditNoteRounded />}
          >
            {text(`incidents.${postmortemDetails ? 'editAnalysis' : 'addAnalysis'}.${kind}`)}
          </Button>
        )
      }
    >
      {postmortemDetails ? (
        <RichTextView html={postmortemDetails} foldAt={FOLD_AT} />
      ) : (
        <Typography color="textSecondary">{text('incidents.analysisEmpty')}</Typography>
      )}
    </Card>
  )
}
