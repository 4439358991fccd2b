import { fileLinksApi } from '#contract/file-links/api.ts'
import {
  LINK_UPLOAD_TYPE,
  type LinkDoor,
  type LinkItems,
  type LinkVisit,
} from '#contract/file-links/schema.ts'
import { call } from '#providers/api.ts'
import { type OnProgress, reporting } from '#providers/progress.ts'
import { send } from '#providers/send.ts'
import { saveFrom } from '#src/kit/browser/saveFile.ts'

/** The server that the page came from, whatever organisation this browser is signed in to. */
const base = `${location.origin}/api`

export const lookAtLink = (token: string): Promise<LinkDoor> =>
  call(fileLinksApi.look, { body: { token }, base })
export const openLink = (token: string, passcode: string, visitor: string): Promise<LinkVisit> =>
  call(fileLinksApi.open, { body: { token, passcode, visitor }, base })
const headersOf = (visit: string) => ({ 'link-visit': visit })

export const listItems = (visit: string, folder: number, page: number): Promise<LinkItems> =>
  call(fileLinksApi.items, { headers: headersOf(visit), query: { folder, page }, base })
export async function downloadItem(visit: string, id: number): Promise<void> {
  const { path } = await call(fileLinksApi.download, { headers: headersOf(visit), params: { id }, base })
  saveFrom(base + path)
}
/** Address of a file's content to show, with its content type. */
export async function previewItem(visit: string, id: number): Promise<{ url: string; type: string }> {
  const { path, type } = await call(fileLinksApi.preview, { headers: headersOf(visit), params: { id }, base })
  return { url: base + path, type }
}
export async function sendFile(visit: string, file: File, onProgress: OnProgress): Promise<void> {
  await send({
    method: fileLinksApi.upload.method,
    url: base + fileLinksApi.upload.path,
    asPerson: false,
    headers: {
      ...headersOf(visit),
      'File-Name': encodeURIComponent(file.name),
      'Content-Type': LINK_UPLOAD_TYPE,
    },
    body: file,
    transport: reporting(onProgress),
  })
}
