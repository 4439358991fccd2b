import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

import { filesApi } from '#contract/files/api.ts'
import {
  folderNameOf,
  type InterruptedUpload,
  ITEMS_AT_ONCE,
  nameKey,
  type NameConflict,
  ROOT,
  type StorageItem,
  TUS_VERSION,
} from '#contract/files/schema.ts'
import { FALLBACK_MAX_BYTES, MEGABYTE } from '#contract/kit/files.ts'
import { call } from '#providers/api.ts'
import { HttpProblem, messageOf, NO_ANSWER, statusOf } from '#providers/problem.ts'
import { serverNow } from '#providers/serverClock.ts'
import { getSession, isSignedIn, subscribeSession } from '#providers/session.ts'
import { requestSlice } from '#providers/slice.ts'
import { CONFIG_QUERY } from '#src/config/useConfig.ts'

import { type ConflictChoice, findConflicts, isNameTaken } from '../conflicts/conflictValues.ts'
import {
  type ChosenFile,
  chosenOf,
  droppedFiles,
  isOpen,
  isReady,
  isSameFile,
  QUEUE_MAX,
  type Upload,
  type UploadLimits,
  uploadsOf,
} from './uploadValues.ts'

const CONCURRENCY = 3
const FALLBACK_FILES_AT_ONCE = 50
/** Files that are sent at a time, at most as many as the server takes; known with the first choice. */
let concurrency = CONCURRENCY
/** Page size for looking up a folder by name. */
const FOLDERS_PER_REQUEST = 1_000

interface State {
  readonly list: readonly Upload[]
  /** Error message about the latest choice. */
  readonly problem: string | undefined
  /** Unfinished uploads from before this page was loaded. */
  readonly interrupted: readonly InterruptedUpload[]
  /** Time at which the server accepts uploads again, in milliseconds of its clock; 0 for no limit. */
  readonly until: number
}
const NOTHING: State = { list: [], problem: undefined, interrupted: [], until: 0 }

// Module state: uploads outlive the page that began them.
let state = NOTHING
const listeners = new Set<() => void>()
const stops = new Map<number, AbortController>()
/** Folders being created, by parent and name. */
const folders = new Map<string, Promise<number>>()
let timer: ReturnType<typeof setTimeout> | undefined
let client: QueryClient | undefined

const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault()

function update(patch: Partial<State>) {
  state = { ...state, ...patch }
  const isBusy = state.list.some(isOpen)
  window[isBusy ? 'addEventListener' : 'removeEventListener']('beforeunload', askBeforeUnload)
  for (const listener of listeners) listener()
}
const change = (key: number, patch: Partial<Upload>) =>
  update({ list: state.list.map((one) => (one.key === key ? { ...one, ...patch } : one)) })

async function findFolder(parentFolderId: number, name: string): Promise<number | undefined> {
  for (let first = 0, total = 1; first < total; first += FOLDERS_PER_REQUEST) {
    // oxlint-disable-next-line no-await-in-loop -- the first page says how many there are
    const page = await requestSlice<StorageItem>(filesApi.folder, {
      params: { id: parentFolderId },
      filter: { isFolder: true },
      first,
      count: FOLDERS_PER_REQUEST,
    })
    const found = page.items.find((one) => nameKey(one.name) === nameKey(name))
    if (found) return found.id
    total = page.total
  }
  return undefined
}

async function makeFolder(parentFolderId: number, name: string): Promise<number> {
  const known = await findFolder(parentFolderId, name)
  if (known !== undefined) return known
  const { id } = await call(filesApi.createFolder, { body: { name, parentFolderId } })
  return id
}

/** Returns the id of a folder below another one. Creates missing folders once, for the first file in them. */
async function folderAt(folderId: number, path: readonly string[]): Promise<number> {
  let parent = folderId
  for (const name of path.map(folderNameOf)) {
    const key = JSON.stringify([parent, nameKey(name)])
    const made = folders.get(key) ?? makeFolder(parent, name)
    folders.set(key, made)
    made.catch(() => folders.delete(key))
    // oxlint-disable-next-line no-await-in-loop -- each folder is made in the one before
    parent = await made
  }
  return parent
}

const isNetworkGone = (error: unknown) => statusOf(error) === 0 && !navigator.onLine

/** Loads the upload protocol before the device may go offline. */
export const loadProtocol = () => import('./resumableValues.ts')

/** Locks of uploads that any tab of this browser is sending; a closed tab releases its locks. */
const LOCK = 'muster.upload '
async function holding<T>(uploadId: string, work: Promise<T>): Promise<T> {
  // Locks exist in secure contexts only.
  if (!navigator.locks) return work
  return navigator.locks.request(LOCK + uploadId, () => work)
}
async function heldIds(): Promise<Set<string>> {
  // Browsers that block storage refuse locks too.
  const { held = [] } = (await navigator.locks?.query().catch(() => undefined)) ?? {}
  return new Set(held.flatMap(({ name }) => (name?.startsWith(LOCK) ? name.slice(LOCK.length) : [])))
}

