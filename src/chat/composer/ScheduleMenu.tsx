import Box from '@mui/material/Box'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useLocaleState, useNotify } from 'react-admin'
import { useRef, useState } from 'react'

import type { NewMessage } from '#contract/chat/schema.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { messageOf } from '#providers/problem.ts'
import { serverNow } from '#providers/serverClock.ts'
import { newUuid } from '#providers/uuid.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { exactTime } from '#src/kit/time/formats.ts'
import { MomentField } from '#src/kit/form/MomentField.tsx'
import { localMs } from '#src/kit/time/localTime.ts'
import { useText } from '#src/kit/useText.ts'

import { inputValueOf, timeProblem } from '../message/reminderTimes.ts'
import { scheduleTimes } from './scheduleTimes.ts'

export type UnsentMessage = Omit<NewMessage, 'clientId'>
interface Props {
  roomId: string
  anchor: HTMLElement | null
  message: () => UnsentMessage
  onClose: () => void
  onScheduled: () => void
}

/** Keeps a message for a time. A second try of the same one, such as after a lost answer, keeps it once. */
function useSchedule({ roomId, message, onScheduled }: Props) {
  const text = useText()
  const { provider } = useChat()
  const notify = useNotify()
  const [locale] = useLocaleState()
  const tried = useRef({ what: '', clientId: '' })
  return async (at: number) => {
    const sendAt = new Date(at).toISOString()
    const unsent = message()
    const what = JSON.stringify([roomId, unsent, sendAt])
    if (tried.current.what !== what) tried.current = { what, clientId: newUuid() }
    await provider.schedule(roomId, { ...unsent, clientId: tried.current.clientId, sendAt })
    tried.current = { what: '', clientId: '' }
    onScheduled()
    notify(text('chatMessages.scheduledFor', { time: exactTime(locale, at) }), { type: 'success' })
  }
}

interface DialogProps {
  first: number
  onSubmit: (at: number) => Promise<void>
  onClose: () => void
}
function OtherTimeDialog({ first, onSubmit, onClose }: DialogProps) {
  const text = useText()
  const [chosen, setChosen] = useState(() => inputValueOf(first))
  const [isTried, setTried] = useState(false)
  const at = localMs(chosen)
  const problem = timeProblem(at, serverNow())
  return (
    <ConfirmDialog
      open
      title={text('chatMessages.scheduleTitle')}
      submitLabel={text('chatMessages.schedule')}
      onSubmit={async () => {
        setTried(true)
        if (problem !== undefined) throw new Error(problem)
        await onSubmit(at)
      }}
      onClose={onClose}
    >
      <MomentField
        label={text('chatMessages.sendAt')}
        value={chosen}
        onChange={setChosen}
        problem={isTried ? problem : undefined}
      />
    </ConfirmDialog>
  )
}

/** Times at which the message of the composer can be sent. */
export function ScheduleMenu(props: Props) {
  const { anchor, onClose } = props
  const text = useText()
  const notify = useNotify()
  const [locale] = useLocaleState()
  const schedule = useSchedule(props)
  const [isAsking, setAsking] = useState(false)
  const times = scheduleTimes(serverNow())
  const choose = (at: number) => () => {
    onClose()
    schedule(at).catch((error: unknown) => notify(messageOf(error, text('kit.wentWrong')), { type: 'error' }))
  }
  return (
    <>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={onClose}>
        {times.map(({ name, at }) => (
          <MenuItem key={name} onClick={choose(at)} sx={{ minHeight: 44, gap: 3 }}>
            {text(`chatMessages.sendOn.${name}`)}
            <Box component="span" sx={{ ml: 'auto', fontSize: '0.75rem', color: 'text.secondary' }}>
              {exactTime(locale, at)}
            </Box>
          </MenuItem>
        ))}
        <MenuItem
          onClick={() => {
            onClose()
            setAsking(true)
          }}
          sx={{ minHeight: 44 }}
        >
          {text('chatMessages.sendOn.other')}
        </MenuItem>
      </Menu>
      {isAsking && (
        <OtherTimeDialog first={times.at(-1)!.at} onSubmit={schedule} onClose={() => setAsking(false)} />
      )}
    </>
  )
}
