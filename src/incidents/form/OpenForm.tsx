import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'

import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { draftedForm } from '#src/kit/form/useDraft.ts'
import { useText } from '#src/kit/useText.ts'

import { DRAFT } from '../feed/useActivityForm.ts'

/** Name of a feed form: a new task or update, an edited one, a new update below a task. */
export type FormName = `new ${'TASK' | 'UPDATE'}` | `edit ${string}` | `below ${string}`

interface OpenForm {
  readonly open: FormName | null
  /** Opens another form, after asking whether to discard unsaved input of the open one. */
  readonly request: (form: FormName) => void
  /** Closes the open form without asking. */
  readonly close: () => void
  /** Called by the open form when it becomes dirty or clean. */
  readonly setDirty: (dirty: boolean) => void
}

const Context = createContext<OpenForm | null>(null)

/** Id of the button that opens a form and takes the focus back. */
export const triggerOf = (form: FormName): string => form.replace(' ', '-')

/** Keeps at most one task or update form open at a time (operations §2). */
export function OpenFormProvider({ children }: { children: ReactNode }) {
  const text = useText()
  const [open, setOpen] = useState(() => (draftedForm(DRAFT) as FormName | undefined) ?? null)
  const [asked, setAsked] = useState<FormName | null>(null)
  const [dirty, setDirty] = useState(false)
  const { guard } = useLeaveGuard(dirty)
  const show = useCallback((form: FormName | null) => {
    setDirty(false)
    setOpen(form)
  }, [])
  const request = useCallback(
    (form: FormName) => {
      if (dirty && form !== open) setAsked(form)
      else if (form !== open) show(form)
    },
    [dirty, open, show],
  )
  const close = useCallback(() => {
    show(null)
    if (open) requestAnimationFrame(() => document.getElementById(triggerOf(open))?.focus())
  }, [open, show])
  const value = useMemo(() => ({ open, request, close, setDirty }), [open, request, close])
  return (
    <Context value={value}>
      {children}
      {guard}
      <ConfirmDialog
        open={asked !== null}
        title={text('incidents.discardTitle')}
        text={text('incidents.discardFormText')}
        submitLabel={text('incidents.discard')}
        destructive
        onSubmit={() => show(asked)}
        onClose={() => setAsked(null)}
      />
    </Context>
  )
}

export function useOpenForm(): OpenForm {
  const value = useContext(Context)
  if (!value) throw new Error('There is no feed around this form.')
  return value
}
