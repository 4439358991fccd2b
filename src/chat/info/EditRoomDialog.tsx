import Alert from '@mui/material/Alert'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useNotify } from 'react-admin'
import { useId, useRef, useState } from 'react'
import { useForm, type UseFormReturn } from 'react-hook-form'

import { type Room, RoomChanges } from '#contract/chat/schema.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { resolverFromProblems } from '#src/kit/form/formRules.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { byBack } from '#src/kit/browser/navigation.ts'
import { takeLatest } from '#src/kit/browser/takeLatest.ts'
import { FormTextField } from '#src/kit/form/FormTextField.tsx'
import { useDraft } from '#src/kit/form/useDraft.ts'
import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { SubmitButton } from '#src/kit/form/SubmitButton.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { useText } from '#src/kit/useText.ts'

import { titleOf } from '../titleValues.ts'
import { EDIT_ROOM } from './formValues.ts'

interface Draft {
  name: string
  description: string
}
const draftOf = ({ name, description }: Room): Draft => ({ name: name ?? '', description: description ?? '' })
const isField = (name: string): name is keyof Draft => name === 'name' || name === 'description'

interface Notice {
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** Saves name and description. On a conflict, merges the newer room into the form. */
function useSaveRoom(opened: Room, form: UseFormReturn<Draft>, onSaved: () => void) {
  const chat = useChat()
  const text = useText()
  const [notice, setNotice] = useState<Notice>()
  const base = useRef(opened)

  const takeNewer = async (refusal: string) => {
    const newer = await chat.take((provider) => provider.room(opened.id))
    for (const field of takeLatest(form, draftOf(base.current), draftOf(newer)))
      form.setError(field, { message: text('grid.newerWins', { value: draftOf(newer)[field] }) })
    base.current = newer
    setNotice({ severity: 'warning', message: `${refusal} ${text('grid.newerLoaded')}` })
  }
  const refuse = async (error: unknown) => {
    const message = messageOf(error, text('kit.wentWrong'))
    const body = error instanceof HttpProblem ? error.body : {}
    if (body.code === 'stale') return takeNewer(message)
    const fields = Object.entries(body.fields ?? {}).filter(([name]) => isField(name))
    for (const [name, words] of fields)
      form.setError(name as keyof Draft, { type: 'server', message: words }, { shouldFocus: true })
    if (fields.length === 0) setNotice({ severity: 'error', message })
  }
  const save = async ({ name, description }: Draft) => {
    setNotice(undefined)
    const { version } = base.current
    const changes = { name: name.trim(), description: description.trim() || null, version }
    try {
      await chat.take((provider) => provider.updateRoom(opened.id, changes))
      onSaved()
    } catch (error) {
      await refuse(error).catch(() => setNotice({ severity: 'error', message: text('kit.wentWrong') }))
    }
  }
  const { busy, submit } = useSubmitOnce(() => form.handleSubmit(save)())
  return { busy, submit, notice }
}

export function EditRoomDialog({ room, onClose }: { room: Room; onClose: () => void }) {
  const text = useText()
  const notify = useNotify()
  const titleId = useId()
  const formId = useId()
  const form = useForm<Draft>({
    defaultValues: draftOf(room),
    resolver: resolverFromProblems((values) => {
      const problems: Record<string, { type: string; message: string }> = {}
      for (const { path, message } of RoomChanges.safeParse(values).error?.issues ?? [])
        problems[String(path[0])] ??= { type: 'rule', message }
      return problems
    }),
  })
  const { errors, isDirty } = form.formState
  useDraft(form, EDIT_ROOM)
  const { guard, letGo, leave } = useLeaveGuard(isDirty, {
    leaves: byBack,
    question: 'grid.discardText',
    stay: 'grid.keepEditing',
  })
  const { busy, submit, notice } = useSaveRoom(room, form, () => {
    letGo()
    notify(text('chatRooms.saved'), { type: 'success' })
    onClose()
  })
  const close = () => {
    if (!busy) leave(onClose)
  }
  return (
    <>
      <Dialog open onClose={close} maxWidth="xs" aria-labelledby={titleId}>
        <DialogTitle id={titleId} dir="auto" sx={{ overflowWrap: 'anywhere' }}>
          {text('chatRooms.editTitle', { name: titleOf(room) })}
        </DialogTitle>
        <DialogContent>
          <form
            id={formId}
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              submit()
            }}
            style={{ display: 'grid', gap: 20 }}
          >
            <FormTextField
              label={text('chatRooms.name')}
              field={form.register('name')}
              problem={errors.name?.message}
              autoComplete="off"
              autoFocus
              inputProps={{ dir: 'auto', 'aria-required': true }}
            />
            <FormTextField
              label={text('chatRooms.description')}
              field={form.register('description')}
              problem={errors.description?.message}
              autoComplete="off"
              inputProps={{ dir: 'auto' }}
              multiline
              minRows={3}
              maxRows={10}
            />
          </form>
          {notice && (
            <Alert severity={notice.severity} sx={{ mt: 2 }}>
              {notice.message}
            </Alert>
          )}
        </DialogContent>
        <DialogActions>
          <CancelButton onClick={close} disabled={busy} />
          <SubmitButton
            form={formId}
            label={text('chatRooms.save')}
            busyLabel={text('chatRooms.saving')}
            busy={busy}
          />
        </DialogActions>
      </Dialog>
      {guard}
    </>
  )
}
