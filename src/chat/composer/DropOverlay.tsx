import UploadFileRounded from '@mui/icons-material/UploadFileRounded'
import Box from '@mui/material/Box'
import Portal from '@mui/material/Portal'
import { useEffect, useEffectEvent, useState } from 'react'

import { holdsFiles } from '#src/kit/browser/fileDrags.ts'
import { useText } from '#src/kit/useText.ts'

interface Props {
  onFiles: (files: File[]) => void
}

/** Covers the page while files are dragged over it, and accepts drops anywhere. */
export function DropOverlay({ onFiles }: Props) {
  const text = useText()
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent(onFiles)
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      // `dragleave` also fires between two elements; only leaving the window has no related target.
      if (!event.relatedTarget) setOver(false)
    }
    const drop = (event: DragEvent) => {
      setOver(false)
      if (!holdsFiles(event)) return
      event.preventDefault()
      take([...event.dataTransfer!.files])
    }
    window.addEventListener('dragenter', over)
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragenter', over)
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  if (!isOver) return null
  return (
    <Portal>
      <Box
        sx={{
          position: 'fixed',
          inset: 0,
          zIndex: 'tooltip',
          display: 'grid',
          placeItems: 'center',
          p: 3,
          bgcolor: 'rgb(15 19 25 / 40%)',
          pointerEvents: 'none',
        }}
      >
        <Box
          sx={{
            display: 'grid',
            justifyItems: 'center',
            gap: 1,
            px: 6,
            py: 4,
            border: '2px dashed',
            borderColor: 'primary.main',
            borderRadius: 1,
            bgcolor: 'background.paper',
            fontSize: '1rem',
            fontWeight: 600,
          }}
        >
          <UploadFileRounded sx={{ fontSize: 32, color: 'primary.main' }} />
          {text('chatMessages.dropHere')}
        </Box>
      </Box>
    </Portal>
  )
}
