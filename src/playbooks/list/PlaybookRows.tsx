import FiberNewRounded from '@mui/icons-material/FiberNewRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ListItemButton from '@mui/material/ListItemButton'
import { memo, useEffect, useId, useRef } from 'react'
import { createPath, Link } from 'react-router-dom'

import type { PlaybookSummary } from '#contract/playbooks/schema.ts'
import { StatusChip } from '#src/kit/layout/StatusChip.tsx'
import { useText } from '#src/kit/useText.ts'

import { usePlaybookAddress } from '../usePlaybookRoute.ts'
import { DraftMark } from './DraftMark.tsx'
import { PlaybookFigures } from './PlaybookFigures.tsx'
import { ReviewMark } from './ReviewMark.tsx'
import { isReviewDue } from './reviewValues.ts'

interface RowProps {
  playbook: PlaybookSummary
  isOpen: boolean
  /** Link target. */
  to: string
  /** Set where rows of several categories are mixed. */
  categoryName: string | undefined
  /** True for a playbook of the last import. */
  isMarked: boolean
  /** True for the row that is scrolled to. */
  isFirst: boolean
}

const Row = memo(function Row(props: RowProps) {
  const { playbook, isOpen, to, categoryName, isMarked, isFirst } = props
  const text = useText()
  const id = useId()
  const row = useRef<HTMLAnchorElement>(null)
  const isSought = isFirst || isOpen
  useEffect(() => {
    if (isSought) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isSought])
  return (
    <ListItemButton
      ref={row}
      component={Link}
      to={to}
      state={{ opensHere: true }}
      selected={isOpen}
      aria-current={isOpen ? 'page' : undefined}
      aria-describedby={`${id}-figures`}
      sx={{
        display: 'block',
        minHeight: { xs: 44, md: 36 },
        px: 1.25,
        py: 0.75,
        ...(isOpen && { boxShadow: (theme) => `inset 3px 0 0 ${theme.vars.palette.primary.main}` }),
      }}
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
      {/* The link's name is short; screen readers read the figures as its description. */}
      <Box component="span" id={`${id}-figures`} aria-hidden sx={{ display: 'block' }}>
        <PlaybookFigures playbook={playbook} />
      </Box>
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
  hasMore: boolean
  isLoadingMore: boolean
  onMore: () => void
  /** The open playbook, shown at the end while no requested page has it. */
  opened?: PlaybookSummary | undefined
}

/** Playbooks by name, with paging on demand. */
export function PlaybookRows(props: Props) {
  const { label, rows, openId, marked = NONE, categoryNameOf } = props
  const { hasMore, isLoadingMore, onMore, opened } = props
  const text = useText()
  const addressOf = usePlaybookAddress()
  const first = rows.find(({ id }) => marked.has(id))?.id
  const isMissing = opened !== undefined && !rows.some(({ id }) => id === opened.id)
  return (
    <>
      <Box component="ul" aria-label={label} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {(isMissing ? [...rows, opened] : rows).map((playbook) => (
          <li key={playbook.id}>
            <Row
              playbook={playbook}
              isOpen={playbook.id === openId}
              isMarked={marked.has(playbook.id)}
              isFirst={playbook.id === first}
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
