/** What is said of files that cannot be taken (foundation §5 "Files (shared)"). */
export const NO_FILE = 'Please choose a file.'
export const FORMAT_NOT_SUPPORTED = 'Sorry, this file format is not supported.'
export const FILE_EMPTY = 'Sorry, this file is empty.'
/** Spelled as in the product. */
export const tooManyFiles = (max: number) => `You can upload a maxmimum of ${max} files at once.`
export const tooLargeFile = (maxBytes: number) =>
  `Sorry, this file exceeds the maximum size of ${Math.round(maxBytes / MEGABYTE) || 1} MB.`

export const MEGABYTE = 1024 * 1024
/** The largest file where the server gives no value (foundation §9). */
export const FALLBACK_MAX_BYTES = 7_340_032

/** A file's name in two parts: what stands before its last dot, and its extension without the dot. */
export function partsOf(fileName: string): { name: string; extension: string } {
  const dot = fileName.lastIndexOf('.')
  if (dot <= 0) return { name: fileName, extension: '' }
  return { name: fileName.slice(0, dot), extension: fileName.slice(dot + 1) }
}
/** The name as a whole again. */
export const wholeName = ({ name, extension }: { name: string; extension: string }): string =>
  extension === '' ? name : `${name}.${extension}`

/** Whether an extension is among the allowed ones, which may be written in capitals and with a dot. */
export const isAllowedExtension = (extension: string, allowed: readonly string[]): boolean =>
  extension !== '' && allowed.some((one) => one.replace(/^\./, '').toLowerCase() === extension.toLowerCase())

/** Formats that the server converts to WebP where they are shown, because browsers do not show all of them. */
const CONVERTED_EXTENSIONS: readonly string[] = ['bmp', 'heic', 'tif', 'tiff']
export const isConverted = (extension: string): boolean =>
  CONVERTED_EXTENSIONS.includes(extension.toLowerCase())

export interface FileLimits {
  readonly maxBytes: number
  /** Null where they are not known: then the server decides. */
  readonly extensions: readonly string[] | null
}
/** The problem of a file by its name and size; undefined for none. */
export function fileProblem(
  file: { readonly name: string; readonly size: number },
  { maxBytes, extensions }: FileLimits,
): string | undefined {
  const { extension } = partsOf(file.name)
  if (extensions && !isAllowedExtension(extension, extensions)) return FORMAT_NOT_SUPPORTED
  if (file.size > maxBytes) return tooLargeFile(maxBytes)
  return file.size === 0 ? FILE_EMPTY : undefined
}

/** What a spreadsheet takes for a formula: an apostrophe before it keeps it a text. */
export const CSV_FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/
