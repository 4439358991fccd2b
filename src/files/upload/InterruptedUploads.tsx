import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import LinearProgress from '@mui/material/LinearProgress'
import { useQueryClient } from '@tanstack/react-query'
import { useLocaleState } from 'react-admin'
import { useState } from 'react'

import type { InterruptedUpload } from '#contract/files/schema.ts'
import { wholeName } from '#contract/kit/files.ts'
import { fileSize } from '#src/kit/browser/fileSize.ts'
import { useFileField } from '#src/kit/form/DropArea.tsx'
import { useText } from '#src/kit/useText.ts'
import { FileIcon } from '#src/attachments/FileIcon.tsx'

import { useUploadList } from './useUploads.ts'

const small = { fontSize: '0.8125rem', color: 'text.secondary', overflowWrap: 'anywhere' } as const

/** An interrupted upload with its progress and actions. */
function InterruptedRow({ upload }: { upload: InterruptedUpload }) {
  const text = useText()
  const [locale] = useLocaleState()
  const queries = useQueryClient()
  const { resume, discard } = useUploadList()
  const [isOther, setOther] = useState(false)
  const name = wholeName(upload)
  const { offset, length, path, extension } = upload
  const share = new Intl.NumberFormat(locale, { style: 'percent' }).format(offset / length)
  const folder = path?.at(-1)?.name ?? text('files.title')
  const label = text('fileUploads.resumeOne', { name })
  const field = useFileField((files) => setOther(!resume(upload, files[0]!, queries)), { label })
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: '20px minmax(0, 1fr) auto',
        alignItems: 'center',
        columnGap: 1,
        px: 2,
        py: 0.5,
      }}
    >
      <FileIcon extension={extension} sx={{ color: 'text.secondary' }} />
      <div>
        <Box title={name} sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
          <Box component="bdi" sx={{ whiteSpace: 'nowrap' }}>
            {name}
          </Box>
        </Box>
        <Box sx={small}>{text('fileUploads.arrived', { share, size: fileSize(locale, length), folder })}</Box>
        <LinearProgress
          variant="determinate"
          color="inherit"
          value={Math.round((offset / length) * 100)}
          aria-label={text('fileUploads.progress', { name })}
          sx={{ my: 0.5, borderRadius: 1, color: 'text.disabled' }}
        />
        <Box role="alert" sx={{ ...small, color: 'error.main' }}>
          {isOther && text('fileUploads.otherFile', { name })}
        </Box>
      </div>
      <Box sx={{ display: 'flex', alignItems: 'center' }}>
        <Button size="small" aria-label={label} onClick={field.ask}>
          {text('fileUploads.resume')}
        </Button>
        <IconButton
          size="small"
          aria-label={text('fileUploads.discard', { name })}
          onClick={() => discard(upload)}
        >
          <CloseRounded />
        </IconButton>
      </Box>
      {field.input}
    </Box>
  )
}

/** Uploads that a reload or a lost device interrupted, to be resumed. */
export function InterruptedUploads({ list }: { list: readonly InterruptedUpload[] }) {
  const text = useText()
  return (
    <>
      <Box sx={{ ...small, px: 2, pb: 0.5 }}>{text('fileUploads.chooseAgain')}</Box>
      <Box
        component="ul"
        tabIndex={0}
        aria-label={text('fileUploads.interruptedList')}
        sx={{ m: 0, p: 0, pb: 1, listStyle: 'none', maxHeight: 'min(240px, 30vh)', overflow: 'auto' }}
      >
        {list.map((upload) => (
          <InterruptedRow key={upload.id} upload={upload} />
        ))}
      </Box>
    </>
  )
}
