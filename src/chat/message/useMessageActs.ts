import { useNotify } from 'react-admin'
import { useCallback } from 'react'

import { useChat } from '#providers/chat/useChat.ts'
import type { ChatMessage } from '#providers/chat/timeline.ts'
import { messageOf } from '#providers/problem.ts'
import { useText } from '#src/kit/useText.ts'

import { saveDownload } from '../downloadValues.ts'

/** Actions on a sent message. A refusal is shown as a toast. */
export function useMessageActs(message: ChatMessage) {
  const chat = useChat()
  const text = useText()
  const notify = useNotify()
  const { id, attachments } = message

  const tell = useCallback(
    (error: unknown) => notify(messageOf(error, text('kit.wentWrong')), { type: 'error' }),
    [notify, text],
  )
  /** Deletes the message, and shows that without waiting for the live event. */
  const remove = useCallback(async () => {
    await chat.provider.removeMessage(id)
    try {
      await chat.takeMessage(async (provider) => (await provider.message(id)).message)
    } catch {
      // The live event brings the change.
    }
  }, [chat, id])
  return {
    remove,
    react: useCallback(
      (emoji: string, isOn: boolean) => chat.react(id, emoji, isOn).catch(tell),
      [chat, id, tell],
    ),
    pin: useCallback((isPinned: boolean) => chat.pin(id, isPinned).catch(tell), [chat, id, tell]),
    /** Saves the message for the person, or removes it from what is saved. */
    save: useCallback(
      (isSaved: boolean) => (isSaved ? chat.save(id) : chat.unsave(id)).catch(tell),
      [chat, id, tell],
    ),
    /** Marks the message and those after it as unread. */
    unreadFrom: useCallback(
      () => chat.unreadFrom(message.roomId, message.sequence).catch(tell),
      [chat, message.roomId, message.sequence, tell],
    ),
    /** Removes a file from the message; a message of this file alone is deleted. */
    removeFile: useCallback(
      (fileId: string) => {
        const fileIds = attachments.map((file) => file.id).filter((one) => one !== fileId)
        const isEmpty = message.text === '' && fileIds.length === 0
        return (isEmpty ? remove() : chat.edit(id, { text: message.text, fileIds })).catch(tell)
      },
      [chat, id, attachments, message.text, remove, tell],
    ),
    download: useCallback(
      async (fileId: string): Promise<void> => {
        saveDownload(await chat.provider.download(fileId))
      },
      [chat],
    ),
  }
}
