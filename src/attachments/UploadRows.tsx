import CloseRounded from '@mui/icons-material/CloseRounded'
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import LinearProgress from '@mui/material/LinearProgress'
import { useLocaleState } from 'react-admin'

import { partsOf } from '#contract/kit/files.ts'
import { Countdown, useSecondsUntil } from '#src/kit/time/Countdown.tsx'
import { fileSize } from '#src/kit/browser/fileSize.ts'
import { useText } from '#src/kit/useText.ts'

import { FileIcon } from './FileIcon.tsx'
import type { Upload, Uploads } from './useUploads.ts'

function State({ upload }: { upload: Upload }) {
  const text = useText()
  const [locale] = useLocaleState()
  const { file, outcome, share, message } = upload
  if (outcome === false)
    return (
      <Box
        role="alert"
        sx={{ display: 'flex', gap: 0.5, alignItems: 'center', color: 'error.main', fontSize: '0.8125rem' }}
      >
        <ErrorOutlineRounded sx={{ fontSize: 16 }} />
        {message ? text('attachments.failedBecause', { message }) : text('attachments.failed')}
      </Box>
    )
  if (outcome === undefined)
    return <Box sx={{ color: 'text.secondary', fontSize: '0.8125rem' }}>{fileSize(locale, file.size)}</Box>
  return (
    <LinearProgress
      variant="determinate"
      value={Math.round(share * 100)}
      aria-label={text('attachments.progress', { name: file.name })}
      sx={{ my: 0.75, borderRadius: 1 }}
    />
  )
}

/** The chosen files, each with progress or failure. */
export function UploadRows({ uploads }: { uploads: Uploads }) {
  const text = useText()
  if (uploads.list.length === 0) return null
  return (
    <Box
      component="ul"
      aria-label={text('attachments.chosen')}
      sx={{ display: 'grid', gap: 0.5, m: 0, p: 0, listStyle: 'none' }}
    >
      {uploads.list.map((upload) => (
        <Box
          key={upload.key}
          component="li"
          sx={{
            display: 'grid',
            gridTemplateColumns: '20px minmax(0, 1fr) auto',
            alignItems: 'center',
            columnGap: 1,
            minHeight: 44,
          }}
        >
          <FileIcon extension={partsOf(upload.file.name).extension} sx={{ color: 'text.secondary' }} />
          <div>
            <Box sx={{ overflowWrap: 'anywhere' }}>
              <bdi>{upload.file.name}</bdi>
            </Box>
            <State upload={upload} />
          </div>
          <IconButton
            size="small"
            aria-label={text('attachments.remove', { name: upload.file.name })}
            onClick={() => uploads.remove(upload.key)}
          >
            <CloseRounded />
          </IconButton>
        </Box>
      ))}
    </Box>
  )
}

/** Counts down until the server accepts uploads again. */
export function UploadWait({ until }: { until: number }) {
  const text = useText()
  const seconds = useSecondsUntil(until)
  if (seconds === 0) return null
  return (
    <Box role="alert" sx={{ color: 'warning.main', fontSize: '0.8125rem' }}>
      <Countdown until={until} text={text('attachments.wait')} />
    </Box>
  )
}
