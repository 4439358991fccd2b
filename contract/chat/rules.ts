import { normalisedEmail } from '#contract/kit/text.ts'
import { withoutEnd } from '#contract/kit/cut.ts'
import { MESSAGE_MAX, PIPE_RESERVED, type RoomKind, type RoomRole } from './schema.ts'

interface RoomState {
  readonly kind: RoomKind
  readonly isHeadquarters: boolean
}
/** The caller in a room: the role there, and what of the organisation's settings counts. */
interface Me {
  readonly userId: string
  readonly role: RoomRole
}
interface Member extends Me {
  readonly active: boolean
}

/** The owner counts as an admin, and moderators do what admins do (operations §6). */
export const isManager = (role: RoomRole): boolean => role !== 'member'
const manages = (room: RoomState, me: Me): boolean => !room.isHeadquarters && isManager(me.role)
const isTeam = ({ kind }: RoomState): boolean => kind !== 'DIRECT_MESSAGE'

/** What a member may do in a room (operations §5, §6). Headquarters is never renamed, edited or managed. */
export const roomCan = {
  addMembers: manages,
  /** Name and description need a role other than member. */
  edit: (room: RoomState, me: Me): boolean => isTeam(room) && manages(room, me),
  makeWarRoom: (room: RoomState, me: Me): boolean => room.kind === 'BREAKOUT_ROOM' && manages(room, me),
  /** War rooms only, where the organisation has the mark and a statement for it (foundation §6). */
  markPrivileged: (
    room: RoomState,
    me: Me,
    config: { readonly markAsPrivilegedEnabled: boolean; readonly statementOfPrivilege: string },
  ): boolean =>
    room.kind === 'WAR_ROOM' &&
    manages(room, me) &&
    config.markAsPrivilegedEnabled &&
    config.statementOfPrivilege.trim() !== '',
  /** Nobody removes the owner; leaving is another act. */
  remove: (room: RoomState, me: Me, member: Me): boolean =>
    manages(room, me) && member.role !== 'owner' && member.userId !== me.userId,
  /** Neither one's own role nor the owner's changes, and archived people are not promoted. */
  changeRole: (room: RoomState, me: Me, member: Member, role: RoomRole): boolean =>
    manages(room, me) &&
    member.role !== 'owner' &&
    member.userId !== me.userId &&
    role !== 'owner' &&
    (member.active || role === 'member'),
  /** A manager leaves only where another active one stays. */
  leave: (room: RoomState, me: Me, others: readonly Member[]): boolean =>
    !room.isHeadquarters &&
    (!isManager(me.role) ||
      others.some((one) => one.active && one.userId !== me.userId && isManager(one.role))),
  /** Everything in it goes with it. */
  delete: (room: RoomState, me: Me): boolean => !room.isHeadquarters && me.role === 'owner',
  /** Empty direct messages without unread messages (operations §4). */
  hide: (room: RoomState & { readonly sequence: number }): boolean =>
    room.kind === 'DIRECT_MESSAGE' && room.sequence === 0,
  /** In direct messages everybody, elsewhere managers; in Headquarters who administers the chat. */
  pin: (room: RoomState, me: Me, isChatAdmin: boolean): boolean =>
    room.isHeadquarters ? isChatAdmin : !isTeam(room) || isManager(me.role),
  /** Managers; of Headquarters who administers the chat. */
  export: (room: RoomState, me: Me, isChatAdmin: boolean): boolean =>
    room.isHeadquarters ? isChatAdmin : isManager(me.role),
}

interface Posted {
  readonly user: string
  readonly created_at: string
  readonly isCall: boolean
  readonly deleted_at: string | null
  readonly privilegedStatus: unknown
}
const isOwnWords = (message: Posted, userId: string): boolean =>
  message.user === userId &&
  !message.isCall &&
  message.privilegedStatus === null &&
  message.deleted_at === null

const MINUTE = 60_000
export const messageCan = {
  /** Its sender, until `minutes` after sending (operations §5, decisions §5). */
  edit: (message: Posted, userId: string, { now, minutes }: { now: number; minutes: number }): boolean =>
    isOwnWords(message, userId) && now < Date.parse(message.created_at) + minutes * MINUTE,
  /** Its sender, at any time. */
  remove: isOwnWords,
  react: (message: Posted): boolean => message.deleted_at === null,
}

/** Whether a text without its markup is at the limit: then it is neither sent nor saved (operations §5). */
export const isAtLimit = (plain: string): boolean => plain.length >= MESSAGE_MAX
/** The problem of a text; undefined for none. */
export const textProblem = (typed: string): string | undefined =>
  typed.includes('|') ? PIPE_RESERVED : undefined

/** A mention in a text: from `index` on, `@` and the address in the words of the text. */
export interface Mention {
  readonly index: number
  readonly text: string
  /** As it is stored. */
  readonly email: string
}
/** Where a text mentions addresses: `@` before each. */
export function mentionsIn(plain: string): Mention[] {
  const found = plain.matchAll(/(?<![^\s(])@([^\s@<>()"',;:]{1,64}@[^\s@<>()"',;:!?]{1,190})/g)
  return Array.from(found, ({ index, 1: address }) => {
    const bare = withoutEnd(address!, (character) => character === '.')
    return { index, text: `@${bare}`, email: normalisedEmail(bare) }
  })
}
/** The addresses that a text may mention, as they are stored. */
export const mentionedEmails = (plain: string): string[] =>
  [...new Set(mentionsIn(plain).map(({ email }) => email))].slice(0, 50)

/** The title of a direct message: names of the others, and how many more there are (decisions §3). */
export function directTitle(names: readonly string[], most: number): string {
  const more = names.length - most
  return more > 0 ? `${names.slice(0, most).join(', ')} +${more}` : names.join(', ')
}
