import AttachFileRounded from '@mui/icons-material/AttachFileRounded'
import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { useNotify } from 'react-admin'
import { type Ref, Suspense, useImperativeHandle, useRef, useState } from 'react'

import { HERE, HERE_ASKS_ABOVE, isAtLimit, mentionedHandles } from '#contract/chat/rules.ts'
import {
  FILES_PER_MESSAGE,
  MESSAGE_MAX,
  MESSAGE_TOO_LONG,
  type Quotation,
  type Room,
} from '#contract/chat/schema.ts'
import type { ChatMessage } from '#providers/chat/timeline.ts'
import { useChat, useChatPeople } from '#providers/chat/useChat.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useFileField } from '#src/kit/form/DropArea.tsx'
import { useDockedHeight } from '#src/kit/layout/useDockedHeight.ts'
import { useText } from '#src/kit/useText.ts'

import { QuotedMessage } from '../message/QuotedMessage.tsx'
import { DropOverlay } from './DropOverlay.tsx'
import { EditorSkeleton } from './EditorSkeleton.tsx'
import { type MessageValue, NO_VALUE } from './editorValues.ts'
import type { MessageEditorHandle } from './MessageEditor.tsx'
import { useMessageDraft } from './useMessageDraft.ts'
import { SendButtons } from './SendButtons.tsx'
import { type PendingFiles, usePendingFiles } from './usePendingFiles.ts'

const MessageEditor = lazy(async () => ({ default: (await import('./MessageEditor.tsx')).MessageEditor }))

const PendingFileList = lazy(async () => ({
  default: (await import('./PendingFileList.tsx')).PendingFileList,
}))
const HereDialog = lazy(async () => ({ default: (await import('./HereDialog.tsx')).HereDialog }))

/** Interval between typing events to the other members. */
const TYPING_EVERY_MS = 3_000
/** Width of the messages above. */
const WIDTH = 948
/** Fraction of the limit from which the composer shows the remaining length. */
const NEARLY_FULL = 0.9

const quotationOf = (message: ChatMessage): Quotation => ({
  id: message.id,
  sequence: message.sequence,
  user: message.user,
  text: message.text,
  deleted: message.deletedAt !== null,
  hasAttachments: message.hasAttachments,
})

/** Sends throttled typing events. */
function useTypingSignal(roomId: string): () => void {
  const { provider } = useChat()
  const last = useRef(0)
  return () => {
    const now = Date.now()
    if (now - last.current < TYPING_EVERY_MS) return
    last.current = now
    provider.typeInRoom(roomId).catch(() => undefined)
  }
}

/** The editor's value. Only its parts that the composer shows are state, so that typing does not render the composer. */
function useValue() {
  const value = useRef<MessageValue>(NO_VALUE)
  const [isBlank, setBlank] = useState(true)
  /** Length in characters once the message is nearly full; 0 before. */
  const [usedLength, setUsedLength] = useState(0)
  const change = (next: MessageValue) => {
    value.current = next
    setBlank(next.html === '')
    setUsedLength(next.plain.length > MESSAGE_MAX * NEARLY_FULL ? next.plain.length : 0)
  }
  return { value, change, isBlank, usedLength }
}

/** Asks before a message with `@here` is sent in a large room. */
function useHereQuestion(room: Room) {
  const { lacks } = useChat().provider
  const [send, setSend] = useState<(() => void) | null>(null)
  const isLarge = room.member_count > HERE_ASKS_ABOVE && !lacks?.has('audiences')
  return {
    /** Sends at once, or once it is confirmed. */
    confirm: (plain: string, deliver: () => void) => {
      if (isLarge && mentionedHandles(plain).includes(HERE)) setSend(() => deliver)
      else deliver()
    },
    dialog: send && (
      <Suspense>
        <HereDialog room={room} onSend={send} onClose={() => setSend(null)} />
      </Suspense>
    ),
  }
}

