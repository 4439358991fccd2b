import { isOfficeDocument, MEGABYTE } from '../kit/files.ts'

/** Formats with a preview (operations §5 "Storage"), and HEIC, the format of telephones. */
export const PREVIEWED_EXTENSIONS = [
  'bmp',
  'csv',
  'docx',
  'gif',
  'heic',
  'jpg',
  'jpeg',
  'mov',
  'mp3',
  'mp4',
  'ogg',
  'pdf',
  'png',
  'tif',
  'tiff',
  'txt',
  'wav',
  'webp',
  'xls',
  'xlsx',
] as const
/** Bytes below which a text is previewed (operations §9). */
export const TEXT_PREVIEW_LIMIT = 600_000

/** Image formats of which there are thumbnails. */
const THUMBNAIL_EXTENSIONS: readonly string[] = ['bmp', 'heic', 'jpeg', 'jpg', 'png', 'tif', 'tiff']
/** Bytes of the largest file that has a thumbnail. */
const THUMBNAIL_SOURCE_MAX = 32 * MEGABYTE
/** True for a file with a thumbnail. */
export const hasThumbnail = ({ extension, size, isFolder = false }: Previewed): boolean =>
  !isFolder && size <= THUMBNAIL_SOURCE_MAX && THUMBNAIL_EXTENSIONS.includes(extension.toLowerCase())

/** Formats in whose text a search looks. */
export const SEARCHED_EXTENSIONS = ['csv', 'docx', 'pdf', 'pptx', 'txt', 'xls', 'xlsx'] as const
export type SearchedExtension = (typeof SEARCHED_EXTENSIONS)[number]

interface Previewed {
  readonly extension: string
  readonly size: number
  readonly isFolder?: boolean
}
/** `convertsOffice`: the installation shows documents of office programs as PDF. */
export function canPreview(
  { extension, size, isFolder = false }: Previewed,
  { convertsOffice }: { readonly convertsOffice: boolean },
): boolean {
  const format = extension.toLowerCase()
  if (isFolder) return false
  if (isOfficeDocument(format)) return convertsOffice
  if (format === 'txt') return size < TEXT_PREVIEW_LIMIT
  return PREVIEWED_EXTENSIONS.some((one) => one === format)
}

/** Verbs of the history that change nothing. */
export const READING_VERBS = [
  'viewed',
  'downloaded',
  'download resumed',
  'archived',
  'copied',
  'link opened',
  'link passcode refused',
] as const

interface EventChange {
  readonly from: unknown
  readonly to: unknown
}
/** An event of a file or folder as its history says it: "Renamed from “Plan.pdf”". */
export function itemEventInWords(verb: string, changes: { readonly [field: string]: EventChange }): string {
  const words =
    verb === 'archived' ? 'Downloaded as a ZIP file' : verb.charAt(0).toUpperCase() + verb.slice(1)
  const { name, folder, fileVersion, copyOf } = changes
  if (verb === 'added' && copyOf) return `Added as a copy of “${String(copyOf.to)}”`
  if (verb === 'copied' && folder) return `Copied to ${placeInWords(folder.to)}`
  if (verb === 'renamed' && name) return `${words} from “${String(name.from)}”`
  if (verb === 'moved' && folder)
    return `${words} from ${placeInWords(folder.from)} to ${placeInWords(folder.to)}`
  if (fileVersion && verb !== 'added')
    return `${words} (version ${String(fileVersion.to ?? fileVersion.from)})`
  return words
}
const placeInWords = (name: unknown): string => (typeof name === 'string' ? `“${name}”` : 'the root')
