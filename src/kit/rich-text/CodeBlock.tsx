import CheckRounded from '@mui/icons-material/CheckRounded'
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { useNotify } from 'react-admin'

import { useCopied } from '../browser/useCopied.ts'
import { useText } from '../useText.ts'
import { useFold } from './useFold.ts'

/** Height in pixels of about fifteen lines. */
const FOLDED = 320

/** Code with a button that copies it. Long code folds. */
export function CodeBlock({ code }: { code: string }) {
  const text = useText()
  const notify = useNotify()
  const { isCopied, copy } = useCopied(code)
  const { open, folds, content, toggle } = useFold(true)
  const label = text(isCopied ? 'richText.codeCopied' : 'richText.copyCode')
  return (
    <Box sx={{ position: 'relative' }}>
      <Box
        {...content}
        component="pre"
        sx={{
          margin: 0,
          paddingInlineEnd: '44px !important',
          ...(!open && { maxHeight: FOLDED, overflow: 'hidden' }),
        }}
      >
        <code>{code}</code>
      </Box>
      <Tooltip title={label}>
        <IconButton
          size="small"
          aria-label={label}
          onClick={() => void copy().catch(() => notify(text('richText.notCopied'), { type: 'error' }))}
          sx={{
            position: 'absolute',
            top: 4,
            insetInlineEnd: 4,
            color: 'text.secondary',
            '@media (pointer: coarse)': { width: 44, height: 44, top: 0, insetInlineEnd: 0 },
          }}
        >
          {isCopied ? <CheckRounded fontSize="inherit" /> : <ContentCopyRounded fontSize="inherit" />}
        </IconButton>
      </Tooltip>
      {folds && <Button size="small" {...toggle} sx={{ mt: 0.5, ml: -0.5 }} />}
    </Box>
  )
}
