import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { type ComponentProps, memo, Suspense, useId, useState } from 'react'

import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

const StartFields = lazy(async () => ({ default: (await import('./StartFields.tsx')).StartFields }))

/** Folded block with the proposal and the acts at the start. Its fields load when it opens. */
export const StartBlock = memo(function StartBlock(props: ComponentProps<typeof StartFields>) {
  const text = useText()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const hasErrors = props.errors.start !== undefined || props.errors.proposal !== undefined
  const isShown = isOpen || hasErrors
  return (
    <Box component="section" aria-label={text('playbooks.atStart')}>
      <Button
        color="inherit"
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setOpen(!isShown)}
        endIcon={<ExpandMoreRounded sx={{ transform: isShown ? 'rotate(180deg)' : 'none' }} />}
        sx={{ px: 0, justifyContent: 'flex-start', fontWeight: 600, minHeight: 44 }}
      >
        {text('playbooks.atStart')}
      </Button>
      <Box id={id}>
        <Suspense fallback={<Box sx={{ height: 320 }} />}>{isShown && <StartFields {...props} />}</Suspense>
      </Box>
    </Box>
  )
})
