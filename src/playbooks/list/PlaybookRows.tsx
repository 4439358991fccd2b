import FiberNewRounded from '@mui/icons-material/FiberNewRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ListItemButton from '@mui/material/ListItemButton'
import { memo, useEffect, useRef } from 'react'
import { createPath, Link } from 'react-router-dom'

import type { PlaybookSummary } from '#contract/playbooks/schema.ts'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { usePlaybookAddress } from '../usePlaybookRoute.ts'
import { DraftMark } from './DraftMark.tsx'
import { ReviewMark } from './ReviewMark.tsx'
import { isReviewDue } from './reviewValues.ts'

interface RowProps {
  playbook: PlaybookSummary
  isOpen: boolean
  /** Link target. */
  to: string
  /** Set where rows of several categories are mixed. */
  categoryName: string | undefined
  showsUse: boolean
  /** True for a playbook of the last import. */
  isMarked: boolean
  /** True for the row that is scrolled to. */
  isFirst: boolean
}

const Row = memo(function Row(props: RowProps) {
  const { playbook, isOpen, to, categoryName, showsUse, isMarked, isFirst } = props
  const text = useText()
  const row = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isFirst) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isFirst])
  return (
    <ListItemButton
      ref={row}
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
      {showsUse && (
        <Box component="span" sx={{ display: 'block', fontSize: '0.8125rem', color: 'text.secondary' }}>
          {playbook.lastUsedTimestamp === null ? (
            text('playbooks.neverUsed')
          ) : (
            <>
              {text('playbooks.lastUsedAt')} <Time at={playbook.lastUsedTimestamp} />
            </>
          )}
        </Box>
      )}
      {(isMarked || isReviewDue(playbook) || playbook.draft) && (
        <Box component="span" sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5, mt: 0.5 }}>
          {isMarked && (
            <StatusChip icon={FiberNewRounded} label={text('playbooks.imported')} tone="success" />
          )}
          {isReviewDue(playbook) && <ReviewMark />}
          {playbook.draft && <DraftMark state={playbook.draft.state} />}
        </Box>
      )}
    </ListItemButton>
  )
})

const NONE: ReadonlySet<string> = new Set()

interface Props {
  label: string
  rows: readonly PlaybookSummary[]
  openId: string | undefined
  /** Ids of the last import, of which the first is scrolled to. */
  marked?: ReadonlySet<string>
  categoryNameOf?: (playbook: PlaybookSummary) => string
  /** Shows when each was last used. */
  showsUse?: boolean
  hasMore: boolean
  isLoadingMore: boolean
  onMore: () => void
}

/** Playbooks by name, with paging on demand. */
export function PlaybookRows(props: Props) {
  const { label, rows, openId, marked = NONE, categoryNameOf, showsUse = false } = props
  const { hasMore, isLoadingMore, onMore } = props
  const text = useText()
  const addressOf = usePlaybookAddress()
  const first = rows.find(({ id }) => marked.has(id))?.id
  return (
    <>
      <Box component="ul" aria-label={label} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {rows.map((playbook) => (
          <li key={playbook.id}>
            <Row
              playbook={playbook}
              isOpen={playbook.id === openId}
              isMarked={marked.has(playbook.id)}
              isFirst={playbook.id === first}
              to={createPath(addressOf(playbook.id))}
              categoryName={categoryNameOf?.(playbook)}
              showsUse={showsUse}
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
