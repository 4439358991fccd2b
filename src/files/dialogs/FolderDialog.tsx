import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useForm } from 'react-hook-form'

import { NewFolder, ROOT, type StorageItem } from '#contract/files/schema.ts'
import { NameDialog } from '#src/kit/form/NameDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { FolderAccess } from './FolderAccess.tsx'
import { draftOf, type FolderDraft, useSaveFolder } from './useSaveFolder.ts'

interface Props {
  /** The root-level folder to edit; null to create one. */
  folder: StorageItem | null
  /** Parent of a new folder. */
  parentFolderId: number
  onClose: () => void
}

/** Creates a folder, or edits the name and access of a root-level one (operations §5 "Storage"). */
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
