import { isOfficeDocument } from '../kit/files.ts'

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
  const { name, folder, fileVersion } = changes
  if (verb === 'renamed' && name) return `${words} from “${String(name.from)}”`
  if (verb === 'moved' && folder)
    return `${words} from ${placeInWords(folder.from)} to ${placeInWords(folder.to)}`
  if (fileVersion && verb !== 'added')
    return `${words} (version ${String(fileVersion.to ?? fileVersion.from)})`
  return words
}
const placeInWords = (name: unknown): string => (typeof name === 'string' ? `“${name}”` : 'the root')
