import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

import { Decrypter, Encrypter, identityToRecipient } from 'age-encryption'

import { CannotStart } from '../core/start-problems.ts'

/** Least length of a passphrase: somebody who has the file may try as many as they like. */
export const PASSPHRASE_MIN = 12
const PASSPHRASE_VARIABLE = 'MUSTER_BACKUP_PASSPHRASE'

/** The key of a backup: a passphrase, or a key file of age. */
export type BackupKey = { readonly passphrase: string } | { readonly keyFile: string; readonly text: string }

async function readText(path: string, what: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    throw new CannotStart(`The ${what} ${path} cannot be read: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

/** @throws CannotStart for a passphrase that is guessed too fast */
function demandLength(passphrase: string): string {
  if (passphrase.length < PASSPHRASE_MIN)
    throw new CannotStart(`The passphrase is too short: it needs at least ${PASSPHRASE_MIN} characters.`)
  return passphrase
}

export interface KeyOptions {
  readonly passphraseFile?: string | undefined
  readonly keyFile?: string | undefined
  /** Asks twice, because a mistake would lock everybody out. */
  readonly isNew: boolean
}

/**
 * The key from a file, the environment or the terminal, in that order.
 * @throws CannotStart where there is none, or a passphrase is too short
 */
export async function findKey({ passphraseFile, keyFile, isNew }: KeyOptions): Promise<BackupKey> {
  if (keyFile !== undefined) return { keyFile, text: await readText(keyFile, 'key file') }
  const given =
    passphraseFile === undefined
      ? process.env[PASSPHRASE_VARIABLE]
      : await readText(passphraseFile, 'file of the passphrase')
  if (given) return { passphrase: demandLength(given) }
  if (!process.stdin.isTTY)
    throw new CannotStart(
      `The passphrase is missing. Set ${PASSPHRASE_VARIABLE}, or add --passphrase-file FILE or --key-file FILE.`,
    )
  const passphrase = demandLength(await askHidden('Passphrase: '))
  if (isNew && (await askHidden('The same again: ')) !== passphrase)
    throw new CannotStart('The two passphrases differ. Nothing was done.')
  return { passphrase }
}

/** Asks on the terminal without showing what is typed. */
async function askHidden(question: string): Promise<string> {
  process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('SIGINT', () => reject(new CannotStart('Nothing was done.')))
      lines.question('', resolve)
    })
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))

const IDENTITY = /^AGE-SECRET-KEY-/
const RECIPIENT = /^age1/

/** @throws CannotStart for a key file of another kind */
export async function encrypterWith(key: BackupKey): Promise<Encrypter> {
  const encrypter = new Encrypter()
  if ('passphrase' in key) {
    encrypter.setPassphrase(key.passphrase)
    return encrypter
  }
  const lines = linesOf(key.text)
  try {
    for (const line of lines) {
      if (!IDENTITY.test(line) && !RECIPIENT.test(line)) throw new Error('it has another line')
      encrypter.addRecipient(RECIPIENT.test(line) ? line : await identityToRecipient(line))
    }
    if (lines.length === 0) throw new Error('it is empty')
  } catch (error) {
    throw new CannotStart(
      `The key file ${key.keyFile} is no key of age: a line that begins with AGE-SECRET-KEY-1 or age1 is needed. ` +
        'Make one with npm run backup -- --new-key FILE.',
      { cause: error },
    )
  }
  return encrypter
}

/** @throws CannotStart for a key file without a secret key */
export function decrypterWith(key: BackupKey): Decrypter {
  const decrypter = new Decrypter()
  if ('passphrase' in key) {
    decrypter.addPassphrase(key.passphrase)
    return decrypter
  }
  try {
    const identities = linesOf(key.text).filter((line) => IDENTITY.test(line))
    for (const identity of identities) decrypter.addIdentity(identity)
    if (identities.length > 0) return decrypter
  } catch {
    // The sentence is the same.
  }
  throw new CannotStart(
    `The key file ${key.keyFile} has no secret key of age, which begins with AGE-SECRET-KEY-1. ` +
      'A file with only the public key, age1…, makes backups and opens none.',
  )
}
