import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Skeleton from '@mui/material/Skeleton'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useGetOne } from 'react-admin'
import { useId, useState } from 'react'

import { statusOf } from '#providers/problem.ts'

import { EmptyState } from '../feedback/EmptyState.tsx'
import { ErrorState } from '../feedback/ErrorState.tsx'
import { useLeaveGuard } from '../form/LeaveGuard.tsx'
import { RecordBase } from './RecordBase.tsx'
import type { AnyDefinition, Listed } from './resource.ts'
import { ResourceForm } from './ResourceForm.tsx'
import { PHONE } from './resourceLayout.ts'
import { leavesRecord } from './useRecordAddress.ts'
import { useText } from '../useText.ts'

interface Props {
  definition: AnyDefinition
  /** Id of the edited record; absent for a new one. */
  id: string | undefined
  onClose: () => void
  /** Takes the server's answer to a creation; without it nothing follows one. */
  onCreated: ((created: unknown) => void) | undefined
}

/** A resource's form in a dialog. It closes by itself only when nothing would be lost. */
export function ResourceDialog({ definition, id, onClose, onCreated }: Props) {
  const text = useText()
  const titleId = useId()
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const [isDirty, setDirty] = useState(false)
  const { data, error, refetch } = useGetOne<Listed & { id: string }>(
    definition.name,
    { id: id ?? '' },
    { enabled: id !== undefined },
  )
  const { guard, letGo, leave } = useLeaveGuard(isDirty, {
    leaves: leavesRecord,
    question: 'grid.discardText',
    stay: 'grid.keepEditing',
  })
  const close = () => leave(onClose)
  // A dirty form stays open; saving it shows the server's refusal.
  const closed = data !== undefined && !isDirty && definition.edit?.when?.(data) === false
  const status = statusOf(error)
  // The address names a missing record or an invalid id.
  const gone = status === 404 || status === 400

  return (
    <Dialog
      open
      onClose={close}
      fullScreen={phone}
      aria-labelledby={titleId}
      {...(phone && { slotProps: { paper: { sx: { border: 0 } } } })}
    >
      {id === undefined || (data && !closed) ? (
        <RecordBase resource={definition.name} id={id}>
          <ResourceForm
            definition={definition}
            titleId={titleId}
            onDirty={setDirty}
            onCancel={close}
            onSaved={(saved) => {
              letGo()
              onClose()
              if (id === undefined) onCreated?.(saved)
            }}
          />
        </RecordBase>
      ) : (
        <>
          <DialogTitle id={titleId}>{text(definition.edit!.label)}</DialogTitle>
          <DialogContent>
            {closed || gone ? (
              <EmptyState
                text={text(closed ? 'grid.closed' : 'grid.gone')}
                action={
                  <Button variant="outlined" onClick={onClose}>
                    {text('kit.close')}
                  </Button>
                }
              />
            ) : error ? (
              <ErrorState error={error} onRetry={() => void refetch()} />
            ) : (
              <Skeleton variant="rounded" height={320} />
            )}
          </DialogContent>
        </>
      )}
      {guard}
    </Dialog>
  )
}
