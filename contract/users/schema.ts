import * as z from 'zod/mini'

import { listQuery } from '#contract/kit/query.ts'
import { email, id, optionalText, personName, phoneNumber, text, timestamp } from '#contract/kit/text.ts'

export const USER_ROLES = ['USER', 'ADMIN', 'BUSINESS_USER', 'PLAYBOOK_MANAGER'] as const
export const UserRole = z.enum(USER_ROLES)
export type UserRole = z.infer<typeof UserRole>
export const UserType = z.enum(['INTERNAL', 'EXTERNAL'])
export type UserType = z.infer<typeof UserType>

export const FIRST_NAME_REQUIRED = 'Please enter a first name.'
export const LAST_NAME_REQUIRED = 'Please enter a last name.'
export const EMAIL_TAKEN = 'A user with this email address already exists.'

/** Fields that administrators set, as they are stored and returned. */
const fields = {
  firstName: z.string(),
  lastName: z.string(),
  phoneNumber: z.nullable(z.string()),
  location: z.nullable(z.string()),
  department: z.nullable(z.string()),
  role: UserRole,
  type: UserType,
}
export const UserFields = z.object(fields)
const UserField = z.keyof(UserFields)
export type UserField = z.infer<typeof UserField>
/** The fields that administrators set: what is stored, sorted by, imported and audited follows from them. */
export const USER_FIELDS = UserField.options

/** The same fields as a form, an import or a program sends them. A field that is missing here or above does not compile. */
const inputs = {
  firstName: personName(FIRST_NAME_REQUIRED),
  lastName: personName(LAST_NAME_REQUIRED),
  phoneNumber,
  location: optionalText(),
  department: optionalText(),
  role: z._default(UserRole, 'USER'),
  type: z._default(UserType, 'INTERNAL'),
} satisfies { readonly [F in UserField]: z.ZodMiniType<z.output<(typeof fields)[F]>> }

/** The fields that may be left out of a new user, as they are then stored. */
export const USER_DEFAULTS = z.parse(z.omit(z.object(inputs), { firstName: true, lastName: true }), {})

const named = {
  uuid: id,
  email: z.string(),
  firstName: fields.firstName,
  lastName: fields.lastName,
  department: fields.department,
  role: UserRole,
  type: UserType,
  active: z.boolean(),
  profileImageUrl: z.nullable(z.string()),
}
/**
 * A person as records, lists and pickers name them. An answer that shows people by their addresses carries them as `people`,
 * each once.
 */
export const NamedPerson = z.object(named)
export type NamedPerson = z.infer<typeof NamedPerson>

/** What people may see of each other (foundation §3). */
export const DirectoryUser = z.object({
  ...named,
  ...fields,
  banned: z.boolean(),
  /** A screen on a wall rather than a person: never offered for selection. */
  dashboard_user: z.boolean(),
  lastLoginTimestamp: z.nullable(timestamp),
  hasPasswordSet: z.boolean(),
  wasSentActivationEmail: z.boolean(),
})
export type DirectoryUser = z.infer<typeof DirectoryUser>

/** People that a search answers: more are found by typing. */
export const PEOPLE_FOUND_MAX = 50
/** Addresses in one question for names. */
export const PEOPLE_NAMED_MAX = 100

/** When the history of users began (administration §3, §9). */
export const USER_HISTORY_SINCE = '2024-12-01T00:00:00.000Z'
/** Entries of one user's history: the newest. */
export const USER_HISTORY_MAX = 100
export const USER_EVENTS = [
  'CREATED',
  'UPDATED',
  'DEACTIVATED',
  'REACTIVATED',
  'ACTIVATION_EMAIL_SENT',
  'PASSWORD_RESET_EMAIL_SENT',
  'PASSWORD_RESET_REQUESTED',
  'PASSWORD_SET',
  'PASSWORD_CHANGE_REQUIRED',
  'LOCKED_OUT',
  'SESSIONS_ENDED',
  'AUTHENTICATOR_ENROLLED',
  'AUTHENTICATOR_REMOVED',
  'RECOVERY_CODE_USED',
  'RECOVERY_CODES_RENEWED',
  'TERMS_ACCEPTED',
  'PICTURE_CHANGED',
  'PICTURE_REMOVED',
  'BANNED',
  'UNBANNED',
] as const
export const UserEvent = z.enum(USER_EVENTS)
export type UserEvent = z.infer<typeof UserEvent>

/** An entry of a user's history. */
export const UserHistoryEntry = z.object({
  id,
  event: UserEvent,
  createTimestamp: timestamp,
  /** An address, or the name of a key; null when nobody did it. */
  actor: z.nullable(z.string()),
  /** What an update changed. */
  changes: z.array(z.object({ field: UserField, from: z.nullable(z.string()), to: z.nullable(z.string()) })),
})
export type UserHistoryEntry = z.infer<typeof UserHistoryEntry>

/** What administrators see of a user (administration §3). */
export const User = z.extend(DirectoryUser, {
  createTimestamp: timestamp,
  /** The next session has to choose a new password before anything else. */
  passwordChangeRequired: z.boolean(),
  /** Sent back with a change, so that a stale one is refused. */
  version: z.int(),
  /** Newest first. It comes with one user and with the whole list; a page of the list spares itself all histories. */
  userHistoryEntities: z.optional(z.array(UserHistoryEntry)),
})
export type User = z.infer<typeof User>

/** Columns that a list of users can be sorted by. */
export const USER_SORT_FIELDS = [
  'email',
  ...USER_FIELDS,
  'status',
  'lastLoginTimestamp',
  'createTimestamp',
] as const
export const UserListQuery = listQuery(
  USER_SORT_FIELDS,
  z.object({
    /** Part of a name, address, location or department. */
    q: z.optional(text()),
    active: z.optional(z.boolean()),
    role: z.optional(text()),
    type: z.optional(text()),
    /** One of the display statuses (`USER_STATUSES`). */
    status: z.optional(text()),
    id: z.optional(z.array(id)),
  }),
)

/** Sent as true by the specification's calls. It decides nothing: `DELETE` deactivates, `POST` reactivates. */
const active = z.optional(z.boolean())

/** The body of a new user (administration §7.1). */
export const NewUser = z.object({
  email,
  ...inputs,
  active,
  passwordChangeRequired: z._default(z.boolean(), false),
  sendWelcomeSetPasswordEmail: z._default(z.boolean(), true),
})
export type NewUser = z.infer<typeof NewUser>

/** The body of a changed user: the same shape, where the address may be repeated but not changed. */
export const UserChanges = z.object({
  email: z.optional(email),
  ...inputs,
  active,
  /** As it is unless said. */
  passwordChangeRequired: z.optional(z.boolean()),
  sendWelcomeSetPasswordEmail: z._default(z.boolean(), false),
  version: z.optional(z.int()),
})
export type UserChanges = z.infer<typeof UserChanges>

/** A role that a form may offer, in the server's words. */
export const RoleOption = z.object({ role: UserRole, visibleName: z.string(), description: z.string() })
export type RoleOption = z.infer<typeof RoleOption>
