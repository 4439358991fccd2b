import { useSyncExternalStore } from 'react'

import type { IncomingCall } from '#contract/calls/schema.ts'

import { calls, type EndedCall, type MyCall, type WantedCall } from './calls.ts'
import type { CallElsewhere } from './otherTabs.ts'

/** The call that this page is in; null for none. It is another one several times a second, while people speak. */
export const useMyCall = (): MyCall | null => useSyncExternalStore(calls.watch, calls.mine)
/** The id of the call that this page is in; null for none. */
export const useMyCallId = (): string | null =>
  useSyncExternalStore(calls.watch, () => calls.mine()?.callId ?? null)
/** A call of this person in another tab of this browser; null for none. */
export const useCallElsewhere = (): CallElsewhere | null => useSyncExternalStore(calls.watch, calls.elsewhere)
/** The calls that ring for this person, the last one first. */
export const useIncomingCalls = (): readonly IncomingCall[] =>
  useSyncExternalStore(calls.watch, calls.incoming)
/** What has to be confirmed before a call begins; null for nothing. */
export const useWantedCall = (): WantedCall | null => useSyncExternalStore(calls.watch, calls.wanted)
/** Offers a call again that this page lost by going offline or being loaded again; null for none. */
export const useRejoin = () => useSyncExternalStore(calls.watch, calls.rejoin)
/** The call that has just ended on this page, until it is dismissed; null for none. */
export const useEndedCall = (): EndedCall | null => useSyncExternalStore(calls.watch, calls.ended)
