import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import Skeleton from '@mui/material/Skeleton'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useGetOne } from 'ra-core'
import { useId, useState } from 'react'

import { ConfirmDialog } from './ConfirmDialog.tsx'
import { ErrorState } from './ErrorState.tsx'
import type { AnyDefinition, Listed } from './resource.ts'
import { ResourceForm } from './ResourceForm.tsx'
import { PHONE } from './resourceLayout.ts'
import { useText } from './useText.ts'

interface Props {
  definition: AnyDefinition
  /** Of the record that is edited; absent for a new one. */
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
  const [asking, setAsking] = useState(false)
  const { data, error, refetch } = useGetOne<Listed & { id: string }>(
    definition.name,
    { id: id ?? '' },
    { enabled: id !== undefined },
  )
  const leave = () => (isDirty ? setAsking(true) : onClose())
  const closed = data !== undefined && definition.edit?.when?.(data) === false

  return (
    <Dialog
      open
      onClose={leave}
      fullScreen={phone}
      aria-labelledby={titleId}
      {...(phone && { slotProps: { paper: { sx: { border: 0 } } } })}
    >
      {id === undefined || (data && !closed) ? (
        <ResourceForm
          definition={definition}
          record={data}
          titleId={titleId}
          onDirty={setDirty}
          onCancel={leave}
          onSaved={(saved) => {
            onClose()
            if (id === undefined) onCreated?.(saved)
          }}
        />
      ) : (
        <DialogContent>
          {error || closed ? (
            <ErrorState
              error={error}
              text={text('grid.gone')}
              onRetry={closed ? onClose : () => void refetch()}
            />
          ) : (
            <Skeleton variant="rounded" height={320} />
          )}
        </DialogContent>
      )}
      <ConfirmDialog
        open={asking}
        title={text('grid.discardTitle')}
        text={text('grid.discardText')}
        submitLabel={text('grid.discard')}
        cancelLabel={text('grid.keepEditing')}
        destructive
        onSubmit={onClose}
        onClose={() => setAsking(false)}
      />
    </Dialog>
  )
}
