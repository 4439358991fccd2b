import SystemUpdateAltRounded from '@mui/icons-material/SystemUpdateAltRounded'
import Button from '@mui/material/Button'
import { lazy, Suspense } from 'react'

import { update, useUpdate } from '#providers/update.ts'
import { useText } from '#src/kit/useText.ts'

const ConfirmDialog = lazy(async () => ({
  default: (await import('#src/kit/feedback/ConfirmDialog.tsx')).ConfirmDialog,
}))

/** Asks whether to load a newer version now. */
export function NewVersionDialog() {
  const text = useText()
  if (useUpdate() !== 'prompted') return null
  return (
    <Suspense>
      <ConfirmDialog
        open
        title={text('app.newVersion')}
        text={text('app.newVersionText')}
        submitLabel={text('app.update')}
        cancelLabel={text('app.dismiss')}
        onSubmit={() => update.bring()}
        onClose={() => update.dismiss()}
      />
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
