import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { useEffect, useState } from 'react'

import { useText } from '#src/kit/useText.ts'

import { documentPage } from './documentValues.ts'
import { PreviewState } from './PreviewState.tsx'
import { type Load, usePreviewed } from './usePreviewed.ts'

/** Milliseconds until the warning closes (operations §8 "Preview"). */
const WARNING_MS = 5_000

function StylingWarning() {
  const text = useText()
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), WARNING_MS)
    return () => clearTimeout(timer)
  }, [])
  if (isOver) return null
  return (
    <Alert
      severity="warning"
      sx={{
        position: 'absolute',
        insetInline: 8,
        // At the bottom, so that the beginning of the text stays visible.
        bottom: 16,
        width: 'fit-content',
        mx: 'auto',
        zIndex: 1,
        boxShadow: 8,
      }}
    >
      {text('filePreview.styling')}
    </Alert>
  )
}

/** A Word document in a sandboxed frame without scripts or network. */
export function DocumentPreview({ name, load }: { name: string; load: Load }) {
  const text = useText()
  const state = usePreviewed(load, documentPage)
  if (state.status !== 'ready') return <PreviewState state={state} />
  return (
    <Box sx={{ position: 'relative', flex: 1, display: 'flex', minWidth: 0 }}>
      <StylingWarning />
      <Box
        component="iframe"
        sandbox=""
        srcDoc={state.value}
        title={text('filePreview.title', { name })}
        sx={{ flex: 1, border: 0, bgcolor: '#e3e6eb' }}
      />
    </Box>
  )
}
