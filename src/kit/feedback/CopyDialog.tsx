import CheckRounded from '@mui/icons-material/CheckRounded'
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import TextField from '@mui/material/TextField'
import { useId, useRef } from 'react'

import { useCopied } from '../browser/useCopied.ts'
import { SheetDialog } from './SheetDialog.tsx'
import { useText } from '../useText.ts'

interface Props {
  title: string
  /** The explanation of the value, with the warning that it is shown once. */
  text: string
  label: string
  value: string
  onClose: () => void
}

/** Shows a secret once. Only its button closes the dialog: neither Escape nor the backdrop may lose the secret. */
export function CopyDialog({ title, text: warning, label, value, onClose }: Props) {
  const text = useText()
  const titleId = useId()
  const box = useRef<HTMLInputElement>(null)
  const { isCopied, copy } = useCopied(value)
  return (
    <SheetDialog open aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Alert severity="warning">{warning}</Alert>
        <TextField
          label={label}
          value={value}
          inputRef={box}
          multiline
          onFocus={() => box.current?.select()}
          slotProps={{
            htmlInput: { readOnly: true, spellCheck: false, dir: 'ltr' },
            input: { sx: { fontFamily: 'monospace', bgcolor: 'background.default' } },
          }}
        />
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          {text('grid.done')}
        </Button>
        <Button
          variant="contained"
          autoFocus
          startIcon={isCopied ? <CheckRounded /> : <ContentCopyRounded />}
          onClick={() => void copy().catch(() => box.current?.select())}
          sx={{ minWidth: 112 }}
        >
          <span aria-live="polite">{text(isCopied ? 'grid.copied' : 'grid.copy')}</span>
        </Button>
      </DialogActions>
    </SheetDialog>
  )
}
