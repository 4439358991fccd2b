import Box from '@mui/material/Box'
import Paper from '@mui/material/Paper'
import type { Identifier } from 'ra-core'
import {
  lazy,
  type ReactNode,
  type RefCallback,
  startTransition,
  Suspense,
  useCallback,
  useMemo,
  useState,
} from 'react'

import { ListSkeleton } from './ListSkeleton.tsx'
import { Pager } from './Pager.tsx'
import type { AnyTable, Listed } from './resource.ts'
import { loadCards, loadGrid } from './resourceLayout.ts'
import { type MenuPlace, RowMenu } from './RowMenu.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import type { ColumnChoice } from './useColumnChoice.ts'
import type { ResourceList } from './useResourceList.ts'
import type { RowOffers } from './useRowActions.tsx'
import { useText } from '../useText.ts'

const ResourceGrid = lazy(async () => ({ default: (await loadGrid()).ResourceGrid }))
const ResourceCards = lazy(async () => ({ default: (await loadCards()).ResourceCards }))

/** A line that runs above the rows, and only when they take long enough to be missed. */
const LATE = {
  position: 'absolute',
  top: 0,
  left: 0,
  zIndex: 2,
  width: '30%',
  height: 2,
  bgcolor: 'primary.main',
  opacity: 0,
  '@keyframes run': { from: { opacity: 1, left: '-30%' }, to: { opacity: 1, left: '100%' } },
  animation: 'run 1200ms linear 300ms infinite',
} as const

interface Props {
  definition: AnyTable
  /** Names the whole for screen readers. */
  label: string
  /** The page that is shown. */
  rows: readonly Listed[] | undefined
  list: Pick<ResourceList, 'state' | 'change' | 'sizes' | 'total' | 'pages' | 'isTurning'>
  offers: RowOffers
  choice: ColumnChoice
  /** Measures the width for columns. */
  measured: RefCallback<HTMLElement>
  phone: boolean
  /** Shown above the rows. */
  heading?: ReactNode
  /** Shown instead of missing rows. */
  instead: () => ReactNode
  /** Loads with the rows. */
  children?: ReactNode
}

/** Records as a table, or as cards on a phone, with what can be done to each and the way to other pages. */
export function RecordTable(props: Props) {
  const { definition, label, rows, list, offers, choice, measured, phone, heading, instead, children } = props
  const text = useText()
  const [menu, setMenu] = useState<{ row: Listed; place: MenuPlace }>()
  const [selected, setSelected] = useState<Identifier>()
  const openMenu = useCallback((row: Listed, place: MenuPlace) => {
    setMenu({ row, place })
    // The menu opens first; rendering the selection can wait.
    startTransition(() => setSelected(row.id))
  }, [])
  const chosen = useMemo(() => rows?.find(({ id }) => id === selected), [rows, selected])
  const hasBar = chosen !== undefined && !phone && offers.actionsFor(chosen).length > 0
  const hasFooter = list.total >= (definition.footerFrom ?? 1)
  const Layout = phone ? ResourceCards : ResourceGrid
  return (
    <>
      <Paper
        variant="outlined"
        // Cards have no columns: to measure would lay out the page once more for nothing.
        ref={phone ? null : measured}
        aria-busy={list.isTurning}
        sx={{
          position: 'relative',
          overflow: 'hidden',
          ...(heading !== undefined && { '--beside-grid': '286px' }),
        }}
      >
        {list.isTurning && <Box role="progressbar" aria-label={text('kit.loading')} sx={LATE} />}
        {heading}
        {rows && rows.length > 0 ? (
          <>
            <Suspense fallback={<ListSkeleton phone={phone} />}>
              <Layout
                definition={definition}
                label={label}
                rows={rows}
                state={list.state}
                change={list.change}
                offers={offers}
                choice={choice}
                selected={selected}
                onSelect={setSelected}
                onMenu={openMenu}
              />
              {children}
            </Suspense>
            {(hasFooter || hasBar) && (
              <Box sx={{ display: 'flex', alignItems: 'center', borderTop: 1, borderColor: 'divider' }}>
                {hasBar && (
                  <SelectionBar
                    name={definition.nameOf(chosen)}
                    actions={offers.actionsFor(chosen)}
                    onMore={(place) => openMenu(chosen, place)}
                    onClear={() => setSelected(undefined)}
                  />
                )}
                {hasFooter && <Pager list={list} phone={phone} />}
              </Box>
            )}
          </>
        ) : (
          instead()
        )}
      </Paper>
      {menu && (
        <RowMenu
          name={definition.nameOf(menu.row)}
          actions={offers.actionsFor(menu.row)}
          place={menu.place}
          onClose={() => setMenu(undefined)}
        />
      )}
    </>
  )
}
