import { isBlank } from '#contract/kit/text.ts'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Suspense, useState } from 'react'

import { isAtLimit } from '#contract/chat/rules.ts'
import { lineOf } from '#providers/chat/plainText.ts'
import type { ChatMessage } from '#providers/chat/timeline.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { messageOf } from '#providers/problem.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

import { EditorSkeleton } from '../composer/EditorSkeleton.tsx'
import type { MessageValue } from '../composer/editorValues.ts'
import { keepEdit, keptEdit } from './useEditedMessage.ts'

const MessageEditor = lazy(async () => ({
  default: (await import('../composer/MessageEditor.tsx')).MessageEditor,
}))

interface Props {
  message: ChatMessage
  onDone: () => void
}

/** Edits one's own message in place. Input stays when the server refuses it. */
export function EditMessage({ message, onDone }: Props) {
  const chat = useChat()
  const text = useText()
  const [value, setValue] = useState<MessageValue>(() => ({
    html: message.text,
    plain: lineOf(message.text, (email) => email),
    draft: '',
  }))
  const [kept] = useState(keptEdit)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const canSubmit = !isBusy && !isBlank(value.plain) && !isAtLimit(value.plain)
  const change = (next: MessageValue) => {
    setValue(next)
    // The editor also reports its initial value.
    if (next.html !== message.text || keptEdit() !== null) keepEdit(next.draft)
  }
  const submit = async () => {
    if (!canSubmit) return
    if (value.html === message.text) return onDone()
    setBusy(true)
    setProblem(undefined)
    try {
      await chat.edit(message.id, { text: value.html })
      onDone()
    } catch (error) {
      setProblem(messageOf(error, text('kit.wentWrong')))
      setBusy(false)
    }
  }
  return (
    <Box sx={{ my: 0.5 }}>
      <Suspense fallback={<EditorSkeleton />}>
        <MessageEditor
          roomId={message.roomId}
          label={text('chatMessages.editor')}
          placeholder={text('chatMessages.editPlaceholder')}
          initial={kept ?? message.text}
          autoFocus={kept === null}
          onChange={change}
          onSubmit={() => void submit()}
          onEscape={onDone}
          end={
            <>
              <Button size="small" color="inherit" disabled={isBusy} onClick={onDone}>
                {text('kit.cancel')}
              </Button>
              <Button
                size="small"
                variant="contained"
                disabled={!canSubmit && !isBusy}
                loading={isBusy}
                onClick={() => void submit()}
              >
                {text('kit.submit')}
              </Button>
            </>
          }
        />
      </Suspense>
      {problem && (
        <Alert severity="error" sx={{ mt: 1 }}>
          {problem}
        </Alert>
      )}
    </Box>
  )
}
