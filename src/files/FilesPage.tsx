import DeleteSweepRounded from '@mui/icons-material/DeleteSweepRounded'
import LinkRounded from '@mui/icons-material/LinkRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { useNotify } from 'react-admin'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { ROOT, type StorageItem } from '#contract/files/schema.ts'
import { messageOf } from '#providers/problem.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useLatest } from '#src/kit/browser/useLatest.ts'
import { useFileField } from '#src/kit/form/DropArea.tsx'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { type MenuPlace, RowMenu } from '#src/kit/list/RowMenu.tsx'
import { useText } from '#src/kit/useText.ts'
import { useConfig } from '#src/config/useConfig.ts'

import { FilesGate } from './gate/FilesGate.tsx'
import { FilesToolbar } from './list/FilesToolbar.tsx'
import { FolderPath } from './list/FolderPath.tsx'
import { ItemList } from './list/ItemList.tsx'
import { nameOf } from './list/itemValues.ts'
import { useItemDrag } from './list/useItemDrag.ts'
import { OpenToAll } from './list/OpenToAll.tsx'
import { UploadButton } from './list/UploadButton.tsx'
import { useFolder, useItem } from './queries.ts'
import type { Selection } from './selectionValues.ts'
import { useUploads } from './upload/useUploads.ts'
import { useDownload } from './useDownload.ts'
import { useFilesDialogs } from './useFilesDialogs.tsx'
import { folderPath, useFilesRoute } from './useFilesRoute.ts'
import { useFilesView } from './useFilesView.ts'
import { useItemActions } from './useItemActions.ts'
import { useMoveItems } from './useMoveItems.ts'

const InfoPanel = lazy(async () => ({ default: (await import('./info/InfoPanel.tsx')).InfoPanel }))
const FilePreviewDialog = lazy(async () => ({
  default: (await import('./preview/FilePreviewDialog.tsx')).FilePreviewDialog,
}))
const AllLinksDialog = lazy(async () => ({
  default: (await import('#src/file-links/AllLinksDialog.tsx')).AllLinksDialog,
}))
const TrashDialog = lazy(async () => ({ default: (await import('./trash/TrashDialog.tsx')).TrashDialog }))
const UploadPanel = lazy(async () => ({ default: (await import('./upload/UploadPanel.tsx')).UploadPanel }))

const NOTHING: Selection = []

/** Name of a drop target: a folder of the path, or a row. */
function useTargetName(folderId: number, rows: Selection) {
  const text = useText()
  const { data: folder } = useItem(folderId)
  return (id: number): string => {
    if (id === ROOT) return text('files.title')
    return [...(folder?.path ?? []), ...rows].find((one) => one.id === id)?.name ?? ''
  }
}

