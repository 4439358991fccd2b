import FormControl from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import InputLabel from '@mui/material/InputLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'

import { filesApi } from '#contract/files/api.ts'
import { FOLDER_NAME_MISMATCH, type StorageItem, TRASH_DAYS } from '#contract/files/schema.ts'
import { call } from '#providers/api.ts'
import { statusOf } from '#providers/problem.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useUndoable } from '#src/kit/feedback/useUndoable.tsx'
import { useText } from '#src/kit/useText.ts'

import { nameOf } from '../list/itemValues.ts'
import { refreshFiles } from '../queries.ts'
import type { Selection } from '../selectionValues.ts'
import { restoreItems } from '../undoValues.ts'
import { refusalOf } from './refusalValues.ts'

interface Props {
  items: Selection
  onClose: () => void
}

/** Deletes items one by one. Items that somebody else deleted meanwhile count as done. */
function useDeleteItems() {
  const text = useText()
  const notifyUndoable = useUndoable()
  const client = useQueryClient()
  return async (items: Selection) => {
    let gone = 0
    const deleted: number[] = []
    try {
      for (const { id } of items) {
        await call(filesApi.remove, { params: { id } }).then(
          () => deleted.push(id),
          (error: unknown) => {
            if (statusOf(error) !== 404) throw error
          },
        )
        gone += 1
      }
    } catch (error) {
      const reason = refusalOf(error, text('kit.wentWrong')).message
      const name = nameOf(items[gone]!)
      throw new Error(items.length === 1 ? reason : text('files.someNotDeleted', { name, reason }), {
        cause: error,
      })
    } finally {
      void refreshFiles(client)
    }
    const said =
      items.length === 1
        ? text('files.deleted', { name: nameOf(items[0]!) })
        : text('files.deletedMany', { smart_count: gone })
    notifyUndoable(said, () => restoreItems(deleted).finally(() => void refreshFiles(client)))
  }
}

/** Confirmation field: the folder's name is typed before its contents are deleted. */
function TypedName({
  name,
  problem,
  onType,
}: {
  name: string
  problem: boolean
  onType: (typed: string) => void
}) {
  const text = useText()
  const id = useId()
  return (
    <FormControl fullWidth error={problem} sx={{ mt: 2 }}>
      <InputLabel htmlFor={id}>{text('files.typeName', { name })}</InputLabel>
      <OutlinedInput
        id={id}
        autoComplete="off"
        onChange={({ target }) => onType(target.value)}
        inputProps={{ dir: 'auto', 'aria-invalid': problem }}
        {...(problem && { 'aria-describedby': `${id}-help` })}
      />
      {problem && <FormHelperText id={`${id}-help`}>{FOLDER_NAME_MISMATCH}</FormHelperText>}
    </FormControl>
  )
}

const kindOf = (items: Selection, { isFolder }: StorageItem) =>
  items.length > 1 ? 'Many' : isFolder ? 'Folder' : 'File'

/** Confirms deleting files; the name of each folder has to be typed (operations §5 "Storage"). */
export function DeleteDialog({ items, onClose }: Props) {
  const text = useText()
  const remove = useDeleteItems()
  const folders = items.filter(({ isFolder }) => isFolder)
  const [typed, setTyped] = useState<{ readonly [id: number]: string }>({})
  const [isChecked, setChecked] = useState(false)
  const isWrong = ({ id, name }: StorageItem) => typed[id] !== name
  const first = items[0]!
  const kind = kindOf(items, first)
  const words = { name: nameOf(first), days: TRASH_DAYS, smart_count: items.length }
  return (
    <ConfirmDialog
      open
      title={text(`files.delete${kind}Title`, words)}
      text={text(`files.delete${kind}Text`, words)}
      submitLabel={text('files.delete')}
      destructive
      onSubmit={async () => {
        if (folders.some(isWrong)) {
          setChecked(true)
          // The errors are shown at the fields.
          throw new Error('')
        }
        await remove(items)
      }}
      explain={(error) => (error instanceof Error ? error.message : text('kit.wentWrong'))}
      onClose={onClose}
    >
      {folders.map((folder) => (
        <TypedName
          key={folder.id}
          name={folder.name}
          problem={isChecked && isWrong(folder)}
          onType={(name) => setTyped({ ...typed, [folder.id]: name })}
        />
      ))}
    </ConfirmDialog>
  )
}
