import Box from '@mui/material/Box'
import { useState } from 'react'

import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { PageTurner } from './PageTurner.tsx'
import { useEventPage } from './queries.ts'

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
        {query.data.items.map(({ id, at, actorName, what }) => (
          <Box component="li" key={id} sx={{ py: 0.75, overflowWrap: 'anywhere' }}>
            {what}
            <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
              <bdi>{actorName}</bdi> · <Time at={at} />
            </Box>
          </Box>
        ))}
      </Box>
      <PageTurner page={page} total={query.data.total} onTurn={setPage} />
    </>
  )
}
