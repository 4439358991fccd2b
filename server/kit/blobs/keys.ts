import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

import type { Database, OrgDb } from '../database/db.ts'
import { deriveKey } from '../security/secrets.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    blob_keys: { wrapped: Buffer }
  }
}

const NONCE_SIZE = 12
const TAG_SIZE = 16
/** Cached unwrapped keys; a miss costs a query. */
const REMEMBERED = 1_000

/** Wraps and unwraps organisations' keys with a key derived from the installation's secret. */
export function blobKeyWrapping(secret: Buffer) {
  const wrapping = deriveKey(secret, 'file keys')
  return {
    wrap(organisationId: string, key: Buffer): Buffer {
      const nonce = randomBytes(NONCE_SIZE)
      const cipher = createCipheriv('aes-256-gcm', wrapping, nonce)
      cipher.setAAD(Buffer.from(organisationId))
      return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()])
    },
    /** @throws Error when the key was wrapped under another secret, or for another organisation */
    unwrap(organisationId: string, wrapped: Buffer): Buffer {
      const end = wrapped.length - TAG_SIZE
      const decipher = createDecipheriv('aes-256-gcm', wrapping, wrapped.subarray(0, NONCE_SIZE))
      decipher.setAAD(Buffer.from(organisationId))
      decipher.setAuthTag(wrapped.subarray(end))
      const key = decipher.update(wrapped.subarray(NONCE_SIZE, end))
      try {
        decipher.final()
      } catch (cause) {
        throw new Error('The files were encrypted under another SECRET_KEY.', { cause })
      }
      return key
    },
  }
}

/**
 * One key per organisation, made on first use and stored wrapped by the installation's secret. Deleting an organisation
 * deletes its key, so copies of its files become unreadable.
 */
export function blobKeys(database: Database, secret: Buffer): (organisationId: string) => Promise<Buffer> {
  const wrapping = blobKeyWrapping(secret)
  const known = new Map<string, Promise<Buffer>>()

  const stored = (db: OrgDb) => db.selectFrom('blob_keys').select('wrapped').executeTakeFirst()

  const find = (organisationId: string): Promise<Buffer> =>
    database.withOrganisation(
      { organisationId, actor: () => ({ kind: 'system', id: null, name: 'files' }) },
      async (db) => {
        const row = await stored(db)
        if (row) return wrapping.unwrap(organisationId, row.wrapped)
        // Concurrent callers: the first key is stored, and all read it.
        await db
          .insertInto('blob_keys')
          .values({ wrapped: wrapping.wrap(organisationId, randomBytes(32)) })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        return wrapping.unwrap(organisationId, (await stored(db))!.wrapped)
      },
    )

  return (organisationId) => {
    let key = known.get(organisationId)
    if (!key) {
      if (known.size >= REMEMBERED) known.clear()
      key = find(organisationId)
      known.set(organisationId, key)
      key.catch(() => known.delete(organisationId))
    }
    return key
  }
}
