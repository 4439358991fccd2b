import CheckRounded from '@mui/icons-material/CheckRounded'
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded'
import Button from '@mui/material/Button'
import { useEffect, useRef, useState } from 'react'

import { copyText } from '#src/kit/clipboard.ts'
import { useText } from '#src/kit/useText.ts'

/** Said for three seconds (foundation §9). */
const SAID_MS = 3_000

/** Copies a text and says so for a while. */
export function CopyButton({ value, label, onFail }: { value: string; label: string; onFail: () => void }) {
  const text = useText()
  const button = useRef<HTMLButtonElement>(null)
  const [copied, setCopied] = useState(0)
  useEffect(() => {
    if (copied === 0) return undefined
    const timer = setTimeout(() => setCopied(0), SAID_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () =>
    copyText(value)
      .then(() => setCopied((times) => times + 1), onFail)
      .finally(() => button.current?.focus())
  return (
    <Button
      ref={button}
      variant="outlined"
      color="inherit"
      startIcon={copied > 0 ? <CheckRounded color="success" /> : <ContentCopyRounded />}
      onClick={() => void copy()}
      sx={{ borderColor: 'background.edge' }}
    >
      <span aria-live="polite">{copied > 0 ? text('verifications.copied') : label}</span>
    </Button>
  )
}
