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

/** A chosen file on its way (operations §4 "Upload"). */
export interface Upload {
  readonly key: number
  readonly file: File
  /** Null while it is sent, then whether that succeeded; undefined before. */
  readonly outcome: boolean | null | undefined
  /** How much of it is sent: 0 to 1. */
  readonly share: number
  /** Why it failed, where the server said so. */
  readonly message: string | undefined
}
export interface Uploads {
  /** What is chosen and not there yet. */
  readonly list: readonly Upload[]
  /** What is wrong with what was chosen last. */
  readonly problem: string | undefined
  /** Until when the server takes nothing more, in milliseconds of its clock; 0 for no such time. */
  readonly until: number
  readonly busy: boolean
  /** Takes files as they were chosen; a name that is there already is dropped. */
  readonly choose: (files: Iterable<File>) => void
  /** Sends what is not sent, and again what failed. */
  readonly send: () => void
  readonly remove: (key: number) => void
  readonly clear: () => void
}

interface Options {
  readonly onAdded?: (file: Attachment) => void
  /** Told how many of those that were sent together arrived. */
  readonly onSent?: (arrived: number) => void
  /** Sends what is chosen without being asked. */
  readonly atOnce?: boolean
}

let lastKey = 0
const waiting = (file: File): Upload => ({
  key: ++lastKey,
  file,
  outcome: undefined,
  share: 0,
  message: undefined,
})

/** Files that are added to something. Those that arrive leave the list and are told of; those that fail stay in it. */
export function useUploads(parent: Parent, { onAdded, onSent, atOnce = false }: Options): Uploads {
  const { limits, load } = useFileLimits()
  const showAdded = useShowAdded(parent)
  const [list, setList] = useState<readonly Upload[]>([])
  // Files that were chosen one after the other may be taken between two renderings.
  const newest = useRef(list)
  const update = useCallback((next: (list: readonly Upload[]) => readonly Upload[]) => {
    newest.current = next(newest.current)
    setList(newest.current)
  }, [])
  const [problem, setProblem] = useState<string>()
  const [until, setUntil] = useState(0)
  const text = useText()
  const stops = useRef(new Map<number, AbortController>())
  const told = useRef({ onAdded, onSent, showAdded })
  useEffect(() => {
    told.current = { onAdded, onSent, showAdded }
  })

  const change = useCallback(
    (key: number, patch: Partial<Upload>) => {
      update((known) => known.map((one) => (one.key === key ? { ...one, ...patch } : one)))
    },
    [update],
  )
  const forget = useCallback(
    (keys: readonly number[]) => {
      for (const key of keys) stops.current.get(key)?.abort()
      update((known) => known.filter(({ key }) => !keys.includes(key)))
    },
    [update],
  )

  const { parentType, parentId } = parent
  /** Answers whether it arrived. */
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
      told.current.showAdded(added)
      told.current.onAdded?.(added)
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

  const sendAll = async (some: readonly Upload[]): Promise<void> => {
    const arrived = await Promise.all(some.map(sendOne))
    told.current.onSent?.(arrived.filter(Boolean).length)
  }

  const take = (files: readonly File[], limits: FileLimits) => {
    const names = new Set(newest.current.map(({ file }) => file.name))
    const fresh: File[] = []
    for (const file of files) {
      if (names.has(file.name)) continue
      names.add(file.name)
      fresh.push(file)
    }
    const wrong = fresh.map((file) => fileProblem(file, limits)).find(Boolean)
    const tooMany =
      newest.current.length + fresh.length > FILES_AT_ONCE ? tooManyFiles(FILES_AT_ONCE) : undefined
    setProblem(tooMany ?? wrong)
    if (tooMany) return
    const added = fresh.filter((file) => !fileProblem(file, limits)).map(waiting)
    update((known) => [...known, ...added])
    if (atOnce) void sendAll(added)
  }
  const latest = useRef<typeof take>(null)
  useEffect(() => {
    latest.current = take
    return () => {
      latest.current = null
    }
  })
  /** Files that are chosen before the limits are known wait for them. */
  const choose = (files: Iterable<File>) => {
    if (limits) {
      take([...files], limits)
      return
    }
    const chosen = [...files]
    load().then(
      // Nothing is sent for a form that was closed meanwhile.
      (loaded) => latest.current?.(chosen, loaded),
      (error: unknown) => setProblem(messageOf(error, text('kit.notLoaded'))),
    )
  }
  const send = () => {
    const unsent = list.filter(({ outcome }) => outcome === undefined || outcome === false)
    setProblem(list.length === 0 ? NO_FILE : undefined)
    void sendAll(unsent)
  }
  const remove = (key: number) => {
    setProblem(undefined)
    forget([key])
  }
  const clear = useCallback(() => {
    setProblem(undefined)
    for (const stop of stops.current.values()) stop.abort()
    update(() => [])
  }, [update])
  const busy = list.some(({ outcome }) => outcome === null)
  return { list, problem, until, busy, choose, send, remove, clear }
}
