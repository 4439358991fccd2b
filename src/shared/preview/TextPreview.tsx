import Box from '@mui/material/Box'

import { useText } from '#src/kit/useText.ts'

import { PreviewState } from './PreviewState.tsx'
import { decodeText } from './previewValues.ts'
import { type Load, usePreviewed } from './usePreviewed.ts'

const read = async (content: Blob) => decodeText(new Uint8Array(await content.arrayBuffer()))

/** A plain text. */
export function TextPreview({ load }: { load: Load }) {
  const text = useText()
  const state = usePreviewed(load, read)
  if (state.status !== 'ready') return <PreviewState state={state} />
  return (
    <Box
      component="pre"
      // Scrolls, so the keyboard has to reach it.
      tabIndex={0}
      role="region"
      aria-label={text('filePreview.text')}
      dir="auto"
      sx={{
        flex: 1,
        m: 0,
        p: { xs: 2, sm: 3 },
        overflow: 'auto',
        bgcolor: 'background.paper',
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
        fontSize: '0.8125rem',
      }}
    >
      {state.value}
    </Box>
  )
}
