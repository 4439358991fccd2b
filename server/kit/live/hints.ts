import { SECOND } from '../core/clock.ts'
import type { Bus } from '../events/bus.ts'

/** A change without an event, such as an answer of somebody without an account: ids only. */
export interface Hint {
  readonly organisationId: string
  readonly noun: string
  readonly record: string
}

/** Publishes hints of changes to the audience of their noun. */
export interface Hints {
  /** Call after the commit. Many changes of a record in a second are one hint at once and one after it. */
  changed(hint: Hint): void
}

export function makeHints(bus: Pick<Bus, 'publish'>, every = SECOND): Hints {
  /** Records of the last second; true for one that has changed again. */
  const recent = new Map<string, boolean>()
  const publish = (key: string): void => {
    bus.publish('hints', key)
    recent.set(key, false)
    setTimeout(() => {
      const isAgain = recent.get(key)
      recent.delete(key)
      if (isAgain) publish(key)
    }, every).unref()
  }
  return {
    changed({ organisationId, noun, record }) {
      const key = JSON.stringify({ organisationId, noun, record } satisfies Hint)
      if (recent.has(key)) recent.set(key, true)
      else publish(key)
    },
  }
}
