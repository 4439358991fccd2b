import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ListItemButton from '@mui/material/ListItemButton'
import { memo } from 'react'
import { createPath, Link } from 'react-router-dom'

import type { PlaybookSummary } from '#contract/playbooks/schema.ts'
import { useText } from '#src/kit/useText.ts'

import { usePlaybookAddress } from '../usePlaybookRoute.ts'
import { ReviewMark } from './ReviewMark.tsx'
import { isReviewDue } from './reviewValues.ts'

interface RowProps {
  playbook: PlaybookSummary
  isOpen: boolean
  /** Link target. */
  to: string
  /** Set where rows of several categories are mixed. */
  categoryName: string | undefined
}

const Row = memo(function Row({ playbook, isOpen, to, categoryName }: RowProps) {
  return (
    <ListItemButton
      component={Link}
      to={to}
      state={{ opensHere: true }}
      selected={isOpen}
      aria-current={isOpen ? 'page' : undefined}
      sx={{ display: 'block', minHeight: { xs: 44, md: 36 }, px: 1.25, py: 0.75 }}
    >
      <Box
        component="span"
        dir="auto"
        sx={{
          display: '-webkit-box',
          WebkitBoxOrient: 'vertical',
          WebkitLineClamp: 2,
          overflow: 'hidden',
          overflowWrap: 'anywhere',
          fontWeight: 600,
        }}
      >
        {playbook.name}
      </Box>
      {categoryName !== undefined && (
        <Box component="span" dir="auto" sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
          {categoryName}
        </Box>
      )}
      {isReviewDue(playbook) && (
        <Box component="span" sx={{ display: 'block', mt: 0.5 }}>
          <ReviewMark />
        </Box>
      )}
    </ListItemButton>
  )
})

interface Props {
  label: string
  rows: readonly PlaybookSummary[]
  openId: string | undefined
  categoryNameOf?: (playbook: PlaybookSummary) => string
  hasMore: boolean
  isLoadingMore: boolean
  onMore: () => void
}

/** Playbooks by name, with paging on demand. */
export function PlaybookRows({ label, rows, openId, categoryNameOf, hasMore, isLoadingMore, onMore }: Props) {
  const text = useText()
  const addressOf = usePlaybookAddress()
  return (
    <>
      <Box component="ul" aria-label={label} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {rows.map((playbook) => (
          <li key={playbook.id}>
            <Row
              playbook={playbook}
              isOpen={playbook.id === openId}
              to={createPath(addressOf(playbook.id))}
              categoryName={categoryNameOf?.(playbook)}
            />
          </li>
        ))}
      </Box>
      {hasMore && (
        <Button size="small" loading={isLoadingMore} onClick={onMore}>
          {text('playbooks.loadMore')}
        </Button>
      )}
    </>
  )
}
