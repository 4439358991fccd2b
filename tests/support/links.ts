import type {
  FileLink,
  IssuedFileLink,
  LinkItems,
  LinkUpload,
  LinkVisit,
} from '#contract/file-links/schema.ts'

import type { Caller, Reply, TestServer } from './server.ts'

/** Makes links as a caller, and uses them as a visitor without a session. */
export function linksFor({ send, url }: TestServer) {
  const tryLink = (who: Caller, itemId: number, more: object = {}): Promise<Reply<IssuedFileLink>> =>
    who.post('/sfs/links', { itemId, direction: 'DOWN', label: 'Fire brigade', days: 3, ...more })
  const link = async (who: Caller, itemId: number, more: object = {}): Promise<IssuedFileLink> => {
    const { status, body } = await tryLink(who, itemId, more)
    if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
    return body
  }
  const tryOpen = (
    { token, passcode }: Pick<IssuedFileLink, 'token' | 'passcode'>,
    visitor = '',
  ): Promise<Reply<LinkVisit>> =>
    send('POST', '/sfs/link/visits', {
      headers: { 'User-Agent': 'Visitor/1.0' },
      body: { token, passcode, visitor },
    })
  const visited = (visit: string) => {
    const headers = { 'Link-Visit': visit, 'User-Agent': 'Visitor/1.0' }
    return {
      items: (folder?: number, page = 1): Promise<Reply<LinkItems>> =>
        send('GET', `/sfs/link/items?page=${page}${folder === undefined ? '' : `&folder=${folder}`}`, {
          headers,
        }),
      ticket: (id: number, what: 'download' | 'preview' = 'download') =>
        send('POST', `/sfs/link/items/${id}/${what}`, { headers }),
      fetched: async (path: string) => {
        const response = await fetch(`${url}/api${path}`, { headers: { 'User-Agent': 'Visitor/1.0' } })
        return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()), response }
      },
      upload: (name: string, bytes: Buffer | string): Promise<Reply<LinkUpload & { message: string }>> =>
        send('POST', '/sfs/link/files', {
          headers: {
            ...headers,
            'File-Name': encodeURIComponent(name),
            'Content-Type': 'application/octet-stream',
          },
          raw: typeof bytes === 'string' ? Buffer.from(bytes) : new Uint8Array(bytes),
        }),
      uploads: (): Promise<Reply<LinkUpload[]>> => send('GET', '/sfs/link/files', { headers }),
    }
  }
  const open = async (issued: IssuedFileLink, visitor = '') => {
    const { status, body } = await tryOpen(issued, visitor)
    if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
    return { ...visited(body.visit), state: body }
  }
  const listed = async (who: Caller, filter: object = {}): Promise<FileLink[]> =>
    (await who.get(`/sfs/links?filter=${encodeURIComponent(JSON.stringify(filter))}`)).body
  return { tryLink, link, tryOpen, open, visited, listed }
}
