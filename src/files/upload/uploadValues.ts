import type { InterruptedUpload, NameConflict, OnConflict } from '#contract/files/schema.ts'
import { type FileLimits, fileProblem, tooManyFiles, wholeName } from '#contract/kit/files.ts'

/** A file to upload, with its folders below the open one. */
export interface ChosenFile {
  readonly file: File
  readonly path: readonly string[]
}

/** A file and its upload (operations §4 "Upload"). */
export interface Upload extends ChosenFile {
  readonly key: number
  /** The target folder. */
  readonly folderId: number
  /** Undefined before sending, null while sending, then true on success. */
  readonly outcome: boolean | null | undefined
  /** Fraction sent: 0 to 1. */
  readonly share: number
  /** Reason for a failure, if known. */
  readonly message: string | undefined
  /** False if the file itself was refused. */
  readonly canRetry: boolean
  /** Version of the file; above 1 if the file existed. */
  readonly fileVersion: number
  /** The server's id of a begun upload, which is resumed by it. */
  readonly uploadId: string | undefined
  /** True once the server was asked for a file of the same name. */
  readonly isChecked: boolean
  /** The taken name, until somebody has chosen what to do. */
  readonly conflict: NameConflict | undefined
  readonly onConflict: OnConflict
}

/** Files that one queue takes. The server takes `maxFileUploadsAtOnce` of them at a time. */
export const QUEUE_MAX = 10_000

/** Files that operating systems leave in folders. */
const LITTER = /^(\.DS_Store|\.localized|Thumbs\.db|desktop\.ini|\._.*)$/i

/** Folders of a file below the chosen one; not every browser reports them. */
const foldersOf = (file: File): string[] =>
  'webkitRelativePath' in file ? file.webkitRelativePath.split('/').slice(0, -1) : []

/** The files of an input for files or for a folder. */
export const chosenOf = (files: Iterable<File>): ChosenFile[] =>
  [...files].map((file) => ({ file, path: foldersOf(file) })).filter(({ file }) => !LITTER.test(file.name))

const placeOf = (folderId: number, { file, path }: ChosenFile) =>
  JSON.stringify([folderId, ...path, file.name])
export const isOpen = ({ outcome }: Upload): boolean => outcome === undefined || outcome === null
/** True for an upload that waits for nothing but its turn. */
export const isReady = ({ outcome, isChecked, conflict }: Upload): boolean =>
  outcome === undefined && isChecked && conflict === undefined

let lastKey = 0
function uploadOf(chosen: ChosenFile, folderId: number, message: string | undefined): Upload {
  return {
    ...chosen,
    key: ++lastKey,
    folderId,
    outcome: message === undefined ? undefined : false,
    share: 0,
    message,
    canRetry: message === undefined,
    fileVersion: 1,
    uploadId: undefined,
    isChecked: message !== undefined,
    conflict: undefined,
    // A name that is taken after the check is asked about, not replaced in silence.
    onConflict: 'refuse',
  }
}

/** True if a file looks like that of an interrupted upload, by the attributes that browsers expose. */
export const isSameFile = (
  file: File,
  { name, extension, length, lastModified }: InterruptedUpload,
): boolean =>
  file.name.normalize() === wholeName({ name, extension }) &&
  file.size === length &&
  (lastModified === null || file.lastModified === lastModified)

export interface UploadLimits extends FileLimits {
  /** Files that the server takes at a time. */
  readonly maxCount: number
}

/**
 * Uploads for chosen files. Files that exceed the limits have failed already.
 * @param known current list; files that repeat an unfinished upload are dropped
 * @returns the problem if there are more than one queue takes
 */
export function uploadsOf(
  chosen: readonly ChosenFile[],
  folderId: number,
  known: readonly Upload[],
  limits: UploadLimits,
): { readonly uploads: readonly Upload[]; readonly problem: string | undefined } {
  const open = known.filter(isOpen)
  const places = new Set(open.map((one) => placeOf(one.folderId, one)))
  const fresh = chosen.filter((one) => {
    const place = placeOf(folderId, one)
    const isNew = !places.has(place)
    places.add(place)
    return isNew
  })
  if (open.length + fresh.length > QUEUE_MAX) return { uploads: [], problem: tooManyFiles(QUEUE_MAX) }
  return {
    uploads: fresh.map((one) => uploadOf(one, folderId, fileProblem(one.file, limits))),
    problem: undefined,
  }
}

/** Fraction sent of all uploads that can arrive, weighted by bytes: 0 to 1. */
export function overallShare(list: readonly Upload[]): number {
  const counted = list.filter(({ outcome }) => outcome !== false)
  const total = counted.reduce((sum, { file }) => sum + file.size, 0)
  const sent = counted.reduce((sum, { file, share }) => sum + file.size * share, 0)
  return total === 0 ? 0 : sent / total
}

const readPart = (reader: FileSystemDirectoryReader) =>
  new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject))

/** Adds the files of an entry to `found`, and stops beyond `max`. */
async function collect(
  entry: FileSystemEntry,
  path: readonly string[],
  found: ChosenFile[],
  max: number,
): Promise<void> {
  if (found.length > max) return
  if (entry.isFile) {
    const file = await fileOf(entry as FileSystemFileEntry)
    if (!LITTER.test(file.name)) found.push({ file, path })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // A reader returns at most 100 entries at once, and none at the end.
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- the parts of a folder come one after the other
    const part = await readPart(reader)
    if (part.length === 0 || found.length > max) return
    // oxlint-disable-next-line no-await-in-loop -- stops at the limit
    for (const child of part) await collect(child, [...path, entry.name], found, max)
  }
}

/**
 * Dropped files, including those of dropped folders: at most one more than `max`.
 * @param data is read before the first `await`, because browsers clear it
 */
export async function droppedFiles(data: DataTransfer, max: number): Promise<ChosenFile[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.() ?? null)
  const files = [...data.files]
  if (!entries.some((entry) => entry?.isDirectory)) return chosenOf(files)
  const found: ChosenFile[] = []
  // oxlint-disable-next-line no-await-in-loop -- stops at the limit
  for (const entry of entries) if (entry) await collect(entry, [], found, max)
  return found
}
