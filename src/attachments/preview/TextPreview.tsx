import Box from '@mui/material/Box'

import { TEXT_PREVIEW_LIMIT } from '#contract/files/rules.ts'
import { useText } from '#src/kit/useText.ts'

import { NotPreviewed, PreviewState } from './PreviewState.tsx'
import { textOf } from './previewValues.ts'
import { type Load, usePreviewed } from './usePreviewed.ts'

/** Returns null if the text is too long to be shown. */
const read = async (content: Blob) =>
  content.size < TEXT_PREVIEW_LIMIT ? textOf(new Uint8Array(await content.arrayBuffer())) : null

export function TextPreview({ load }: { load: Load }) {
  const text = useText()
  const state = usePreviewed(load, read)
  if (state.status !== 'ready') return <PreviewState state={state} />
  if (state.value === null) return <NotPreviewed because="cannot" />
  return (
    <Box
      component="pre"
      // Makes the scroll area reachable by keyboard.
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
        unicodeBidi: 'plaintext',
        overflowWrap: 'anywhere',
        fontSize: '0.8125rem',
      }}
    >
      {state.value}
    </Box>
  )
}
