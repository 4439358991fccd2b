import { normalisedEmail } from '#contract/kit/text.ts'
import { withoutEnd } from '#contract/kit/cut.ts'
import { MESSAGE_MAX, type RoomKind, type RoomRole } from './schema.ts'

interface RoomState {
  readonly kind: RoomKind
  readonly isHeadquarters: boolean
}
/** The caller in a room: the role there, and the organisation's settings that matter. */
interface Me {
  readonly userId: string
  readonly role: RoomRole
}
interface Member extends Me {
  readonly active: boolean
}

/** Owners and moderators have the rights of admins (operations §6). */
export const isManager = (role: RoomRole): boolean => role !== 'member'
const manages = (room: RoomState, me: Me): boolean => !room.isHeadquarters && isManager(me.role)
const isTeam = ({ kind }: RoomState): boolean => kind !== 'DIRECT_MESSAGE'

/** Rights of a member in a room (operations §5, §6). Headquarters is never renamed, edited or managed. */
export const roomCan = {
  addMembers: manages,
  edit: (room: RoomState, me: Me): boolean => isTeam(room) && manages(room, me),
  makeWarRoom: (room: RoomState, me: Me): boolean => room.kind === 'BREAKOUT_ROOM' && manages(room, me),
  /** War rooms only, where the organisation has configured the mark and a statement for it (foundation §6). */
  markPrivileged: (
    room: RoomState,
    me: Me,
    config: { readonly markAsPrivilegedEnabled: boolean; readonly statementOfPrivilege: string },
  ): boolean =>
    room.kind === 'WAR_ROOM' &&
    manages(room, me) &&
    config.markAsPrivilegedEnabled &&
    config.statementOfPrivilege.trim() !== '',
  /** The owner cannot be removed; removing oneself is `leave`. */
  remove: (room: RoomState, me: Me, member: Me): boolean =>
    manages(room, me) && member.role !== 'owner' && member.userId !== me.userId,
  /** The caller's own role and the owner's never change, and archived people are not promoted. */
  changeRole: (room: RoomState, me: Me, member: Member, role: RoomRole): boolean =>
    manages(room, me) &&
    member.role !== 'owner' &&
    member.userId !== me.userId &&
    role !== 'owner' &&
    (member.active || role === 'member'),
  /** A manager may leave only while another active manager stays. */
  leave: (room: RoomState, me: Me, others: readonly Member[]): boolean =>
    !room.isHeadquarters &&
    (!isManager(me.role) ||
      others.some((one) => one.active && one.userId !== me.userId && isManager(one.role))),
  /** Deletes all content of the room with it. */
  delete: (room: RoomState, me: Me): boolean => !room.isHeadquarters && me.role === 'owner',
  /** Empty direct messages without unread messages (operations §4). */
  hide: (room: RoomState & { readonly sequence: number }): boolean =>
    room.kind === 'DIRECT_MESSAGE' && room.sequence === 0,
  /** Everybody in direct messages, managers in other rooms, chat administrators in Headquarters. */
  pin: (room: RoomState, me: Me, isChatAdmin: boolean): boolean =>
    room.isHeadquarters ? isChatAdmin : !isTeam(room) || isManager(me.role),
  /** Managers; in Headquarters chat administrators. */
  export: (room: RoomState, me: Me, isChatAdmin: boolean): boolean =>
    room.isHeadquarters ? isChatAdmin : isManager(me.role),
}

interface Posted {
  readonly user: string
  readonly created_at: string
  readonly isCall: boolean
  readonly deletedAt: string | null
  readonly privilegedStatus: unknown
}
const isOwnWords = (message: Posted, userId: string): boolean =>
  message.user === userId &&
  !message.isCall &&
  message.privilegedStatus === null &&
  message.deletedAt === null

const MINUTE = 60_000
export const messageCan = {
  /** The sender, until `minutes` after sending (operations §5, decisions §5). */
  edit: (message: Posted, userId: string, { now, minutes }: { now: number; minutes: number }): boolean =>
    isOwnWords(message, userId) && now < Date.parse(message.created_at) + minutes * MINUTE,
  /** The sender, at any time. */
  remove: isOwnWords,
  react: (message: Posted): boolean => message.deletedAt === null,
}

/** True for a plain text at the limit, which is neither sent nor saved (operations §5). */
export const isAtLimit = (plain: string): boolean => plain.length >= MESSAGE_MAX

/** A mention in a plain text: `@` and the address, from `index` on. */
export interface Mention {
  readonly index: number
  readonly text: string
  /** The address as stored. */
  readonly email: string
}
/** Finds the mentions of a text: `@` before an address. */
export function mentionsIn(plain: string): Mention[] {
  const found = plain.matchAll(/(?<![^\s(])@([^\s@<>()"',;:]{1,64}@[^\s@<>()"',;:!?]{1,190})/g)
  return Array.from(found, ({ index, 1: address }) => {
    const bare = withoutEnd(address!, (character) => character === '.')
    return { index, text: `@${bare}`, email: normalisedEmail(bare) }
  })
}
/** The mentioned addresses as stored, without duplicates. */
export const mentionedEmails = (plain: string): string[] =>
  [...new Set(mentionsIn(plain).map(({ email }) => email))].slice(0, 50)

/** The handle that reaches the members of a room who are online. */
export const HERE = 'here'
/** Members of a room above which the sender confirms that everybody online is notified. */
export const HERE_ASKS_ABOVE = 50
/** A handle in a plain text: `@` and the handle, from `index` on. */
export interface HandleInText {
  readonly index: number
  readonly text: string
  readonly handle: string
}
/** Finds what may be handles of audiences in a text: `@` before a word that is no address. */
export function handlesIn(plain: string): HandleInText[] {
  const addresses = new Set(mentionsIn(plain).map(({ index }) => index))
  const found = plain.matchAll(/(?<![^\s(])@([^\s@<>()"',;:!?|/\\.&+]{1,75})(?![^\s<>()"',;:!?|/\\.&+])/g)
  return Array.from(found, ({ index, 1: word }) => ({
    index,
    text: `@${word!}`,
    handle: word!.toLowerCase(),
  })).filter(({ index }) => !addresses.has(index))
}
/** The handles of a text, without duplicates. */
export const mentionedHandles = (plain: string): string[] =>
  [...new Set(handlesIn(plain).map(({ handle }) => handle))].slice(0, 20)

/** The title of a direct message: the first `most` names and the number of the others (decisions §3). */
export function directTitle(names: readonly string[], most: number): string {
  const more = names.length - most
  return more > 0 ? `${names.slice(0, most).join(', ')} +${more}` : names.join(', ')
}
