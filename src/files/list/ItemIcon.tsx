import FolderRounded from '@mui/icons-material/FolderRounded'
import FolderSharedRounded from '@mui/icons-material/FolderSharedRounded'
import FolderSpecialRounded from '@mui/icons-material/FolderSpecialRounded'
import type { SvgIconProps } from '@mui/material/SvgIcon'

import type { StorageItem } from '#contract/files/schema.ts'
import { FileIcon } from '#src/attachments/FileIcon.tsx'

const FOLDERS = { PUBLIC: FolderRounded, PRIVATE: FolderSharedRounded, ADMIN: FolderSpecialRounded }

/** Icon of a folder's access or a file's format; decorative, since words say both. */
export function ItemIcon({ item, ...props }: SvgIconProps & { item: StorageItem }) {
  if (!item.isFolder) return <FileIcon extension={item.extension} {...props} />
  const Icon = FOLDERS[item.folderType]
  return <Icon {...props} />
}
