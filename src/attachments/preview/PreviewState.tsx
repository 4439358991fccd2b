import InsertDriveFileOutlined from '@mui/icons-material/InsertDriveFileOutlined'
import Box from '@mui/material/Box'
import CircularProgress from '@mui/material/CircularProgress'

import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { useText } from '#src/kit/useText.ts'

import type { Unpreviewed } from './previewValues.ts'

function Reason({ sentence }: { sentence: string }) {
  return (
    <Box role="alert" sx={{ m: 'auto' }}>
      <EmptyState icon={<InsertDriveFileOutlined />} text={sentence} />
    </Box>
  )
}

/** Says why a file is not shown. */
export function NotPreviewed({ because }: { because: Unpreviewed }) {
  const text = useText()
  return <Reason sentence={text(`filePreview.${because}`)} />
}

type Unready =
  | { readonly status: 'loading' | 'waiting' }
  | { readonly status: 'broken'; readonly because: Unpreviewed }
  | { readonly status: 'refused'; readonly sentence: string }
  | { readonly status: 'unreachable'; readonly error: unknown; readonly retry: () => void }

/** Placeholder for a file that is loading or cannot be shown. */
export function PreviewState({ state }: { state: Unready }) {
  const text = useText()
  if (state.status === 'broken') return <NotPreviewed because={state.because} />
  if (state.status === 'refused') return <Reason sentence={state.sentence} />
  if (state.status === 'unreachable')
    return (
      <Box sx={{ m: 'auto' }}>
        <ErrorState error={state.error} text={text('filePreview.failed')} onRetry={state.retry} />
      </Box>
    )
  return (
    <Box sx={{ m: 'auto', p: 2, display: 'flex', flexDirection: 'column', alignItems: 'center', gap: 2 }}>
      <CircularProgress aria-label={text('kit.loading')} />
      <Box role="status" sx={{ color: 'text.secondary', textAlign: 'center' }}>
        {state.status === 'waiting' && text('filePreview.waiting')}
      </Box>
    </Box>
  )
}
