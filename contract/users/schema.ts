import * as z from 'zod/mini'

import { email, id, optionalText, personName, phoneNumber, timestamp } from '#contract/kit/text.ts'

export const USER_ROLES = ['USER', 'ADMIN', 'BUSINESS_USER', 'PLAYBOOK_MANAGER'] as const
export const UserRole = z.enum(USER_ROLES)
export type UserRole = z.infer<typeof UserRole>
export const UserType = z.enum(['INTERNAL', 'EXTERNAL'])
export type UserType = z.infer<typeof UserType>

export const FIRST_NAME_REQUIRED = 'Please enter a first name.'
export const LAST_NAME_REQUIRED = 'Please enter a last name.'
export const EMAIL_TAKEN = 'A user with this email address already exists.'

/** What people may see of each other: the directory behind pickers and names (foundation §3). */
export const DirectoryUser = z.object({
  uuid: id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phoneNumber: z.nullable(z.string()),
  role: UserRole,
  type: UserType,
  active: z.boolean(),
  banned: z.boolean(),
  /** A screen on a wall rather than a person: never offered for selection. */
  dashboard_user: z.boolean(),
  profileImageUrl: z.nullable(z.string()),
  location: z.nullable(z.string()),
  department: z.nullable(z.string()),
})
export type DirectoryUser = z.infer<typeof DirectoryUser>

/** What administrators see of a user (administration §3). */
export const User = z.extend(DirectoryUser, {
  lastLoginTimestamp: z.nullable(timestamp),
  hasPasswordSet: z.boolean(),
  wasSentActivationEmail: z.boolean(),
  createTimestamp: timestamp,
  /** Sent back with a change, so that a stale one is refused. */
  version: z.int(),
})
export type User = z.infer<typeof User>

const fields = {
  firstName: personName(FIRST_NAME_REQUIRED),
  lastName: personName(LAST_NAME_REQUIRED),
  phoneNumber,
  location: optionalText(),
  department: optionalText(),
  role: z._default(UserRole, 'USER'),
  type: z._default(UserType, 'INTERNAL'),
  sendWelcomeSetPasswordEmail: z._default(z.boolean(), true),
}
/** The body of a new user (administration §7.1). */
export const NewUser = z.object({ email, ...fields })
export type NewUser = z.infer<typeof NewUser>

/** The body of a changed user: the same shape, where the address may be repeated but not changed. */
export const UserChanges = z.object({
  email: z.optional(email),
  ...fields,
  sendWelcomeSetPasswordEmail: z._default(z.boolean(), false),
  version: z.optional(z.int()),
})
export type UserChanges = z.infer<typeof UserChanges>

/** A role that a form may offer, in the server's words. */
export const RoleOption = z.object({ role: UserRole, visibleName: z.string(), description: z.string() })
export type RoleOption = z.infer<typeof RoleOption>
