import * as z from 'zod/mini'

import { text, timestamp } from '#contract/kit/text.ts'

/** What carries messages and files out of the product. */
export const CARRIERS = ['MAIL', 'SMS', 'VOICE_CALL', 'STORAGE'] as const
export const CarrierName = z.enum(CARRIERS)
export type CarrierName = z.infer<typeof CarrierName>

/** The running installation, for its operator. */
export const Instance = z.object({
  version: z.string(),
  /** When this process started. */
  startTimestamp: timestamp,
  /** Now, by this process. */
  timestamp,
  database: z.object({
    kind: z.enum(['EMBEDDED', 'POSTGRESQL']),
    version: z.string(),
    bytes: z.int(),
    /** How far its clock is ahead of that of this process. */
    clockSkewMs: z.int(),
  }),
  /** Of the disk that holds the data folder; null where it cannot be measured. */
  disk: z.nullable(z.object({ freeBytes: z.int(), bytes: z.int() })),
  carriers: z.array(
    z.object({
      carrier: CarrierName,
      /** A service, what is embedded (the outbox, or the data folder), or OFF where the setting says so. */
      service: z.enum(['SMTP', 'TWILIO', 'OUTBOX', 'OFF', 'FOLDER', 'S3']),
      /** Messages that wait because the carrier serves nobody, or not reliably; null where none does. */
      trouble: z.nullable(
        z.object({
          waiting: z.int(),
          /** When the oldest of them was to be sent. */
          sinceTimestamp: timestamp,
          /** Of the newest, in the words of the carrier. */
          reason: z.string(),
        }),
      ),
    }),
  ),
  queues: z.array(
    z.object({
      name: z.string(),
      /** Not begun yet, or to be tried again. */
      waiting: z.int(),
      active: z.int(),
      /** Given up in the last day. */
      failed: z.int(),
    }),
  ),
  /** Of the last day: messages are given up after that. */
  messages: z.object({
    waiting: z.int(),
    oldestWaitingTimestamp: z.nullable(timestamp),
    failed: z.int(),
    /** The newest messages that were not delivered, with what the service said. Their recipients are left out. */
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
/** Whom an SMS or a call of a test goes to. A mail goes to the person who asks for it. */
export const CarrierTest = z.object({ to: z._default(z.nullable(text(50)), null) })
/** What came of a test. */
export const CarrierTestResult = z.object({
  carrier: CarrierName,
  isWorking: z.boolean(),
  /** In the words of the service. */
  said: z.string(),
  milliseconds: z.int(),
})
export type CarrierTestResult = z.infer<typeof CarrierTestResult>
