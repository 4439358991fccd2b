import SystemUpdateAltRounded from '@mui/icons-material/SystemUpdateAltRounded'
import Button from '@mui/material/Button'
import { lazy, Suspense } from 'react'

import { update, useUpdate } from '#providers/update.ts'
import { useText } from '#src/kit/useText.ts'

const NewVersionPrompt = lazy(async () => ({
  default: (await import('./NewVersionPrompt.tsx')).NewVersionPrompt,
}))

/** The question about a newer version, once there is one. */
export function NewVersionDialog() {
  if (useUpdate() !== 'prompted') return null
  return (
    <Suspense>
      <NewVersionPrompt />
    </Suspense>
  )
}

/** Stays in the header after Dismiss. */
export function UpdateNowButton() {
  const text = useText()
  if (useUpdate() !== 'dismissed') return null
  return (
    <Button
      variant="outlined"
      size="small"
      startIcon={<SystemUpdateAltRounded />}
      onClick={() => void update.bring()}
      sx={{ flex: 'none' }}
    >
      {text('app.updateNow')}
    </Button>
  )
}
