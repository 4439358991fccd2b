import ChecklistRounded from '@mui/icons-material/ChecklistRounded'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { Link as RouterLink } from 'react-router-dom'

import type { ChatMessage } from '#providers/chat/timeline.ts'
import { useText } from '#src/kit/useText.ts'

/** The part of the incident's page that shows what was made. */
const VIEWS: { readonly [type: string]: string } = { ENTRY: '?view=timeline', DECISION: '?view=decisions' }

/** Parts of incidents made from the message; the server sends external people only those of incidents that they may read. */
export function MessageActivities({ message: { activities } }: { message: ChatMessage }) {
  const text = useText()
  if (!activities) return null
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, fontSize: '0.8125rem' }}>
      {activities.map(({ id, incidentId, type }) => (
        <Link
          key={id}
          component={RouterLink}
          to={`/incidents/${incidentId}${VIEWS[type] ?? ''}`}
          sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, minHeight: 28 }}
        >
          <ChecklistRounded sx={{ fontSize: 16 }} />
          {text(`chatActivities.made.${type}`)}
        </Link>
      ))}
    </Box>
  )
}
