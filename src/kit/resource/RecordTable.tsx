import Box from '@mui/material/Box'
import Paper from '@mui/material/Paper'
import {
  lazy,
  type ReactNode,
  type RefCallback,
  startTransition,
  Suspense,
  useCallback,
  useId,
  useState,
} from 'react'

import { BulkBar } from './BulkBar.tsx'
import { ListSkeleton } from './ListSkeleton.tsx'
import { Pager } from './Pager.tsx'
import type { AnyTable, Listed } from './resource.ts'
import { loadCards, loadGrid } from './resourceLayout.ts'
import { type MenuPlace, RowMenu } from './RowMenu.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import type { ColumnChoice } from './useColumnChoice.ts'
import type { ResourceList } from './useResourceList.ts'
import type { OfferedAction, RowOffers } from './useRowActions.tsx'
import { useBulkActions } from './useBulkActions.tsx'
import { useSelection } from './useSelection.ts'
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
  /** The page that is shown. */
  rows: readonly Listed[] | undefined
  list: Pick<ResourceList, 'state' | 'change' | 'sizes' | 'total' | 'isMinimum' | 'pages' | 'isTurning'>
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

interface FootProps extends Pick<Props, 'definition' | 'list' | 'phone'> {
  chosen: readonly Listed[]
  actions: readonly OfferedAction[]
  /** The actions are those of all selected records together. */
  isBulk: boolean
  onMore: (row: Listed, place: MenuPlace) => void
  onClear: () => void
}

/** Below the rows: what can be done to what is selected, and the way to other pages. */
function Foot({ definition, list, phone, chosen, actions, isBulk, onMore, onClear }: FootProps) {
  const [first] = chosen
  const hasBar = first !== undefined && (isBulk || actions.length > 0)
  const hasPager = list.total >= (definition.footerFrom ?? 1)
  if (!hasBar && !hasPager) return null
  return (
    <>
      {isBulk && phone && <Box sx={{ height: BAR_HEIGHT }} />}
      <Box
        sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', borderTop: 1, borderColor: 'divider' }}
      >
        {hasBar && isBulk && (
          <BulkBar
            count={chosen.length}
            actions={actions}
            hasPages={list.pages > 1}
            phone={phone}
            onClear={onClear}
          />
        )}
        {hasBar && !isBulk && (
          <SelectionBar
            name={definition.nameOf(first)}
            actions={actions}
            onMore={(place) => onMore(first, place)}
            onClear={onClear}
          />
        )}
        {hasPager && <Pager list={list} phone={phone} />}
      </Box>
    </>
  )
}

/** Records as a table, or as cards on a phone, with what can be done to each and the way to other pages. */
export function RecordTable(props: Props) {
  const { definition, label, rows, list, offers, choice, measured, phone, heading, instead, children } = props
  const text = useText()
  const [menu, setMenu] = useState<{ row: Listed; place: MenuPlace }>()
  const { chosen, selected, select, clear } = useSelection(rows)
  const tableId = useId()
  const { hasBulk, offersFor, dialog } = useBulkActions(definition, {
    onDone: clear,
    // The bar that had the focus is gone.
    onClosed: () => document.getElementById(tableId)?.focus(),
  })
  const openMenu = useCallback(
    (row: Listed, place: MenuPlace) => {
      setMenu({ row, place })
      // A card is selected by its checkbox only.
      if (phone) return
      // The menu opens first; rendering the selection can wait.
      startTransition(() =>
        select((before) => (before.length > 1 && before.includes(row.id) ? before : [row.id])),
      )
    },
    [select, phone],
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
        aria-busy={list.isTurning}
        sx={{
          position: 'relative',
          overflow: 'hidden',
          '&:focus': { outline: 'none' },
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
                isMultiple={hasBulk}
                selected={selected}
                onSelect={select}
                onMenu={openMenu}
              />
              {children}
            </Suspense>
            <Foot
              definition={definition}
              list={list}
              phone={phone}
              chosen={chosen}
              actions={actions}
              isBulk={isBulk}
              onMore={openMenu}
              onClear={clear}
            />
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
      {dialog}
    </>
  )
}
