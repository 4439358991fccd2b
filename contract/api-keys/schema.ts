import * as z from 'zod/mini'

import { id, listOf, requiredText, timestamp } from '#contract/kit/text.ts'

import { canonicalEntry, isAddressOrRange } from './rules.ts'

export const API_KEY_NAME_REQUIRED = 'Please name this API key.'
export const API_KEY_NAME_TAKEN = 'This name is already in use.'
export const ADDRESS_REQUIRED = 'Provide at least one IP address.'
export const INVALID_ADDRESS = 'Please enter a valid IP address.'
export const EXPIRY_INVALID = 'Please enter a date and time.'
export const EXPIRY_PASSED = 'Please choose a time in the future.'
/** Enough for every office and data centre; longer lists should use ranges. */
export const ALLOWED_ADDRESSES_MAX = 100

/** Characters of the longest address with prefix length, with room for spaces. */
const IP_TEXT_MAX = 100
/** An IPv4 or IPv6 address or CIDR range, in its canonical form. */
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
  /** Last characters of the key, the only part shown after its creation. */
  visibleKeyPart: z.string(),
  ipAddressRestricted: z.boolean(),
  allowedIpAddresses: z.array(z.string()),
  numberOfRequestsMade: z.int(),
  /** Null for a key that was never used. */
  lastUsedTimestamp: z.nullable(timestamp),
  /** The key is refused from this time on; null for never. */
  expiresTimestamp: z.nullable(timestamp),
  /** True for a key that may also import users from files. */
  mayImportUsers: z.boolean(),
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
    /** A time in the future; null for a key that does not expire. */
    expiresTimestamp: z._default(z.nullable(z.iso.datetime(EXPIRY_INVALID)), null),
    mayImportUsers: z._default(z.boolean(), false),
  })
  .check(
    z.refine((key) => !key.ipAddressRestricted || key.allowedIpAddresses.length > 0, {
      path: ['allowedIpAddresses'],
      error: ADDRESS_REQUIRED,
    }),
  )
export type NewApiKey = z.infer<typeof NewApiKey>

/** A new key. No other response carries the whole key. */
export const IssuedApiKey = z.extend(ApiKey, { key: z.string() })
export type IssuedApiKey = z.infer<typeof IssuedApiKey>
