import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useListContext } from 'react-admin'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'

import { EmptyState } from '../feedback/EmptyState.tsx'
import { ErrorState } from '../feedback/ErrorState.tsx'
import { NARROW } from '../layout/breakpoints.ts'
import { NotRefreshed } from '../feedback/NotRefreshed.tsx'
import { PageTitle } from '../layout/PageTitle.tsx'
import type { AnySideList, Listed } from './resource.ts'
import { ResourceList } from './ResourceList.tsx'
import { SideBySide } from '../layout/SideBySide.tsx'
import { SideList } from './SideList.tsx'
import { SideListRecord } from './SideListRecord.tsx'
import { useRowActions } from './useRowActions.tsx'
import { type RecordPlace, useRecordAddress } from './useRecordAddress.ts'
import { useText } from '../useText.ts'

/** The page of a declared resource with its records in a side list. */
export const SideListPage = ({ definition }: { definition: AnySideList }) => (
  <ResourceList definition={definition}>
    <Page definition={definition} />
  </ResourceList>
)

/** The step after a creation, over the new record, which stands beside the list already. */
function useAfterCreation({ create }: AnySideList) {
  const [created, setCreated] = useState<unknown>()
  const After = create?.after
  const after = After && created !== undefined && (
    <Suspense>
      <After created={created} onClose={() => setCreated(undefined)} />
    </Suspense>
  )
  return { after, setCreated }
}

function Page({ definition }: { definition: AnySideList }) {
  const text = useText()
  const narrow = useMediaQuery(NARROW, { noSsr: true })
  const { data: rows, error, refetch, filterValues } = useListContext<Listed>()
  const { place, to, open: navigate, replace, back } = useRecordAddress(definition)
  // The list may arrive between a press and the page that it opens, whose place it must not take.
  const [isOpening, setOpening] = useState(false)
  if (isOpening && place) setOpening(false)
  const open = (next: RecordPlace) => {
    setOpening(true)
    navigate(next)
  }
  const { offers, dialogs } = useRowActions(
    definition,
    ({ id }) => open({ way: 'edit', id: String(id) }),
    ({ call }) => call === 'remove' && replace(),
  )
  const { after, setCreated } = useAfterCreation(definition)
  const first = rows?.[0]
  const retry = () => void refetch()

  // On wide screens, opens the first record until one is chosen.
  const choose = useEffectEvent((id: string) => replace({ way: 'show', id }))
  const chooses = !narrow && !place && !isOpening && first ? String(first.id) : undefined
  useEffect(() => {
    if (chooses) choose(chooses)
  }, [chooses])

  const create = offers.canCreate ? () => open({ way: 'create' }) : undefined
  const isEmpty = rows?.length === 0 && Object.keys(filterValues).length === 0
  const record = place && (
    <SideListRecord
      definition={definition}
      place={place}
      offers={offers}
      onBack={narrow ? () => back() : undefined}
      onCancel={() => back(place.id === undefined ? undefined : { way: 'show', id: place.id })}
      onSaved={(saved) => {
        const shown = { way: 'show', id: String(saved.id) } as const
        if (place.way === 'create') {
          setCreated(saved)
          replace(shown)
        } else back(shown)
      }}
    />
  )

  const content = () => {
    if (!rows && error)
      return (
        <Paper variant="outlined">
          <ErrorState error={error} text={text(definition.failed ?? 'kit.wentWrong')} onRetry={retry} />
        </Paper>
      )
    if (record && (narrow || isEmpty)) return record
    if (isEmpty)
      return (
        <Paper variant="outlined">
          <EmptyState
            icon={<definition.icon />}
            text={text(definition.empty)}
            action={
              create && (
                <Button variant="contained" onClick={create}>
                  {text(definition.create!.label)}
                </Button>
              )
            }
          />
        </Paper>
      )
    const side = (
      <SideList
        definition={definition}
        place={place}
        to={({ id }) => to({ way: 'show', id: String(id) })}
        onCreate={create}
      />
    )
    if (narrow) return side
    return (
      <SideBySide side={side} width={320}>
        {record ?? <span />}
      </SideBySide>
    )
  }

  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2, p: { xs: 2, md: 3 } }}>
      <PageTitle title={text(definition.title)} />
      {rows && error && <NotRefreshed onRetry={retry} />}
      {content()}
      {dialogs}
      {after}
    </Box>
  )
}
