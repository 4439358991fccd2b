import Box from '@mui/material/Box'
import Paper from '@mui/material/Paper'
import { useListContext } from 'react-admin'
import {
  type ReactNode,
  type RefCallback,
  startTransition,
  Suspense,
  useCallback,
  useId,
  useMemo,
  useState,
} from 'react'

import { lazy } from '../browser/lazy.ts'
import { useLatest } from '../browser/useLatest.ts'
import { ListSkeleton } from '../list/ListSkeleton.tsx'
import { ListPager } from './ListPager.tsx'
import type { AnyTable, Listed } from './resource.ts'
import { loadCards, loadGrid } from './resourceLayout.ts'
import { type MenuPlace, RowMenu } from '../list/RowMenu.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import type { ColumnChoice } from './useColumnChoice.ts'
import type { OfferedAction } from '../list/ActionButton.tsx'
import type { RowOffers } from './useRowActions.tsx'
import { useBulkActions } from './useBulkActions.tsx'
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

/** Keeps the last card above the bar of a phone. */
const BAR_HEIGHT = 96

interface Props {
  definition: AnyTable
  /** Names the whole for screen readers. */
  label: string
  offers: RowOffers
  choice: ColumnChoice
  /** Measures the width for columns. */
  measured: RefCallback<HTMLElement>
  phone: boolean
  /** Shown above the rows. */
  heading?: ReactNode
  /** Shown in place of rows where there are none. */
  placeholder: ReactNode
  /** Loads with the rows. */
  children?: ReactNode
}

interface FootProps extends Pick<Props, 'definition' | 'phone'> {
  chosen: readonly Listed[]
  actions: readonly OfferedAction[]
  /** The actions are those of all selected records together. */
  isBulk: boolean
  onMore: (row: Listed, place: MenuPlace) => void
}

/** Below the rows: what can be done to what is selected, and the way to other pages. */
function Foot({ definition, phone, chosen, actions, isBulk, onMore }: FootProps) {
  const text = useText()
  const { total = 0, perPage, onUnselectItems } = useListContext()
  const [first] = chosen
  const hasBar = first !== undefined && (isBulk || actions.length > 0)
  const hasPager = total >= (definition.footerFrom ?? 1)
  if (!hasBar && !hasPager) return null
  return (
    <>
      {isBulk && phone && <Box sx={{ height: BAR_HEIGHT }} />}
      <Box
        sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', borderTop: 1, borderColor: 'divider' }}
      >
        {hasBar && (
          <SelectionBar
            {...(isBulk
              ? {
                  label: text('grid.selection'),
                  title: text(total > perPage ? 'grid.severalOnPage' : 'grid.several', {
                    smart_count: chosen.length,
                  }),
                }
              : {
                  label: text('grid.selected', { name: definition.nameOf(first) }),
                  title: definition.nameOf(first),
                  onMore: (place) => onMore(first, place),
                })}
            actions={actions}
            phone={phone}
            onClear={() => onUnselectItems()}
          />
        )}
        {hasPager && <ListPager listing={definition} phone={phone} />}
      </Box>
    </>
  )
}

/** Records as a table, or as cards on a phone, with what can be done to each and the way to other pages. */
export function RecordTable(props: Props) {
  const { definition, label, offers, choice, measured, phone, heading, placeholder, children } = props
  const text = useText()
  const {
    data: rows,
    isPlaceholderData: isTurning,
    selectedIds,
    onSelect,
    onUnselectItems,
  } = useListContext<Listed>()
  const chosen = useMemo(() => rows?.filter(({ id }) => selectedIds.includes(id)) ?? [], [rows, selectedIds])
  const [menu, setMenu] = useState<{ row: Listed; place: MenuPlace }>()
  const tableId = useId()
  const { hasBulk, offersFor, dialog } = useBulkActions(definition, {
    onDone: () => onUnselectItems(),
    // The bar that had the focus is gone.
    onClosed: () => document.getElementById(tableId)?.focus(),
  })
  const selection = useLatest(selectedIds)
  const openMenu = useCallback(
    (row: Listed, place: MenuPlace) => {
      setMenu({ row, place })
      // A card is selected by its checkbox only.
      if (phone) return
      // The menu opens first; rendering the selection can wait.
      startTransition(() => {
        const { length } = selection.current
        if (length < 2 || !selection.current.includes(row.id)) onSelect([row.id])
      })
    },
    [selection, onSelect, phone],
  )
  const isBulk = hasBulk && chosen.length > (phone ? 0 : 1)
  const actions = isBulk ? offersFor(chosen) : chosen[0] && !phone ? offers.actionsFor(chosen[0]) : []
  const Layout = phone ? ResourceCards : ResourceGrid
  return (
    <>
      <Paper
        variant="outlined"
        id={tableId}
        tabIndex={-1}
        // Cards have no columns: to measure would lay out the page once more for nothing.
        ref={phone ? null : measured}
        aria-busy={isTurning}
        sx={{
          position: 'relative',
          overflow: 'hidden',
          '&:focus': { outline: 'none' },
          ...(heading !== undefined && { '--beside-grid': '286px' }),
        }}
      >
        {isTurning && <Box role="progressbar" aria-label={text('kit.loading')} sx={LATE} />}
        {heading}
        {rows && rows.length > 0 ? (
          <>
            <Suspense fallback={<ListSkeleton phone={phone} />}>
              <Layout
                definition={definition}
                label={label}
                offers={offers}
                choice={choice}
                isMultiple={hasBulk}
                onMenu={openMenu}
              />
              {children}
            </Suspense>
            <Foot
              definition={definition}
              phone={phone}
              chosen={chosen}
              actions={actions}
              isBulk={isBulk}
              onMore={openMenu}
            />
          </>
        ) : (
          placeholder
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
      {dialog}
    </>
  )
}
