import type { StorageItem } from '#contract/files/schema.ts'

import { formWith } from './attachments.ts'
import { PDF } from './files.ts'
import type { Caller, Reply, TestServer } from './server.ts'

/** Adds and reads files and folders of the storage as a caller. */
export function storageFor({ send, url, inside }: TestServer) {
  const upload = (
    who: Caller,
    bytes: Buffer | string = PDF,
    name = 'plan.pdf',
    fields: Record<string, string | number> = {},
  ): Promise<Reply<StorageItem & { message: string }>> => {
    const texts = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, String(value)]))
    return send('POST', '/sfs', { headers: who.headers, raw: formWith(bytes, name, texts) })
  }
  /** Starts a download, reads its first bytes and breaks the connection. Returns the ETag. */
  const broken = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/api${path}`, { headers })
    const reader = response.body!.getReader()
    await reader.read()
    await reader.cancel()
    return response.headers.get('etag')!
  }
  const fetched = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/api${path}`, { headers })
    return {
      status: response.status,
      headers: response.headers,
      bytes: Buffer.from(await response.arrayBuffer()),
    }
  }
  const download = (who: Caller, id: number) => fetched(`/sfs/${id}`, who.headers)
  const folder = async (who: Caller, name: string, more: object = {}): Promise<StorageItem> => {
    const { status, body } = await who.post('/sfs/folder', { name, ...more })
    if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
    return body
  }
  const group = async (admin: Caller, name: string, members: readonly Caller[]): Promise<string> =>
    (await admin.post('/useradmin/group', { name, userIds: members.map(({ email }) => email) })).body.id
  /** Names of the items in a folder. */
  const names = async (who: Caller, id = 0): Promise<string[]> => {
    const { body } = await who.get(`/sfs/folder/${id}`)
    return (body as StorageItem[]).map(({ name }) => name)
  }
  const verify = async ({ organisation, sessionId }: Caller, until = Date.now() + 900_000): Promise<void> => {
    const verified_until = new Date(until).toISOString()
    await inside(organisation, (db) =>
      db
        .insertInto('verifications')
        .values({
          session_id: sessionId,
          code_hash: null,
          code_expires_timestamp: null,
          next_code_timestamp: null,
          secret: null,
          verified_until,
        })
        .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ verified_until }))
        .execute(),
    )
  }
  const verbs = async (who: Caller, id: number): Promise<string[]> => {
    const rows = await inside(who.organisation, (db) =>
      db
        .selectFrom('events')
        .select('verb')
        .where('noun', '=', 'files')
        .where('record', '=', String(id))
        .orderBy('sequence')
        .execute(),
    )
    return rows.map(({ verb }) => verb)
  }
  return { upload, download, fetched, broken, folder, group, names, verify, verbs }
}
