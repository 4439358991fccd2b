import type { ChatDownload } from '#providers/chat/provider.ts'
import { saveFile, saveFrom } from '#src/kit/browser/saveFile.ts'

/** Saves a file of the chat; downloads it natively if it has a URL. */
export function saveDownload(download: ChatDownload): void {
  if ('url' in download) saveFrom(download.url)
  else saveFile(download.blob, download.fileName)
}
