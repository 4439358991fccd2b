import { parseArgs } from 'node:util'

import pino from 'pino'

import { runCommand } from './command.ts'
import { bucketShelf, claimBucket } from './kit/blobs/bucket.ts'
import { diskShelf } from './kit/blobs/disk.ts'
import { moveFiles } from './kit/blobs/move.ts'
import { filesFolder, openSecret, ownerOf } from './kit/blobs/installation.ts'
import { readSettings } from './kit/core/settings.ts'
import { CannotStart } from './kit/core/start-problems.ts'
import { openDatabase, type Undo } from './start.ts'

const USAGE = 'Usage: npm run move-files -- --to s3|disk [--remove]'
/** Files between two lines of progress. */
const SAID_EVERY = 100

/** Moves all stored files between the data folder and the bucket that the settings name. */
async function main(undo: Undo): Promise<void> {
  const { values } = parseArgs({ options: { to: { type: 'string' }, remove: { type: 'boolean' } } })
  const { to, remove = false } = values
  if (to !== 's3' && to !== 'disk') throw new CannotStart(USAGE)
  const settings = readSettings(process.env)
  const { s3, dataDir } = settings
  if (!s3) throw new CannotStart('S3_BUCKET is missing: it says where files are moved to, or from.')
  const log = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }))
  const { database } = await openDatabase(settings, log, undo)
  const secret = await openSecret(database, settings)
  await claimBucket(s3, ownerOf(secret), to === 's3')
  const [disk, bucket] = [diskShelf(filesFolder(dataDir)), bucketShelf(s3)]
  const shelves = to === 's3' ? { from: disk, to: bucket } : { from: bucket, to: disk }
  const { copied, compared, damaged } = await moveFiles(
    { database, secret },
    { ...shelves, remove },
    (done) => {
      if (done % SAID_EVERY === 0) console.log(`${done} files`)
    },
  )
  console.log(
    `${copied} files were copied, and ${compared} were there already. Each was read and has its hash.`,
  )
  if (damaged.length === 0) return
  console.error(`Missing or damaged, and left where they are: ${damaged.join(', ')}`)
  process.exitCode = 1
}

await runCommand(main)
