import Box from '@mui/material/Box'
import type { SystemStyleObject } from '@mui/system'
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'

import { holdsFiles } from '../browser/fileDrags.ts'

/** Keeps a file dropped beside the area from replacing the page. */
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
  /** Types offered by the file dialog. Any file may be dropped; the caller validates it. */
  readonly accept?: string
  /** Accessible name of the hidden input, for assistive technology that reaches it without the button. */
  readonly label?: string
  /** Chooses a folder with its contents. */
  readonly isFolder?: boolean
}

/** Opens the system's file dialog. Returns the hidden input and the function that opens it. */
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
        // Allows choosing the same file again.
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

/** Area for dropping files, around a button that chooses them. */
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
          // Only the area itself receives drag events, so that moving over its content is no `dragleave`.
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
