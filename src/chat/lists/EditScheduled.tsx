import Box from '@mui/material/Box'
import { Suspense, useState } from 'react'

import { isAtLimit } from '#contract/chat/rules.ts'
import { MESSAGE_REQUIRED, MESSAGE_TOO_LONG, type ScheduledMessage } from '#contract/chat/schema.ts'
import { lineOf } from '#providers/chat/plainText.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { serverNow } from '#providers/serverClock.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { MomentField } from '#src/kit/form/MomentField.tsx'
import { localMs } from '#src/kit/time/localTime.ts'
import { useText } from '#src/kit/useText.ts'

import { EditorSkeleton } from '../composer/EditorSkeleton.tsx'
import type { MessageValue } from '../composer/editorValues.ts'
import { inputValueOf, timeProblem } from '../message/reminderTimes.ts'

const MessageEditor = lazy(async () => ({
  default: (await import('../composer/MessageEditor.tsx')).MessageEditor,
}))

/** Milliseconds from now of the time that is offered for a message that was refused at its own. */
const AGAIN_IN = 3_600_000

interface Props {
  message: ScheduledMessage
  onClose: () => void
}

/** Changes text and time of a scheduled message. */
export function EditScheduled({ message, onClose }: Props) {
  const text = useText()
  const { provider } = useChat()
  const { id, roomId, sendAt, version, fileCount } = message
  const [value, setValue] = useState<Pick<MessageValue, 'html' | 'plain'>>(() => ({
    html: message.text,
    plain: lineOf(message.text, (email) => email),
  }))
  const [chosen, setChosen] = useState(() =>
    inputValueOf(Math.max(Date.parse(sendAt), message.problem === null ? 0 : serverNow() + AGAIN_IN)),
  )
  const [isTried, setTried] = useState(false)
  const at = localMs(chosen)
  // A time with seconds, which the field does not show, stays as it is.
  const isSameTime = inputValueOf(Date.parse(sendAt)) === chosen && message.problem === null
  const problem = isSameTime ? undefined : timeProblem(at, serverNow())
  const submit = async () => {
    setTried(true)
    if (problem !== undefined) throw new Error(problem)
    if (value.html === '' && fileCount === 0) throw new Error(MESSAGE_REQUIRED)
    if (isAtLimit(value.plain)) throw new Error(MESSAGE_TOO_LONG)
    await provider.changeScheduled(id, {
      text: value.html,
      version,
      ...(!isSameTime && { sendAt: new Date(at).toISOString() }),
    })
  }
  return (
    <ConfirmDialog
      open
      title={text('chat.editScheduled')}
      submitLabel={text('chatMessages.save')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Box sx={{ mb: 2 }}>
        <Suspense fallback={<EditorSkeleton />}>
          <MessageEditor
            roomId={roomId}
            label={text('chatMessages.message')}
            placeholder={text('chatMessages.placeholder')}
            initial={message.text}
            autoFocus
            onChange={setValue}
            onSubmit={() => {}}
            end={null}
          />
        </Suspense>
      </Box>
      <MomentField
        label={text('chatMessages.sendAt')}
        value={chosen}
        onChange={setChosen}
        problem={isTried ? problem : undefined}
      />
    </ConfirmDialog>
  )
}
