import AlarmRounded from '@mui/icons-material/AlarmRounded'
import BookmarkRemoveOutlined from '@mui/icons-material/BookmarkRemoveOutlined'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { useQueryClient } from '@tanstack/react-query'
import { useLocaleState, useNotify } from 'react-admin'
import { useState } from 'react'

import type { Message } from '#contract/chat/schema.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { messageOf } from '#providers/problem.ts'
import { exactTime } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { RemindDialog } from '../message/RemindDialog.tsx'
import { MessagesPanel } from './MessagesPanel.tsx'

interface ActsProps {
  message: Message
  onRemind: (message: Message) => void
  onRemove: (message: Message) => void
}
function Acts({ message, onRemind, onRemove }: ActsProps) {
  const text = useText()
  const acts = [
    { label: text('chatMessages.remind'), icon: <AlarmRounded />, run: onRemind },
    { label: text('chatMessages.unsave'), icon: <BookmarkRemoveOutlined />, run: onRemove },
  ]
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', borderBottom: 1, borderColor: 'divider' }}>
      {acts.map(({ label, icon, run }) => (
        <Tooltip key={label} title={label}>
          <IconButton aria-label={label} onClick={() => run(message)} sx={{ width: 44, height: 44 }}>
            {icon}
          </IconButton>
        </Tooltip>
      ))}
    </Box>
  )
}

/** The time of a reminder that waits. */
function ReminderMark({ at }: { at: string }) {
  const text = useText()
  const [locale] = useLocaleState()
  return (
    <Box component="span" sx={{ flex: 'none', color: 'primary.main' }}>
      {text('chatMessages.remindedAt', { time: exactTime(locale, Date.parse(at)) })}
    </Box>
  )
}

/** Messages that the person saved, in all rooms, last saved first. */
export function SavedPanel() {
  const text = useText()
  const chat = useChat()
  const notify = useNotify()
  const queryClient = useQueryClient()
  const [times, setTimes] = useState<ReadonlyMap<string, string | null>>(new Map())
  const [asked, setAsked] = useState<Message | null>(null)
  const reload = () => queryClient.invalidateQueries({ queryKey: ['chat', 'saved'] })
  const remove = (message: Message) => {
    chat
      .unsave(message.id)
      .then(reload)
      .catch((error: unknown) => notify(messageOf(error, text('kit.wentWrong')), { type: 'error' }))
  }
  const marksOf = ({ id }: Message) => {
    const at = times.get(id)
    return at ? <ReminderMark at={at} /> : null
  }
  const actsOf = (message: Message) => <Acts message={message} onRemind={setAsked} onRemove={remove} />
  return (
    <>
      <MessagesPanel
        name="saved"
        title={text('chat.saved')}
        empty={text('chat.noSaved')}
        failed={text('chat.savedFailed')}
        fetchPage={async (part) => {
          const page = await chat.provider.saved(part)
          setTimes(
            (known) =>
              new Map([...known, ...page.saved.map((one) => [one.messageId, one.remindAt] as const)]),
          )
          return page
        }}
        marksOf={marksOf}
        actsOf={actsOf}
      />
      {asked && (
        <RemindDialog
          messageId={asked.id}
          onClose={() => {
            setAsked(null)
            void reload()
          }}
        />
      )}
    </>
  )
}
