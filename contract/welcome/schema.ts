import * as z from 'zod/mini'

import { email, listOf, MEDIUM_TEXT_MAX, requiredText, text, timestamp } from '#contract/kit/text.ts'
import { NewUser, RoleOption, UserFields } from '#contract/users/schema.ts'

/** War rooms and file folders of one package (decisions §3). */
export const WAR_ROOMS_MAX = 20
export const FOLDERS_MAX = 20
/** War rooms that an organisation usually needs (administration §9). */
export const WAR_ROOMS_RECOMMENDED = [5, 10] as const
/** Users of one package, where the organisation's own maximum is higher. */
export const PACKAGE_USERS_MAX = 5_000
/** Members of one war room. */
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

/** Why a package is refused or was not completed (administration §8). */
export const WelcomeErrorCode = z.enum([
  'NOT_FOUND',
  'TOO_MANY_USERS',
  'INVALID_WAR_ROOMS',
  'ERROR_DURING_POPULATION',
])
export type WelcomeErrorCode = z.infer<typeof WelcomeErrorCode>

/** What an organisation's package is up to (administration §4). */
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

/** How far the invitation of an organisation is, as its list shows and filters it. */
export const InvitationState = z.enum(['NOT_SENT', 'WITHDRAWN', ...WELCOME_STATUSES])
export type InvitationState = z.infer<typeof InvitationState>

/** A user of a package as it is saved. The main administrator is an account already. */
export const PackageUser = z.extend(UserFields, { email: z.string(), isMainAdminUser: z.boolean() })
export type PackageUser = z.infer<typeof PackageUser>

/** A war room to be made. */
export const WarRoom = z.object({
  name: text(),
  /** The first one administers the room. */
  usersEmails: listOf(email, ROOM_MEMBERS_MAX),
  /** Whether its people become a user group too. */
  isGroup: z._default(z.boolean(), false),
})
export type WarRoom = z.infer<typeof WarRoom>

/** A folder to be made. */
export const FileFolder = z.object({
  name: requiredText(FOLDER_NAME_REQUIRED),
  /** Whether only administrators see it. */
  adminOnly: z._default(z.boolean(), false),
})
export type FileFolder = z.infer<typeof FileFolder>

/** One user as the wizard sends them. */
export const PackageUserInput = z.extend(z.omit(NewUser, { sendWelcomeSetPasswordEmail: true }), {
  isMainAdminUser: z._default(z.boolean(), false),
})
export type PackageUserInput = z.infer<typeof PackageUserInput>

/** The state of a package, for the holder of its link (administration §3). */
export const WelcomePackage = z.object({
  uid: z.string(),
  status: WelcomeStatus,
  /** How many users it can hold beside the main administrator. */
  maxUsers: z.int(),
  lastUpdateTimestamp: timestamp,
  mainAdminUser: PackageUser,
  enterpriseCode: z.string(),
  apiAddress: z.string(),
  /** The main administrator first. */
  users: z.array(PackageUser),
  warRooms: z.array(z.object({ name: z.string(), usersEmails: z.array(z.string()), isGroup: z.boolean() })),
  fileFolders: z.array(z.object({ name: z.string(), adminOnly: z.boolean() })),
  /** The browser that saved last. */
  lastUpdateBrowserData: z.nullable(z.string()),
  errorCode: z.nullable(WelcomeErrorCode),
  /** The roles that a user can have. */
  userRoles: z.array(RoleOption),
  /** Countries whose phone numbers are offered; the first is chosen. */
  phoneCountryCodes: z.readonly(z.array(z.string())),
  /** Whether names may hold hyphens and apostrophes. */
  nameCharacters: z.string(),
  /** Whether war rooms can become groups too. */
  groupsEnabled: z.boolean(),
  /** Who helps with the package. */
  supportEmail: z.string(),
})
export type WelcomePackage = z.infer<typeof WelcomePackage>

/**
 * The body of a save. Everything else of the state may be sent and is the server's to know: who the main administrator
 * is, for which organisation, and how many users there may be.
 */
export const WelcomeChanges = z.object({
  /** `SUBMITTED` finishes the package; every other status saves it. */
  status: z._default(WelcomeStatus, 'SAVED'),
  /** Of the package that was read: one that was saved since then is not overwritten. */
  lastUpdateTimestamp: timestamp,
  users: listOf(PackageUserInput, PACKAGE_USERS_MAX + 1, { tooMany: TOO_MANY_USERS }),
  warRooms: listOf(WarRoom, WAR_ROOMS_MAX),
  fileFolders: listOf(FileFolder, FOLDERS_MAX),
  lastUpdateBrowserData: z._default(z.nullable(text(MEDIUM_TEXT_MAX)), null),
})
export type WelcomeChanges = z.infer<typeof WelcomeChanges>

/** The package of an organisation as the provider's staff see it. */
export const WelcomeInvitation = z.object({
  /** Null where none was sent yet. */
  status: z.nullable(WelcomeStatus),
  /** When the link was mailed last; null where it never was, or was withdrawn. */
  sentTimestamp: z.nullable(timestamp),
  sentTo: z.nullable(z.string()),
  expiresTimestamp: z.nullable(timestamp),
  lastUpdateTimestamp: z.nullable(timestamp),
  errorCode: z.nullable(WelcomeErrorCode),
  /** What went wrong, for staff. */
  failure: z.nullable(z.string()),
})
export type WelcomeInvitation = z.infer<typeof WelcomeInvitation>
