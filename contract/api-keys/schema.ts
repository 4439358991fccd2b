import * as z from 'zod/mini'

import { id, listOf, requiredText, timestamp } from '#contract/kit/text.ts'

import { canonicalEntry, isAddressOrRange } from './rules.ts'

export const API_KEY_NAME_REQUIRED = 'Please name this API key.'
export const API_KEY_NAME_TAKEN = 'This name is already in use.'
export const ADDRESS_REQUIRED = 'Provide at least one IP address.'
export const INVALID_ADDRESS = 'Please enter a valid IP address.'
export const EXPIRY_INVALID = 'Please enter a date and time.'
export const EXPIRY_PASSED = 'Please choose a time in the future.'
/** Enough for every office and data centre; a list that is longer wants ranges. */
export const ALLOWED_ADDRESSES_MAX = 100

/** Characters of the longest address with its prefix length, and some space around it. */
const IP_TEXT_MAX = 100
/** One address or a range in CIDR notation, version 4 or 6, in the one way in which it is written. */
export const IpAddress = z
  .string(INVALID_ADDRESS)
  .check(
    z.maxLength(IP_TEXT_MAX, { error: INVALID_ADDRESS, abort: true }),
    z.trim(),
    z.refine(isAddressOrRange, { error: INVALID_ADDRESS, abort: true }),
    z.overwrite(canonicalEntry),
  )

export const ApiKey = z.object({
  id,
  name: z.string(),
  /** The last characters of the key: all that is ever shown again. */
  visibleKeyPart: z.string(),
  ipAddressRestricted: z.boolean(),
  allowedIpAddresses: z.array(z.string()),
  numberOfRequestsMade: z.int(),
  /** Null until it was used. */
  lastUsedTimestamp: z.nullable(timestamp),
  /** From then on it is refused; null for never. */
  expiresTimestamp: z.nullable(timestamp),
  createTimestamp: timestamp,
})
export type ApiKey = z.infer<typeof ApiKey>

export const NewApiKey = z
  .object({
    name: requiredText(API_KEY_NAME_REQUIRED),
    ipAddressRestricted: z._default(z.boolean(), false),
    allowedIpAddresses: z._default(
      listOf(IpAddress, ALLOWED_ADDRESSES_MAX, {
        tooMany: `At most ${ALLOWED_ADDRESSES_MAX} addresses can be listed.`,
      }).check(z.overwrite((entries) => [...new Set(entries)])),
      [],
    ),
    /** A moment to come; null for a key that does not expire. */
    expiresTimestamp: z._default(z.nullable(z.iso.datetime(EXPIRY_INVALID)), null),
  })
  .check(
    z.refine((key) => !key.ipAddressRestricted || key.allowedIpAddresses.length > 0, {
      path: ['allowedIpAddresses'],
      error: ADDRESS_REQUIRED,
    }),
  )
export type NewApiKey = z.infer<typeof NewApiKey>

/** The only answer that ever carries the whole key. */
export const IssuedApiKey = z.extend(ApiKey, { key: z.string() })
export type IssuedApiKey = z.infer<typeof IssuedApiKey>
