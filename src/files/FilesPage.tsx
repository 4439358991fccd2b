import Box from '@mui/material/Box'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useNotify } from 'react-admin'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { ROOT, type StorageItem } from '#contract/files/schema.ts'
import type { TextKey } from '#providers/i18nProvider.ts'
import { messageOf } from '#providers/problem.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useLatest } from '#src/kit/browser/useLatest.ts'
import { useFileField } from '#src/kit/form/DropArea.tsx'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { type MenuPlace, RowMenu } from '#src/kit/list/RowMenu.tsx'
import { useRemembered } from '#src/kit/list/useRemembered.ts'
import { useText } from '#src/kit/useText.ts'

import { FilesGate } from './gate/FilesGate.tsx'
import { FilesHead } from './list/FilesHead.tsx'
import { ItemList } from './list/ItemList.tsx'
import { nameOf } from './list/itemValues.ts'
import { useItemDrag } from './list/useItemDrag.ts'
import { OpenToAll } from './list/OpenToAll.tsx'
import { useFolder, useItem, useStar } from './queries.ts'
import type { FilesLayout, Selection } from './selectionValues.ts'
import { useUploads } from './upload/useUploads.ts'
import { useCopyItems } from './useCopyItems.ts'
import { useDownload } from './useDownload.ts'
import { useFilesDialogs } from './useFilesDialogs.tsx'
import { useFilesKeys } from './useFilesKeys.ts'
import { folderPath } from './useFilesRoute.ts'
import { useFilesView } from './useFilesView.ts'
import { useItemActions } from './useItemActions.ts'
import { useMoveItems } from './useMoveItems.ts'

const InfoPanel = lazy(async () => ({ default: (await import('./info/InfoPanel.tsx')).InfoPanel }))
const FilesAside = lazy(async () => ({ default: (await import('./list/FilesAside.tsx')).FilesAside }))
const FilePreviewDialog = lazy(async () => ({
  default: (await import('./preview/FilePreviewDialog.tsx')).FilePreviewDialog,
}))
const UploadPanel = lazy(async () => ({ default: (await import('./upload/UploadPanel.tsx')).UploadPanel }))

const NOTHING: Selection = []
/** Windows with room beside the list. */
const WIDE = '(min-width: 1280px)'

/** Name of a drop target: a folder of the path, or a row. */
function useTargetName(folderId: number, rows: Selection) {
  const text = useText()
  const { data: folder } = useItem(folderId)
  return (id: number): string => {
    if (id === ROOT) return text('files.title')
    return [...(folder?.path ?? []), ...rows].find((one) => one.id === id)?.name ?? ''
  }
}

/** The file that the address opens: a row of the list, or else the file of a link. */
function useOpenedFile(rows: Selection, fileId: number | undefined): StorageItem | undefined {
  const listed = rows.find(({ id }) => id === fileId)
  const { data } = useItem(fileId ?? ROOT, listed === undefined && fileId !== undefined)
  const linked = fileId !== undefined && data?.id === fileId && !data.isFolder ? data : undefined
  return listed ?? linked
}

/** Acts that report what became of them: moving, copying and starring. */
function useItemActs(folderId: number, rows: Selection) {
  const text = useText()
  const notify = useNotify()
  const nameOfTarget = useTargetName(folderId, rows)
  const { move, question } = useMoveItems()
  const copy = useCopyItems()
  const star = useStar()
  const [clipboard, setClipboard] = useState<Selection>(NOTHING)
  const reportTo = (refusal: TextKey) => (error: unknown) =>
    notify(messageOf(error, text(refusal)), { type: 'error' })
  return {
    question,
    moveTo: (items: Selection, id: number) =>
      void move(items, { id, name: nameOfTarget(id) }).catch(reportTo('files.notMoved')),
    star: ({ id, isStarred }: StorageItem) =>
      star.mutate({ id, isStarred: !isStarred }, { onError: reportTo('kit.wentWrong') }),
    /** Remembers what is pasted later, in this folder or another one. */
    keep: (items: Selection) => {
      setClipboard(items)
      notify(text('files.toPaste', { smart_count: items.length }), { type: 'info' })
    },
    paste: () => {
      if (clipboard.length > 0)
        void copy(clipboard, { id: folderId, name: nameOfTarget(folderId) }).catch(
          reportTo('files.notCopied'),
        )
    },
  }
}

