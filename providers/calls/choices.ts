import { keptPrefix, getSession } from '../session.ts'
import { storage } from '../storage.ts'
import type { Devices } from './engine.ts'

/** A person's settings for calls in this browser. */
export interface CallChoices {
  readonly devices: Devices
  /** Calls begin with the microphone on. */
  readonly audio: boolean
  /** Calls begin with the camera on. */
  readonly video: boolean
  /** The device test was completed or declined. */
  readonly isTested: boolean
  /** Everybody in equal tiles, or the one who speaks in a large one. */
  readonly stage: 'grid' | 'speaker'
  /** Last size of the window; null before the first call. */
  readonly view: 'docked' | 'side' | 'full' | null
}
const NONE: CallChoices = {
  devices: { audioInput: null, audioOutput: null, videoInput: null },
  audio: true,
  video: false,
  isTested: false,
  stage: 'grid',
  view: null,
}
const keyOf = () => `${keptPrefix(getSession().uuid ?? '')}calls`

/** The settings of the signed-in person, or the defaults. */
export function callChoices(): CallChoices {
  try {
    return { ...NONE, ...(JSON.parse(storage.read(keyOf()) ?? '{}') as Partial<CallChoices>) }
  } catch {
    return NONE
  }
}
/** Stores settings until the person signs out. */
export const keepCallChoices = (changes: Partial<CallChoices>): void =>
  storage.write(keyOf(), JSON.stringify({ ...callChoices(), ...changes }))
