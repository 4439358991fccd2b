import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Paper from '@mui/material/Paper'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { RecordContextProvider, useGetOne } from 'react-admin'
import { useEffect, useId, useRef, useState } from 'react'

import { statusOf } from '#providers/problem.ts'

import { EmptyState } from '../feedback/EmptyState.tsx'
import { ErrorState } from '../feedback/ErrorState.tsx'
import { useLeaveGuard } from '../form/LeaveGuard.tsx'
import { ActionButton } from '../list/ActionButton.tsx'
import { RecordBase } from './RecordBase.tsx'
import { type AnySideList, type Listed, metaOf } from './resource.ts'
import { ResourceForm } from './ResourceForm.tsx'
import type { RowOffers } from './useRowActions.tsx'
import { leavesRecord, type RecordPlace } from './useRecordAddress.ts'
import { useText } from '../useText.ts'

interface FormProps {
  definition: AnySideList
  /** Id of the edited record; absent for a new one. */
  id?: string
  onDirty?: (isDirty: boolean) => void
  onCancel: () => void
  onSaved: (saved: Listed) => void
}

/** A form where the record stands. Nothing that was typed is lost without a question. */
function SideListForm({ definition, id, onDirty, onCancel, onSaved }: FormProps) {
  const titleId = useId()
  const [isDirty, setDirty] = useState(false)
  const { guard, letGo } = useLeaveGuard(isDirty, { leaves: leavesRecord, question: 'grid.discardText' })
  return (
    <Box component="section" aria-labelledby={titleId}>
      <RecordBase resource={definition.name} id={id}>
        <ResourceForm
          definition={definition}
          titleId={titleId}
          onDirty={(dirty) => {
            setDirty(dirty)
            onDirty?.(dirty)
          }}
          onCancel={onCancel}
          onSaved={(saved) => {
            letGo()
            onSaved(saved as Listed)
          }}
        />
      </RecordBase>
      {guard}
    </Box>
  )
}

interface Props {
  definition: AnySideList
  place: RecordPlace
  offers: RowOffers
  /** The way back to the list, where it is not beside. */
  onBack: (() => void) | undefined
  onCancel: () => void
  onSaved: (saved: Listed) => void
}

/** A record to read, or a form, beside the list. */
export function SideListRecord({ definition, place, offers, onBack, onCancel, onSaved }: Props) {
  const text = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  const { way, id } = place
  const [typing, setTyping] = useState(false)
  const { data, error, refetch } = useGetOne<Listed & { id: string }>(
    definition.name,
    { id: id ?? '', meta: way === 'show' ? metaOf(definition) : undefined },
    { enabled: id !== undefined },
  )
  const known = data !== undefined
  const alone = onBack !== undefined
  // Where it takes the place of the list, reading begins at its start.
  useEffect(() => {
    if (alone) window.scrollTo(0, 0)
    if (alone && known && way === 'show') heading.current?.focus({ preventScroll: true })
  }, [alone, known, way])

  const content = () => {
    if (way === 'create')
      return <SideListForm key="new" definition={definition} onCancel={onCancel} onSaved={onSaved} />
    // A form with unsaved changes stays open. Saving it reports that the record is gone.
    const kept = way === 'edit' && typing && known
    if (statusOf(error) === 404 && !kept)
      return (
        <EmptyState
          text={text('grid.gone')}
          action={
            onBack && (
              <Button variant="outlined" onClick={onBack}>
                {text('grid.back')}
              </Button>
            )
          }
        />
      )
    if (!data)
      return error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Box component="output" aria-label={text('kit.loading')} sx={{ display: 'grid', gap: 2, p: 3 }}>
          <Skeleton width="40%" height={32} />
          <Skeleton width="70%" />
          <Skeleton variant="rounded" height={240} />
        </Box>
      )
    if (way === 'edit' && offers.canEdit(data))
      return (
        <SideListForm
          key={data.id}
          definition={definition}
          id={data.id}
          onDirty={setTyping}
          onCancel={onCancel}
          onSaved={onSaved}
        />
      )
    const Detail = definition.detail
    return (
      <Box component="section" aria-label={definition.nameOf(data)} sx={{ p: { xs: 2, md: 3 } }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', gap: 1, mb: 1 }}>
          {onBack && (
            <IconButton
              aria-label={text('grid.back')}
              onClick={onBack}
              sx={{ ml: -1, color: 'text.secondary' }}
            >
              <ArrowBackRounded />
            </IconButton>
          )}
          <Typography
            ref={heading}
            variant="h2"
            tabIndex={-1}
            dir="auto"
            sx={{ flex: '1 1 200px', minWidth: 0, py: 0.5, outline: 0, overflowWrap: 'anywhere' }}
          >
            {definition.nameOf(data)}
          </Typography>
          <Box sx={{ display: 'flex', gap: 1 }}>
            {offers.actionsFor(data).map((action) => (
              <ActionButton key={action.key} action={action} variant="outlined" />
            ))}
          </Box>
        </Box>
        <RecordContextProvider value={data}>
          <Detail key={data.id} record={data} />
        </RecordContextProvider>
      </Box>
    )
  }
  return (
    <Paper variant="outlined" sx={{ minWidth: 0 }}>
      {content()}
    </Paper>
  )
}
