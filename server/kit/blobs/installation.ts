import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'

import type { Shelf } from './blobs.ts'
import { bucketShelf, claimBucket } from './bucket.ts'
import { diskShelf } from './disk.ts'
import { blobKeyWrapping } from './keys.ts'
import type { Database, EventActor, ProviderDb } from '../database/db.ts'
import { deriveKey, keyedHash, makeSecret, makeSecrets, readSecret, secretPath } from '../security/secrets.ts'
import type { Settings } from '../core/settings.ts'
import { CannotStart } from '../core/start-problems.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    installation: { secret_check: string }
  }
}

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'installation' }

/** The folder of stored files. */
export const filesFolder = (dataDir: string): string => join(dataDir, 'files')

/**
 * The installation's secret, verified against the database. The first start creates the secret and stores its check
 * value in the database.
 * @throws CannotStart when the secret is missing, damaged, or belongs to another database
 */
export async function openSecret(
  database: Database,
  { secretKey, dataDir }: Pick<Settings, 'secretKey' | 'dataDir'>,
): Promise<Buffer> {
  const given = await readSecret(secretKey, dataDir)
  const known = await findCheck(database)
  if (!given && (known !== null || (await hasOrganisations(database)))) throw secretMissing(dataDir)
  const secret = given ?? (await makeSecret(dataDir))
  const name = secretKey ? 'The setting SECRET_KEY' : `The secret in ${secretPath(dataDir)}`
  if (known === null) {
    if (!(await opensSealed(database, secret))) throw secretForeign(name)
    // The first of two concurrent starts sets the value.
    await database.directory
      .insertInto('installation')
      .values({ secret_check: checkOf(secret) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  if ((known ?? (await findCheck(database))) !== checkOf(secret)) throw secretForeign(name)
  return secret
}

const secretMissing = (dataDir: string) =>
  new CannotStart(
    `The file ${secretPath(dataDir)} is missing, and the database was made under the secret that was in it. Without it no ` +
      'stored file can be read. Restore it from a backup, or set SECRET_KEY if the secret was given by that.',
  )
const secretForeign = (name: string) =>
  new CannotStart(
    `${name} is not the one that this database was made under. With another one no stored file can be read. ` +
      'Restore the right one from a backup.',
  )

const checkOf = (secret: Buffer): string =>
  keyedHash(deriveKey(secret, 'installation check'), 'the secret of this database')

async function findCheck(database: Database): Promise<string | null> {
  const row = await database.directory.selectFrom('installation').select('secret_check').executeTakeFirst()
  return row?.secret_check ?? null
}

const hasOrganisations = (database: Database): Promise<boolean> =>
  database.withProvider(SYSTEM, (db) => exists(db, 'organisations'))

async function exists(db: ProviderDb, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * True when the secret opens values that were sealed before the database kept a check value, and when there are none.
 */
async function opensSealed(database: Database, secret: Buffer): Promise<boolean> {
  return database.withProvider(SYSTEM, async (db) => {
    const keys = await sql<{ organisation_id: string; wrapped: Buffer }>`
      select organisation_id, wrapped from blob_keys limit 1`.execute(db)
    const apps = await sql<{ user_id: string; secret: Buffer }>`
      select user_id, secret from authenticators limit 1`.execute(db)
    try {
      for (const { organisation_id, wrapped } of keys.rows)
        blobKeyWrapping(secret).unwrap(organisation_id, wrapped)
      for (const app of apps.rows) makeSecrets(secret).open(app.secret, app.user_id)
      return true
    } catch {
      return false
    }
  })
}

/**
 * The storage of files: the bucket of the settings, or a folder.
 * @throws CannotStart when it is missing, or belongs to another installation
 */
export async function openShelf(
  database: Database,
  { s3, dataDir }: Pick<Settings, 's3' | 'dataDir'>,
  secret: Buffer,
): Promise<Shelf> {
  if (!s3) return diskShelf(await openFiles(database, dataDir))
  await claimBucket(s3, ownerOf(secret), !(await hasFiles(database)))
  return bucketShelf(s3)
}
/** Mark of an installation on its bucket. */
export const ownerOf = (secret: Buffer): string => checkOf(secret)
const hasFiles = (database: Database): Promise<boolean> =>
  database.withProvider(SYSTEM, (db) => exists(db, 'blobs'))

/**
 * The folder of stored files, created while no file is recorded.
 * @throws CannotStart when it is missing although files are recorded
 */
export async function openFiles(database: Database, dataDir: string): Promise<string> {
  const folder = filesFolder(dataDir)
  if (existsSync(folder)) return folder
  if (await hasFiles(database))
    throw new CannotStart(
      `The folder ${folder} is missing, and the database refers to files in it. ` +
        'Restore it from a backup, or set DATA_DIR to the folder that has it.',
    )
  await mkdir(folder, { mode: 0o700 })
  return folder
}
