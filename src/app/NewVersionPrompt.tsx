import SystemUpdateAltRounded from '@mui/icons-material/SystemUpdateAltRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'

import { update } from '#providers/update.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

/** Asks whether to load a newer version now. */
export function NewVersionPrompt() {
  const text = useText()
  return (
    <ConfirmDialog
      open
      title={text('app.newVersion')}
      text={text('app.newVersionText')}
      submitLabel={text('app.update')}
      cancelLabel={text('app.dismiss')}
      onSubmit={() => update.bring()}
      onClose={() => update.dismiss()}
    />
  )
}

/** Button that loads the newer version: a line of its own on phones, in the header's row on wider screens. */
export function UpdateNow({ isLine = false }: { isLine?: boolean }) {
  const text = useText()
  return (
    <Box
      sx={{
        display: isLine ? { xs: 'block', sm: 'none' } : { xs: 'none', sm: 'block' },
        flex: 'none',
        ...(isLine && { px: 2, pb: 1 }),
      }}
    >
      <Button
        variant="outlined"
        size="small"
        fullWidth={isLine}
        startIcon={<SystemUpdateAltRounded />}
        onClick={() => void update.bring()}
        sx={{ minHeight: isLine ? 44 : 36 }}
      >
        {text('app.updateNow')}
      </Button>
    </Box>
  )
}
