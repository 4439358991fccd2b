import type { ChatDownload } from '#providers/chat/provider.ts'
import { saveFile, saveFrom } from '#src/kit/browser/saveFile.ts'

/** Saves a file of the chat: the browser downloads it where there is an address. */
export function saveDownload(download: ChatDownload): void {
  if ('url' in download) saveFrom(download.url)
  else saveFile(download.blob, download.fileName)
}
