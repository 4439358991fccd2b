import { isManager } from '#contract/chat/rules.ts'
import type { RoomRole } from '#contract/chat/schema.ts'

import { PEOPLE_MAX, VIDEO_MAX } from './schema.ts'

export const callCan = {
  /** Managers of the room end a call for everybody, also a call that hangs. */
  end: ({ role }: { readonly role: RoomRole }): boolean => isManager(role),
  /** Only built-in calls have a limit here: a Jitsi server has its own. */
  join: (inCall: number, kind: 'built-in' | 'jitsi'): boolean => kind === 'jitsi' || inCall < PEOPLE_MAX,
  /** False when a call has too many people for video. */
  showVideo: (inCall: number): boolean => inCall <= VIDEO_MAX,
}

/** The PIN as people dial it (operations §9). */
export const pinText = (meetingId: string): string => `${meetingId}#`
