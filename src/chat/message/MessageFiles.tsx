import DownloadRounded from '@mui/icons-material/DownloadRounded'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import CircularProgress from '@mui/material/CircularProgress'
import { useLocaleState, useNotify } from 'ra-core'
import { useState } from 'react'

import type { MessageAttachment } from '#contract/chat/schema.ts'
import type { ChatMessage } from '#providers/chat/timeline.ts'
import { messageOf, statusOf } from '#providers/problem.ts'
import { fileSize } from '#src/kit/browser/fileSize.ts'
import { useText } from '#src/kit/useText.ts'
import { FileIcon } from '#src/shared/attachments/FileIcon.tsx'

import { MessageImages } from './MessageImages.tsx'
import { fileFrame, MissingFile } from './MissingFile.tsx'
import { useMessageActs } from './useMessageActs.ts'

interface RowProps {
  file: MessageAttachment
  onDownload: (id: string) => Promise<void>
  onRemove: (() => void) | undefined
}
function FileRow({ file, onDownload, onRemove }: RowProps) {
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
  return (
    <ButtonBase
      aria-label={label}
      title={label}
      disabled={state === 'loading'}
      onClick={() => void download()}
      sx={{ ...fileFrame, bgcolor: 'background.paper', '&:hover': { bgcolor: 'action.hover' } }}
    >
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
      {state === 'loading' ? (
        <CircularProgress size={20} />
      ) : (
        <DownloadRounded sx={{ color: 'text.secondary' }} />
      )}
    </ButtonBase>
  )
}

interface Props {
  message: ChatMessage
  /** Whether a missing file can be taken out of the message. */
  canRemove: (file: MessageAttachment) => boolean
}

/** The files of a message: images as pictures, others as rows with download. */
export function MessageFiles({ message, canRemove }: Props) {
  const text = useText()
  const { download, removeFile } = useMessageActs(message)
  const removal = (file: MessageAttachment) => (canRemove(file) ? () => void removeFile(file.id) : undefined)
  const images = message.attachments.filter(({ type }) => type === 'image')
  const files = message.attachments.filter(({ type }) => type === 'file')
  return (
    <Box
      aria-label={text('chatMessages.files')}
      role="group"
      sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 0.75, my: 0.5 }}
    >
      {images.length > 0 && <MessageImages images={images} removal={removal} onDownload={download} />}
      {files.map((file) => (
        <FileRow key={file.id} file={file} onDownload={download} onRemove={removal(file)} />
      ))}
    </Box>
  )
}
