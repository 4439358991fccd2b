import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded'
import EditOutlined from '@mui/icons-material/EditOutlined'
import SendRounded from '@mui/icons-material/SendRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocaleState, useNotify } from 'react-admin'
import { Suspense, useEffect, useState } from 'react'

import type { ScheduledMessage } from '#contract/chat/schema.ts'
import { lineOf } from '#providers/chat/plainText.ts'
import { useChat, useChatPeople, useKnownRoom } from '#providers/chat/useChat.ts'
import { messageOf } from '#providers/problem.ts'
import { serverNow } from '#providers/serverClock.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { ListSkeleton } from '#src/kit/list/ListSkeleton.tsx'
import { exactTime } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { NAMES_IN_LIST, titleOf } from '../titleValues.ts'
import { ListPanel } from './ListPanel.tsx'

const EditScheduled = lazy(async () => ({ default: (await import('./EditScheduled.tsx')).EditScheduled }))

const KEY = ['chat', 'scheduled']
/** Milliseconds after the time of a message at which the list asks whether it was sent. */
const SENT_AFTER = 4_000
const CHECK_EVERY = 60_000

/** The person's scheduled messages, requested again when the next one is due. */
function useScheduled() {
  const chat = useChat()
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const messages = await chat.provider.scheduled(signal)
      await Promise.all([...new Set(messages.map(({ roomId }) => roomId))].map((id) => chat.loadRoom(id)))
      return messages
    },
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data = [] } }) => {
      const next = data.find(({ problem }) => problem === null)
      if (!next) return CHECK_EVERY
      return Math.min(CHECK_EVERY, Math.max(SENT_AFTER, Date.parse(next.sendAt) + SENT_AFTER - serverNow()))
    },
  })
}

/** Room and time, or the reason why it was not sent. */
function Heading({ message }: { message: ScheduledMessage }) {
  const text = useText()
  const [locale] = useLocaleState()
  const room = useKnownRoom(message.roomId)
  const { sendAt, problem, fileCount, threadId } = message
  return (
    <Box
      sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1, fontSize: '0.75rem', color: 'text.secondary' }}
    >
      <Box
        component="b"
        dir="auto"
        sx={{ flex: { xs: '1 0 100%', sm: '1 1 120px' }, minWidth: 0, overflowWrap: 'anywhere' }}
      >
        {room ? titleOf(room, NAMES_IN_LIST) : text('chat.goneRoom')}
        {threadId !== null && ` · ${text('chat.thread')}`}
      </Box>
      {fileCount > 0 && <span>{text('chat.withFiles', { smart_count: fileCount })}</span>}
      {problem === null ? (
        <span>{text('chat.willSend', { time: exactTime(locale, Date.parse(sendAt)) })}</span>
      ) : (
        <Box component="span" sx={{ flexBasis: '100%', fontWeight: 600, color: 'error.main' }}>
          {text('chat.notSent')} {problem}
        </Box>
      )}
    </Box>
  )
}

interface RowProps {
  message: ScheduledMessage
  onEdit: () => void
  onSend: () => void
  onCancel: () => void
}
function Row({ message, onEdit, onSend, onCancel }: RowProps) {
  const text = useText()
  const { nameByEmail } = useChatPeople()
  const acts = [
    { label: text('chat.editScheduled'), icon: <EditOutlined />, run: onEdit },
    { label: text('chat.sendNow'), icon: <SendRounded />, run: onSend },
    { label: text('chat.cancelScheduled'), icon: <DeleteOutlineRounded />, run: onCancel },
  ]
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: { xs: 'wrap', sm: 'nowrap' },
        alignItems: 'center',
        justifyContent: 'flex-end',
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ flex: { xs: '1 0 100%', sm: 1 }, minWidth: 0, p: 1.5, pb: { xs: 0, sm: 1.5 } }}>
        <Heading message={message} />
        <Typography
          variant="body2"
          dir="auto"
          sx={{
            display: '-webkit-box',
            WebkitLineClamp: 3,
            WebkitBoxOrient: 'vertical',
            overflow: 'hidden',
            overflowWrap: 'anywhere',
          }}
        >
          {lineOf(message.text, nameByEmail)}
        </Typography>
      </Box>
      {acts.map(({ label, icon, run }) => (
        <Tooltip key={label} title={label}>
          <IconButton aria-label={label} onClick={run} sx={{ width: 44, height: 44, flex: 'none' }}>
            {icon}
          </IconButton>
        </Tooltip>
      ))}
    </Box>
  )
}

/** The person's messages that wait for their time, or were refused at it. */
export function ScheduledPanel() {
  const text = useText()
  const chat = useChat()
  const notify = useNotify()
  const queryClient = useQueryClient()
  const { data, error, isPending, isFetching, refetch } = useScheduled()
  const [asked, setAsked] = useState<{ act: 'edit' | 'cancel'; message: ScheduledMessage } | null>(null)
  const reload = () => queryClient.invalidateQueries({ queryKey: KEY })
  useEffect(() => chat.onArrival(() => void refetch()), [chat, refetch])
  const send = async ({ id }: ScheduledMessage) => {
    try {
      await chat.takeMessage((provider) => provider.sendScheduled(id))
      notify(text('chat.scheduledSent'), { type: 'success' })
    } catch (problem) {
      notify(messageOf(problem, text('kit.wentWrong')), { type: 'error' })
    }
    await reload()
  }
  const close = () => {
    setAsked(null)
    void reload()
  }
  return (
    <ListPanel title={text('chat.scheduled')} isBusy={isFetching}>
      {isPending && <ListSkeleton phone />}
      {error && !data && (
        <ErrorState error={error} text={text('chat.scheduledFailed')} onRetry={() => void refetch()} />
      )}
      {data?.length === 0 && <EmptyState text={text('chat.noScheduled')} />}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {data?.map((message) => (
          <Row
            key={message.id}
            message={message}
            onEdit={() => setAsked({ act: 'edit', message })}
            onSend={() => void send(message)}
            onCancel={() => setAsked({ act: 'cancel', message })}
          />
        ))}
      </Box>
      {asked?.act === 'cancel' && (
        <ConfirmDialog
          open
          destructive
          title={text('chat.cancelScheduledTitle')}
          text={text('chat.cancelScheduledText')}
          submitLabel={text('chatMessages.delete')}
          onSubmit={() => chat.provider.cancelScheduled(asked.message.id)}
          onClose={close}
        />
      )}
      {asked?.act === 'edit' && (
        <Suspense>
          <EditScheduled message={asked.message} onClose={close} />
        </Suspense>
      )}
    </ListPanel>
  )
}
