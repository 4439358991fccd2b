import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import useMediaQuery from '@mui/material/useMediaQuery'
import type { Identifier } from 'ra-core'
import { lazy, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'

import { EmptyState } from './EmptyState.tsx'
import { ErrorState } from './ErrorState.tsx'
import { ListSkeleton } from './ListSkeleton.tsx'
import { NotRefreshed } from './NotRefreshed.tsx'
import { Pager } from './Pager.tsx'
import type { AnyTable, Listed, Tool } from './resource.ts'
import { loadCards, loadGrid, PHONE } from './resourceLayout.ts'
import { ResourceToolbar } from './ResourceToolbar.tsx'
import { type MenuPlace, RowMenu } from './RowMenu.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { useColumnChoice } from './useColumnChoice.ts'
import { useMay } from './useMay.ts'
import { useResourceDialog } from './useResourceDialog.tsx'
import { useResourceList } from './useResourceList.ts'
import { useRowActions } from './useRowActions.tsx'
import { useText } from './useText.ts'

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

/** Tells once what stands beside it is on screen: only then does what stands below begin to load. */
function Shown({ onShown }: { onShown: (shown: boolean) => void }) {
  useEffect(() => onShown(true), [onShown])
  return null
}

/** The list of a declared resource with all that belongs to it: a page, or a part of one. */
export function ResourceSection({ definition }: { definition: AnyTable }) {
  const text = useText()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const list = useResourceList(definition)
  const { measured, ...choice } = useColumnChoice(definition)
  const dialog = useResourceDialog(definition)
  const { openRecord } = dialog
  const { offers, dialogs } = useRowActions(definition, openRecord)
  const [menu, setMenu] = useState<{ row: Listed; place: MenuPlace }>()
  const [selected, setSelected] = useState<Identifier>()
  const [tool, setTool] = useState<Tool<any>>()
  const may = useMay(definition.api)
  const [shown, setShown] = useState(false)
  const openMenu = useCallback((row: Listed, place: MenuPlace) => {
    setSelected(row.id)
    setMenu({ row, place })
  }, [])

  const { error, isFiltered, change } = list
  // Drawn in slices: a table of many cells would keep everything else waiting.
  const rows = useDeferredValue(list.rows)
  const title = text(definition.title)
  const failed = text(definition.failed ?? 'kit.wentWrong')
  const retry = () => void list.refresh()
  const chosen = useMemo(() => rows?.find(({ id }) => id === selected), [rows, selected])
  const isEmpty = rows?.length === 0 && !isFiltered
  const create = offers.canCreate ? dialog.openNew : undefined
  const Layout = phone ? ResourceCards : ResourceGrid
  const Below = definition.below

  const content = () => {
    if (!rows)
      return error ? (
        <ErrorState error={error} text={failed} onRetry={retry} />
      ) : (
        <ListSkeleton phone={phone} />
      )
    if (isEmpty)
      return (
        <EmptyState
          icon={<definition.icon />}
          text={text(definition.empty)}
          action={
            create && (
              <Button
                variant="contained"
                onPointerEnter={dialog.preload}
                onFocus={dialog.preload}
                onClick={create}
              >
                {text(definition.create!.label)}
              </Button>
            )
          }
        />
      )
    if (rows.length === 0)
      return (
        <EmptyState
          text={text('grid.noMatches')}
          action={
            <Button variant="outlined" onClick={() => change({ search: '', on: [], filters: {} })}>
              {text('grid.clearFilters')}
            </Button>
          }
        />
      )
    return (
      <Suspense fallback={<ListSkeleton phone={phone} />}>
        <Layout
          definition={definition}
          label={title}
          rows={rows}
          state={list.state}
          change={change}
          offers={offers}
          choice={choice}
          selected={selected}
          onSelect={setSelected}
          onMenu={openMenu}
        />
        <Shown onShown={setShown} />
      </Suspense>
    )
  }

  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
      <ResourceToolbar
        definition={definition}
        list={list}
        choice={choice}
        phone={phone}
        isEmpty={isEmpty}
        onCreate={isEmpty ? undefined : create}
        onMayCreate={dialog.preload}
        tools={(definition.tools ?? []).filter(({ call }) => may(call))}
        onTool={setTool}
      />
      {rows && error && <NotRefreshed onRetry={retry} />}
      <Paper
        variant="outlined"
        ref={measured}
        aria-busy={list.isTurning}
        sx={{ position: 'relative', overflow: 'hidden' }}
      >
        {list.isTurning && <Box role="progressbar" aria-label={text('kit.loading')} sx={LATE} />}
        {content()}
        {rows && rows.length > 0 && (
          <Box sx={{ display: 'flex', alignItems: 'center', borderTop: 1, borderColor: 'divider' }}>
            {chosen && !phone && offers.actionsFor(chosen).length > 0 && (
              <SelectionBar
                name={definition.nameOf(chosen)}
                actions={offers.actionsFor(chosen)}
                onMore={(place) => openMenu(chosen, place)}
                onClear={() => setSelected(undefined)}
              />
            )}
            <Pager list={list} phone={phone} />
          </Box>
        )}
      </Paper>
      {Below && shown && rows && rows.length > 0 && <Below rows={rows} />}
      {menu && (
        <RowMenu
          name={definition.nameOf(menu.row)}
          actions={offers.actionsFor(menu.row)}
          place={menu.place}
          onClose={() => setMenu(undefined)}
        />
      )}
      {dialogs}
      <Suspense>{tool && <tool.show onClose={() => setTool(undefined)} />}</Suspense>
      {dialog.element}
    </Box>
  )
}