/** Has an upload wait or ask again after a problem, or shows the problem. */
function stopped({ key, onConflict }: Upload, error: unknown): void {
  // Somebody took the name after the check.
  if (isNameTaken(error) && onConflict === 'refuse')
    return change(key, { outcome: undefined, isChecked: false, uploadId: undefined })
  const wait = error instanceof HttpProblem ? error.body.msUntilNextAttempt : undefined
  if (wait !== undefined) update({ until: serverNow() + wait })
  const goesOn = wait !== undefined || isNetworkGone(error)
  const message = messageOf(error, statusOf(error) === 0 ? NO_ANSWER : '') || undefined
  return change(key, goesOn ? { outcome: undefined } : { outcome: false, message })
}

async function sendOne(upload: Upload): Promise<void> {
  const { key, file, folderId, path, uploadId: knownId } = upload
  const stop = new AbortController()
  stops.set(key, stop)
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const held = new Set<string>()
  const began = (id: string) => {
    change(key, { uploadId: id })
    if (!held.has(id)) void holding(id, ended).catch(() => {})
    held.add(id)
    // The file was removed before the server had assigned an id.
    if (stop.signal.aborted) giveUp(id)
  }
  change(key, { outcome: null, message: undefined, ...(knownId === undefined && { share: 0 }) })
  try {
    const [{ sendResumable }, parentFolderId] = await Promise.all([loadProtocol(), folderAt(folderId, path)])
    if (stop.signal.aborted) return
    const { fileVersion } = await sendResumable(file, {
      parentFolderId,
      onConflict: upload.onConflict,
      uploadId: knownId ?? claimInterrupted(file, parentFolderId)?.id,
      onBegun: began,
      onProgress: (share) => change(key, { share }),
      signal: stop.signal,
    })
    change(key, { outcome: true, share: 1, fileVersion })
    void client?.invalidateQueries({ queryKey: ['files'] })
  } catch (error) {
    if (!stop.signal.aborted) stopped(upload, error)
  } finally {
    end()
    stops.delete(key)
    pump()
  }
}

/** Deletes an upload on the server. If the call fails, the upload expires. */
const giveUp = (uploadId: string): void =>
  void call(filesApi.endUpload, {
    params: { id: uploadId },
    headers: { 'tus-resumable': TUS_VERSION },
  }).catch(() => {})

/** Finds uploads that a reload interrupted, on this device or another one. */
async function findInterrupted(): Promise<void> {
  follow()
  const [found, held] = await Promise.all([call(filesApi.uploads), heldIds()])
  const known = new Set(state.list.flatMap(({ uploadId }) => uploadId ?? []))
  update({ interrupted: found.filter(({ id, path }) => path && !held.has(id) && !known.has(id)) })
}

let isChecking = false
/** Asks which names of the waiting files are taken, up to a thousand of one folder at a time. */
async function checkNames(): Promise<void> {
  const unchecked = state.list.filter(({ outcome, isChecked }) => outcome === undefined && !isChecked)
  const [first] = unchecked
  if (isChecking || !first) return
  isChecking = true
  const { folderId } = first
  const checked = unchecked.filter((one) => one.folderId === folderId).slice(0, ITEMS_AT_ONCE)
  // Without an answer the uploads begin: the server refuses a taken name.
  const conflicts = await findConflicts(folderId, checked).catch(() => new Map<ChosenFile, NameConflict>())
  isChecking = false
  const found = new Map(checked.map((one) => [one.key, conflicts.get(one)]))
  update({
    list: state.list.map((one) =>
      found.has(one.key) ? { ...one, isChecked: true, conflict: found.get(one.key) } : one,
    ),
  })
  pump()
}

/** Starts waiting uploads, unless the device is offline or the server asked for a pause. */
function pump(): void {
  clearTimeout(timer)
  if (!navigator.onLine) return
  const pause = state.until - serverNow()
  if (pause > 0) {
    timer = setTimeout(pump, pause)
    return
  }
  void checkNames()
  const free = concurrency - state.list.filter(({ outcome }) => outcome === null).length
  for (const upload of state.list.filter(isReady).slice(0, Math.max(0, free))) void sendOne(upload)
}

/** Stops and forgets all uploads; interrupted ones stay on the server. */
function clear(): void {
  clearTimeout(timer)
  for (const stop of stops.values()) stop.abort()
  folders.clear()
  update(NOTHING)
}

let isFollowing = false
/** Continues when the device is online again, and stops at sign-out. */
function follow(): void {
  if (isFollowing) return
  isFollowing = true
  window.addEventListener('online', pump)
  subscribeSession(() => {
    if (!isSignedIn(getSession())) clear()
  })
}

async function limitsOf(queries: QueryClient): Promise<UploadLimits> {
  const config = await queries.ensureQueryData(CONFIG_QUERY)
  return {
    maxBytes: config.maxFileSize === undefined ? FALLBACK_MAX_BYTES : config.maxFileSize * MEGABYTE,
    extensions: config.allowedFileExtensions ?? null,
    maxCount: config.maxFileUploadsAtOnce ?? FALLBACK_FILES_AT_ONCE,
  }
}

