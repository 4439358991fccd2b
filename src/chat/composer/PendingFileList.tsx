import CloseRounded from '@mui/icons-material/CloseRounded'
import RefreshRounded from '@mui/icons-material/RefreshRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import LinearProgress from '@mui/material/LinearProgress'
import { useLocaleState } from 'react-admin'

import { partsOf } from '#contract/kit/files.ts'
import type { PendingFile } from '#providers/chat/uploads.ts'
import { fileSize } from '#src/kit/browser/fileSize.ts'
import { useText } from '#src/kit/useText.ts'
import { FileIcon } from '#src/attachments/FileIcon.tsx'

import type { PendingFiles } from './usePendingFiles.ts'

function State({ file }: { file: PendingFile }) {
  const text = useText()
  const [locale] = useLocaleState()
  if (file.state === 'uploading')
    return (
      <LinearProgress
        variant="determinate"
        value={Math.round(file.share * 100)}
        aria-label={text('chatMessages.uploading', { name: file.name })}
        sx={{ my: 0.75, borderRadius: 1 }}
      />
    )
  if (file.state === 'failed')
    return (
      <Box role="alert" sx={{ fontSize: '0.75rem', color: 'error.main' }}>
        {file.problem ?? text('chatMessages.uploadFailed')}
      </Box>
    )
  return <Box sx={{ fontSize: '0.75rem', color: 'text.secondary' }}>{fileSize(locale, file.size)}</Box>
}

/** The files of the next message, each with progress and a remove button. */
export function PendingFileList({ files, retry, remove }: Pick<PendingFiles, 'files' | 'retry' | 'remove'>) {
  const text = useText()
  if (files.length === 0) return null
  return (
    <Box
      component="ul"
      aria-label={text('chatMessages.pending')}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        gap: 0.75,
        maxHeight: 160,
        overflowY: 'auto',
        m: 0,
        p: 1,
        pb: 0,
        listStyle: 'none',
      }}
    >
      {files.map((file) => (
        <Box
          key={file.key}
          component="li"
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 1,
            width: 240,
            maxWidth: '100%',
            minHeight: 48,
            paddingInlineStart: 1,
            border: 1,
            borderColor: file.state === 'failed' ? 'error.main' : 'divider',
            borderRadius: '6px',
            '& button': { width: { xs: 44, sm: 32 }, height: { xs: 44, sm: 32 } },
          }}
        >
          <FileIcon extension={partsOf(file.name).extension} sx={{ color: 'text.secondary' }} />
          <Box sx={{ flex: 1, minWidth: 0, lineHeight: 1.35 }}>
            <Box
              title={file.name}
              sx={{
                overflow: 'hidden',
                whiteSpace: 'nowrap',
                textOverflow: 'ellipsis',
                fontSize: '0.8125rem',
              }}
            >
              <bdi>{file.name}</bdi>
            </Box>
            <State file={file} />
          </Box>
          {file.state === 'failed' && (
            <IconButton
              size="small"
              aria-label={text('chatMessages.retryFile', { name: file.name })}
              title={text('chatMessages.retryFile', { name: file.name })}
              onClick={() => retry(file)}
            >
              <RefreshRounded />
            </IconButton>
          )}
          <IconButton
            size="small"
            aria-label={text('chatMessages.removeFile', { name: file.name })}
            title={text('chatMessages.removeFile', { name: file.name })}
            onClick={() => remove(file)}
          >
            <CloseRounded />
          </IconButton>
        </Box>
      ))}
    </Box>
  )
}
