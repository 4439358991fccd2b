import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useLocaleState, useNotify } from 'react-admin'
import { useState } from 'react'

import { useChat } from '#providers/chat/useChat.ts'
import { messageOf } from '#providers/problem.ts'
import { serverNow } from '#providers/serverClock.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { exactTime } from '#src/kit/time/formats.ts'
import { MomentField } from '#src/kit/form/MomentField.tsx'
import { localMs } from '#src/kit/time/localTime.ts'
import { useText } from '#src/kit/useText.ts'

import { inputValueOf, reminderTimes, timeProblem } from './reminderTimes.ts'

interface Props {
  messageId: string
  onClose: () => void
}

/** Saves a message with a reminder: soon, tomorrow morning or at a chosen time of the person's zone. */
export function RemindDialog({ messageId, onClose }: Props) {
  const text = useText()
  const chat = useChat()
  const notify = useNotify()
  const [locale] = useLocaleState()
  const [now] = useState(serverNow)
  const times = reminderTimes(now)
  const [chosen, setChosen] = useState(() => inputValueOf(times.tomorrow))
  const [isTried, setTried] = useState(false)
  const problem = timeProblem(localMs(chosen), serverNow())
  const remind = async (at: number) => {
    await chat.save(messageId, new Date(at).toISOString())
    notify(text('chatMessages.reminderSet', { time: exactTime(locale, at) }), { type: 'success' })
  }
  const remindSoon = (at: number) => () => {
    remind(at).then(onClose, (error: unknown) =>
      notify(messageOf(error, text('kit.wentWrong')), { type: 'error' }),
    )
  }
  return (
    <ConfirmDialog
      open
      title={text('chatMessages.remindTitle')}
      submitLabel={text('chatMessages.remindSubmit')}
      onSubmit={async () => {
        setTried(true)
        if (problem !== undefined) throw new Error(problem)
        await remind(localMs(chosen))
      }}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 1, mb: 2 }}>
        {(['soon', 'hour', 'tomorrow'] as const).map((name) => (
          <Button
            key={name}
            variant="outlined"
            color="inherit"
            onClick={remindSoon(times[name])}
            sx={{ justifyContent: 'space-between', minHeight: 44 }}
          >
            <span>{text(`chatMessages.remindIn.${name}`)}</span>
            <Box component="span" sx={{ fontWeight: 400, color: 'text.secondary' }}>
              {exactTime(locale, times[name])}
            </Box>
          </Button>
        ))}
      </Box>
      <MomentField
        label={text('chatMessages.remindAt')}
        value={chosen}
        onChange={setChosen}
        problem={isTried ? problem : undefined}
      />
    </ConfirmDialog>
  )
}
