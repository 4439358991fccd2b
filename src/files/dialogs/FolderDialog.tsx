import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useNotify } from 'ra-core'
import { useId } from 'react'
import { useForm } from 'react-hook-form'

import { NewFolder, ROOT, type StorageItem } from '#contract/files/schema.ts'
import { byBack } from '#src/kit/browser/navigation.ts'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { FormTextField } from '#src/kit/form/FormTextField.tsx'
import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { SubmitButton } from '#src/kit/form/SubmitButton.tsx'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { useText } from '#src/kit/useText.ts'

import { FolderAccess } from './FolderAccess.tsx'
import { draftOf, type FolderDraft, useSaveFolder } from './useSaveFolder.ts'

interface Props {
  /** A root-level folder to change; null for a new one. */
  folder: StorageItem | null
  /** Where a new one is made. */
  parentFolderId: number
  onClose: () => void
}

/** Makes a folder, or changes the name of a root-level one and who may open it (operations §5 "Storage"). */
export function FolderDialog({ folder, parentFolderId, onClose }: Props) {
  const text = useText()
  const notify = useNotify()
  const formId = useId()
  const form = useForm<FolderDraft>({
    defaultValues: draftOf(folder),
    resolver: standardSchemaResolver(NewFolder) as never,
  })
  const { errors, isDirty } = form.formState
  const { guard, letGo, leave } = useLeaveGuard(isDirty, {
    leaves: byBack,
    question: 'grid.discardText',
    stay: 'grid.keepEditing',
  })
  const { save, notice } = useSaveFolder({
    folder,
    parentFolderId,
    form,
    onSaved: ({ name }) => {
      letGo()
      notify(folder ? text('files.saved') : text('files.folderCreated', { name }), { type: 'success' })
      onClose()
    },
  })
  const { busy, submit } = useSubmitOnce(() => form.handleSubmit(save)())
  const close = () => {
    if (!busy) leave(onClose)
  }
  return (
    <>
      <DialogFrame
        title={text(folder ? 'files.editAccess' : 'files.newFolder')}
        isShort
        onClose={close}
        actions={
          <>
            <Button color="inherit" onClick={close} disabled={busy}>
              {text('kit.cancel')}
            </Button>
            <SubmitButton
              form={formId}
              label={text(folder ? 'files.save' : 'files.create')}
              busyLabel={text(folder ? 'files.saving' : 'files.creating')}
              busy={busy}
            />
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
            label={text('files.folderName')}
            field={form.register('name')}
            problem={errors.name?.message}
            autoComplete="off"
            autoFocus
            inputProps={{ dir: 'auto', 'aria-required': true }}
          />
          {(folder ? folder.parentFolderId : parentFolderId) === ROOT && <FolderAccess form={form} />}
        </Box>
        {notice && <Alert severity={notice.severity}>{notice.message}</Alert>}
      </DialogFrame>
      {guard}
    </>
  )
}
