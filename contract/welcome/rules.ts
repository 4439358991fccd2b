import { isBlank } from '#contract/kit/text.ts'
import { nameProblem } from '#contract/users/rules.ts'
import { EMAIL_TAKEN } from '#contract/users/schema.ts'

import {
  FOLDER_NAME_TAKEN,
  INVALID_WAR_ROOMS,
  type InvitationState,
  ROOM_NAME_TAKEN,
  TOO_MANY_USERS,
  type WelcomeErrorCode,
  type WelcomeStatus,
} from './schema.ts'

/** Suggested departments; any other can be typed. */
export const DEPARTMENTS = [
  'Communications',
  'Executive',
  'Facilities',
  'Finance',
  'Human Resources',
  'Information Technology',
  'Legal',
  'Operations',
  'Risk and Compliance',
  'Security',
] as const
/** Initial war rooms and folders of a package (decisions §5). */
export const DEFAULT_WAR_ROOMS = [
  'Executive Team',
  'Technical Team',
  'Communications',
  'Legal',
  'Business Continuity',
] as const
export const DEFAULT_FOLDERS = [
  { name: 'Crisis Plans', adminOnly: false },
  { name: 'Contact Lists', adminOnly: false },
  { name: 'Insurance', adminOnly: false },
  { name: 'Legal', adminOnly: false },
  { name: 'Communications', adminOnly: false },
  { name: 'Evidence', adminOnly: true },
] as const

/** Names are compared regardless of case and surrounding space. */
const keyOf = (name: string): string => name.trim().normalize('NFC').toLowerCase()
/** Positions of names that repeat an earlier one. */
export function repeatedNames(names: readonly string[]): number[] {
  const known = new Set<string>()
  return names.flatMap((name, n) => {
    const key = keyOf(name)
    if (key === '') return []
    if (known.has(key)) return [n]
    known.add(key)
    return []
  })
}

/** A problem of a package, with its field. */
export interface PackageProblem {
  readonly code: WelcomeErrorCode | 'invalid'
  readonly message: string
  readonly path: string
}
interface Package {
  readonly users: readonly { readonly email: string; readonly firstName: string; readonly lastName: string }[]
  readonly warRooms: readonly { readonly name: string; readonly usersEmails: readonly string[] }[]
  readonly fileFolders: readonly { readonly name: string }[]
}

/** Problems of war rooms: a missing title, no members, a repeated title. */
export function warRoomProblems(rooms: Package['warRooms']): PackageProblem[] {
  const problem = (path: string, message: string): PackageProblem => ({
    code: 'INVALID_WAR_ROOMS',
    message,
    path,
  })
  return [
    ...rooms.flatMap(({ name, usersEmails }, n) =>
      isBlank(name) || usersEmails.length === 0
        ? [problem(`warRooms.${n}.${isBlank(name) ? 'name' : 'usersEmails'}`, INVALID_WAR_ROOMS)]
        : [],
    ),
    ...repeatedNames(rooms.map(({ name }) => name)).map((n) =>
      problem(`warRooms.${n}.name`, ROOM_NAME_TAKEN),
    ),
  ]
}

const folderProblems = (folders: Package['fileFolders']): PackageProblem[] =>
  repeatedNames(folders.map(({ name }) => name)).map((n) => ({
    code: 'invalid',
    message: FOLDER_NAME_TAKEN,
    path: `fileFolders.${n}.name`,
  }))

function userProblems(
  users: Package['users'],
  { mainAdmin, characters }: { mainAdmin: string; characters: string },
): PackageProblem[] {
  const known = new Set([mainAdmin])
  return users.flatMap(({ email, firstName, lastName }, n): PackageProblem[] => {
    if (known.has(email)) return [{ code: 'invalid', message: EMAIL_TAKEN, path: `users.${n}.email` }]
    known.add(email)
    return Object.entries({ firstName, lastName }).flatMap(([field, name]) => {
      const message = nameProblem(name, characters)
      return message ? [{ code: 'invalid' as const, message, path: `users.${n}.${field}` }] : []
    })
  })
}

/**
 * Problems of a package as a whole; a schema checks its fields.
 * @param given without the main administrator among the users
 */
export function packageProblems(
  given: Package,
  limits: { readonly maxUsers: number; readonly mainAdmin: string; readonly characters: string },
): PackageProblem[] {
  const people = new Set([limits.mainAdmin, ...given.users.map(({ email }) => email)])
  const strangers = given.warRooms.flatMap(({ usersEmails }, n): PackageProblem[] => {
    const stranger = usersEmails.find((one) => !people.has(one))
    if (stranger === undefined) return []
    const message = `${stranger} is not a user of this Welcome Package.`
    return [{ code: 'INVALID_WAR_ROOMS', message, path: `warRooms.${n}.usersEmails` }]
  })
  return [
    ...(given.users.length > limits.maxUsers
      ? [{ code: 'TOO_MANY_USERS' as const, message: TOO_MANY_USERS, path: 'users' }]
      : []),
    ...userProblems(given.users, limits),
    ...warRoomProblems(given.warRooms),
    ...strangers,
    ...folderProblems(given.fileFolders),
  ]
}

/**
 * True while the wizard can change the package (administration §4). Only the provider can resolve a failed population.
 */
export const isOpen = (status: WelcomeStatus): boolean => status === 'CREATED' || status === 'SAVED'

interface Invited {
  readonly status: WelcomeStatus | null
  readonly sentTimestamp: string | null
}
export const invitationCan = {
  /** Repeatable until the package is submitted. */
  send: ({ status }: Pick<Invited, 'status'>): boolean => status === null || isOpen(status),
  withdraw: ({ status, sentTimestamp }: Invited): boolean =>
    sentTimestamp !== null && status !== null && isOpen(status),
  retry: ({ status }: Pick<Invited, 'status'>): boolean => status === 'ERROR',
}

/** State of an organisation's invitation. Withdrawing a link clears the time of sending. */
export function invitationState({ status, sentTimestamp }: Invited): InvitationState {
  if (status === null) return 'NOT_SENT'
  return isOpen(status) && sentTimestamp === null ? 'WITHDRAWN' : status
}

/** Content of a welcome link: id of the package, and address of its API. */
export interface WelcomeToken {
  readonly uid: string
  readonly apiAddress: string
}
/** Parses the token of a welcome link; null for any other text. */
export function readWelcomeToken(token: string): WelcomeToken | null {
  try {
    const read: unknown = JSON.parse(atob(token))
    if (typeof read !== 'object' || read === null) return null
    const { uid, apiAddress } = read as Partial<WelcomeToken>
    return typeof uid === 'string' && typeof apiAddress === 'string' ? { uid, apiAddress } : null
  } catch {
    return null
  }
}
