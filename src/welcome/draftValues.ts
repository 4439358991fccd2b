import { DEFAULT_FOLDERS, DEFAULT_WAR_ROOMS } from '#contract/welcome/rules.ts'
import type { PackageUser, WelcomePackage } from '#contract/welcome/schema.ts'

/** A war room as the wizard edits it (administration §3). */
export interface Room {
  /** Stable key while the room is edited. */
  readonly key: string
  readonly label: string
  readonly admin: string | null
  readonly members: readonly string[]
  readonly isGroup: boolean
  /** True for a room beyond those of a new package. */
  readonly isCustom: boolean
}
export interface Folder {
  readonly key: string
  readonly label: string
  readonly adminOnly: boolean
  readonly isCustom: boolean
}
/** State of the wizard. The main administrator is not among the users. */
export interface Draft {
  readonly users: readonly PackageUser[]
  readonly rooms: readonly Room[]
  readonly folders: readonly Folder[]
}

let keys = 0
export const newKey = (): string => `k${(keys += 1)}`

/** The draft of a saved package. The first person of a room is its admin. */
export const draftOf = ({ users, warRooms, fileFolders }: WelcomePackage): Draft => ({
  users: users.filter(({ isMainAdminUser }) => !isMainAdminUser),
  rooms: warRooms.map(({ name, usersEmails: [admin = null, ...members], isGroup }) => ({
    key: newKey(),
    label: name,
    admin,
    members,
    isGroup,
    isCustom: !DEFAULT_WAR_ROOMS.some((usual) => usual === name),
  })),
  folders: fileFolders.map(({ name, adminOnly }) => ({
    key: newKey(),
    label: name,
    adminOnly,
    isCustom: !DEFAULT_FOLDERS.some((usual) => usual.name === name),
  })),
})

/** The people of a room, admin first; without an admin, the first member takes the role. */
export const peopleOf = ({ admin, members }: Room): string[] => [
  ...new Set([...(admin === null ? [] : [admin]), ...members]),
]

/** Body of a save. Folders without a name are left out. */
export const bodyOf = ({ users, rooms, folders }: Draft) => ({
  users: users.map((user) => ({ ...user })),
  warRooms: rooms.map((room) => ({
    name: room.label.trim(),
    usersEmails: peopleOf(room),
    isGroup: room.isGroup,
  })),
  fileFolders: folders
    .filter(({ label }) => label.trim() !== '')
    .map(({ label, adminOnly }) => ({ name: label.trim(), adminOnly })),
})

/** Replaces people in all rooms; null removes them. */
const inRooms = (rooms: readonly Room[], replace: (email: string) => string | null): Room[] =>
  rooms.map((room) => ({
    ...room,
    admin: room.admin === null ? null : replace(room.admin),
    members: room.members.flatMap((email) => replace(email) ?? []),
  }))

/** Adds a user, or replaces the one with the address `before`, also in rooms. */
export function withUser(draft: Draft, user: PackageUser, before?: string): Draft {
  if (before === undefined) return { ...draft, users: [...draft.users, user] }
  return {
    ...draft,
    users: draft.users.map((one) => (one.email === before ? user : one)),
    rooms: inRooms(draft.rooms, (email) => (email === before ? user.email : email)),
  }
}

export const withoutUser = (draft: Draft, gone: string): Draft => ({
  ...draft,
  users: draft.users.filter(({ email }) => email !== gone),
  rooms: inRooms(draft.rooms, (email) => (email === gone ? null : email)),
})

/** Replaces all users. Rooms keep the people who remain. */
export function withUsers(draft: Draft, users: readonly PackageUser[], mainAdmin: string): Draft {
  const known = new Set([mainAdmin, ...users.map(({ email }) => email)])
  return {
    ...draft,
    users,
    rooms: inRooms(draft.rooms, (email) => (known.has(email) ? email : null)),
  }
}
