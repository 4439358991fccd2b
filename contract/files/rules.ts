/** Formats that can be previewed (operations §5 "Storage"). */
export const PREVIEWED_EXTENSIONS = [
  'bmp',
  'csv',
  'docx',
  'gif',
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

interface Previewed {
  readonly extension: string
  readonly size: number
  readonly isFolder?: boolean
}
/** Whether a file is shown without being downloaded. HEIC is shown as well, converted by the server. */
export function canPreview({ extension, size, isFolder = false }: Previewed): boolean {
  const format = extension.toLowerCase()
  if (isFolder) return false
  if (format === 'txt') return size < TEXT_PREVIEW_LIMIT
  return format === 'heic' || PREVIEWED_EXTENSIONS.some((one) => one === format)
}
