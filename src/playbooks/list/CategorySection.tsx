import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'

import { visuallyHidden } from '#src/kit/layout/visuallyHidden.ts'
import { useRemembered } from '#src/kit/list/useRemembered.ts'
import { useText } from '#src/kit/useText.ts'

import { usePlaybookList } from '../queries.ts'
import { PlaybookRows } from './PlaybookRows.tsx'

const SKELETONS = 3

interface Props {
  /** Null for Uncategorized. */
  categoryId: string | null
  name: string
  count: number | undefined
  openId: string | undefined
  /** Initial state, until somebody folds or unfolds it. */
  isFoldedAtFirst: boolean
  menu?: ReactNode
}

/** The playbooks of one category, requested while it is unfolded. */
export function CategorySection({ categoryId, name, count, openId, isFoldedAtFirst, menu }: Props) {
  const text = useText()
  const id = useId()
  const [isFolded, setFolded] = useRemembered('playbooks', `folded.${categoryId ?? 'none'}`, isFoldedAtFirst)
  const { rows, hasNextPage, isFetchingNextPage, fetchNextPage } = usePlaybookList({ categoryId }, !isFolded)
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
            hasMore={hasNextPage}
            isLoadingMore={isFetchingNextPage}
            onMore={() => void fetchNextPage()}
          />
        )}
      </Box>
    </Box>
  )
}
