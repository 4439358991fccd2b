import Box from '@mui/material/Box'
import { useState } from 'react'

import type { ItemEvent } from '#contract/files/schema.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { PageTurner } from './PageTurner.tsx'
import { useEventPage } from './queries.ts'

const small = { fontSize: '0.8125rem', color: 'text.secondary' } as const

/** One event; of a visitor by a link also the address and the program. */
function EventRow({ event: { at, actorName, what, address, userAgent } }: { event: ItemEvent }) {
  return (
    <Box component="li" sx={{ py: 0.75, overflowWrap: 'anywhere' }}>
      {what}
      <Box sx={small}>
        <bdi>{actorName}</bdi> · <Time at={at} />
      </Box>
      {address && (
        <Box sx={small}>
          <bdi>{address}</bdi>
          {userAgent && (
            <>
              {' · '}
              <bdi>{userAgent}</bdi>
            </>
          )}
        </Box>
      )}
    </Box>
  )
}

/** Views, downloads and changes of a file or folder. */
export function HistoryList({ itemId }: { itemId: number }) {
  const text = useText()
  const [page, setPage] = useState(1)
  const query = useEventPage(itemId, page)
  if (!query.data) return <Awaiting queries={[query]} height={80} />
  if (query.data.total === 0)
    return <Box sx={{ color: 'text.secondary' }}>{text('fileDetails.noHistory')}</Box>
  return (
    <>
      <Box component="ul" aria-label={text('fileDetails.history')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {query.data.items.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </Box>
      <PageTurner page={page} total={query.data.total} onTurn={setPage} />
    </>
  )
}
