import * as z from 'zod/mini'

import { STAFF_ROLES } from '#contract/kit/access.ts'
import { email, id, text, timestamp } from '#contract/kit/text.ts'

/** Installations offered by the console's sign-in, in order (administration §2.2). */
export const ENVIRONMENTS = [
  'Development',
  'Development 1',
  'Staging',
  'Production',
  'Production CA-1',
  'Production US-1',
  'Production UK-1',
  'Local',
] as const
export const LOCAL = 'Local'
export const EnvironmentName = z.enum(ENVIRONMENTS)

/**
 * An installation with its own console. Choosing it leads to its own sign-in page, because a link is valid
 * only at the installation that issued it.
 */
export const Environment = z.object({
  name: EnvironmentName,
  /** Address of the installation; null where none is configured. */
  url: z.nullable(z.string()),
})
export type Environment = z.infer<typeof Environment>

/** A request for a magic link (decisions §6). */
export const LinkRequest = z.object({
  email,
  /** Address of the requesting console, to which the link leads. */
  feUrl: text(),
})
export type LinkRequest = z.infer<typeof LinkRequest>

/** Characters of the secret in a magic link. */
const LINK_ID_LENGTH = 43
export const LINK_EXPIRED = 'This link is no longer valid. Please request another one.'
export const LinkId = z.object({
  id: z.string(LINK_EXPIRED).check(z.maxLength(LINK_ID_LENGTH, LINK_EXPIRED)),
})

export const StaffRole = z.enum(STAFF_ROLES)

/** A session of the console. */
export const StaffSession = z.object({
  token: z.string(),
  email: z.string(),
  role: StaffRole,
  expiresAt: timestamp,
  /** Present only when this sign-in enrolled an authenticator app. Shown once, each usable once instead of a code. */
  recoveryCodes: z.optional(z.array(z.string())),
})
export type StaffSession = z.infer<typeof StaffSession>
/** A sign-in with a valid link, pending its second factor. */
export const PendingStaff = z.object({
  isSuccess: z.literal(false),
  email: z.string(),
  /** Proof of the valid link. Gives no access. */
  temporaryAuthenticationToken: z.string(),
  /** True when an authenticator app is enrolled; otherwise this sign-in has to enrol one. */
  initialized: z.boolean(),
})
export type PendingStaff = z.infer<typeof PendingStaff>
export const StaffSignIn = z.union([StaffSession, PendingStaff])
export type StaffSignIn = z.infer<typeof StaffSignIn>

/** The session of the caller. */
export const CurrentStaff = z.object({
  id,
  email: z.string(),
  role: StaffRole,
  expiresAt: timestamp,
  hasAuthenticator: z.boolean(),
})
export type CurrentStaff = z.infer<typeof CurrentStaff>

export const ALREADY_STAFF = 'This person is a member of staff already.'
/** A member of the provider's staff. */
export const StaffMember = z.object({
  id,
  email: z.string(),
  /** Members named in the settings are administrators, also if invited with another role. */
  role: StaffRole,
  hasAuthenticator: z.boolean(),
  /** Email address; null for a member named in the settings. */
  invitedBy: z.nullable(z.string()),
  createTimestamp: timestamp,
  lastSignInTimestamp: z.nullable(timestamp),
})
export type StaffMember = z.infer<typeof StaffMember>
export const NewStaffMember = z.object({ email, role: z._default(StaffRole, 'LOOK') })
export type NewStaffMember = z.infer<typeof NewStaffMember>
export const StaffChanges = z.object({ role: StaffRole })
