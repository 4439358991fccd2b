import { isManager } from '#contract/chat/rules.ts'
import type { RoomRole } from '#contract/chat/schema.ts'

import { PEOPLE_MAX, VIDEO_MAX } from './schema.ts'

export const callCan = {
  /** Managers of the room end a call for everybody, one that is stuck too. */
  end: ({ role }: { readonly role: RoomRole }): boolean => isManager(role),
  /** One more page in the product's own rooms; the Jitsi of an installation has limits of its own. */
  join: (inCall: number, kind: 'built-in' | 'jitsi'): boolean => kind === 'jitsi' || inCall < PEOPLE_MAX,
  /** Whether pictures are sent with this many people in the call. */
  showVideo: (inCall: number): boolean => inCall <= VIDEO_MAX,
}

/** What the PIN of a call looks like to who dials in (operations §9). */
export const pinText = (meetingId: string): string => `${meetingId}#`
