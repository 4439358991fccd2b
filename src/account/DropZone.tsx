import Box from '@mui/material/Box'
import { type DragEvent, type ReactNode, useState } from 'react'

interface Props {
  /** Content types that the chooser of the system offers. Others may be dropped: the server judges. */
  accepts: readonly string[]
  disabled: boolean
  onFile: (file: File) => void
  children: (state: { over: boolean; open: () => void }) => ReactNode
}

/** A field that a file is dropped on, or chosen for with a button inside it. */
export function DropZone({ accepts, disabled, onFile, children }: Props) {
  const [input, setInput] = useState<HTMLInputElement | null>(null)
  const [over, setOver] = useState(false)
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0]
    if (file && !disabled) onFile(file)
  }
  const hover = (event: DragEvent, next: boolean) => {
    event.preventDefault()
    setOver(next && !disabled)
  }
  return (
    <Box
      onDragEnter={(event) => hover(event, true)}
      onDragOver={(event) => hover(event, true)}
      onDragLeave={(event) => hover(event, false)}
      onDrop={(event) => {
        hover(event, false)
        take(event.dataTransfer.files)
      }}
      sx={{
        display: 'grid',
        justifyItems: 'center',
        gap: 1.5,
        p: 3,
        border: '1px dashed',
        borderColor: over ? 'primary.main' : 'background.edge',
        borderRadius: 1,
        bgcolor: over ? 'action.hover' : 'background.default',
        // What is inside would end the hovering of the field.
        ...(over && { '& > *': { pointerEvents: 'none' } }),
      }}
    >
      {children({ over, open: () => input?.click() })}
      <input
        ref={setInput}
        type="file"
        accept={accepts.join(',')}
        disabled={disabled}
        hidden
        onChange={(event) => {
          take(event.target.files)
          // The same file may be chosen again, after it was changed.
          event.target.value = ''
        }}
      />
    </Box>
  )
}
