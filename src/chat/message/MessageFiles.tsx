import DownloadRounded from '@mui/icons-material/DownloadRounded'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import CircularProgress from '@mui/material/CircularProgress'
import { useLocaleState, useNotify } from 'react-admin'
import { useCallback, useState } from 'react'

import type { MessageAttachment } from '#contract/chat/schema.ts'
import type { ChatMessage } from '#providers/chat/timeline.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { messageOf, statusOf } from '#providers/problem.ts'
import { fileSize } from '#src/kit/browser/fileSize.ts'
import { useText } from '#src/kit/useText.ts'
import { FileIcon } from '#src/attachments/FileIcon.tsx'
import { useAttachedPreview } from '#src/attachments/preview/useAttachedPreview.tsx'
import { useCanPreview } from '#src/attachments/preview/useCanPreview.ts'

import { MessageImages } from './MessageImages.tsx'
import { fileFrame, MissingFile } from './MissingFile.tsx'
import { useMessageActs } from './useMessageActs.ts'

interface RowProps {
  file: MessageAttachment
  onDownload: (id: string) => Promise<void>
  /** Opens the file; absent if its format cannot be previewed. */
  onOpen: (() => void) | undefined
  onRemove: (() => void) | undefined
}
function FileRow({ file, onDownload, onOpen, onRemove }: RowProps) {
  const text = useText()
  const notify = useNotify()
  const [locale] = useLocaleState()
  const [state, setState] = useState<'ready' | 'loading' | 'missing'>('ready')
  const download = async () => {
    setState('loading')
    try {
      await onDownload(file.id)
      setState('ready')
    } catch (error) {
      const isMissing = statusOf(error) === 404
      setState(isMissing ? 'missing' : 'ready')
      if (!isMissing) notify(messageOf(error, text('kit.wentWrong')), { type: 'error' })
    }
  }
  if (state === 'missing') return <MissingFile name={file.title} onRemove={onRemove} />
  const label = text('chatMessages.download', { name: file.title })
  const icon =
    state === 'loading' ? (
      <CircularProgress size={20} />
    ) : (
      <DownloadRounded sx={{ color: 'text.secondary' }} />
    )
  const named = (
    <>
      <FileIcon extension={file.extension} sx={{ color: 'text.secondary' }} />
      <Box component="span" sx={{ flex: 1, minWidth: 0, lineHeight: 1.35 }}>
        <Box
          component="span"
          sx={{
            display: '-webkit-box',
            WebkitBoxOrient: 'vertical',
            WebkitLineClamp: 2,
            overflow: 'hidden',
            overflowWrap: 'anywhere',
            fontWeight: 600,
          }}
        >
          <bdi>{file.title}</bdi>
        </Box>
        <Box component="span" sx={{ fontSize: '0.75rem', color: 'text.secondary' }}>
          {fileSize(locale, file.size)}
        </Box>
      </Box>
    </>
  )
  const pressSx = { '&:hover': { bgcolor: 'action.hover' } }
  if (!onOpen)
    return (
      <ButtonBase
        aria-label={label}
        title={label}
        disabled={state === 'loading'}
        onClick={() => void download()}
        sx={{ ...fileFrame, ...pressSx, bgcolor: 'background.paper' }}
      >
        {named}
        {icon}
      </ButtonBase>
    )
  return (
    <Box sx={{ ...fileFrame, p: 0, gap: 0, bgcolor: 'background.paper', overflow: 'hidden' }}>
      <ButtonBase
        aria-haspopup="dialog"
        aria-label={text('chatMessages.openFile', { name: file.title })}
        title={file.title}
        onClick={onOpen}
        sx={{ ...fileFrame, ...pressSx, flex: 1, minWidth: 0, border: 0, borderRadius: 0 }}
      >
        {named}
      </ButtonBase>
      <ButtonBase
        aria-label={label}
        title={label}
        disabled={state === 'loading'}
        onClick={() => void download()}
        sx={{ ...pressSx, flex: 'none', alignSelf: 'stretch', width: 44 }}
      >
        {icon}
      </ButtonBase>
    </Box>
  )
}

interface Props {
  message: ChatMessage
  /** True if the caller may remove a missing file from the message. */
  canRemove: (file: MessageAttachment) => boolean
}

/** Files of a message: images as pictures, others as rows with preview and download. */
export function MessageFiles({ message, canRemove }: Props) {
  const text = useText()
  const notify = useNotify()
  const { download, removeFile } = useMessageActs(message)
  const removal = (file: MessageAttachment) => (canRemove(file) ? () => void removeFile(file.id) : undefined)
  const images = message.attachments.filter(({ type }) => type === 'image')
  const files = message.attachments.filter(({ type }) => type === 'file')
  const { provider } = useChat()
  const fetchFile = useCallback((id: string, page?: number) => provider.shownFile(id, page), [provider])
  const canPreview = useCanPreview(!provider.lacks?.has('convertFiles'))
  const preview = useAttachedPreview({
    files: files.filter(canPreview),
    fetchFile,
    onDownload: (id) => {
      download(id).catch((error: unknown) =>
        notify(messageOf(error, text('kit.wentWrong')), { type: 'error' }),
      )
    },
  })
  return (
    <Box
      aria-label={text('chatMessages.files')}
      role="group"
      sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 0.75, my: 0.5 }}
    >
      {images.length > 0 && <MessageImages images={images} removal={removal} onDownload={download} />}
      {files.map((file) => (
        <FileRow
          key={file.id}
          file={file}
          onDownload={download}
          onOpen={canPreview(file) ? () => preview.open(file.id) : undefined}
          onRemove={removal(file)}
        />
      ))}
      {preview.element}
    </Box>
  )
}
