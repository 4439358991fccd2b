import { useSyncExternalStore } from 'react'

import type { IncomingCall } from '#contract/calls/schema.ts'

import { calls, type EndedCall, type MyCall, type WantedCall } from './calls.ts'
import type { CallElsewhere } from './otherTabs.ts'

/** The call of this page; null for none. It changes several times a second while people speak. */
export const useMyCall = (): MyCall | null => useSyncExternalStore(calls.watch, calls.mine)
/** Id of the call of this page; null for none. */
export const useMyCallId = (): string | null =>
  useSyncExternalStore(calls.watch, () => calls.mine()?.callId ?? null)
/** The person's call in another tab of this browser; null for none. */
export const useCallElsewhere = (): CallElsewhere | null => useSyncExternalStore(calls.watch, calls.elsewhere)
/** The calls that ring for this person, newest first. */
export const useIncomingCalls = (): readonly IncomingCall[] =>
  useSyncExternalStore(calls.watch, calls.incoming)
/** A call to confirm before it begins; null for none. */
export const useWantedCall = (): WantedCall | null => useSyncExternalStore(calls.watch, calls.wanted)
/** An offer to rejoin a call that this page lost by going offline or by a reload; null for none. */
export const useRejoin = () => useSyncExternalStore(calls.watch, calls.rejoin)
/** The call that has just ended on this page, until it is dismissed; null for none. */
export const useEndedCall = (): EndedCall | null => useSyncExternalStore(calls.watch, calls.ended)
