import { createHash } from 'node:crypto'

import type { Attachment, ParentType } from '#contract/attachments/schema.ts'

import type { Caller, Reply, TestServer } from './server.ts'

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
export const formWith = (bytes: Buffer | string, name: string, fields: Record<string, string> = {}) => {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('file', new File([bytes as BlobPart], name))
  return form
}

/** Adds and reads files as a caller. */
export function filesFor({ send, url }: Pick<TestServer, 'send' | 'url'>) {
  const upload = (
    who: Caller,
    parentId: string,
    bytes: Buffer | string,
    name = 'plan.pdf',
    parentType: ParentType = 'INCIDENT',
  ): Promise<Reply> =>
    send('POST', `/fa/${parentType}/${parentId}`, { headers: who.headers, raw: formWith(bytes, name) })
  const download = async (who: Caller, id: string) => {
    const response = await fetch(`${url}/api/fa/${id}`, { headers: who.headers })
    return {
      status: response.status,
      headers: response.headers,
      bytes: Buffer.from(await response.arrayBuffer()),
    }
  }
  const listed = async (who: Caller, parentId: string, parentType: ParentType = 'INCIDENT') =>
    (await who.get(`/fa/${parentType}/${parentId}`)).body as Attachment[]
  return { upload, download, listed }
}
