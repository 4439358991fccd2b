import { useEffect, useMemo, useRef, useState } from 'react'

import type { MessageAttachment, Quotation } from '#contract/chat/schema.ts'
import { writeDraft } from '#providers/chat/drafts.ts'
import { hasLeft, keptKey } from '#providers/chat/kept.ts'
import { getSession } from '#providers/session.ts'
import { storage } from '#providers/storage.ts'

const SAVE_AFTER_MS = 300

/** An unsent message of a room. */
export interface MessageDraft {
  /** HTML for the editor. */
  readonly html: string
  /** Uploaded files. */
  readonly files: readonly MessageAttachment[]
  readonly replyTo: Quotation | null
}
const NO_DRAFT: MessageDraft = { html: '', files: [], replyTo: null }

function read(key: string): MessageDraft {
  try {
    return { ...NO_DRAFT, ...(JSON.parse(storage.read(key) ?? '{}') as Partial<MessageDraft>) }
  } catch {
    return NO_DRAFT
  }
}
const write = (key: string, draft: MessageDraft) =>
  writeDraft(
    key,
    draft.html === '' && draft.files.length === 0 && !draft.replyTo ? null : JSON.stringify(draft),
  )

/** The person's draft in a room, kept in the browser until sign-out. Read once, and saved shortly after each change. */
export function useMessageDraft(roomId: string) {
  const [user] = useState(() => getSession().uuid ?? '')
  const key = keptKey('draft', user, roomId)
  const initial = useMemo(() => read(key), [key])
  const newest = useRef(initial)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const keep = () => write(key, hasLeft() ? NO_DRAFT : newest.current)
  useEffect(() => {
    const flush = () => {
      clearTimeout(timer.current)
      write(key, hasLeft() ? NO_DRAFT : newest.current)
    }
    window.addEventListener('pagehide', flush)
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [key])
  return {
    initial,
    save: (changes: Partial<MessageDraft>) => {
      newest.current = { ...newest.current, ...changes }
      clearTimeout(timer.current)
      timer.current = setTimeout(keep, SAVE_AFTER_MS)
    },
    clear: () => {
      newest.current = NO_DRAFT
      clearTimeout(timer.current)
      write(key, NO_DRAFT)
    },
  }
}