/** Removes the interrupted upload of the same file and folder from the list, and returns it. */
function claimInterrupted(file: File, folderId: number): InterruptedUpload | undefined {
  const known = state.interrupted.find((one) => one.parentFolderId === folderId && isSameFile(file, one))
  if (known) update({ interrupted: state.interrupted.filter((one) => one !== known) })
  return known
}

/**
 * Resumes the interrupted upload of the same file and folder. A file of a chosen folder is matched when it is
 * sent, since its folder's id is unknown before.
 */
function resumed(upload: Upload): Upload {
  const { file, folderId, path, outcome } = upload
  if (path.length > 0 || outcome === false) return upload
  const known = claimInterrupted(file, folderId)
  if (!known) return upload
  return { ...upload, uploadId: known.id, isChecked: true, share: known.offset / known.length }
}

type Choose = (limits: UploadLimits) => readonly ChosenFile[] | Promise<readonly ChosenFile[]>
async function add(queries: QueryClient, folderId: number, choose: Choose): Promise<void> {
  client = queries
  follow()
  try {
    const limits = await limitsOf(queries)
    concurrency = Math.min(CONCURRENCY, limits.maxCount)
    const chosen = await choose(limits)
    // Arrived files leave the list with the next choice.
    const kept = state.list.some(isOpen) ? state.list : state.list.filter(({ outcome }) => outcome === false)
    const { uploads, problem } = uploadsOf(chosen, folderId, kept, limits)
    if (!kept.some(isOpen)) folders.clear()
    update({ list: [...kept, ...uploads.map(resumed)], problem })
    pump()
  } catch (error) {
    update({ problem: messageOf(error, error instanceof Error ? error.message : String(error)) })
  }
}

const retry = (isMeant: (upload: Upload) => boolean) => {
  update({
    list: state.list.map((one) =>
      one.outcome === false && one.canRetry && isMeant(one) ? { ...one, outcome: undefined } : one,
    ),
  })
  pump()
}
const actions = {
  retry: (key: number): void => retry((one) => one.key === key),
  retryAll: (): void => retry(() => true),
  /** Aborts an upload, and removes the file from the list. */
  remove: (key: number): void => {
    stops.get(key)?.abort()
    const gone = state.list.find((one) => one.key === key)
    if (gone?.uploadId !== undefined && gone.outcome !== true) giveUp(gone.uploadId)
    update({ list: state.list.filter((one) => one.key !== key) })
    pump()
  },
  /** Aborts all uploads, and deletes their parts from the server. */
  cancelAll: (): void => {
    for (const { uploadId, outcome } of state.list)
      if (uploadId !== undefined && outcome !== true) giveUp(uploadId)
    clear()
  },
  clear,
  /** Decides about the first taken name, or about all that the choice can be made for. */
  decide: (choice: ConflictChoice, forAll: boolean): void => {
    const pending = state.list.filter(({ conflict }) => conflict !== undefined)
    const meant = (forAll ? pending : pending.slice(0, 1)).filter(
      ({ conflict }) => choice !== 'replace' || conflict!.canReplace,
    )
    const keys = new Set(meant.map(({ key }) => key))
    update({
      list:
        choice === 'skip'
          ? state.list.filter(({ key }) => !keys.has(key))
          : state.list.map((one) =>
              keys.has(one.key) ? { ...one, conflict: undefined, onConflict: choice } : one,
            ),
    })
    pump()
  },
  findInterrupted: (): void => void findInterrupted().catch(() => {}),
  /** Resumes an interrupted upload. Returns false if the file is another one. */
  resume: (one: InterruptedUpload, file: File, queries: QueryClient): boolean => {
    if (!isSameFile(file, one)) return false
    void add(queries, one.parentFolderId, () => [{ file, path: [] }])
    return true
  },
  /** Deletes an interrupted upload from the server. */
  discard: ({ id }: InterruptedUpload): void => {
    giveUp(id)
    update({ interrupted: state.interrupted.filter((one) => one.id !== id) })
  },
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const current = () => state

/** The uploads of this browser tab with their actions. They continue on other pages. */
export const useUploadList = () => ({ ...useSyncExternalStore(subscribe, current), ...actions })

/** Adds files to folders of the storage. The panel of uploads opens by itself. */
export function useUploads() {
  const queries = useQueryClient()
  return {
    /** Adds chosen files to a folder, with their subfolders. */
    addFiles: (files: Iterable<File>, folderId: number = ROOT) => {
      const chosen = chosenOf(files)
      void add(queries, folderId, () => chosen)
    },
    addDropped: (data: DataTransfer, folderId: number = ROOT) => {
      // Browsers clear the dropped items after the event.
      const dropped = droppedFiles(data, QUEUE_MAX)
      void add(queries, folderId, () => dropped)
    },
  }
}
