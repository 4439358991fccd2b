import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import TextField from '@mui/material/TextField'
import { useNotify } from 'react-admin'
import { useState } from 'react'
import { Link as RouterLink } from 'react-router-dom'

import { needsSms } from '#contract/mass-notifications/rules.ts'
import type { NotificationDetail } from '#contract/mass-notifications/schema.ts'
import { LONG_TEXT_MAX } from '#contract/kit/text.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { useCorrect, useNotificationConfig } from './queries.ts'

/** Sends a correction to the people of a notification, with the text that was prepared with it. */
function CorrectionDialog({
  notification,
  onClose,
}: {
  notification: NotificationDetail
  onClose: () => void
}) {
  const text = useText()
  const notify = useNotify()
  const { limits } = useNotificationConfig()
  const { id, correction, notifiedCount, types } = notification
  const [words, setWords] = useState(correction ?? '')
  const { mutateAsync } = useCorrect(id)
  const max = needsSms(types) ? (limits?.smsLimit ?? LONG_TEXT_MAX) : LONG_TEXT_MAX
  const length = words.trim().length
  return (
    <ConfirmDialog
      open
      title={text('massNotifications.correctTitle', { smart_count: notifiedCount })}
      text={text('massNotifications.correctText')}
      submitLabel={text('massNotifications.correct')}
      disabled={length === 0 || length > max}
      onSubmit={async () => {
        await mutateAsync(words)
        notify(text('massNotifications.corrected'), { type: 'success' })
      }}
      onClose={onClose}
    >
      <TextField
        label={text('massNotifications.correctionWords')}
        required
        multiline
        minRows={3}
        maxRows={9}
        autoFocus
        value={words}
        onChange={(event) => setWords(event.target.value)}
        error={length > max}
        helperText={text('massNotifications.remainingCharacters', { smart_count: max - length })}
        fullWidth
        sx={{ mt: 2 }}
        slotProps={{ htmlInput: { dir: 'auto' } }}
      />
    </ConfirmDialog>
  )
}

/** Links between a notification and its correction, and the press that sends one. */
export function CorrectionCard({ notification }: { notification: NotificationDetail }) {
  const text = useText()
  const [isOpen, setOpen] = useState(false)
  const { correctsId, correctionId } = notification
  const link = (id: string, label: string) => (
    <Link component={RouterLink} to={`/mass-notifications/history/${id}`}>
      {label}
    </Link>
  )
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 1 }}>
      {correctsId !== null && link(correctsId, text('massNotifications.correctsOne'))}
      {correctionId !== null && link(correctionId, text('massNotifications.openCorrection'))}
      <Button variant="outlined" onClick={() => setOpen(true)} sx={{ minHeight: { xs: 44, sm: 36 } }}>
        {text('massNotifications.correct')}
      </Button>
      {isOpen && <CorrectionDialog notification={notification} onClose={() => setOpen(false)} />}
    </Box>
  )
}
