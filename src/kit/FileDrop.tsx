import UploadFileRounded from '@mui/icons-material/UploadFileRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'

import type { TextKey } from '#providers/i18nProvider.ts'

import { useText } from './useText.ts'
import { visuallyHidden } from './visuallyHidden.ts'

interface Props {
  /** Names the field for who cannot see it. */
  label: TextKey
  /** What to do here, and what while a file is above it. */
  text: TextKey
  dropText: TextKey
  button: TextKey
  /** What a file may be, for the system's own dialog. */
  accept: string
  isWrong: boolean
  onChoose: (file: File) => void
  /** What a file has to be like. */
  children?: ReactNode
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

/** Where one file is dropped, or chosen. */
export function FileDrop(props: Props) {
  const text = useText()
  const hintId = useId()
  const field = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  useMissedDrops()
  const choose = (file: File | undefined) => file && props.onChoose(file)
  return (
    <Box
      onDragOver={(event) => {
        if (!holdsFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!holdsFiles(event)) return
        event.preventDefault()
        setOver(false)
        choose(event.dataTransfer.files[0])
      }}
      sx={{
        display: 'grid',
        justifyItems: 'center',
        gap: 1,
        p: 2.5,
        textAlign: 'center',
        border: '2px dashed',
        borderColor: props.isWrong ? 'error.main' : over ? 'primary.main' : 'background.edge',
        borderRadius: 1,
        bgcolor: over ? 'action.hover' : 'transparent',
        // Only the place itself hears that something leaves it.
        '& > *': { pointerEvents: over ? 'none' : 'auto' },
      }}
    >
      <UploadFileRounded sx={{ fontSize: 32, color: 'text.secondary' }} />
      <span>{text(over ? props.dropText : props.text)}</span>
      <Button variant="outlined" onClick={() => field.current?.click()} aria-describedby={hintId}>
        {text(props.button)}
      </Button>
      <Box id={hintId} sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>
        {props.children}
      </Box>
      <input
        ref={field}
        type="file"
        tabIndex={-1}
        accept={props.accept}
        aria-label={text(props.label)}
        style={visuallyHidden}
        onChange={({ target }) => {
          choose(target.files?.[0])
          // So that the same file can be chosen again.
          target.value = ''
        }}
      />
    </Box>
  )
}
