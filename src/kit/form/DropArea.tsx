import Box from '@mui/material/Box'
import type { SystemStyleObject } from '@mui/system'
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'

import { holdsFiles } from '../browser/fileDrags.ts'

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

interface FieldOptions {
  readonly multiple?: boolean
  /** The types that the file dialog offers. Any file may be dropped; the caller validates it. */
  readonly accept?: string
  /** Names the field for who meets it without its button. */
  readonly label?: string
  /** Asks for a folder with everything in it. */
  readonly isFolder?: boolean
}

/** Opens the system's own dialog for files. Returns the hidden field and how to ask. */
export function useFileField(onChoose: (files: File[]) => void, options: FieldOptions = {}) {
  const { multiple = false, accept, label, isFolder = false } = options
  const field = useRef<HTMLInputElement>(null)
  const input = (
    <input
      ref={field}
      type="file"
      hidden
      multiple={multiple}
      accept={accept}
      aria-label={label}
      {...(isFolder && { webkitdirectory: '' })}
      onChange={({ target }) => {
        if (target.files?.length) onChoose([...target.files])
        // Lets a file be chosen a second time.
        target.value = ''
      }}
    />
  )
  return { input, ask: () => field.current?.click() }
}

interface Props extends FieldOptions {
  disabled?: boolean
  isWrong?: boolean
  onChoose: (files: File[]) => void
  children: (state: { over: boolean; ask: () => void }) => ReactNode
  sx?: SystemStyleObject
}

/** Where files are dropped, or chosen with a button inside it. */
export function DropArea({ disabled = false, isWrong = false, onChoose, children, sx, ...field }: Props) {
  const [over, setOver] = useState(false)
  const { input, ask } = useFileField(onChoose, field)
  useMissedDrops()
  const hover = (event: DragEvent) => {
    if (!holdsFiles(event) || disabled) return
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    if (!holdsFiles(event)) return
    event.preventDefault()
    setOver(false)
    const files = [...event.dataTransfer.files]
    if (!disabled && files.length > 0) onChoose(field.multiple ? files : files.slice(0, 1))
  }
  return (
    <Box
      onDragEnter={hover}
      onDragOver={hover}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      sx={[
        {
          display: 'grid',
          justifyItems: 'center',
          gap: 1,
          p: 2.5,
          textAlign: 'center',
          border: '2px dashed',
          borderColor: isWrong ? 'error.main' : over ? 'primary.main' : 'background.edge',
          borderRadius: 1,
          bgcolor: over ? 'action.hover' : 'transparent',
          // Only the place itself hears that something leaves it.
          '& > *': { pointerEvents: over ? 'none' : 'auto' },
        },
        ...(sx ? [sx] : []),
      ]}
    >
      {children({ over, ask })}
      {input}
    </Box>
  )
}
