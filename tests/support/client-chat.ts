import type { Message, Room } from '#contract/chat/schema.ts'
import type { NamedPerson } from '#contract/users/schema.ts'

export const uuidOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const BEGIN = '2026-01-01T00:00:00.000Z'

export const aPerson = (n: number, changes: Partial<NamedPerson> = {}): NamedPerson => ({
  uuid: uuidOf(100 + n),
  firstName: 'Grace',
  lastName: `Hopper ${n}`,
  email: `person${n}@demo.example`,
  profileImageUrl: null,
  department: null,
  type: 'INTERNAL',
  role: 'USER',
  active: true,
  ...changes,
})

/** A war room of the signed-in person. */
export const aRoom = (n: number, changes: Partial<Room> = {}): Room => ({
  id: uuidOf(n),
  cid: `team:${uuidOf(n)}`,
  type: 'team',
  kind: 'WAR_ROOM',
  name: `Room ${n}`,
  description: null,
  isWarRoom: true,
  isHeadquarters: false,
  privileged: false,
  privilegedStatus: null,
  sequence: 0,
  last_message_at: null,
  created_at: BEGIN,
  updated_at: BEGIN,
  member_count: 2,
  callDetails: null,
  version: 1,
  membership: { role: 'member', readSequence: 0, unread: 0, hidden: false, created_at: BEGIN },
  othersReadSequence: 0,
  incidentId: null,
  isArchived: false,
  people: [],
  ...changes,
})

/** A message of another person in a room. */
export const aMessage = (roomId: string, sequence: number, changes: Partial<Message> = {}): Message => ({
  id: uuidOf(1_000 + sequence),
  roomId,
  sequence,
  clientId: uuidOf(2_000 + sequence),
  text: `<p>Text ${sequence}</p>`,
  user: uuidOf(101),
  created_at: BEGIN,
  updated_at: BEGIN,
  editedAt: null,
  deletedAt: null,
  status: 'received',
  attachments: [],
  hasAttachments: false,
  isCall: false,
  privileged: false,
  privilegedStatus: null,
  mentioned_users: [],
  replyTo: null,
  reactions: [],
  pinned: null,
  ...changes,
})
