import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import DownloadRounded from '@mui/icons-material/DownloadRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Link from '@mui/material/Link'
import { useLocaleState } from 'react-admin'
import { useRef, useState } from 'react'

import { type Attachment, type Parent, removalFailed } from '#contract/attachments/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useUndoable } from '#src/kit/feedback/useUndoable.tsx'
import { fileSize } from '#src/kit/browser/fileSize.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'
import { useAttachedPreview } from './preview/useAttachedPreview.tsx'
import { useCanPreview } from './preview/useCanPreview.ts'

import { FileIcon } from './FileIcon.tsx'
import {
  fetchAttachment,
  useDownload,
  useRemoveAttachment,
  useRestoreAttachment,
  wordsOf,
} from './useAttachments.ts'

/** Clamps a name of two hundred letters. */
const nameSx = {
  display: '-webkit-box',
  WebkitBoxOrient: 'vertical',
  WebkitLineClamp: 3,
  overflow: 'hidden',
  fontWeight: 600,
  overflowWrap: 'anywhere',
} as const

interface Props {
  parent: Parent
  files: readonly Attachment[]
  canRemove: (file: Attachment) => boolean
}

/** The attached files with download, and delete if permitted. */
export function AttachmentRows({ parent, files, canRemove }: Props) {
  const text = useText()
  const notifyUndoable = useUndoable()
  const [locale] = useLocaleState()
  const download = useDownload()
  const canPreview = useCanPreview()
  const preview = useAttachedPreview({
    files: files.filter(canPreview),
    fetchFile: fetchAttachment,
    onDownload: (id) => void download(id),
  })
  const remove = useRemoveAttachment(parent)
  const restore = useRestoreAttachment(parent)
  const [deleting, setDeleting] = useState<Attachment | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const called = deleting ? wholeName(deleting) : ''
  return (
    <>
      <Box
        ref={list}
        component="ul"
        tabIndex={-1}
        aria-label={text('attachments.list')}
        sx={{ m: 0, p: 0, listStyle: 'none', outline: 'none' }}
      >
        {files.map((file) => {
          const name = wholeName(file)
          return (
            <Box
              key={file.id}
              component="li"
              sx={{
                display: 'grid',
                gridTemplateColumns: '20px minmax(0, 1fr) auto auto',
                alignItems: 'center',
                columnGap: 1,
                py: 0.75,
                '& + &': { borderTop: 1, borderColor: 'divider' },
              }}
            >
              <FileIcon extension={file.extension} sx={{ color: 'text.secondary' }} />
              <div>
                <Box title={name} sx={nameSx}>
                  {canPreview(file) ? (
                    <Link
                      component="button"
                      type="button"
                      color="inherit"
                      aria-haspopup="dialog"
                      aria-label={text('attachments.open', { name })}
                      onClick={() => preview.open(file.id)}
                      sx={{ font: 'inherit', textAlign: 'start', overflowWrap: 'anywhere' }}
                    >
                      <bdi>{name}</bdi>
                    </Link>
                  ) : (
                    <bdi>{name}</bdi>
                  )}
                </Box>
                <Box
                  sx={{
                    color: 'text.secondary',
                    fontSize: '0.75rem',
                    overflowWrap: 'anywhere',
                    '& time': { whiteSpace: 'nowrap' },
                  }}
                >
                  {text('attachments.by', {
                    type: file.extension.toUpperCase(),
                    size: fileSize(locale, file.size),
                    name: file.createdByName,
                  })}
                  {'\u00a0· '}
                  <Time at={file.lastUpdated} />
                </Box>
              </div>
              <IconButton
                size="small"
                aria-label={text('attachments.download', { name })}
                title={text('attachments.download', { name })}
                onClick={() => void download(file.id)}
              >
                <DownloadRounded />
              </IconButton>
              {canRemove(file) && (
                <IconButton
                  size="small"
                  aria-label={text('attachments.delete', { name })}
                  title={text('attachments.delete', { name })}
                  onClick={() => setDeleting(file)}
                >
                  <DeleteOutlineRounded />
                </IconButton>
              )}
            </Box>
          )
        })}
      </Box>
      <ConfirmDialog
        open={deleting !== null}
        title={text('attachments.deleteTitle')}
        text={text('attachments.deleteText', { name: called })}
        submitLabel={text('attachments.deleteSubmit')}
        destructive
        onSubmit={async () => {
          const { id } = deleting!
          await remove.mutateAsync(id)
          notifyUndoable(text('attachments.deleted', { name: called }), () => restore(id))
          requestAnimationFrame(() => list.current?.focus())
        }}
        explain={(error) => removalFailed(wordsOf(error))}
        onClose={() => setDeleting(null)}
      />
      {preview.element}
    </>
  )
}