/** Files and folders of the open folder, with their actions. */
function FilesBrowser() {
  const text = useText()
  const navigate = useNavigate()
  const { view, change, selectedIds, select, fileId, open, closeFile } = useFilesView()
  const { place, folderId } = view
  const query = useFolder(view)
  const rows = query.data?.items ?? NOTHING
  const current = useLatest(rows)
  const selection = useMemo(() => rows.filter(({ id }) => selectedIds.includes(id)), [rows, selectedIds])
  const [menu, setMenu] = useState<{ item: StorageItem; place: MenuPlace }>()
  const onMenu = useCallback((item: StorageItem, at: MenuPlace) => setMenu({ item, place: at }), [])
  const [layout, setLayout] = useRemembered<FilesLayout>('files', 'layout', 'list')

  const previewed = useOpenedFile(rows, fileId)
  const [detailsOf, setDetailsOf] = useState<number>()
  const dialogs = useFilesDialogs()
  const { download } = useDownload()
  const acts = useItemActs(folderId, rows)
  const { addFiles, addDropped } = useUploads()
  const [uploadTo, setUploadTo] = useState(ROOT)
  const field = useFileField((files) => addFiles(files, uploadTo), {
    multiple: true,
    label: text('files.uploadHere'),
  })
  const isWide = useMediaQuery(WIDE, { noSsr: true })
  const isRoot = place === 'folder' && folderId === ROOT
  const hasAside = isWide && isRoot && view.search === '' && detailsOf === undefined
  const actionsFor = useItemActions({
    onOpen: open,
    onDownload: (items) => void download(items, current.current),
    onDetails: ({ id }) => setDetailsOf(id),
    onShow: ({ path }) => void navigate(folderPath(path?.at(-1)?.id ?? ROOT)),
    onStar: acts.star,
    onDialog: dialogs.open,
    onUpload: ({ id }) => {
      setUploadTo(id)
      field.ask()
    },
  })
  const drag = useItemDrag({
    draggedFrom: (item) => (selection.some(({ id }) => id === item.id) ? selection : [item]),
    onMove: acts.moveTo,
    onUpload: addDropped,
  })
  useFilesKeys({
    rows,
    selection,
    onSelect: select,
    onRename: (item) => dialogs.open({ kind: 'rename', item }),
    onDelete: (items) => dialogs.open({ kind: 'delete', items }),
    onCopy: acts.keep,
    onPaste: () => place === 'folder' && view.search === '' && acts.paste(),
  })
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1.5, p: { xs: 2, md: 3 } }}>
      <PageTitle title={text('files.title')} />
      <FilesHead
        view={view}
        onChange={change}
        hasPreview={previewed !== undefined}
        drag={drag}
        layout={layout}
        onLayout={setLayout}
        onNewFolder={() => dialogs.open({ kind: 'newFolder', parentFolderId: folderId })}
      />
      {isRoot && (
        <OpenToAll rows={rows} onEditAccess={(folder) => dialogs.open({ kind: 'access', folder })} />
      )}
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 2 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <ItemList
            query={query}
            view={view}
            onChange={change}
            layout={layout}
            selection={selection}
            onSelect={select}
            actions={actionsFor(selection)}
            onOpen={open}
            onMenu={onMenu}
            drag={drag}
            hasDetails={hasAside || detailsOf !== undefined}
          />
        </Box>
        {hasAside && (
          <Suspense>
            <FilesAside onOpen={open} />
          </Suspense>
        )}
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
      {acts.question}
      {field.input}
      <Suspense>
        <UploadPanel folderId={folderId} />
        {previewed && <FilePreviewDialog item={previewed} items={rows} onClose={closeFile} onOpen={open} />}
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
