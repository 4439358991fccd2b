import InsertDriveFileOutlined from '@mui/icons-material/InsertDriveFileOutlined'
import Box from '@mui/material/Box'
import CircularProgress from '@mui/material/CircularProgress'

import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { useText } from '#src/kit/useText.ts'

/** Says why a file is not shown. */
export function NotPreviewed({ because }: { because: 'cannot' | 'broken' | 'emptySheet' }) {
  const text = useText()
  return (
    <Box role="alert" sx={{ m: 'auto' }}>
      <EmptyState icon={<InsertDriveFileOutlined />} text={text(`filePreview.${because}`)} />
    </Box>
  )
}

type Unready =
  | { readonly status: 'loading' | 'broken' }
  | { readonly status: 'unreachable'; readonly error: unknown; readonly retry: () => void }

/** Placeholder for a file that is loading or cannot be shown. */
export function PreviewState({ state }: { state: Unready }) {
  const text = useText()
  if (state.status === 'broken') return <NotPreviewed because="broken" />
  if (state.status === 'unreachable')
    return (
      <Box sx={{ m: 'auto' }}>
        <ErrorState error={state.error} text={text('filePreview.failed')} onRetry={state.retry} />
      </Box>
    )
  return <CircularProgress aria-label={text('kit.loading')} sx={{ m: 'auto' }} />
}
