import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { Link as RouterLink } from 'react-router-dom'

import { followUps as words } from '#providers/i18n/follow-ups.ts'
import { useSession } from '#providers/session.ts'
import { Card } from '#src/kit/layout/Card.tsx'

import { FollowUpRow } from './FollowUpRow.tsx'
import { useNearest } from './queries.ts'

/** Follow-ups that are named; the rest is counted. */
const NAMED = 3

/** The visitor's nearest follow-ups; nothing without any, and for external people, who have none. */
export function MyFollowUps({ heading }: { heading: 'h2' | 'h3' }) {
  const { user } = useSession()
  return user?.type === 'EXTERNAL' ? null : (
    <Nearest heading={heading} isAdministrator={user?.role === 'ADMIN'} />
  )
}

/** Administrators also see the number of follow-ups that nobody has. */
function Nearest({ heading, isAdministrator }: { heading: 'h2' | 'h3'; isAdministrator: boolean }) {
  const { data } = useNearest(NAMED)
  // Without an answer, the rest of the page stays useful.
  if (!data) return null
  const unowned = isAdministrator ? data.counts.NOBODY : 0
  if (data.total + unowned === 0) return null
  const more = data.total - data.data.length
  return (
    <Card heading={heading} title={data.total === 0 ? words.title : words.mine}>
      {data.total > 0 && (
        <Box component="ol" aria-label={words.mine} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {data.data.map((one) => (
            <FollowUpRow key={one.id} followUp={one} />
          ))}
        </Box>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, rowGap: 1, mt: 1 }}>
        {data.total > 0 && (
          <Link component={RouterLink} to="/follow-ups">
            {more > 0 ? words.moreMine(more) : words.all}
          </Link>
        )}
        {unowned > 0 && (
          <Link component={RouterLink} to="/follow-ups?list=NOBODY">
            {words.unowned(unowned)}
          </Link>
        )}
      </Box>
    </Card>
  )
}
