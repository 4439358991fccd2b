import { keptPrefix, getSession } from '../session.ts'
import { storage } from '../storage.ts'
import type { Devices } from './engine.ts'

/** What a person has chosen for their calls in this browser. */
export interface CallChoices {
  readonly devices: Devices
  /** Whether calls begin with the microphone on. */
  readonly audio: boolean
  /** Whether calls begin with the camera on. */
  readonly video: boolean
  /** Whether the devices were tested, or the test was declined. */
  readonly isTested: boolean
  /** How the window was shown last; null before the first call. */
  readonly view: 'docked' | 'side' | 'full' | null
}
const NONE: CallChoices = {
  devices: { audioInput: null, audioOutput: null, videoInput: null },
  audio: true,
  video: false,
  isTested: false,
  view: null,
}
const keyOf = () => `${keptPrefix(getSession().uuid ?? '')}calls`

/** The choices of the signed-in person; those of a first call where nothing is stored. */
export function callChoices(): CallChoices {
  try {
    return { ...NONE, ...(JSON.parse(storage.read(keyOf()) ?? '{}') as Partial<CallChoices>) }
  } catch {
    return NONE
  }
}
/** Keeps choices until the person signs out. */
export const keepCallChoices = (changes: Partial<CallChoices>): void =>
  storage.write(keyOf(), JSON.stringify({ ...callChoices(), ...changes }))
