/** Messages for refused files (foundation §5 "Files (shared)"). */
export const NO_FILE = 'Please choose a file.'
export const FORMAT_NOT_SUPPORTED = 'Sorry, this file format is not supported.'
export const FILE_EMPTY = 'Sorry, this file is empty.'
/** "maxmimum" is the specification's spelling. */
export const tooManyFiles = (max: number) => `You can upload a maxmimum of ${max} files at once.`
export const tooLargeFile = (maxBytes: number) =>
  `Sorry, this file exceeds the maximum size of ${Math.round(maxBytes / MEGABYTE) || 1} MB.`

export const MEGABYTE = 1024 * 1024
/** Largest file while the server gives no value (foundation §9). */
export const FALLBACK_MAX_BYTES = 7_340_032

/** Splits a file name at its last dot into name and extension. */
export function partsOf(fileName: string): { name: string; extension: string } {
  const dot = fileName.lastIndexOf('.')
  if (dot <= 0) return { name: fileName, extension: '' }
  return { name: fileName.slice(0, dot), extension: fileName.slice(dot + 1) }
}
/** Joins name and extension. */
export const wholeName = ({ name, extension }: { name: string; extension: string }): string =>
  extension === '' ? name : `${name}.${extension}`

/** True for an allowed extension. The list may have capitals and dots. */
export const isAllowedExtension = (extension: string, allowed: readonly string[]): boolean =>
  extension !== '' && allowed.some((one) => one.replace(/^\./, '').toLowerCase() === extension.toLowerCase())

/** Formats that the server converts to WebP for display, because not all browsers show them. */
const CONVERTED_EXTENSIONS: readonly string[] = ['bmp', 'heic', 'tif', 'tiff']
export const isConverted = (extension: string): boolean =>
  CONVERTED_EXTENSIONS.includes(extension.toLowerCase())

/** Documents that are shown as PDF where the installation has a converter. */
const OFFICE_EXTENSIONS: readonly string[] = ['doc', 'odp', 'ods', 'odt', 'pps', 'ppsx', 'ppt', 'pptx', 'rtf']
export const isOfficeDocument = (extension: string): boolean =>
  OFFICE_EXTENSIONS.includes(extension.toLowerCase())

/** The content type of one page of a document, with the number of pages as a parameter. */
export const typeWithPages = (type: string, pages: number): string =>
  pages > 1 ? `${type}; pages=${pages}` : type
export const pagesOf = (type: string): number => Number(/;\s*pages=(\d+)/.exec(type)?.[1] ?? 1)

export interface FileLimits {
  readonly maxBytes: number
  /** Null while unknown; the server decides then. */
  readonly extensions: readonly string[] | null
}
/** Why a file of this name and size is refused; undefined for a valid one. */
export function fileProblem(
  file: { readonly name: string; readonly size: number },
  { maxBytes, extensions }: FileLimits,
): string | undefined {
  const { extension } = partsOf(file.name)
  if (extensions && !isAllowedExtension(extension, extensions)) return FORMAT_NOT_SUPPORTED
  if (file.size > maxBytes) return tooLargeFile(maxBytes)
  return file.size === 0 ? FILE_EMPTY : undefined
}

/** Text that spreadsheets evaluate as a formula, unless an apostrophe precedes it. */
export const CSV_FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/
