/** How long the browser may take to begin with the file. */
const KEPT_MS = 60_000

/** Hands the person a file, as if they had downloaded it. */
export function saveFile(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
