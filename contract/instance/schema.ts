import * as z from 'zod/mini'

import { text, timestamp } from '#contract/kit/text.ts'

/** Services that deliver messages and store files. */
export const CARRIERS = ['MAIL', 'SMS', 'VOICE_CALL', 'STORAGE'] as const
export const CarrierName = z.enum(CARRIERS)
export type CarrierName = z.infer<typeof CarrierName>

/** The running installation, for its operator. */
export const Instance = z.object({
  version: z.string(),
  /** Start of this process. */
  startTimestamp: timestamp,
  /** Clock of this process. */
  timestamp,
  database: z.object({
    kind: z.enum(['EMBEDDED', 'POSTGRESQL']),
    version: z.string(),
    bytes: z.int(),
    /** Lead of the database's clock over that of this process. */
    clockSkewMs: z.int(),
  }),
  /** The disk of the data folder; null where it cannot be measured. */
  disk: z.nullable(z.object({ freeBytes: z.int(), bytes: z.int() })),
  /** Daily backups; null where none are planned. */
  backups: z.nullable(
    z.object({
      newestTimestamp: z.nullable(timestamp),
      /** The latest failure since then; null for none. */
      problem: z.nullable(z.string()),
    }),
  ),
  carriers: z.array(
    z.object({
      carrier: CarrierName,
      /** An external service, a built-in one (the outbox or the data folder), or OFF by configuration. */
      service: z.enum(['SMTP', 'TWILIO', 'CARRIERS', 'OUTBOX', 'OFF', 'FOLDER', 'S3']),
      /** Messages that wait because the carrier fails or is unreliable; null for none. */
      trouble: z.nullable(
        z.object({
          waiting: z.int(),
          /** Planned time of the oldest waiting message. */
          sinceTimestamp: timestamp,
          /** The carrier's error for the newest waiting message. */
          reason: z.string(),
        }),
      ),
    }),
  ),
  queues: z.array(
    z.object({
      name: z.string(),
      /** New jobs and those to be retried. */
      waiting: z.int(),
      active: z.int(),
      /** Jobs abandoned in the last day. */
      failed: z.int(),
    }),
  ),
  /** Messages of the last day, after which they are abandoned. */
  messages: z.object({
    waiting: z.int(),
    oldestWaitingTimestamp: z.nullable(timestamp),
    failed: z.int(),
    /** The newest undelivered messages with the service's errors, without recipients. */
    problems: z.array(
      z.object({
        enterprise: z.string(),
        channel: z.enum(['EMAIL', 'SMS', 'VOICE_CALL']),
        state: z.enum(['QUEUED', 'SENDING', 'FAILED']),
        reason: z.string(),
        createTimestamp: timestamp,
      }),
    ),
  }),
})
export type Instance = z.infer<typeof Instance>

export const PHONE_REQUIRED = 'Please enter a phone number for the test.'
/** Recipient of a test SMS or call. A test mail goes to the caller. */
export const CarrierTest = z.object({ to: z._default(z.nullable(text(50)), null) })
export const CarrierTestResult = z.object({
  carrier: CarrierName,
  isWorking: z.boolean(),
  /** Response of the service. */
  said: z.string(),
  milliseconds: z.int(),
})
export type CarrierTestResult = z.infer<typeof CarrierTestResult>
