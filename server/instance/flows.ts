import { statfs } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'

import { isValidPhoneNumber } from 'libphonenumber-js/max'

import {
  type CarrierName,
  CARRIERS,
  type CarrierTestResult,
  type Instance,
  PHONE_REQUIRED,
} from '#contract/instance/schema.ts'
import { SMS_OFF } from '#contract/mass-notifications/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import { PROVIDER_ID, type ProviderDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { demand, wrongField } from '#server/kit/core/refusal.ts'
import type { ProviderOutsideTransactionContext } from '#server/kit/http/serve.ts'
import { emailMessage } from '#server/kit/messages/email-messages.ts'
import type { Single } from '#server/kit/messages/mailer.ts'
import type { Services } from '#server/kit/services.ts'
import { VERSION } from '#server/kit/core/version.ts'

import { findDatabase, findMessages, findTroubles, listQueues } from './store.ts'

const STARTED = new Date(Date.now() - performance.now()).toISOString()
const TEST_SUBJECT = 'Muster: a test'
const TEST_TEXT = 'This is a test of Muster. Nobody has to do anything.'
const KEPT = 'No service is set: the message is kept in the outbox.'

function serviceOf(
  { settings, post }: Services,
  carrier: CarrierName,
): Instance['carriers'][number]['service'] {
  if (carrier === 'STORAGE') return settings.s3 ? 'S3' : 'FOLDER'
  if (carrier === 'MAIL') return settings.smtpUrl ? 'SMTP' : 'OUTBOX'
  if (!settings.offersSms || !post.offers(carrier)) return 'OFF'
  if (settings.carriers) return 'CARRIERS'
  return settings.twilio ? 'TWILIO' : 'OUTBOX'
}

/** Space of the disk of a folder; null where it cannot be measured. */
export async function diskOf(folder: string): Promise<Instance['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { freeBytes: bavail * bsize, bytes: blocks * bsize }
  } catch {
    return null
  }
}

/** The state of the running installation. */
export async function findInstance(services: Services, db: ProviderDb): Promise<Instance> {
  const { settings } = services
  const troubles = await findTroubles(db)
  return {
    version: VERSION,
    startTimestamp: STARTED,
    timestamp: clock.timestamp(),
    database: { kind: settings.databaseUrl ? 'POSTGRESQL' : 'EMBEDDED', ...(await findDatabase(db)) },
    disk: await diskOf(settings.dataDir),
    backups: services.backups.state(),
    carriers: CARRIERS.map((carrier) => ({
      carrier,
      service: serviceOf(services, carrier),
      trouble: troubles.get(carrier === 'MAIL' ? 'EMAIL' : carrier) ?? null,
    })),
    queues: await listQueues(db),
    messages: await findMessages(db),
  }
}

interface Outcome {
  readonly isWorking: boolean
  readonly said: string
}

/** Stores a file, reads it again and deletes it. */
async function testStorage({ blobs }: Services): Promise<Outcome> {
  try {
    const blob = await blobs.write(PROVIDER_ID, Readable.from([TEST_TEXT]))
    try {
      const read = await buffer(await blobs.read(PROVIDER_ID, blob))
      const isWorking = read.toString() === TEST_TEXT
      return {
        isWorking,
        said: isWorking ? 'A file was stored, read and deleted.' : 'The file was read differently.',
      }
    } finally {
      await blobs.remove(PROVIDER_ID, blob.id)
    }
  } catch (error) {
    return { isWorking: false, said: (error as Error).message }
  }
}

async function testMessage(
  { post }: Services,
  carrier: Exclude<CarrierName, 'STORAGE'>,
  to: string,
  { transaction }: ProviderOutsideTransactionContext,
): Promise<Outcome> {
  const message: Single =
    carrier === 'MAIL'
      ? { channel: 'EMAIL', to, ...emailMessage({ subject: TEST_SUBJECT, before: [TEST_TEXT] }) }
      : { channel: carrier, to, subject: null, text: TEST_TEXT }
  const outcome = await post.sendNow(message)
  if (outcome === null) {
    await transaction((db) => post.keep(db, message))
    return { isWorking: true, said: KEPT }
  }
  return outcome.state === 'SENT'
    ? { isWorking: true, said: outcome.providerId }
    : { isWorking: false, said: outcome.reason }
}

/**
 * Tests a carrier for an operator and records the result in the provider's log.
 * @throws Refusal 400 without a phone number, 409 for a disabled carrier, 429
 */
export async function testCarrier(
  services: Services,
  carrier: CarrierName,
  given: string | null,
  context: ProviderOutsideTransactionContext,
): Promise<CarrierTestResult> {
  const { caller, transaction, replyTransaction } = context
  demand(serviceOf(services, carrier) !== 'OFF', 409, SMS_OFF)
  const to = carrier === 'MAIL' ? caller.name : (given ?? '').replace(/[\s().-]/g, '')
  if (carrier === 'SMS' || carrier === 'VOICE_CALL')
    if (!isValidPhoneNumber(to)) throw wrongField('to', PHONE_REQUIRED)
  const tooMany = await transaction((db) => services.attempts.takeMail(db, `test of ${carrier}`, caller.name))
  if (tooMany) throw tooMany
  const began = performance.now()
  const { isWorking, said } = await (carrier === 'STORAGE'
    ? testStorage(services)
    : testMessage(services, carrier, to, context))
  const milliseconds = Math.round(performance.now() - began)
  return replyTransaction(async (db) => {
    record(db, {
      noun: 'instance',
      record: carrier,
      verb: 'tested',
      changes: { isWorking: { from: null, to: isWorking }, said: { from: null, to: said } },
    })
    return { carrier, isWorking, said, milliseconds }
  })
}
