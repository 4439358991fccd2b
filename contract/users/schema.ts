import * as z from 'zod/mini'

import { listQuery } from '#contract/kit/query.ts'
import {
  email,
  extensionDigits,
  id,
  INVALID_EMAIL,
  INVALID_PHONE,
  lastName,
  optionalText,
  personName,
  phoneExtension,
  phoneNumber,
  phoneNumberOr,
  text,
  timestamp,
} from '#contract/kit/text.ts'

export const USER_ROLES = ['USER', 'ADMIN', 'BUSINESS_USER', 'PLAYBOOK_MANAGER'] as const
export const UserRole = z.enum(USER_ROLES)
export type UserRole = z.infer<typeof UserRole>
export const UserType = z.enum(['INTERNAL', 'EXTERNAL'])
export type UserType = z.infer<typeof UserType>

export const FIRST_NAME_REQUIRED = 'Please enter a first name.'
export const LAST_NAME_REQUIRED = 'Please enter a last name.'
export const EMAIL_TAKEN = 'A user with this email address already exists.'

/** Fields that administrators set, as stored and returned. */
const fields = {
  firstName: z.string(),
  lastName: z.string(),
  /** E.164, dialled first. */
  phoneNumber: z.nullable(z.string()),
  /** Digits, never part of the dialled number. */
  phoneExtension: z.nullable(z.string()),
  /** Dialled where the first number cannot be reached. */
  secondPhoneNumber: z.nullable(z.string()),
  secondPhoneExtension: z.nullable(z.string()),
  location: z.nullable(z.string()),
  department: z.nullable(z.string()),
  role: UserRole,
  type: UserType,
  /** Email address of the person who is asked in their place; null for nobody. */
  deputy: z.nullable(z.string()),
}
export const UserFields = z.object(fields)
const UserField = z.keyof(UserFields)
export type UserField = z.infer<typeof UserField>
/** The fields that administrators set. Storage, sorting, imports and audit follow from them. */
export const USER_FIELDS = UserField.options

/** The address of a deputy, which may be empty. */
const deputy = z.nullable(
  z.union(
    [
      z.pipe(
        z.literal(''),
        z.transform(() => null),
      ),
      email,
    ],
    INVALID_EMAIL,
  ),
)

/** The same fields as input of a form, an import or a program. A field missing here or above does not compile. */
const inputs = {
  firstName: personName(FIRST_NAME_REQUIRED),
  lastName: lastName(LAST_NAME_REQUIRED),
  phoneNumber,
  phoneExtension,
  secondPhoneNumber: phoneNumber,
  secondPhoneExtension: phoneExtension,
  location: optionalText(),
  department: optionalText(),
  role: z._default(UserRole, 'USER'),
  type: z._default(UserType, 'INTERNAL'),
  deputy: z._default(deputy, null),
} satisfies { readonly [F in UserField]: z.ZodMiniType<z.output<(typeof fields)[F]>> }

/** The optional fields of a new user, with the stored defaults. */
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
 * A person's name and picture for records, lists and pickers. Responses that refer to people by email carry
 * them once, in `people`.
 */
export const NamedPerson = z.object(named)
export type NamedPerson = z.infer<typeof NamedPerson>

/** Deputies are known to administrators alone. */
const { deputy: deputyField, ...knownFields } = fields
/** A person as seen by colleagues (foundation §3). */
export const DirectoryUser = z.object({
  ...named,
  ...knownFields,
  banned: z.boolean(),
  /** A wall screen rather than a person, never offered for selection. */
  dashboard_user: z.boolean(),
  lastLoginTimestamp: z.nullable(timestamp),
  hasPasswordSet: z.boolean(),
  wasSentActivationEmail: z.boolean(),
})
export type DirectoryUser = z.infer<typeof DirectoryUser>

/** Results of a search for people. */
export const PEOPLE_FOUND_MAX = 50
/** Email addresses in one query for names. */
export const PEOPLE_NAMED_MAX = 100

/** Start of the history of users (administration §3, §9). */
export const USER_HISTORY_SINCE = '2024-12-01T00:00:00.000Z'
/** Newest entries of a user's history. */
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

export const UserHistoryEntry = z.object({
  id,
  event: UserEvent,
  createTimestamp: timestamp,
  /** Email of a person or name of a key; null for a change by the system. */
  actor: z.nullable(z.string()),
  /** Changed fields of an update. */
  changes: z.array(z.object({ field: UserField, from: z.nullable(z.string()), to: z.nullable(z.string()) })),
})
export type UserHistoryEntry = z.infer<typeof UserHistoryEntry>

/** A user as seen by administrators (administration §3). */
export const User = z.extend(DirectoryUser, {
  deputy: deputyField,
  createTimestamp: timestamp,
  /** The next session has to choose a new password before anything else. */
  passwordChangeRequired: z.boolean(),
  /** Sent back with a change, so that a stale one is refused. */
  version: z.int(),
  /** Newest first. Present for one user and in the whole list, absent from pages of the list. */
  userHistoryEntities: z.optional(z.array(UserHistoryEntry)),
})
export type User = z.infer<typeof User>

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
    /** Part of a name, email address, location or department. */
    q: z.optional(text()),
    active: z.optional(z.boolean()),
    role: z.optional(text()),
    type: z.optional(text()),
    /** A display status (`USER_STATUSES`). */
    status: z.optional(text()),
    id: z.optional(z.array(id)),
  }),
)

/** Sent as true by calls of the specification, without effect: `DELETE` deactivates, `POST` reactivates. */
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

/** The body of a changed user: the same fields, but the email address may only be repeated. */
export const UserChanges = z.object({
  email: z.optional(email),
  ...inputs,
  /** Unchanged by default, so that programs that know one number do not take away the other. */
  phoneExtension: z.optional(extensionDigits),
  secondPhoneNumber: z.optional(phoneNumberOr(INVALID_PHONE)),
  secondPhoneExtension: z.optional(extensionDigits),
  deputy: z.optional(deputy),
  active,
  /** Unchanged by default. */
  passwordChangeRequired: z.optional(z.boolean()),
  sendWelcomeSetPasswordEmail: z._default(z.boolean(), false),
  version: z.optional(z.int()),
})
export type UserChanges = z.infer<typeof UserChanges>

/** A role that a form may offer, with the server's texts. */
export const RoleOption = z.object({ role: UserRole, visibleName: z.string(), description: z.string() })
export type RoleOption = z.infer<typeof RoleOption>
