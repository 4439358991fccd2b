import * as z from 'zod/mini'
import { clock, SECOND } from '#server/kit/core/clock.ts'

export const Signal = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['typing', 'own']),
    organisationId: z.string(),
    roomId: z.string(),
    userId: z.string(),
  }),
  z.object({
    kind: z.literal('read'),
    organisationId: z.string(),
    roomId: z.string(),
    userId: z.string(),
    sequence: z.int(),
    authors: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('thread'),
    organisationId: z.string(),
    roomId: z.string(),
    threadId: z.string(),
    /** People who take part, split over several signals. */
    userIds: z.array(z.string()),
    isUnread: z.boolean(),
  }),
  z.object({
    kind: z.literal('presence'),
    organisationId: z.string(),
    process: z.string(),
    /** People with an open page there, split over several signals. */
    userIds: z.array(z.string()),
    online: z.boolean(),
  }),
])
export type Signal = z.infer<typeof Signal>

/** Interval at which each process publishes its people, and time after which they are forgotten. */
const PRESENCE_EVERY = 20 * SECOND
const PRESENCE_LIFE = 3 * PRESENCE_EVERY
/** People per signal: PostgreSQL limits a notification to 8,000 bytes. */
export const PEOPLE_PER_SIGNAL = 150

type PresenceSignal = Extract<Signal, { kind: 'presence' }>

/**
 * People with open pages in other processes: each repeats its own people, and people who are not repeated are
 * forgotten.
 */
export class Presence {
  readonly #process = crypto.randomUUID()
  /** Expiry per process, by organisation and person. */
  readonly #elsewhere = new Map<string, Map<string, number>>()
  readonly #timer: NodeJS.Timeout
  readonly #send: (signal: PresenceSignal) => void

  constructor(send: (signal: PresenceSignal) => void, local: () => Map<string, string[]>) {
    this.#send = send
    this.#timer = setInterval(() => {
      this.#forget()
      for (const [organisationId, userIds] of local())
        for (let from = 0; from < userIds.length; from += PEOPLE_PER_SIGNAL)
          this.#tell(organisationId, userIds.slice(from, from + PEOPLE_PER_SIGNAL), true)
    }, PRESENCE_EVERY).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  changed(organisationId: string, userId: string, online: boolean): void {
    this.#tell(organisationId, [userId], online)
  }

  heard({ process, organisationId, userIds, online }: PresenceSignal): void {
    if (process === this.#process) return
    for (const userId of userIds) {
      const key = `${organisationId} ${userId}`
      const processes = this.#elsewhere.get(key) ?? new Map<string, number>()
      if (online) this.#elsewhere.set(key, processes.set(process, clock.now() + PRESENCE_LIFE))
      else processes.delete(process)
      if (processes.size === 0) this.#elsewhere.delete(key)
    }
  }

  isElsewhere(organisationId: string, userId: string): boolean {
    const processes = this.#elsewhere.get(`${organisationId} ${userId}`)
    return processes !== undefined && [...processes.values()].some((until) => until > clock.now())
  }

  #tell(organisationId: string, userIds: string[], online: boolean): void {
    this.#send({ kind: 'presence', organisationId, process: this.#process, userIds, online })
  }

  #forget(): void {
    for (const [key, processes] of this.#elsewhere)
      if ([...processes.values()].every((until) => until <= clock.now())) this.#elsewhere.delete(key)
  }
}
