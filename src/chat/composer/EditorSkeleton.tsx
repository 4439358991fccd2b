import Skeleton from '@mui/material/Skeleton'

import { useText } from '#src/kit/useText.ts'

/** Placeholder with the height of the editor while it loads. */
export function EditorSkeleton() {
  const text = useText()
  return (
    <Skeleton
      role="status"
      variant="rounded"
      sx={{ height: { xs: 92, sm: 84 } }}
      aria-label={text('kit.loading')}
    />
  )
}
