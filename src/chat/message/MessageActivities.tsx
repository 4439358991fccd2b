import ChecklistRounded from '@mui/icons-material/ChecklistRounded'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { Link as RouterLink } from 'react-router-dom'

import type { ChatMessage } from '#providers/chat/timeline.ts'
import { useText } from '#src/kit/useText.ts'

/** Tasks and updates made from the message; the server sends external people only those of incidents that they may read. */
export function MessageActivities({ message: { activities } }: { message: ChatMessage }) {
  const text = useText()
  if (!activities) return null
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, fontSize: '0.8125rem' }}>
      {activities.map(({ id, incidentId, type }) => (
        <Link
          key={id}
          component={RouterLink}
          to={`/incidents/${incidentId}`}
          sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, minHeight: 28 }}
        >
          <ChecklistRounded sx={{ fontSize: 16 }} />
          {text(type === 'TASK' ? 'chatActivities.madeTask' : 'chatActivities.madeUpdate')}
        </Link>
      ))}
    </Box>
  )
}