interface ReplyProps {
  quotation: Quotation
  onClose: () => void
}
function Reply({ quotation, onClose }: ReplyProps) {
  const text = useText()
  const { nameOf } = useChatPeople()
  return (
    <Box
      role="group"
      aria-label={text('chatMessages.replyingTo', { name: nameOf(quotation.user) })}
      sx={{ display: 'flex', alignItems: 'flex-start', gap: 1, p: 1, pb: 0 }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <QuotedMessage quotation={quotation} />
      </Box>
      <IconButton
        size="small"
        aria-label={text('chatMessages.cancelReply')}
        title={text('chatMessages.cancelReply')}
        onClick={onClose}
        sx={{ width: { xs: 44, sm: 32 }, height: { xs: 44, sm: 32 } }}
      >
        <CloseRounded />
      </IconButton>
    </Box>
  )
}

function AttachButton({ files }: { files: PendingFiles }) {
  const text = useText()
  const { input, ask } = useFileField(files.add, { multiple: true, label: text('chatMessages.attach') })
  const label = files.isFull
    ? text('chatMessages.attachFull', { count: FILES_PER_MESSAGE })
    : text('chatMessages.attach')
  return (
    <Tooltip title={label}>
      <span>
        <IconButton
          size="small"
          aria-label={text('chatMessages.attach')}
          disabled={files.isFull || !files.isOpen}
          onClick={ask}
        >
          <AttachFileRounded />
        </IconButton>
        {input}
      </span>
    </Tooltip>
  )
}

export interface ComposerHandle {
  /** Makes the next message a reply to this one. */
  reply: (message: ChatMessage) => void
}
/** The thread in which a composer answers. */
interface ComposerThread {
  readonly id: string
  readonly autoFocus: boolean
  /** True while the room shows the next answer as well. */
  readonly isAlsoInRoom: boolean
  readonly onSent: () => void
  readonly onEscape: () => void
}
interface Props {
  room: Room
  /** The thread in which it answers; absent for messages of the room. */
  thread?: ComposerThread | undefined
  /** False while files dropped on the page belong to another composer. */
  takesDrops?: boolean
  /** Called on arrow up in an empty composer. */
  onEditLast: () => void
  ref?: Ref<ComposerHandle>
}

const ROOM_WORDS = { label: 'chatMessages.message', placeholder: 'chatMessages.placeholder' } as const
const THREAD_WORDS = { label: 'chatMessages.answer', placeholder: 'chatMessages.answerPlaceholder' } as const
/** The room or thread to which a composer sends. */
function usePlace(room: Room, thread: ComposerThread | undefined) {
  const tellTyping = useTypingSignal(room.id)
  if (!thread)
    return {
      placeId: room.id,
      words: ROOM_WORDS,
      autoFocus: false,
      tellTyping,
      sendsTo: {},
      onSent: () => {},
      onEscape: undefined,
    }
  const { id, isAlsoInRoom, ...rest } = thread
  // The room says who is typing in it, not in its threads.
  const silent = () => {}
  const sendsTo = { threadId: id, isAlsoInRoom }
  return { placeId: id, words: THREAD_WORDS, tellTyping: silent, sendsTo, ...rest }
}

function RoomComposer({ room, thread, takesDrops, onEditLast, ref }: Props & { takesDrops: boolean }) {
  const chat = useChat()
  const text = useText()
  const notify = useNotify()
  const editor = useRef<MessageEditorHandle>(null)
  const { placeId, words, autoFocus, tellTyping, sendsTo, onSent, onEscape } = usePlace(room, thread)
  const draft = useMessageDraft(placeId)
  const files = usePendingFiles(placeId, draft.initial.files, (uploaded) => draft.save({ files: uploaded }))
  const [replyTo, setReplyTo] = useState(draft.initial.replyTo)
  const { value, change: changeValue, isBlank, usedLength } = useValue()
  const here = useHereQuestion(room)
  const changeReply = (quotation: Quotation | null) => {
    setReplyTo(quotation)
    draft.save({ replyTo: quotation })
  }
  useImperativeHandle(ref, () => ({
    reply: (message) => {
      changeReply(quotationOf(message))
      editor.current?.focus()
    },
  }))

  // Toasts stay above the button that sends.
  const docked = useDockedHeight()
  const isTooLong = usedLength >= MESSAGE_MAX
  const isEmpty = isBlank && files.uploaded.length === 0
  const canSend = !isEmpty && !isTooLong && !files.isUploading && !files.hasFailed
  const change = (next: MessageValue) => {
    const before = value.current
    if (isAtLimit(next.plain) && !isAtLimit(before.plain)) notify(MESSAGE_TOO_LONG, { type: 'error' })
    if (next.html !== '' && next.html !== before.html) tellTyping()
    changeValue(next)
    draft.save({ html: next.draft })
  }
  const send = () => {
    if (files.hasFailed) notify(text('attachments.someFailed'), { type: 'error' })
    if (!canSend) return
    here.confirm(value.current.plain, deliver)
  }
  const clear = () => {
    onSent()
    files.clear()
    editor.current?.clear()
    changeValue(NO_VALUE)
    draft.clear()
    setReplyTo(null)
  }
  const deliver = () => {
    chat.send(room.id, { text: value.current.html, files: files.uploaded, replyTo, ...sendsTo })
    clear()
  }
  return (
    <Box
      ref={docked}
      sx={{ minWidth: 0, maxWidth: WIDTH, px: { xs: 1, sm: 2 }, pt: 0.5, pb: { xs: 1, sm: 2 } }}
    >
      <Suspense fallback={<EditorSkeleton />}>
        <MessageEditor
          ref={editor}
          roomId={room.id}
          label={text(words.label)}
          placeholder={text(words.placeholder)}
          autoFocus={autoFocus}
          initial={draft.initial.html}
          onChange={change}
          onSubmit={send}
          onEscape={replyTo ? () => changeReply(null) : onEscape}
          onArrowUp={onEditLast}
          onFiles={files.add}
          above={
            <>
              {replyTo && <Reply quotation={replyTo} onClose={() => changeReply(null)} />}
              {files.files.length > 0 && (
                <Suspense>
                  <PendingFileList files={files.files} retry={files.retry} remove={files.remove} />
                </Suspense>
              )}
            </>
          }
          tools={<AttachButton files={files} />}
          end={
            <>
              {usedLength > 0 && (
                <Box sx={{ fontSize: '0.75rem', color: isTooLong ? 'error.main' : 'text.secondary' }}>
                  {text('richText.used', { length: usedLength, max: MESSAGE_MAX - 1 })}
                </Box>
              )}
              <SendButtons
                roomId={room.id}
                canSend={canSend}
                onSend={send}
                message={() => ({
                  text: value.current.html,
                  fileIds: files.uploaded.map(({ id }) => id),
                  replyTo: replyTo?.id ?? null,
                  ...sendsTo,
                })}
                onScheduled={clear}
              />
            </>
          }
        />
      </Suspense>
      {here.dialog}
      {takesDrops && files.isOpen && !files.isFull && <DropOverlay onFiles={files.add} />}
    </Box>
  )
}

/** Writes messages in a room, or answers in a thread. Each has its own composer and draft. */
export function Composer({ takesDrops = true, ...props }: Props) {
  return <RoomComposer key={props.thread?.id ?? props.room.id} takesDrops={takesDrops} {...props} />
}
