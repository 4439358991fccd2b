import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Suspense, useDeferredValue, useEffect, useState } from 'react'

import { useCan } from '#providers/useCan.ts'

import { EmptyState } from '../feedback/EmptyState.tsx'
import { ErrorState } from '../feedback/ErrorState.tsx'
import { ListSkeleton } from './ListSkeleton.tsx'
import { NotRefreshed } from '../feedback/NotRefreshed.tsx'
import { RecordTable } from './RecordTable.tsx'
import type { AnyTable, Tool } from './resource.ts'
import { PHONE } from './resourceLayout.ts'
import { ResourceToolbar } from './ResourceToolbar.tsx'
import { useColumnChoice } from './useColumnChoice.ts'
import { useResourceDialog } from './useResourceDialog.tsx'
import { useResourceList } from './useResourceList.ts'
import { useRowActions } from './useRowActions.tsx'
import { useText } from '../useText.ts'

/** Calls `onMount` once its sibling is on screen: only then does the content below load. */
function MountSignal({ onMount }: { onMount: (shown: boolean) => void }) {
  useEffect(() => onMount(true), [onMount])
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
  const [tool, setTool] = useState<Tool<any>>()
  const can = useCan()
  const [shown, setShown] = useState(false)

  const { error, isFiltered, change } = list
  // Drawn in slices: a table of many cells would keep everything else waiting.
  const rows = useDeferredValue(list.rows)
  const title = text(definition.title)
  const failed = text(definition.failed ?? 'kit.wentWrong')
  const retry = () => void list.refresh()
  const isEmpty = rows?.length === 0 && !isFiltered
  const create = offers.canCreate ? dialog.openNew : undefined
  const { above: Above, below: Below } = definition

  const instead = () => {
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
  }

  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
      {Above && <Above />}
      <ResourceToolbar
        definition={definition}
        list={list}
        choice={choice}
        phone={phone}
        isEmpty={isEmpty}
        onCreate={isEmpty ? undefined : create}
        onMayCreate={dialog.preload}
        tools={(definition.tools ?? []).filter(({ call }) => can(definition.api[call]?.access))}
        onTool={setTool}
      />
      {rows && error && <NotRefreshed onRetry={retry} />}
      <RecordTable
        definition={definition}
        label={title}
        rows={rows}
        list={list}
        offers={offers}
        choice={choice}
        measured={measured}
        phone={phone}
        instead={instead}
      >
        <MountSignal onMount={setShown} />
      </RecordTable>
      {Below && rows && (shown || rows.length === 0) && <Below rows={rows} />}
      {dialogs}
      <Suspense>{tool && <tool.show onClose={() => setTool(undefined)} />}</Suspense>
      {dialog.element}
    </Box>
  )
}
