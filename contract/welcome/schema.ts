import * as z from 'zod/mini'

import { email, listOf, MEDIUM_TEXT_MAX, requiredText, text, timestamp } from '#contract/kit/text.ts'
import { NewUser, RoleOption, UserFields } from '#contract/users/schema.ts'

/** War rooms and file folders of one package (decisions §3). */
export const WAR_ROOMS_MAX = 20
export const FOLDERS_MAX = 20
/** Recommended minimum and maximum of war rooms (administration §9). */
export const WAR_ROOMS_RECOMMENDED = [5, 10] as const
/** Users of one package, where the organisation's own maximum is higher. */
export const PACKAGE_USERS_MAX = 5_000
const ROOM_MEMBERS_MAX = PACKAGE_USERS_MAX + 1

export const PACKAGE_NOT_FOUND = 'This Welcome Package does not exist, or has already been submitted.'
export const TOO_MANY_USERS = 'You have exceeded the maximum number of users allowed for your organization.'
export const INVALID_WAR_ROOMS = 'Please assign a title and at least an admin user for each War Room.'
export const ERROR_DURING_POPULATION =
  "An error occurred while processing your information. But don't worry, your information has been saved. We'll resolve the issues and no further action is needed on your part."
export const DUPLICATE_USERS = 'This list of users contains duplicate email addresses.'
export const ROOM_NAME_TAKEN = 'A War Room with this title already exists.'
export const FOLDER_NAME_REQUIRED = 'Please enter a folder name.'
export const FOLDER_NAME_TAKEN = 'A folder with this name already exists.'
export const CHANGED_ELSEWHERE =
  'This Welcome Package was changed in another browser meanwhile. Your changes were not saved.'

/** Why a package was refused or not completed (administration §8). */
export const WelcomeErrorCode = z.enum([
  'NOT_FOUND',
  'TOO_MANY_USERS',
  'INVALID_WAR_ROOMS',
  'ERROR_DURING_POPULATION',
])
export type WelcomeErrorCode = z.infer<typeof WelcomeErrorCode>

/** States of a package (administration §4). */
export const WELCOME_STATUSES = [
  'NOT_APPLICABLE',
  'CREATED',
  'SAVED',
  'SUBMITTED',
  'COMPLETED',
  'ERROR',
] as const
export const WelcomeStatus = z.enum(WELCOME_STATUSES)
export type WelcomeStatus = z.infer<typeof WelcomeStatus>

/** State of an organisation's invitation, for its list and filter. */
export const InvitationState = z.enum(['NOT_SENT', 'WITHDRAWN', ...WELCOME_STATUSES])
export type InvitationState = z.infer<typeof InvitationState>

/** A stored user of a package. The main administrator already has an account. */
export const PackageUser = z.extend(UserFields, { email: z.string(), isMainAdminUser: z.boolean() })
export type PackageUser = z.infer<typeof PackageUser>

/** A war room to create. */
export const WarRoom = z.object({
  name: text(),
  /** The first one becomes the room's administrator. */
  usersEmails: listOf(email, ROOM_MEMBERS_MAX),
  /** Creates a user group of the members as well. */
  isGroup: z._default(z.boolean(), false),
})
export type WarRoom = z.infer<typeof WarRoom>

/** A folder to create. */
export const FileFolder = z.object({
  name: requiredText(FOLDER_NAME_REQUIRED),
  /** Visible to administrators only. */
  adminOnly: z._default(z.boolean(), false),
})
export type FileFolder = z.infer<typeof FileFolder>

/** A user as sent by the wizard. */
export const PackageUserInput = z.extend(z.omit(NewUser, { sendWelcomeSetPasswordEmail: true }), {
  isMainAdminUser: z._default(z.boolean(), false),
})
export type PackageUserInput = z.infer<typeof PackageUserInput>

/** A package for the holder of its link (administration §3). */
export const WelcomePackage = z.object({
  uid: z.string(),
  status: WelcomeStatus,
  /** Number of users besides the main administrator. */
  maxUsers: z.int(),
  lastUpdateTimestamp: timestamp,
  mainAdminUser: PackageUser,
  enterpriseCode: z.string(),
  apiAddress: z.string(),
  /** The main administrator first. */
  users: z.array(PackageUser),
  warRooms: z.array(z.object({ name: z.string(), usersEmails: z.array(z.string()), isGroup: z.boolean() })),
  fileFolders: z.array(z.object({ name: z.string(), adminOnly: z.boolean() })),
  /** Browser of the last save. */
  lastUpdateBrowserData: z.nullable(z.string()),
  errorCode: z.nullable(WelcomeErrorCode),
  /** Roles that can be assigned. */
  userRoles: z.array(RoleOption),
  /** Countries offered for phone numbers. */
  phoneCountryCodes: z.readonly(z.array(z.string())),
  /** Country of numbers without a dial code. */
  phoneCountry: z.nullable(z.string()),
  /** Character set of names: with or without hyphens and apostrophes. */
  nameCharacters: z.string(),
  /** True when war rooms can become groups as well. */
  groupsEnabled: z.boolean(),
  /** Support for the package. */
  supportEmail: z.string(),
})
export type WelcomePackage = z.infer<typeof WelcomePackage>

/**
 * The body of a save. Other fields of the package, such as the main administrator and the maximum of users,
 * may be sent but are ignored.
 */
export const WelcomeChanges = z.object({
  /** `SUBMITTED` completes the package; any other status saves it. */
  status: z._default(WelcomeStatus, 'SAVED'),
  /** Time of the save on which the changes are based; a stale one is refused. */
  lastUpdateTimestamp: timestamp,
  users: listOf(PackageUserInput, PACKAGE_USERS_MAX + 1, { tooMany: TOO_MANY_USERS }),
  warRooms: listOf(WarRoom, WAR_ROOMS_MAX),
  fileFolders: listOf(FileFolder, FOLDERS_MAX),
  lastUpdateBrowserData: z._default(z.nullable(text(MEDIUM_TEXT_MAX)), null),
})
export type WelcomeChanges = z.infer<typeof WelcomeChanges>

/** A package as seen by the provider's staff. */
export const WelcomeInvitation = z.object({
  /** Null before it is first sent. */
  status: z.nullable(WelcomeStatus),
  /** Last time the link was mailed; null for never or a withdrawn one. */
  sentTimestamp: z.nullable(timestamp),
  sentTo: z.nullable(z.string()),
  expiresTimestamp: z.nullable(timestamp),
  lastUpdateTimestamp: z.nullable(timestamp),
  errorCode: z.nullable(WelcomeErrorCode),
  /** Error message for staff. */
  failure: z.nullable(z.string()),
})
export type WelcomeInvitation = z.infer<typeof WelcomeInvitation>
