import type { MessageAttachment } from '#contract/chat/schema.ts'

import { messageOf } from '../problem.ts'
import { getSession, subscribeSession } from '../session.ts'
import { chat } from './chat.ts'

/** A file of a message in the composer. */
export interface PendingFile {
  readonly key: number
  readonly name: string
  readonly size: number
  readonly state: 'uploading' | 'failed' | 'uploaded'
  /** Sent share, from 0 to 1. */
  readonly share: number
  /** The server's reason for a failure. */
  readonly problem?: string | undefined
  /** Absent for a file of a draft. */
  readonly file?: File
  /** Present after the upload. */
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
export const attachmentsOf = (files: readonly PendingFile[]) =>
  files.flatMap(({ attachment }) => attachment ?? [])

/** The files in the composer of one room. */
export class RoomUploads {
  files: readonly PendingFile[]
  #save: (uploaded: readonly MessageAttachment[]) => void = () => {}
  readonly #stops = new Map<number, AbortController>()
  readonly #watchers = new Set<() => void>()

  constructor(initial: readonly MessageAttachment[]) {
    this.files = initial.map(restored)
  }

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Sets the function that saves uploaded files in the draft, also after the composer closes. */
  saveWith(save: (uploaded: readonly MessageAttachment[]) => void): void {
    this.#save = save
  }

  add(files: readonly File[]): void {
    const added = files.map(started)
    this.#update([...this.files, ...added])
    for (const one of added) void this.upload(one)
  }

  async upload({ key, file }: PendingFile): Promise<void> {
    const stop = new AbortController()
    this.#stops.set(key, stop)
    this.#patch(key, { state: 'uploading', share: 0, problem: undefined })
    try {
      const onProgress = (share: number) => this.#patch(key, { share })
      const attachment = await chat.provider.upload(file!, { signal: stop.signal, onProgress })
      if (!stop.signal.aborted) this.#patch(key, { state: 'uploaded', share: 1, attachment })
    } catch (error) {
      if (!stop.signal.aborted)
        this.#patch(key, { state: 'failed', problem: messageOf(error, '') || undefined })
    } finally {
      this.#stops.delete(key)
    }
  }

  remove({ key, attachment }: PendingFile): void {
    this.#stops.get(key)?.abort()
    this.#update(this.files.filter((one) => one.key !== key))
    // The server deletes unsent files after a day anyway.
    if (attachment) chat.provider.removeFile(attachment.id).catch(() => undefined)
  }

  clear(): void {
    this.#update([])
  }
  stop(): void {
    for (const stop of this.#stops.values()) stop.abort()
  }

  #update(files: readonly PendingFile[]) {
    const before = attachmentsOf(this.files).length
    this.files = files
    for (const watcher of this.#watchers) watcher()
    const uploaded = attachmentsOf(files)
    if (uploaded.length !== before) this.#save(uploaded)
  }
  #patch(key: number, changes: Partial<PendingFile>) {
    this.#update(this.files.map((one) => (one.key === key ? { ...one, ...changes } : one)))
  }
}

/** Uploads by room, of one session. Outside React, so that an upload continues while another room is shown. */
const rooms = new Map<string, RoomUploads>()
let user: string | null | undefined
/** Stops all uploads and forgets their files. */
export function forgetUploads(): void {
  for (const uploads of rooms.values()) uploads.stop()
  rooms.clear()
}
function forgetOthers(): void {
  if (getSession().uuid === user) return
  user = getSession().uuid
  forgetUploads()
}
subscribeSession(forgetOthers)

/**
 * The files in the composer of a room.
 * @param initial files of the draft, if the page has not opened the room before
 */
export function uploadsOf(roomId: string, initial: readonly MessageAttachment[]): RoomUploads {
  forgetOthers()
  const known = rooms.get(roomId)
  // Running uploads are newer than files of a draft, which may come from another tab.
  if (known && known.files.length > 0) return known
  const uploads = new RoomUploads(initial)
  rooms.set(roomId, uploads)
  return uploads
}
