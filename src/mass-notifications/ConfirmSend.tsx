import SendRounded from '@mui/icons-material/SendRounded'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import { useLocaleState } from 'react-admin'
import { useState } from 'react'

import { wholeNumber } from '#contract/kit/numbers.ts'
import { CancelButton } from '#src/kit/feedback/CancelButton.tsx'
import { DialogFrame } from '#src/kit/feedback/DialogFrame.tsx'
import { formatNumber } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'
import { LevelChip } from './LevelChip.tsx'

import { MessagePreview } from './MessagePreview.tsx'
import { PlannedSteps } from './PlannedSteps.tsx'
import type { Draft, Reach } from './queries.ts'
import { useCost } from './SmsCost.tsx'

interface Props {
  draft: Draft
  people: number
  reach: Pick<Reach, 'messages' | 'prices' | 'suppressed'>
  onSend: () => void
  onClose: () => void
}

/** Confirms notifying many people, which cannot be undone, by typing their number. */
export function ConfirmSend({ draft, people, reach, onSend, onClose }: Props) {
  const text = useText()
  const { messages, suppressed } = reach
  const cost = useCost(draft, reach.prices)
  const [locale] = useLocaleState()
  const [typed, setTyped] = useState('')
  const count = formatNumber(locale, people)
  const isTyped = wholeNumber(typed) === people
  return (
    <DialogFrame
      title={text('massNotifications.confirmTitle', { count })}
      onClose={onClose}
      actions={
        <>
          <CancelButton onClick={onClose} />
          <Button
            variant="contained"
            startIcon={<SendRounded />}
            disabled={!isTyped}
            onClick={({ detail }) => detail < 2 && onSend()}
          >
            {text('massNotifications.send')}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 3, rowGap: 1 }}>
        <Box
          component="dl"
          aria-label={text('massNotifications.confirmCounts')}
          sx={{ m: 0, display: 'flex', flexWrap: 'wrap', columnGap: 3, rowGap: 1 }}
        >
          {draft.types.map((type) => (
            <div key={type}>
              <Box component="dt" sx={{ color: 'text.secondary' }}>
                {text(`massNotifications.types.${type}`)}
              </Box>
              <Box component="dd" sx={{ m: 0, fontSize: '1.25rem', fontWeight: 600 }}>
                {messages ? formatNumber(locale, messages[type]) : text('grid.nothing')}
              </Box>
            </div>
          ))}
          {cost !== undefined && (
            <div>
              <Box component="dt" sx={{ color: 'text.secondary' }}>
                {text('massNotifications.costTitle')}
              </Box>
              <Box component="dd" sx={{ m: 0, fontSize: '1.25rem', fontWeight: 600 }}>
                {text('massNotifications.costAbout', { price: cost })}
              </Box>
            </div>
          )}
        </Box>
        <Box sx={{ ml: 'auto' }}>
          <LevelChip level={draft.level} />
        </Box>
      </Box>
      {suppressed > 0 && (
        <Alert severity="warning" sx={{ mt: 1.5 }}>
          {text('massNotifications.suppressed', { smart_count: suppressed })}
        </Alert>
      )}
      <MessagePreview draft={draft} />
      {draft.question && draft.escalation && (
        <Box sx={{ mt: 2, '& h3': { fontSize: '0.875rem' } }}>
          <PlannedSteps plan={draft.escalation} />
        </Box>
      )}
      <TextField
        label={text('massNotifications.confirmType', { count })}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && isTyped) onSend()
        }}
        autoFocus
        fullWidth
        slotProps={{ htmlInput: { inputMode: 'numeric', autoComplete: 'off' } }}
        sx={{ mt: 2.5 }}
      />
    </DialogFrame>
  )
}
