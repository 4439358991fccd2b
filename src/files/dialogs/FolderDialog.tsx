import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useForm } from 'react-hook-form'

import { NewFolder, ROOT, type StorageItem } from '#contract/files/schema.ts'
import { NameDialog } from '#src/kit/form/NameDialog.tsx'
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
  const form = useForm<FolderDraft>({
    defaultValues: draftOf(folder),
    resolver: standardSchemaResolver(NewFolder) as never,
  })
  return (
    <NameDialog
      title={text(folder ? 'files.editAccess' : 'files.newFolder')}
      label={text('files.folderName')}
      submitLabel={text(folder ? 'files.save' : 'files.create')}
      busyLabel={text(folder ? 'files.saving' : 'files.creating')}
      form={form}
      {...useSaveFolder({ folder, parentFolderId, form })}
      onClose={onClose}
    >
      {(folder ? folder.parentFolderId : parentFolderId) === ROOT && <FolderAccess form={form} />}
    </NameDialog>
  )
}
