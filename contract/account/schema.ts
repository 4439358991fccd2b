import * as z from 'zod/mini'

import { extensionDigits, id, phoneNumberOr, timestamp } from '#contract/kit/text.ts'
import { Password } from '#contract/sessions/schema.ts'

/** The dialog's own wording for an invalid number (foundation §5). */
export const INVALID_OWN_PHONE = 'Please enter a valid phone number.'
export const PASSWORD_INCORRECT = 'The current password is not correct.'
export const TERMS_REQUIRED = 'Please accept the terms.'

/** Largest accepted picture (foundation §9). */
export const PICTURE_MAX_BYTES = 7 * 1024 * 1024
export const PICTURE_TOO_LARGE = 'The image must be less than 7 MB.'
/** Width and height of a stored picture, in pixels. */
export const PICTURE_SIZE = 512
/** Content type of stored pictures. */
export const PICTURE_TYPE = 'image/webp'
/** Formats offered by the file dialog; the server checks the content. */
export const PICTURE_ACCEPTS = ['image/jpeg', 'image/png', 'image/bmp'] as const

/** Profile fields that people change themselves. Unknown fields, such as a role, are ignored. */
export const MyChanges = z.object({
  acceptedTerms: z.optional(z.literal(true, TERMS_REQUIRED)),
  /** Null, an empty text and a bare +1 mean no number. */
  phoneNumber: z.optional(phoneNumberOr(INVALID_OWN_PHONE)),
  phoneExtension: z.optional(extensionDigits),
  secondPhoneNumber: z.optional(phoneNumberOr(INVALID_OWN_PHONE)),
  secondPhoneExtension: z.optional(extensionDigits),
})
export type MyChanges = z.infer<typeof MyChanges>

/** The new password, with the current one unless the sign-in is recent. */
export const MyPassword = z.object({
  password: Password,
  // Compared, never stored: the bound only limits the cost of hashing.
  currentPassword: z.optional(
    z
      .string(PASSWORD_INCORRECT)
      .check(z.minLength(1, PASSWORD_INCORRECT), z.maxLength(1_000, PASSWORD_INCORRECT)),
  ),
})
export type MyPassword = z.infer<typeof MyPassword>
/** Minutes after a sign-in in which the current password is not required (decisions §5). */
export const RECENT_SIGN_IN_MINUTES = 10

/** A device with a session of the person. */
export const Device = z.object({
  id,
  /** Such as `Firefox on Linux`, from the user agent; null for an unknown one. */
  name: z.nullable(z.string()),
  kind: z.enum(['DESKTOP', 'MOBILE', 'TABLET', 'UNKNOWN']),
  /** IP address of the sign-in. */
  address: z.string(),
  createTimestamp: timestamp,
  lastActiveTimestamp: timestamp,
  /** True for the device of the calling session. */
  current: z.boolean(),
})
export type Device = z.infer<typeof Device>

/** Address of a picture: a path below the API's origin, for an image element. */
export const Picture = z.object({ url: z.string() })
