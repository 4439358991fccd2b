import Box from '@mui/material/Box'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ReactNode, useEffect, useId } from 'react'

import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { NotRefreshed } from '#src/kit/feedback/NotRefreshed.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { Pager } from '#src/kit/list/Pager.tsx'
import { PHONE } from '#src/kit/layout/breakpoints.ts'
import { SearchBox } from '#src/kit/list/SearchBox.tsx'
import { useText } from '#src/kit/useText.ts'

import type { DialogList } from './useListPart.ts'

/** Debounce of the filter box (operations §5 "Filter boxes"). */
const FILTER_DELAY_MS = 500

interface Props {
  title: string
  /** Label of the filter box. */
  filter: string
  list: DialogList
  query: { readonly data: unknown; readonly error: unknown; readonly refetch: () => Promise<unknown> }
  total: number
  isWide?: boolean
  /** Content above the filter box. */
  children: ReactNode
  lead?: ReactNode
  notice?: ReactNode
  actions: ReactNode
  onClose: () => void
}

/** A dialog with a list that the server filters and pages. */
export function ListDialog(props: Props) {
  const {
    title,
    filter,
    list,
    query,
    total,
    children,
    lead,
    notice,
    actions,
    isWide = false,
    onClose,
  } = props
  const { part, sizes } = list
  const titleId = useId()
  const text = useText()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const pages = Math.max(1, Math.ceil(total / part.size))
  // Removed rows may have emptied the last page.
  useEffect(() => {
    if (part.page > pages && total > 0) list.turn({ page: pages })
  }, [list, part.page, pages, total])
  const retry = () => void query.refetch()
  return (
    <Dialog
      open
      onClose={onClose}
      maxWidth={isWide ? 'lg' : 'md'}
      fullScreen={phone}
      aria-labelledby={titleId}
      slotProps={{ paper: { sx: { height: { sm: 'min(720px, 100%)' }, ...(phone && { border: 0 }) } } }}
    >
      <DialogTitle id={titleId} dir="auto" sx={{ px: { xs: 2, sm: 3 }, overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      <Box sx={{ display: 'grid', gap: 1.5, px: { xs: 2, sm: 3 }, pb: 2 }}>
        {lead}
        <SearchBox label={filter} value={part.q} onSearch={list.search} delay={FILTER_DELAY_MS} />
        {notice}
        {query.data !== undefined && Boolean(query.error) && <NotRefreshed onRetry={retry} />}
      </Box>
      <DialogContent
        // Remounts, so that another page starts at its first row.
        key={`${part.page} ${part.q}`}
        dividers
        tabIndex={0}
        aria-label={title}
        sx={{
          p: 0,
          '& .MuiTableCell-root': { px: { xs: 1, sm: 1.5 }, borderColor: 'divider' },
          '& .MuiIconButton-root': { minWidth: { xs: 44, md: 36 }, minHeight: { xs: 44, md: 36 } },
        }}
      >
        {query.data === undefined && !query.error && <ListSkeleton phone={phone} />}
        {query.data === undefined && Boolean(query.error) && (
          <ErrorState error={query.error} onRetry={retry} text={text('kit.notLoaded')} />
        )}
        {children}
      </DialogContent>
      <DialogActions sx={{ pt: 1, pb: 2, flexWrap: 'wrap' }}>
        {total > sizes[0] && (
          <Pager
            page={part.page}
            perPage={part.size}
            total={total}
            setPage={(page) => list.turn({ page })}
            setPerPage={(size) => list.turn({ size })}
            sizes={sizes}
            phone={phone}
          />
        )}
        {actions}
      </DialogActions>
    </Dialog>
  )
}
