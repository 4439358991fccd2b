import CheckRounded from '@mui/icons-material/CheckRounded'
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded'
import Button from '@mui/material/Button'
import { useRef } from 'react'

import { useCopied } from '#src/kit/browser/useCopied.ts'
import { useText } from '#src/kit/useText.ts'

/** Copies a text and says so for a while. */
export function CopyButton({ value, label, onFail }: { value: string; label: string; onFail: () => void }) {
  const text = useText()
  const button = useRef<HTMLButtonElement>(null)
  const { isCopied, copy } = useCopied(value)
  const press = () =>
    copy()
      .catch(onFail)
      .finally(() => button.current?.focus())
  return (
    <Button
      ref={button}
      variant="outlined"
      color="inherit"
      startIcon={isCopied ? <CheckRounded color="success" /> : <ContentCopyRounded />}
      onClick={() => void press()}
      sx={{ borderColor: 'background.edge' }}
    >
      <span aria-live="polite">{isCopied ? text('verifications.copied') : label}</span>
    </Button>
  )
}
