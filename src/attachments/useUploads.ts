import { useCallback, useEffect, useRef, useState } from 'react'

import { attachmentsApi } from '#contract/attachments/api.ts'
import { type Attachment, FILES_AT_ONCE, type Parent } from '#contract/attachments/schema.ts'
import { type FileLimits, fileProblem, NO_FILE, tooManyFiles } from '#contract/kit/files.ts'
import { callWithFile } from '#providers/api.ts'
import { HttpProblem, messageOf } from '#providers/problem.ts'
import { reporting } from '#providers/progress.ts'
import { serverNow } from '#providers/serverClock.ts'
import { useText } from '#src/kit/useText.ts'

import { useFileLimits, useShowAdded } from './useAttachments.ts'

/** A chosen file and its upload (operations §4 "Upload"). */
export interface Upload {
  readonly key: number
  readonly file: File
  /** Undefined before sending, null while sending, then true on success. */
  readonly outcome: boolean | null | undefined
  /** Fraction sent: 0 to 1. */
  readonly share: number
  /** The server's reason for a failure. */
  readonly message: string | undefined
}
export interface Uploads {
  readonly list: readonly Upload[]
  /** Error message about the latest choice. */
  readonly problem: string | undefined
  /** Time at which the server accepts uploads again, in milliseconds of its clock; 0 for no limit. */
  readonly until: number
  readonly busy: boolean
  /** Adds chosen files, except those whose name is already in the list. */
  readonly choose: (files: Iterable<File>) => void
  /** Sends waiting files, and retries failed ones. */
  readonly send: () => void
  readonly remove: (key: number) => void
  readonly clear: () => void
}

interface Options {
  readonly onAdded?: (file: Attachment) => void
  /** Called with the number of files of a batch that arrived. */
  readonly onSent?: (arrived: number) => void
  /** Sends files as soon as they are chosen. */
  readonly atOnce?: boolean
}

let lastKey = 0
const queued = (file: File): Upload => ({
  key: ++lastKey,
  file,
  outcome: undefined,
  share: 0,
  message: undefined,
})

/** The chosen files as state, and as a ref, since several may be added between two renders. */
function useUploadList() {
  const [list, setList] = useState<readonly Upload[]>([])
  const newest = useRef(list)
  const update = useCallback((next: (list: readonly Upload[]) => readonly Upload[]) => {
    newest.current = next(newest.current)
    setList(newest.current)
  }, [])
  const change = useCallback(
    (key: number, patch: Partial<Upload>) =>
      update((known) => known.map((one) => (one.key === key ? { ...one, ...patch } : one))),
    [update],
  )
  return { list, newest, update, change }
}
type UploadList = ReturnType<typeof useUploadList>

/** Sends files, reports progress into the list, and can be aborted. */
function useSending({ update, change }: UploadList, parent: Parent, { onAdded, onSent }: Options) {
  const showAdded = useShowAdded(parent)
  const [until, setUntil] = useState(0)
  const stops = useRef(new Map<number, AbortController>())
  const callbacks = useRef({ onAdded, onSent, showAdded })
  useEffect(() => {
    callbacks.current = { onAdded, onSent, showAdded }
  })
  const { parentType, parentId } = parent

  /** Resolves to true if the file arrived. */
  const sendOne = async ({ key, file }: Upload): Promise<boolean> => {
    const stop = new AbortController()
    stops.current.set(key, stop)
    change(key, { outcome: null, share: 0, message: undefined })
    try {
      const added = await callWithFile(attachmentsApi.add, file, {
        params: { parentType, parentId },
        signal: stop.signal,
        transport: reporting((share) => change(key, { share })),
      })
      change(key, { outcome: true, share: 1 })
      callbacks.current.showAdded(added)
      callbacks.current.onAdded?.(added)
      update((known) => known.filter((one) => one.key !== key))
      return true
    } catch (error) {
      if (stop.signal.aborted) return false
      const wait = error instanceof HttpProblem ? error.body.msUntilNextAttempt : undefined
      if (wait !== undefined) setUntil(serverNow() + wait)
      change(key, { outcome: false, message: messageOf(error, '') || undefined })
      return false
    } finally {
      stops.current.delete(key)
    }
  }
  const sendAll = async (uploads: readonly Upload[]): Promise<void> => {
    const arrived = await Promise.all(uploads.map(sendOne))
    callbacks.current.onSent?.(arrived.filter(Boolean).length)
  }
  const stop = useCallback((key: number) => stops.current.get(key)?.abort(), [])
  const stopAll = useCallback(() => {
    for (const controller of stops.current.values()) controller.abort()
  }, [])
  return { until, sendAll, stop, stopAll }
}

/** The files with new names, each name once. */
function withoutDoubles(files: readonly File[], chosen: readonly Upload[]): File[] {
  const names = new Set(chosen.map(({ file }) => file.name))
  return files.filter(({ name }) => {
    const isNew = !names.has(name)
    names.add(name)
    return isNew
  })
}

/** A callback that calls the newest `take`, and nothing after unmount. */
function useLatestCall<A extends unknown[]>(take: (...args: A) => void) {
  const latest = useRef<typeof take>(null)
  useEffect(() => {
    latest.current = take
    return () => {
      latest.current = null
    }
  })
  return useCallback((...args: A) => latest.current?.(...args), [])
}

/** Uploads files to a parent record. Arrived files leave the list; failed ones stay. */
export function useUploads(parent: Parent, options: Options): Uploads {
  const text = useText()
  const { limits, load } = useFileLimits()
  const uploads = useUploadList()
  const { list, newest, update } = uploads
  const { until, sendAll, stop, stopAll } = useSending(uploads, parent, options)
  const [problem, setProblem] = useState<string>()

  const take = (files: readonly File[], known: FileLimits) => {
    const fresh = withoutDoubles(files, newest.current)
    const isTooMany = newest.current.length + fresh.length > FILES_AT_ONCE
    setProblem(
      isTooMany ? tooManyFiles(FILES_AT_ONCE) : fresh.map((file) => fileProblem(file, known)).find(Boolean),
    )
    if (isTooMany) return
    const added = fresh.filter((file) => !fileProblem(file, known)).map(queued)
    update((before) => [...before, ...added])
    if (options.atOnce) void sendAll(added)
  }
  // A form that was closed while the limits loaded sends nothing.
  const takeLater = useLatestCall(take)
  return {
    list,
    problem,
    until,
    busy: list.some(({ outcome }) => outcome === null),
    choose: (files) => {
      const chosen = [...files]
      if (limits) return take(chosen, limits)
      load().then(
        (loaded) => takeLater(chosen, loaded),
        (error: unknown) => setProblem(messageOf(error, text('kit.notLoaded'))),
      )
    },
    send: () => {
      setProblem(list.length === 0 ? NO_FILE : undefined)
      void sendAll(list.filter(({ outcome }) => outcome === undefined || outcome === false))
    },
    remove: (key) => {
      setProblem(undefined)
      stop(key)
      update((known) => known.filter((one) => one.key !== key))
    },
    clear: useCallback(() => {
      setProblem(undefined)
      stopAll()
      update(() => [])
    }, [stopAll, update]),
  }
}
