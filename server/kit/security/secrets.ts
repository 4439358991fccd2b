import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'

import { OUTBOX_KEY_MIN, SECRET_MIN } from '../core/settings.ts'
import { CannotStart } from '../core/start-problems.ts'
import { syncFolder } from '../core/sync-folder.ts'

/** Path of the secret when no setting gives it. */
export const secretPath = (dataDir: string): string => join(dataDir, 'secret-key')

/** The installation's key from the text of its secret. */
export const keyOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/**
 * The installation's secret from its setting or the data folder; null where there is neither.
 * @throws CannotStart when the file holds no secret; system errors of reading it
 */
export async function readSecret(given: string | null, dataDir: string): Promise<Buffer | null> {
  if (given) return keyOf(given)
  const path = secretPath(dataDir)
  if (!existsSync(path)) return null
  const secret = (await readFile(path, 'utf8')).trim()
  if (secret.length >= SECRET_MIN) return keyOf(secret)
  throw new CannotStart(
    `The file ${path} ${secret === '' ? 'is empty' : 'is damaged: it is too short for a secret'}. ` +
      'Without its secret no stored file can be read. Restore it from a backup.',
  )
}

/**
 * The text of the installation's secret, from its setting or the data folder; null where there is neither.
 * @throws CannotStart when the file holds no secret; system errors of reading it
 */
export async function readSecretText(given: string | null, dataDir: string): Promise<string | null> {
  if (given) return given
  const secret = await readSecret(null, dataDir)
  return secret && (await readFile(secretPath(dataDir), 'utf8')).trim()
}

/** Writes a key file that only the owner of the data folder can read, durably before the key is used. */
async function writeKey(dataDir: string, path: string, key: string): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o600)
  await file.writeFile(`${key}\n`)
  await file.sync()
  await file.close()
  await rename(`${path}.new`, path)
  await syncFolder(dataDir)
}

/** Creates a secret that only the owner of the data folder can read, durable before it is used. */
export async function makeSecret(dataDir: string): Promise<Buffer> {
  const secret = randomBytes(32).toString('base64url')
  await writeSecret(dataDir, secret)
  return keyOf(secret)
}

/** Stores a secret's text in a data folder, durably. */
export const writeSecret = (dataDir: string, secret: string): Promise<void> =>
  writeKey(dataDir, secretPath(dataDir), secret)

/**
 * The key of `/outbox`: OUTBOX_KEY, or one created once in the data folder. An emptied or cut file is replaced: nothing
 * was sealed with it.
 */
export async function loadOutboxKey(given: string | null, dataDir: string): Promise<string> {
  if (given) return given
  const path = join(dataDir, 'outbox-key')
  const known = existsSync(path) ? (await readFile(path, 'utf8')).trim() : ''
  if (known.length >= OUTBOX_KEY_MIN) return known
  const key = randomBytes(32).toString('base64url')
  await writeKey(dataDir, path, key)
  return key
}

/** Derives a key for one purpose; it reveals nothing about the other keys. */
export const deriveKey = (secret: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `muster ${purpose}`, 32))

/** 256 random bits, safe in a URL. */
export const newToken = (): string => randomBytes(32).toString('base64url')
/** The stored hash of a token. A fast hash suffices, because tokens are random. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()
export const keyedHash = (key: Buffer, value: string): string =>
  createHmac('sha256', key).update(value).digest('hex')
/** Compares two texts in constant time, also of different lengths. */
export const sameText = (a: string, b: string): boolean => timingSafeEqual(tokenHash(a), tokenHash(b))
export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

/**
 * A token that names its organisation, so that verifying it needs no search across organisations. `random` is its
 * secret part: 256 bits in base64url.
 */
export function sealToken(
  prefix: string,
  organisationId: string,
  random = newToken(),
): { token: string; hash: Buffer } {
  const organisation = Buffer.from(organisationId.replaceAll('-', ''), 'hex').toString('base64url')
  const token = `${prefix}_${organisation}_${random}`
  return { token, hash: tokenHash(token) }
}

/** The organisation in a token and the token's hash; null for another kind of token. */
export function openToken(prefix: string, token: string): { organisationId: string; hash: Buffer } | null {
  const match = new RegExp(`^${prefix}_([A-Za-z0-9_-]{22})_[A-Za-z0-9_-]{43}$`).exec(token)
  if (!match) return null
  const hex = Buffer.from(match[1]!, 'base64url').toString('hex')
  if (hex.length !== 32) return null
  const organisationId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { organisationId, hash: tokenHash(token) }
}

/** Operations with keys derived from the installation's secret. */
export interface Secrets {
  /** A keyed hash (HMAC) of the parts, which cannot be guessed from candidates. */
  hash(purpose: string, ...parts: readonly string[]): string
  /** Encrypts a small value. `owner`, such as its owner's id, is authenticated and needed to decrypt it. */
  seal(plain: string, owner: string): Buffer
  /** @throws Error when it was changed, or belongs to another owner */
  open(sealed: Buffer, owner: string): string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

export function makeSecrets(secret: Buffer): Secrets {
  const hashKey = deriveKey(secret, 'hashes')
  const sealKey = deriveKey(secret, 'small values')
  return {
    hash: (purpose, ...parts) => keyedHash(hashKey, JSON.stringify([purpose, ...parts])),
    seal(plain, owner) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(owner))
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    open(sealed, owner) {
      const end = NONCE_BYTES + TAG_BYTES
      const decipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(owner))
        .setAuthTag(sealed.subarray(NONCE_BYTES, end))
      return Buffer.concat([decipher.update(sealed.subarray(end)), decipher.final()]).toString('utf8')
    },
  }
}
