import { useNotify } from 'react-admin'
import { useEffect, useState, useSyncExternalStore } from 'react'

import { BAD_FILE, FILES_PER_MESSAGE, type MessageAttachment, TOO_MANY_FILES } from '#contract/chat/schema.ts'
import { FILE_EMPTY, type FileLimits, fileProblem } from '#contract/kit/files.ts'
import { attachmentsOf, type PendingFile, uploadsOf } from '#providers/chat/uploads.ts'
import { messageOf } from '#providers/problem.ts'
import { useText } from '#src/kit/useText.ts'
import { useFileLimits } from '#src/attachments/useAttachments.ts'

/** Error message for chosen files (operations §5); undefined for none. */
function problemOf(files: readonly File[], limits: FileLimits): string | undefined {
  const problems = files.map((file) => fileProblem(file, limits)).filter((one) => one !== undefined)
  return problems.every((one) => one === FILE_EMPTY) ? problems[0] : BAD_FILE
}

/**
 * Files of the message being written. Uploads start at once and continue while another room is shown.
 * @param initial files of a draft
 * @param onChange saves the uploaded files
 */
export function usePendingFiles(
  roomId: string,
  initial: readonly MessageAttachment[],
  onChange: (uploaded: readonly MessageAttachment[]) => void,
) {
  const text = useText()
  const notify = useNotify()
  const { limits, load } = useFileLimits()
  const [uploads] = useState(() => uploadsOf(roomId, initial))
  const files = useSyncExternalStore(uploads.watch, () => uploads.files)
  useEffect(() => uploads.saveWith(onChange))

  const take = (chosen: readonly File[], known: FileLimits) => {
    const problem = problemOf(chosen, known)
    const good = chosen.filter((file) => !fileProblem(file, known))
    const space = FILES_PER_MESSAGE - uploads.files.length
    if (problem ?? good.length > space) notify(problem ?? TOO_MANY_FILES, { type: 'error' })
    uploads.add(good.slice(0, Math.max(0, space)))
  }
  return {
    files,
    uploaded: attachmentsOf(files),
    isUploading: files.some(({ state }) => state === 'uploading'),
    hasFailed: files.some(({ state }) => state === 'failed'),
    isFull: files.length >= FILES_PER_MESSAGE,
    /** True if the organisation accepts files. */
    isOpen: limits === undefined || limits.extensions === null || limits.extensions.length > 0,
    add: (chosen: readonly File[]) => {
      if (limits) return take(chosen, limits)
      load().then(
        (loaded) => take(chosen, loaded),
        (error: unknown) => notify(messageOf(error, text('kit.notLoaded')), { type: 'error' }),
      )
    },
    retry: (one: PendingFile) => void uploads.upload(one),
    remove: (one: PendingFile) => uploads.remove(one),
    clear: () => uploads.clear(),
  }
}
export type PendingFiles = ReturnType<typeof usePendingFiles>
