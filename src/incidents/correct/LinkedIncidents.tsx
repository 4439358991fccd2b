import Alert from '@mui/material/Alert'
import Link from '@mui/material/Link'
import { Fragment } from 'react'
import { Link as RouterLink } from 'react-router-dom'

import type { Incident, LinkedIncident } from '#contract/incidents/schema.ts'
import { corrections as words } from '#providers/i18n/corrections.ts'

const To = ({ incident: { id, number, title } }: { incident: LinkedIncident }) => (
  <Link component={RouterLink} to={`/incidents/${id}`} dir="auto" sx={{ overflowWrap: 'anywhere' }}>
    {number} {title}
  </Link>
)

/** The incident that this one was merged into, and its own duplicates. */
export function LinkedIncidents({ incident: { mergedInto, duplicates } }: { incident: Incident }) {
  return (
    <>
      {mergedInto && (
        <Alert severity="info">
          {words.mergedInto} <To incident={mergedInto} />
        </Alert>
      )}
      {duplicates.length > 0 && (
        <Alert severity="info">
          {words.duplicates}{' '}
          {duplicates.map((one, n) => (
            <Fragment key={one.id}>
              {n > 0 && ', '}
              <To incident={one} />
            </Fragment>
          ))}
        </Alert>
      )}
    </>
  )
}
