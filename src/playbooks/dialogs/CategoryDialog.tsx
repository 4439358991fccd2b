import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'ra-core'
import { useId, useRef, useState } from 'react'
import { useForm, type UseFormReturn } from 'react-hook-form'

import { playbookCategoriesApi } from '#contract/playbook-categories/api.ts'
import { NewCategory, type PlaybookCategory } from '#contract/playbook-categories/schema.ts'
import { call } from '#providers/api.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { byBack } from '#src/kit/browser/navigation.ts'
import { takeLatest } from '#src/kit/browser/takeLatest.ts'
import { FormTextField } from '#src/kit/form/FormTextField.tsx'
import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { SubmitButton } from '#src/kit/form/SubmitButton.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { useText } from '#src/kit/useText.ts'

import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'

interface Draft {
  name: string
}
const draftOf = (category: PlaybookCategory | null): Draft => ({ name: category?.name ?? '' })

interface Notice {
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** Saves a category. A name that is taken is said at the field; a change of somebody else is taken in, and asked about. */
function useSaveCategory(opened: PlaybookCategory | null, form: UseFormReturn<Draft>, onSaved: () => void) {
  const text = useText()
  const client = useQueryClient()
  const [notice, setNotice] = useState<Notice>()
  const base = useRef(opened)

  const takeNewer = async (refusal: string, { id }: PlaybookCategory) => {
    const categories = await call(playbookCategoriesApi.list, { query: { withPlaybooks: 'false' } })
    const newer = categories.find((one) => one.id === id)
    if (!newer) return setNotice({ severity: 'error', message: text('grid.gone') })
    if (takeLatest(form, draftOf(base.current), draftOf(newer)).length > 0)
      form.setError('name', { message: text('grid.newerWins', { value: newer.name }) })
    base.current = newer
    setNotice({ severity: 'warning', message: `${refusal} ${text('grid.newerLoaded')}` })
  }
  const refuse = async (error: unknown) => {
    const message = messageOf(error, text('kit.wentWrong'))
    const { status, body } = error instanceof HttpProblem ? error : { status: 0, body: {} }
    if (body.code === 'stale' && base.current) return takeNewer(message, base.current)
    const atName = body.fields?.['name'] ?? (status === 409 ? message : undefined)
    if (atName === undefined) setNotice({ severity: 'error', message })
    else form.setError('name', { type: 'server', message: atName }, { shouldFocus: true })
  }
  const save = async ({ name }: Draft) => {
    setNotice(undefined)
    try {
      const { current } = base
      await (current
        ? call(playbookCategoriesApi.update, {
            params: { id: current.id },
            body: { name, version: current.version },
          })
        : call(playbookCategoriesApi.create, { body: { name } }))
      void client.invalidateQueries({ queryKey: ['playbook-categories'] })
      onSaved()
    } catch (error) {
      await refuse(error).catch(() => setNotice({ severity: 'error', message: text('kit.wentWrong') }))
    }
  }
  const { busy, submit } = useSubmitOnce(() => form.handleSubmit(save)())
  return { busy, submit, notice }
}

interface OpenProps {
  /** Null for a new one. */
  category: PlaybookCategory | null
  onClose: () => void
}

function OpenDialog({ category, onClose }: OpenProps) {
  const text = useText()
  const notify = useNotify()
  const formId = useId()
  const form = useForm<Draft>({
    defaultValues: draftOf(category),
    resolver: standardSchemaResolver(NewCategory),
  })
  const { errors, isDirty } = form.formState
  const { guard, letGo, leave } = useLeaveGuard(isDirty, {
    leaves: byBack,
    question: 'grid.discardText',
    stay: 'grid.keepEditing',
  })
  const { busy, submit, notice } = useSaveCategory(category, form, () => {
    letGo()
    notify(text(category ? 'playbookDialogs.saved' : 'playbookDialogs.categoryCreated'), { type: 'success' })
    onClose()
  })
  const close = () => {
    if (!busy) leave(onClose)
  }
  return (
    <>
      <DialogFrame
        title={text(category ? 'playbookDialogs.editCategory' : 'playbookDialogs.createCategory')}
        isShort
        onClose={close}
        actions={
          <>
            <Button color="inherit" onClick={close} disabled={busy}>
              {text('kit.cancel')}
            </Button>
            <SubmitButton
              form={formId}
              label={text(category ? 'playbookDialogs.save' : 'playbookDialogs.create')}
              busyLabel={text(category ? 'playbookDialogs.saving' : 'playbookDialogs.creating')}
              busy={busy}
            />
          </>
        }
      >
        <form
          id={formId}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <FormTextField
            label={text('playbookDialogs.categoryName')}
            field={form.register('name')}
            problem={errors.name?.message}
            autoComplete="off"
            autoFocus
            inputProps={{ dir: 'auto', 'aria-required': true }}
          />
        </form>
        {notice && <Alert severity={notice.severity}>{notice.message}</Alert>}
      </DialogFrame>
      {guard}
    </>
  )
}

interface Props extends OpenProps {
  open: boolean
}

/** Makes or renames a category (operations §2, §5 "Playbooks"). */
export const CategoryDialog = ({ open, ...props }: Props) => open && <OpenDialog {...props} />
