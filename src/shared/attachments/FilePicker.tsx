import UploadFileRounded from '@mui/icons-material/UploadFileRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useLocaleState } from 'ra-core'
import { type DragEvent, useEffect, useId, useRef, useState } from 'react'

import { FILES_AT_ONCE } from '#contract/attachments/schema.ts'
import { fileSize } from '#src/kit/fileSize.ts'
import { useText } from '#src/kit/useText.ts'

import { useFileLimits } from './useAttachments.ts'

interface Props {
  onChoose: (files: File[]) => void
  disabled: boolean
  /** What is wrong with what was chosen. */
  problem: string | undefined
}

const holdsFiles = ({ dataTransfer }: DragEvent | globalThis.DragEvent) =>
  dataTransfer?.types.includes('Files') ?? false

/** A file that misses its place must not take the page's. */
function useMissedDrops() {
  useEffect(() => {
    const keep = (event: globalThis.DragEvent) => {
      if (holdsFiles(event)) event.preventDefault()
    }
    window.addEventListener('dragover', keep)
    window.addEventListener('drop', keep)
    return () => {
      window.removeEventListener('dragover', keep)
      window.removeEventListener('drop', keep)
    }
  }, [])
}

/** Opens the system's own dialog for files. Answers the hidden field and how to ask. */
export function useFileField(onChoose: (files: File[]) => void) {
  const field = useRef<HTMLInputElement>(null)
  const input = (
    <input
      ref={field}
      type="file"
      multiple
      hidden
      onChange={({ target }) => {
        onChoose([...(target.files ?? [])])
        // So that the same file can be chosen again.
        target.value = ''
      }}
    />
  )
  return { input, ask: () => field.current?.click() }
}

/** Where files are dropped, or chosen. */
export function FilePicker({ onChoose, disabled, problem }: Props) {
  const text = useText()
  const [locale] = useLocaleState()
  const { maxBytes } = useFileLimits()
  const [over, setOver] = useState(false)
  const { input, ask } = useFileField(onChoose)
  const hintId = useId()
  useMissedDrops()
  const drop = (event: DragEvent) => {
    if (!holdsFiles(event)) return
    event.preventDefault()
    setOver(false)
    if (!disabled) onChoose([...event.dataTransfer.files])
  }
  return (
    <div>
      <Box
        onDragOver={(event) => {
          if (!holdsFiles(event) || disabled) return
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        sx={{
          display: 'grid',
          justifyItems: 'center',
          gap: 1,
          p: 2.5,
          textAlign: 'center',
          border: '2px dashed',
          borderColor: problem ? 'error.main' : over ? 'primary.main' : 'background.edge',
          borderRadius: 1,
          bgcolor: over ? 'action.hover' : 'transparent',
          // Only the place itself hears that something leaves it.
          '& > *': { pointerEvents: over ? 'none' : 'auto' },
        }}
      >
        <UploadFileRounded sx={{ fontSize: 32, color: 'text.secondary' }} />
        <span>{text(over ? 'attachments.dropNow' : 'attachments.drop')}</span>
        <Button variant="outlined" onClick={ask} disabled={disabled} aria-describedby={hintId}>
          {text('attachments.choose')}
        </Button>
        <Box id={hintId} component="span" sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
          {text('attachments.limits', { count: FILES_AT_ONCE, size: fileSize(locale, maxBytes) })}
        </Box>
        {input}
      </Box>
      <Box role="alert" sx={{ mt: problem ? 0.5 : 0, fontSize: '0.8125rem', color: 'error.main' }}>
        {problem}
      </Box>
    </div>
  )
}
