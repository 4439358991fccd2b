import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { type ReactNode, useId } from 'react'
import type { Path, UseFormReturn } from 'react-hook-form'

import { byBack } from '../browser/navigation.ts'
import { CancelButton } from '../feedback/CancelButton.tsx'
import { DialogFrame } from '../feedback/DialogFrame.tsx'
import { FormTextField } from './FormTextField.tsx'
import { useLeaveGuard } from './LeaveGuard.tsx'
import { SubmitButton } from './SubmitButton.tsx'
import { useSubmitOnce } from './useSubmitOnce.ts'

/** Message below the fields of a dialog. */
export interface Notice {
  readonly severity: 'error' | 'warning'
  readonly message: string
}

interface Props<Draft extends { name: string }> {
  title: string
  /** Label of the name field. */
  label: string
  submitLabel: string
  busyLabel: string
  /** Form whose resolver validates the name, unless `validate` does. */
  form: UseFormReturn<Draft>
  validate?: (name: string) => string | undefined
  /** Resolves to true once saved, which closes the dialog. */
  save: (draft: Draft) => Promise<boolean>
  notice: Notice | undefined
  onClose: () => void
  /** Further fields. */
  children?: ReactNode
}

/** A dialog that edits a name. Closing it confirms discarding input. */
export function NameDialog<Draft extends { name: string }>(props: Props<Draft>) {
  const { title, label, submitLabel, busyLabel, form, validate, save, notice, onClose, children } = props
  const formId = useId()
  // Every draft has a name, which `Path` cannot derive for a type parameter.
  const name = 'name' as Path<Draft>
  const { guard, letGo, leave } = useLeaveGuard(form.formState.isDirty, {
    leaves: byBack,
    question: 'grid.discardText',
    stay: 'grid.keepEditing',
  })
  const { busy, submit } = useSubmitOnce(() =>
    form.handleSubmit(async (draft) => {
      if (!(await save(draft))) return
      letGo()
      onClose()
    })(),
  )
  const close = () => {
    if (!busy) leave(onClose)
  }
  return (
    <>
      <DialogFrame
        title={title}
        isShort
        onClose={close}
        actions={
          <>
            <CancelButton onClick={close} disabled={busy} />
            <SubmitButton form={formId} label={submitLabel} busyLabel={busyLabel} busy={busy} />
          </>
        }
      >
        <Box
          component="form"
          id={formId}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
          sx={{ display: 'grid', gap: 2 }}
        >
          <FormTextField
            label={label}
            field={form.register(name, validate && { validate })}
            problem={form.getFieldState(name, form.formState).error?.message}
            autoComplete="off"
            autoFocus
            inputProps={{ dir: 'auto', 'aria-required': true }}
          />
          {children}
        </Box>
        {notice && <Alert severity={notice.severity}>{notice.message}</Alert>}
      </DialogFrame>
      {guard}
    </>
  )
}
