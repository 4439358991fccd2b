import * as z from 'zod/mini'

import { id, phoneNumberOr, timestamp } from '#contract/kit/text.ts'
import { Password } from '#contract/sessions/schema.ts'

/** The dialog's own words for a number that is none (foundation §5). */
export const INVALID_OWN_PHONE = 'Please enter a valid phone number.'
export const PASSWORD_INCORRECT = 'The current password is not correct.'
export const TERMS_REQUIRED = 'Please accept the terms.'

/** The largest picture that is taken (foundation §9). */
export const PICTURE_MAX_BYTES = 7 * 1024 * 1024
export const PICTURE_TOO_LARGE = 'The image must be less than 7 MB.'
/** Pixels of a picture's side, as it is kept. */
export const PICTURE_SIZE = 512
/** What a picture is kept and shown as. */
export const PICTURE_TYPE = 'image/webp'
/** What may be chosen; the server judges by the content. */
export const PICTURE_ACCEPTS = ['image/jpeg', 'image/png', 'image/bmp'] as const

/** The profile fields that people may change themselves. Unknown fields, such as a role, are ignored. */
export const MyChanges = z.object({
  /** Terms are accepted once and for all. */
  acceptedTerms: z.optional(z.literal(true, TERMS_REQUIRED)),
  /** Null, nothing and a bare +1 mean no number. */
  phoneNumber: z.optional(phoneNumberOr(INVALID_OWN_PHONE)),
})
export type MyChanges = z.infer<typeof MyChanges>

/** The new password, and the present one where the sign-in is not recent. */
export const MyPassword = z.object({
  password: Password,
  // Compared, never stored from here: a bound against abuse of the hash is enough.
  currentPassword: z.optional(
    z
      .string(PASSWORD_INCORRECT)
      .check(z.minLength(1, PASSWORD_INCORRECT), z.maxLength(1_000, PASSWORD_INCORRECT)),
  ),
})
export type MyPassword = z.infer<typeof MyPassword>
/** Minutes after a sign-in in which a new password alone is taken (decisions §5). */
export const RECENT_SIGN_IN_MINUTES = 10

/** Where the person is signed in. */
export const Device = z.object({
  id,
  /** Such as `Firefox on Linux`, from what the browser says of itself; null when it says nothing that is known. */
  name: z.nullable(z.string()),
  /** The form factor of the device. */
  kind: z.enum(['DESKTOP', 'MOBILE', 'TABLET', 'UNKNOWN']),
  /** The address that it signed in from. */
  address: z.string(),
  createTimestamp: timestamp,
  lastActiveTimestamp: timestamp,
  /** Whether it is the device of the calling session. */
  current: z.boolean(),
})
export type Device = z.infer<typeof Device>

/** Where a picture is shown from: a path below the origin of the API, fit for an image element. */
export const Picture = z.object({ url: z.string() })