/** Opens the trash. */
function TrashButton() {
  const text = useText()
  const [isOpen, setOpen] = useState<boolean>()
  return (
    <>
      <IconButton
        aria-label={text('files.trash')}
        title={text('files.trash')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        sx={{ color: 'text.secondary' }}
      >
        <DeleteSweepRounded />
      </IconButton>
      {isOpen !== undefined && (
        <Suspense>
          <TrashDialog open={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Opens the links of the organisation, where it has links. */
function LinksButton() {
  const text = useText()
  const [isOpen, setOpen] = useState(false)
  if (useConfig()?.fileLinksEnabled !== true) return null
  return (
    <>
      <IconButton
        aria-label={text('fileLinks.title')}
        title={text('fileLinks.title')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        sx={{ color: 'text.secondary' }}
      >
        <LinkRounded />
      </IconButton>
      {isOpen && (
        <Suspense>
          <AllLinksDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Files and folders of the open folder, with their actions. */
function FilesBrowser() {
  const text = useText()
  const notify = useNotify()
  const navigate = useNavigate()
  const folderId = useFilesRoute()
  const { view, change, selectedIds, select } = useFilesView(folderId)
  const query = useFolder(view)
  const rows = query.data?.items ?? NOTHING
  const current = useLatest(rows)
  const selection = useMemo(() => rows.filter(({ id }) => selectedIds.includes(id)), [rows, selectedIds])
  const [menu, setMenu] = useState<{ item: StorageItem; place: MenuPlace }>()
  const onMenu = useCallback((item: StorageItem, place: MenuPlace) => setMenu({ item, place }), [])

  const [previewed, setPreviewed] = useState<StorageItem>()
  const [detailsOf, setDetailsOf] = useState<number>()
  const dialogs = useFilesDialogs()
  const { download } = useDownload()
  const { move, question } = useMoveItems()
  const { addFiles, addDropped } = useUploads()
  const [uploadTo, setUploadTo] = useState(ROOT)
  const field = useFileField((files) => addFiles(files, uploadTo), {
    multiple: true,
    label: text('files.uploadHere'),
  })
  const nameOfTarget = useTargetName(folderId, rows)
  const onOpen = useCallback(
    (item: StorageItem) => {
      if (item.isFolder) void navigate(folderPath(item.id))
      else setPreviewed(item)
    },
    [navigate],
  )
  const actionsFor = useItemActions({
    onOpen,
    onDownload: (items) => void download(items, current.current),
    onDetails: ({ id }) => setDetailsOf(id),
    onShow: ({ path }) => void navigate(folderPath(path?.at(-1)?.id ?? ROOT)),
    onDialog: dialogs.open,
    onUpload: ({ id }) => {
      setUploadTo(id)
      field.ask()
    },
  })
  const drag = useItemDrag({
    draggedFrom: (item) => (selection.some(({ id }) => id === item.id) ? selection : [item]),
    onMove: (items, id) => {
      move(items, { id, name: nameOfTarget(id) }).catch((error: unknown) =>
        notify(messageOf(error, text('files.notMoved')), { type: 'error' }),
      )
    },
    onUpload: addDropped,
  })
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1.5, p: { xs: 2, md: 3 } }}>
      <PageTitle title={text('files.title')} />
      <FolderPath folderId={folderId} hasPreview={previewed !== undefined} drag={drag} />
      <FilesToolbar
        view={view}
        onChange={change}
        onNewFolder={() => dialogs.open({ kind: 'newFolder', parentFolderId: folderId })}
      >
        <LinksButton />
        <TrashButton />
        <UploadButton folderId={folderId} />
      </FilesToolbar>
      {folderId === ROOT && (
        <OpenToAll rows={rows} onEditAccess={(folder) => dialogs.open({ kind: 'access', folder })} />
      )}
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 2 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <ItemList
            query={query}
            view={view}
            onChange={change}
            selection={selection}
            onSelect={select}
            actions={actionsFor(selection)}
            onOpen={onOpen}
            onMenu={onMenu}
            drag={drag}
            hasDetails={detailsOf !== undefined}
          />
        </Box>
        {detailsOf !== undefined && (
          <Suspense>
            <InfoPanel itemId={detailsOf} onClose={() => setDetailsOf(undefined)} />
          </Suspense>
        )}
      </Box>
      {menu && (
        <RowMenu
          name={nameOf(menu.item)}
          actions={actionsFor([menu.item])}
          place={menu.place}
          onClose={() => setMenu(undefined)}
        />
      )}
      {dialogs.element}
      {question}
      {field.input}
      <Suspense>
        <UploadPanel folderId={folderId} />
        {previewed && (
          <FilePreviewDialog
            item={previewed}
            items={rows}
            onClose={() => setPreviewed(undefined)}
            onOpen={setPreviewed}
          />
        )}
      </Suspense>
    </Box>
  )
}

/** The page of files (operations §2 "Secure file storage"), behind a second factor if the organisation requires one. */
export const FilesPage = () => (
  <FilesGate>
    <FilesBrowser />
  </FilesGate>
)
