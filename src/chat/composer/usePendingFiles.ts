import { useNotify } from 'ra-core'
import { useCallback, useEffect, useRef, useState } from 'react'

import { BAD_FILE, FILES_PER_MESSAGE, type MessageAttachment, TOO_MANY_FILES } from '#contract/chat/schema.ts'
import { FILE_EMPTY, type FileLimits, fileProblem } from '#contract/kit/files.ts'
import { useChat } from '#providers/chat/useChat.ts'
import { messageOf } from '#providers/problem.ts'
import { useText } from '#src/kit/useText.ts'
import { useFileLimits } from '#src/shared/attachments/useAttachments.ts'

/** A file of the message that is being written. */
export interface PendingFile {
  readonly key: number
  readonly name: string
  readonly size: number
  readonly state: 'uploading' | 'failed' | 'uploaded'
  /** How much of it is sent: 0 to 1. */
  readonly share: number
  /** Why it failed, where the server said so. */
  readonly problem?: string | undefined
  /** Absent for a file of a draft. */
  readonly file?: File
  /** Once it is uploaded. */
  readonly attachment?: MessageAttachment
}

let lastKey = 0
const started = (file: File): PendingFile => ({
  key: ++lastKey,
  name: file.name,
  size: file.size,
  state: 'uploading',
  share: 0,
  file,
})
const restored = (attachment: MessageAttachment): PendingFile => ({
  key: ++lastKey,
  name: attachment.title,
  size: attachment.size,
  state: 'uploaded',
  share: 1,
  attachment,
})
const attachmentsOf = (files: readonly PendingFile[]) => files.flatMap(({ attachment }) => attachment ?? [])

/** What is wrong with chosen files (operations §5); undefined for nothing. */
function problemOf(files: readonly File[], limits: FileLimits): string | undefined {
  const problems = files.map((file) => fileProblem(file, limits)).filter((one) => one !== undefined)
  return problems.every((one) => one === FILE_EMPTY) ? problems[0] : BAD_FILE
}

/**
 * The files of the message that is being written. They are uploaded as they are chosen.
 * @param initial of a draft
 * @param onChange is told which are uploaded
 */
export function usePendingFiles(
  initial: readonly MessageAttachment[],
  onChange: (uploaded: readonly MessageAttachment[]) => void,
) {
  const { provider } = useChat()
  const text = useText()
  const notify = useNotify()
  const { limits, load } = useFileLimits()
  const [files, setFiles] = useState<readonly PendingFile[]>(() => initial.map(restored))
  const newest = useRef(files)
  const stops = useRef(new Map<number, AbortController>())

  const update = (change: (files: readonly PendingFile[]) => readonly PendingFile[]) => {
    const before = newest.current
    newest.current = change(before)
    setFiles(newest.current)
    const uploaded = attachmentsOf(newest.current)
    if (uploaded.length !== attachmentsOf(before).length) onChange(uploaded)
  }
  const patch = (key: number, changes: Partial<PendingFile>) =>
    update((known) => known.map((one) => (one.key === key ? { ...one, ...changes } : one)))

  const upload = async ({ key, file }: PendingFile) => {
    const stop = new AbortController()
    stops.current.set(key, stop)
    patch(key, { state: 'uploading', share: 0, problem: undefined })
    try {
      const onProgress = (share: number) => patch(key, { share })
      const attachment = await provider.upload(file!, { signal: stop.signal, onProgress })
      patch(key, { state: 'uploaded', share: 1, attachment })
    } catch (error) {
      if (!stop.signal.aborted) patch(key, { state: 'failed', problem: messageOf(error, '') || undefined })
    } finally {
      stops.current.delete(key)
    }
  }
  const take = (chosen: readonly File[], known: FileLimits) => {
    const problem = problemOf(chosen, known)
    const good = chosen.filter((file) => !fileProblem(file, known))
    const space = FILES_PER_MESSAGE - newest.current.length
    if (problem ?? good.length > space) notify(problem ?? TOO_MANY_FILES, { type: 'error' })
    const added = good.slice(0, Math.max(0, space)).map(started)
    update((before) => [...before, ...added])
    for (const one of added) void upload(one)
  }

  const stopAll = useCallback(() => {
    for (const stop of stops.current.values()) stop.abort()
  }, [])
  useEffect(() => stopAll, [stopAll])
  return {
    files,
    uploaded: attachmentsOf(files),
    isUploading: files.some(({ state }) => state === 'uploading'),
    hasFailed: files.some(({ state }) => state === 'failed'),
    isFull: files.length >= FILES_PER_MESSAGE,
    /** Whether the organisation takes files at all. */
    isOpen: limits === undefined || limits.extensions === null || limits.extensions.length > 0,
    add: (chosen: readonly File[]) => {
      if (limits) return take(chosen, limits)
      load().then(
        (loaded) => take(chosen, loaded),
        (error: unknown) => notify(messageOf(error, text('kit.notLoaded')), { type: 'error' }),
      )
    },
    retry: (one: PendingFile) => void upload(one),
    remove: (one: PendingFile) => {
      stops.current.get(one.key)?.abort()
      update((known) => known.filter(({ key }) => key !== one.key))
      // The server deletes what nobody sends anyway.
      if (one.attachment) provider.removeFile(one.attachment.id).catch(() => undefined)
    },
    clear: () => update(() => []),
  }
}
export type PendingFiles = ReturnType<typeof usePendingFiles>
