import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import DownloadRounded from '@mui/icons-material/DownloadRounded'
import DriveFileMoveRounded from '@mui/icons-material/DriveFileMoveRounded'
import DriveFileRenameOutlineRounded from '@mui/icons-material/DriveFileRenameOutlineRounded'
import FileCopyRounded from '@mui/icons-material/FileCopyRounded'
import FolderOpenRounded from '@mui/icons-material/FolderOpenRounded'
import FolderZipRounded from '@mui/icons-material/FolderZipRounded'
import InfoOutlineRounded from '@mui/icons-material/InfoOutlineRounded'
import LockPersonRounded from '@mui/icons-material/LockPersonRounded'
import LinkRounded from '@mui/icons-material/LinkRounded'
import OpenInNewRounded from '@mui/icons-material/OpenInNewRounded'
import StarBorderRounded from '@mui/icons-material/StarBorderRounded'
import UploadRounded from '@mui/icons-material/UploadRounded'

import { ROOT, type StorageItem } from '#contract/files/schema.ts'
import type { TextKey } from '#providers/i18nProvider.ts'
import type { OfferedAction } from '#src/kit/list/ActionButton.tsx'
import { useText } from '#src/kit/useText.ts'
import { useConfig } from '#src/config/useConfig.ts'

import type { Listed, Selection } from './selectionValues.ts'
import type { FilesDialog } from './useFilesDialogs.tsx'

interface Options {
  readonly onOpen: (item: StorageItem) => void
  readonly onDownload: (items: Selection) => void
  readonly onDetails: (item: StorageItem) => void
  /** Opens the folder of a search result. */
  readonly onShow: (item: Listed) => void
  readonly onDialog: (dialog: FilesDialog) => void
  readonly onStar: (item: StorageItem) => void
  /** Chooses files to upload into a folder. */
  readonly onUpload: (folder: StorageItem) => void
}
interface Action extends Pick<OfferedAction, 'icon' | 'run'> {
  readonly label: TextKey
  readonly isOffered?: boolean
  readonly isDestructive?: boolean
}

function actionsForMany(items: Selection, { onDownload, onDialog }: Options): Action[] {
  const areEditable = items.every(({ isEditable }) => isEditable)
  return [
    { label: 'files.downloadZip', icon: FolderZipRounded, run: () => onDownload(items) },
    {
      label: 'files.move',
      icon: DriveFileMoveRounded,
      run: () => onDialog({ kind: 'move', items }),
      isOffered: areEditable,
    },
    { label: 'files.copy', icon: FileCopyRounded, run: () => onDialog({ kind: 'copy', items }) },
    {
      label: 'files.delete',
      icon: DeleteOutlineRounded,
      run: () => onDialog({ kind: 'delete', items }),
      isOffered: areEditable,
      isDestructive: true,
    },
  ]
}

/** The actions on one file or folder. `hasLinks`: the organisation shares by links. */
function actionsForOne(
  item: Listed,
  { onOpen, onDownload, onDetails, onShow, onStar, onDialog, onUpload }: Options,
  hasLinks: boolean,
): Action[] {
  const { isFolder, isEditable, isStarred } = item
  return [
    { label: 'files.open', icon: OpenInNewRounded, run: () => onOpen(item) },
    {
      label: 'files.showInFolder',
      icon: FolderOpenRounded,
      run: () => onShow(item),
      isOffered: item.path !== undefined,
    },
    { label: 'files.download', icon: DownloadRounded, run: () => onDownload([item]) },
    {
      label: 'files.uploadHere',
      icon: UploadRounded,
      run: () => onUpload(item),
      isOffered: isFolder && !item.isOnHold,
    },
    {
      label: 'files.rename',
      icon: DriveFileRenameOutlineRounded,
      run: () => onDialog({ kind: 'rename', item }),
      isOffered: isEditable,
    },
    {
      label: 'files.editAccess',
      icon: LockPersonRounded,
      run: () => onDialog({ kind: 'access', folder: item }),
      isOffered: isEditable && isFolder && item.parentFolderId === ROOT,
    },
    {
      label: 'files.move',
      icon: DriveFileMoveRounded,
      run: () => onDialog({ kind: 'move', items: [item] }),
      isOffered: isEditable,
    },
    { label: 'files.copy', icon: FileCopyRounded, run: () => onDialog({ kind: 'copy', items: [item] }) },
    {
      label: isStarred ? 'files.unstar' : 'files.star',
      icon: StarBorderRounded,
      run: () => onStar(item),
    },
    {
      label: 'fileLinks.shareByLink',
      icon: LinkRounded,
      run: () => onDialog({ kind: 'link', item }),
      isOffered: hasLinks,
    },
    { label: 'files.details', icon: InfoOutlineRounded, run: () => onDetails(item) },
    {
      label: 'files.delete',
      icon: DeleteOutlineRounded,
      run: () => onDialog({ kind: 'delete', items: [item] }),
      isOffered: isEditable,
      isDestructive: true,
    },
  ]
}

/** The signed-in person's actions on files and folders (operations §6 "Storage"). The server enforces them. */
export function useItemActions(options: Options) {
  const text = useText()
  const hasLinks = useConfig()?.fileLinksEnabled === true
  const offer = (actions: readonly Action[]): OfferedAction[] =>
    actions
      .filter(({ isOffered = true }) => isOffered)
      .map(({ label, icon, run, isDestructive = false }) => ({
        key: label,
        label: text(label),
        icon,
        run,
        destructive: isDestructive,
      }))
  return (items: Selection): readonly OfferedAction[] => {
    const [first] = items
    if (!first) return []
    return offer(
      items.length === 1 ? actionsForOne(first, options, hasLinks) : actionsForMany(items, options),
    )
  }
}
