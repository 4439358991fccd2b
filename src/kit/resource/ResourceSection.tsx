import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useListContext } from 'react-admin'
import { Fragment, type ReactNode, Suspense, useEffect, useState } from 'react'

import { useCan } from '#providers/useCan.ts'

import { EmptyState } from '../feedback/EmptyState.tsx'
import { ErrorState } from '../feedback/ErrorState.tsx'
import { ListSkeleton } from '../list/ListSkeleton.tsx'
import { NotRefreshed } from '../feedback/NotRefreshed.tsx'
import { RecordTable } from './RecordTable.tsx'
import { ResourceList } from './ResourceList.tsx'
import type { AnyTable, Listed, Tool } from './resource.ts'
import { PHONE } from './resourceLayout.ts'
import { ResourceToolbar } from './ResourceToolbar.tsx'
import { useColumnChoice } from './useColumnChoice.ts'
import { useResourceDialog } from './useResourceDialog.tsx'
import { useRowActions } from './useRowActions.tsx'
import { useText } from '../useText.ts'

/** Calls `onMount` once its sibling is on screen: only then does the content below load. */
function MountSignal({ onMount }: { onMount: (shown: boolean) => void }) {
  useEffect(() => onMount(true), [onMount])
  return null
}

interface PlaceholderProps {
  definition: AnyTable
  phone: boolean
  /** The button that creates the first record. */
  create: ReactNode
}

/** The state in place of rows: loading, an error, none, or no match. */
function Placeholder({ definition, phone, create }: PlaceholderProps) {
  const text = useText()
  const { data, error, refetch, filterValues, setFilters } = useListContext<Listed>()
  if (!data)
    return error ? (
      <ErrorState
        error={error}
        text={text(definition.failed ?? 'kit.wentWrong')}
        onRetry={() => void refetch()}
      />
    ) : (
      <ListSkeleton phone={phone} />
    )
  if (Object.keys(filterValues).length === 0)
    return <EmptyState icon={<definition.icon />} text={text(definition.empty)} action={create} />
  return (
    <EmptyState
      text={text('grid.noMatches')}
      action={
        <Button variant="outlined" onClick={() => setFilters({})}>
          {text('grid.clearFilters')}
        </Button>
      }
    />
  )
}

/** The list of a declared resource with all that belongs to it: a page, or a part of one. */
export function ResourceSection({ definition }: { definition: AnyTable }) {
  const Around = definition.around ?? Fragment
  return (
    <ResourceList definition={definition}>
      <Around>
        <ListView definition={definition} />
      </Around>
    </ResourceList>
  )
}

/** The layout of a table: it shows the list of the context around it, which may be that of react-admin's own `<List>`. */
export function ListView({ definition }: { definition: AnyTable }) {
  const text = useText()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const { measured, ...choice } = useColumnChoice(definition)
  const dialog = useResourceDialog(definition)
  const { openRecord } = dialog
  const { offers, dialogs } = useRowActions(definition, openRecord)
  const [tool, setTool] = useState<Tool<any>>()
  const can = useCan()
  const [shown, setShown] = useState(false)

  const { data: rows, error, filterValues, refetch } = useListContext<Listed>()
  const isEmpty = rows?.length === 0 && Object.keys(filterValues).length === 0
  const create = offers.canCreate ? dialog.openNew : undefined
  const { above: Above, below: Below } = definition

  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
      {Above && <Above />}
      <ResourceToolbar
        definition={definition}
        choice={choice}
        phone={phone}
        isEmpty={isEmpty}
        onCreate={isEmpty ? undefined : create}
        onMayCreate={dialog.preload}
        tools={(definition.tools ?? []).filter(({ call }) => can(definition.api[call]?.access))}
        onTool={setTool}
      />
      {rows && error && <NotRefreshed onRetry={() => void refetch()} />}
      <RecordTable
        definition={definition}
        label={text(definition.title)}
        offers={offers}
        choice={choice}
        measured={measured}
        phone={phone}
        placeholder={
          <Placeholder
            definition={definition}
            phone={phone}
            create={
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
        }
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
