import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
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
import { useUndoable } from '#src/kit/feedback/useUndoable.tsx'
import { NameDialog, type Notice } from '#src/kit/form/NameDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { nameOf } from '../list/itemValues.ts'
import { refreshFiles } from '../queries.ts'
import { refusalOf } from './refusalValues.ts'

/** Error message for a new name; undefined for none. */
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
  const notifyUndoable = useUndoable()
  const client = useQueryClient()
  const [notice, setNotice] = useState<Notice>()
  const form = useForm({ defaultValues: { name: item.name } })
  const save = async ({ name }: { name: string }): Promise<boolean> => {
    setNotice(undefined)
    try {
      const params = { id: item.id }
      const saved = await call(filesApi.change, { params, body: { name: name.trim() } })
      notifyUndoable(text('files.renamed', { name: nameOf(saved) }), () =>
        // Another name by somebody else is no longer this one's to undo.
        call(filesApi.change, { params, body: { name: item.name, version: saved.version } }).finally(
          () => void refreshFiles(client),
        ),
      )
      return true
    } catch (error) {
      const { message, atName } = refusalOf(error, text('kit.wentWrong'))
      if (atName) form.setError('name', { type: 'server', message }, { shouldFocus: true })
      else setNotice({ severity: 'error', message })
      return false
    } finally {
      void refreshFiles(client)
    }
  }
  return (
    <NameDialog
      title={text('files.renameTitle', { name: nameOf(item) })}
      label={text('files.newName')}
      submitLabel={text('files.rename')}
      busyLabel={text('files.saving')}
      form={form}
      validate={(typed) => nameProblem(typed, item.isFolder)}
      save={save}
      notice={notice}
      onClose={onClose}
    />
  )
}
