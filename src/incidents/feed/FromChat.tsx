import Link from '@mui/material/Link'
import { Link as RouterLink } from 'react-router-dom'

import type { Activity } from '#contract/incidents/schema.ts'
import { useText } from '#src/kit/useText.ts'

/** Links an activity to its chat message. */
export function FromChat({ message }: Pick<Activity, 'message'>) {
  const text = useText()
  if (!message) return null
  return (
    <>
      {' · '}
      <Link component={RouterLink} to={`/chat/${message.roomId}?message=${message.id}`}>
        {text('chatActivities.fromChat')}
      </Link>
    </>
  )
}
