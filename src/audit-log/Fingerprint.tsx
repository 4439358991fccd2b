import Box from '@mui/material/Box'
import { useId, useRef } from 'react'

import { useText } from '#src/kit/useText.ts'

import { CopyButton } from '#src/kit/form/CopyButton.tsx'

interface Props {
  label: string
  help: string
  value: string
}

/** A hash to compare or copy. */
export function Fingerprint({ label, help, value }: Props) {
  const id = useId()
  const text = useText()
  const code = useRef<HTMLElement>(null)
  return (
    <Box sx={{ mt: 2.5 }}>
      <Box id={id} sx={{ fontWeight: 600 }}>
        {label}
      </Box>
      <Box
        sx={{ display: 'flex', alignItems: 'flex-start', justifyContent: 'space-between', gap: 2, my: 0.5 }}
      >
        <Box
          component="code"
          ref={code}
          aria-labelledby={id}
          sx={{ width: '32ch', maxWidth: '100%', overflowWrap: 'anywhere', fontSize: '0.8125rem' }}
        >
          {value}
        </Box>
        <CopyButton
          value={value}
          label={text('grid.copy')}
          onFail={() => code.current && getSelection()?.selectAllChildren(code.current)}
        />
      </Box>
      <Box sx={{ fontSize: '0.8125rem', color: 'text.secondary' }}>{help}</Box>
    </Box>
  )
}
