/** Milliseconds for which the browser may fetch the file. */
const KEPT_MS = 60_000

function follow(url: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
}

/** Saves a file from memory as a download. */
export function saveFile(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  follow(url, fileName)
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}

/**
 * Downloads a URL natively, under the server's file name: straight to the disk, with the browser's own
 * progress, pause and cancel.
 */
export const saveFrom = (url: string): void => follow(url, '')
