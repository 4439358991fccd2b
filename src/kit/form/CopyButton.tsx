import CheckRounded from '@mui/icons-material/CheckRounded'
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded'
import Button from '@mui/material/Button'
import { useRef } from 'react'

import { credentials as texts } from '#providers/i18n/credentials.ts'
import { useCopied } from '../browser/useCopied.ts'

/** Copies a text and says so for three seconds (foundation §9). */
export function CopyButton({ value, label, onFail }: { value: string; label: string; onFail: () => void }) {
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
      <span aria-live="polite">{isCopied ? texts.copied : label}</span>
    </Button>
  )
}
