import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'ra-core'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'

import { filesApi } from '#contract/files/api.ts'
import {
  FILE_NAME_TOO_SHORT,
  FOLDER_NAME_MIN,
  FOLDER_NAME_REQUIRED,
  FOLDER_NAME_TOO_SHORT,
  type StorageItem,
} from '#contract/files/schema.ts'
import { SHORT_TEXT_MAX, tooLong } from '#contract/kit/text.ts'
import { call } from '#providers/api.ts'
import { byBack } from '#src/kit/browser/navigation.ts'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { FormTextField } from '#src/kit/form/FormTextField.tsx'
import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { SubmitButton } from '#src/kit/form/SubmitButton.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { useText } from '#src/kit/useText.ts'

import { nameOf } from '../list/itemValues.ts'
import { refreshFiles } from '../queries.ts'
import { refusalOf } from './refusalValues.ts'

/** What is wrong with a new name; undefined for nothing. */
function nameProblem(typed: string, isFolder: boolean): string | undefined {
  const name = typed.trim()
  if (isFolder && name === '') return FOLDER_NAME_REQUIRED
  if (name.length < FOLDER_NAME_MIN) return isFolder ? FOLDER_NAME_TOO_SHORT : FILE_NAME_TOO_SHORT
  return name.length > SHORT_TEXT_MAX ? tooLong(SHORT_TEXT_MAX) : undefined
}

interface Props {
  item: StorageItem
  onClose: () => void
}

/** Renames a file, which keeps its extension, or a folder. */
export function RenameDialog({ item, onClose }: Props) {
  const text = useText()
  const notify = useNotify()
  const client = useQueryClient()
  const formId = useId()
  const [problem, setProblem] = useState<string>()
  const form = useForm({ defaultValues: { name: item.name } })
  const { errors, isDirty } = form.formState
  const { guard, letGo, leave } = useLeaveGuard(isDirty, {
    leaves: byBack,
    question: 'grid.discardText',
    stay: 'grid.keepEditing',
  })
  const save = async ({ name }: { name: string }) => {
    setProblem(undefined)
    try {
      const saved = await call(filesApi.change, { params: { id: item.id }, body: { name: name.trim() } })
      letGo()
      notify(text('files.renamed', { name: nameOf(saved) }), { type: 'success' })
      onClose()
    } catch (error) {
      const { message, atName } = refusalOf(error, text('kit.wentWrong'))
      if (atName) form.setError('name', { type: 'server', message }, { shouldFocus: true })
      else setProblem(message)
    }
    void refreshFiles(client)
  }
  const { busy, submit } = useSubmitOnce(() => form.handleSubmit(save)())
  const close = () => {
    if (!busy) leave(onClose)
  }
  return (
    <>
      <DialogFrame
        title={text('files.renameTitle', { name: nameOf(item) })}
        isShort
        onClose={close}
        actions={
          <>
            <Button color="inherit" onClick={close} disabled={busy}>
              {text('kit.cancel')}
            </Button>
            <SubmitButton
              form={formId}
              label={text('files.rename')}
              busyLabel={text('files.saving')}
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
            label={text('files.newName')}
            field={form.register('name', { validate: (typed) => nameProblem(typed, item.isFolder) })}
            problem={errors.name?.message}
            autoComplete="off"
            autoFocus
            inputProps={{ dir: 'auto', 'aria-required': true }}
          />
        </form>
        {problem && <Alert severity="error">{problem}</Alert>}
      </DialogFrame>
      {guard}
    </>
  )
}
