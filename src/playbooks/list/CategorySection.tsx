import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { type ReactNode, useEffect, useEffectEvent, useId, useMemo } from 'react'

import type { PlaybookSummary } from '#contract/playbooks/schema.ts'
import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useRemembered } from '#src/kit/list/useRemembered.ts'
import { useText } from '#src/kit/useText.ts'

import type { CreatedPlaybook } from '../dialogs/importValues.ts'
import { usePlaybookList } from '../queries.ts'
import { PlaybookRows } from './PlaybookRows.tsx'

const SKELETONS = 3

interface Props {
  /** Null for Uncategorized. */
  categoryId: string | null
  name: string
  count: number | undefined
  openId: string | undefined
  /** The open playbook, where it is of this category. */
  opened: PlaybookSummary | undefined
  /** Playbooks of this category to mark, of the last import. */
  imported: readonly CreatedPlaybook[]
  /** Initial state, until somebody folds or unfolds it. */
  isFoldedAtFirst: boolean
  menu?: ReactNode
}

type Pages = Pick<
  ReturnType<typeof usePlaybookList>,
  'rows' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
>
/** Unfolds a category that playbooks were imported into, and requests pages until the first of them is there. */
function useImported(
  imported: readonly CreatedPlaybook[],
  setFolded: (isFolded: boolean) => void,
  { rows, hasNextPage, isFetchingNextPage, fetchNextPage }: Pages,
): ReadonlySet<string> {
  const marked = useMemo(() => new Set(imported.map(({ id }) => id)), [imported])
  const unfold = useEffectEvent(() => setFolded(false))
  useEffect(() => {
    if (marked.size > 0) unfold()
  }, [marked])
  const isMissing = marked.size > 0 && rows !== undefined && !rows.some((row) => marked.has(row.id))
  const isWanted = isMissing && hasNextPage && !isFetchingNextPage
  useEffect(() => {
    if (isWanted) void fetchNextPage()
  }, [isWanted, fetchNextPage])
  return marked
}

/** The playbooks of one category, requested while it is unfolded. */
export function CategorySection(props: Props) {
  const { categoryId, name, count, openId, opened, imported, isFoldedAtFirst, menu } = props
  const text = useText()
  const id = useId()
  const [isFolded, setFolded] = useRemembered('playbooks', `folded.${categoryId ?? 'none'}`, isFoldedAtFirst)
  const { rows, hasNextPage, isFetchingNextPage, fetchNextPage } = usePlaybookList({ categoryId }, !isFolded)
  const unfold = useEffectEvent(() => {
    if (isFolded) setFolded(false)
  })
  const revealedId = opened?.id
  useEffect(() => {
    if (revealedId !== undefined) unfold()
  }, [revealedId])
  const marked = useImported(imported, setFolded, { rows, hasNextPage, isFetchingNextPage, fetchNextPage })
  return (
    <Box component="section" aria-labelledby={`${id}-name`} sx={{ mb: 1 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', minHeight: 36 }}>
        <ButtonBase
          aria-expanded={!isFolded}
          aria-controls={id}
          onClick={() => setFolded(!isFolded)}
          sx={{
            flex: 1,
            minWidth: 0,
            justifyContent: 'flex-start',
            gap: 0.5,
            px: 0.5,
            minHeight: { xs: 44, md: 32 },
            borderRadius: '6px',
            textAlign: 'start',
            font: 'inherit',
          }}
        >
          <ExpandMoreRounded
            fontSize="small"
            sx={{ color: 'text.secondary', transform: isFolded ? 'rotate(-90deg)' : 'none' }}
          />
          <Typography
            id={`${id}-name`}
            variant="body2"
            component="h2"
            dir="auto"
            sx={{ minWidth: 0, fontWeight: 600, color: 'text.secondary', overflowWrap: 'anywhere' }}
          >
            {name}
          </Typography>
          {count !== undefined && (
            <Box component="span" sx={{ ml: 0.5, fontSize: '0.8125rem', color: 'text.secondary' }}>
              <span aria-hidden>{count}</span>
              <span style={visuallyHidden}>{text('playbooks.count', { smart_count: count })}</span>
            </Box>
          )}
        </ButtonBase>
        {menu}
      </Box>
      <Box id={id} hidden={isFolded}>
        {rows === undefined &&
          !isFolded &&
          Array.from({ length: SKELETONS }, (_, n) => <Skeleton key={n} height={36} sx={{ mx: 1 }} />)}
        {rows?.length === 0 && (
          <Typography variant="body2" sx={{ px: 1.25, py: 0.5, color: 'text.secondary' }}>
            {text('playbooks.noneInCategory')}
          </Typography>
        )}
        {rows && rows.length > 0 && (
          <PlaybookRows
            label={name}
            rows={rows}
            openId={openId}
            opened={opened}
            marked={marked}
            hasMore={hasNextPage}
            isLoadingMore={isFetchingNextPage}
            onMore={() => void fetchNextPage()}
          />
        )}
      </Box>
    </Box>
  )
}
