import FolderOpenRounded from '@mui/icons-material/FolderOpenRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ReactNode, Suspense } from 'react'
import { Link } from 'react-router-dom'

import { ROOT } from '#contract/files/schema.ts'
import type { TextKey } from '#providers/i18nProvider.ts'
import { statusOf } from '#providers/problem.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { NotRefreshed } from '#src/kit/feedback/NotRefreshed.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { Pager } from '#src/kit/list/Pager.tsx'
import { PHONE } from '#src/kit/layout/breakpoints.ts'
import type { OfferedAction } from '#src/kit/list/ActionButton.tsx'
import { useText } from '#src/kit/useText.ts'

import { ITEMS_PER_PAGE, type useFolder } from '../queries.ts'
import type { FilesLayout, ItemView } from '../selectionValues.ts'
import { folderPath } from '../useFilesRoute.ts'
import { ItemSelectionBar } from './ItemSelectionBar.tsx'
import type { FilesLayoutProps } from './layoutValues.ts'

const FilesGrid = lazy(async () => ({ default: (await import('./FilesGrid.tsx')).FilesGrid }))
const FilesTiles = lazy(async () => ({ default: (await import('./FilesTiles.tsx')).FilesTiles }))
const FilesCards = lazy(async () => ({ default: (await import('./FilesCards.tsx')).FilesCards }))

interface Props extends Omit<FilesLayoutProps, 'rows' | 'onSort'> {
  query: ReturnType<typeof useFolder>
  onChange: (patch: Partial<ItemView>) => void
  layout: FilesLayout
  /** Actions on the selection. */
  actions: readonly OfferedAction[]
}

function emptyTextOf({ place, search }: ItemView): TextKey {
  if (search !== '') return 'files.emptyFound'
  return place === 'folder' ? 'files.empty' : place === 'recent' ? 'files.emptyRecent' : 'files.emptyStarred'
}

/** Replaces the rows while they load, when there are none, or after an error. */
function Instead({ query, view, phone }: Pick<Props, 'query' | 'view'> & { phone: boolean }) {
  const text = useText()
  const { data, error } = query
  if (!data && statusOf(error) === 404 && view.folderId !== ROOT)
    return (
      <EmptyState
        text={text('files.gone')}
        action={
          <Button component={Link} variant="outlined" to={folderPath(ROOT)}>
            {text('files.toRoot')}
          </Button>
        }
      />
    )
  if (!data && error)
    return <ErrorState error={error} text={text('files.notLoaded')} onRetry={() => void query.refetch()} />
  if (!data) return <ListSkeleton phone={phone} />
  return <EmptyState icon={<FolderOpenRounded />} text={text(emptyTextOf(view))} />
}

/** Files and folders of the view, with selection actions and paging. */
export function ItemList({ query, onChange, actions, layout, ...list }: Props) {
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const { view, selection, onSelect } = list
  const rows = query.data?.items
  const total = query.data?.total ?? 0
  const Table = phone ? FilesCards : FilesGrid
  const Layout = layout === 'tiles' ? FilesTiles : Table
  const pager: ReactNode = total > ITEMS_PER_PAGE && (
    <Pager
      phone={phone}
      page={view.page}
      perPage={ITEMS_PER_PAGE}
      total={total}
      isMinimum={query.data?.isMinimum === true}
      setPage={(page) => onChange({ page })}
    />
  )
  const bar = selection.length > 0 && (
    <ItemSelectionBar count={selection.length} actions={actions} onClear={() => onSelect([])} />
  )
  return (
    <>
      {rows && query.error && <NotRefreshed onRetry={() => void query.refetch()} />}
      <Paper
        variant="outlined"
        aria-busy={query.isPlaceholderData}
        sx={{ overflow: 'hidden', '--beside-grid': '290px' }}
      >
        {rows && rows.length > 0 ? (
          <Suspense fallback={<ListSkeleton phone={phone} />}>
            <Layout {...list} rows={rows} onSort={(sort) => onChange({ sort })} />
          </Suspense>
        ) : (
          <Instead query={query} view={view} phone={phone} />
        )}
        {(bar || pager) && (
          <Box
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              alignItems: 'center',
              borderTop: 1,
              borderColor: 'divider',
            }}
          >
            {bar}
            {pager}
          </Box>
        )}
      </Paper>
    </>
  )
}
