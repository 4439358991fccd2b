/** How long the browser may take to begin with the file. */
const KEPT_MS = 60_000

function follow(url: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
}

/** Hands the person a file that is in memory, as if they had downloaded it. */
export function saveFile(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  follow(url, fileName)
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}

/**
 * Has the browser download what an address answers, under the name that the server gives: it goes straight to the disk and
 * stands in the browser's own list, where it can be watched, paused and cancelled.
 */
export const saveFrom = (url: string): void => follow(url, '')
