import { useSyncExternalStore } from 'react'

import type { NamedPerson } from '#contract/users/schema.ts'

import { call } from './api.ts'
import { live } from './live.ts'
import { getSession, subscribeSession } from './session.ts'

/** Addresses in one question: what the server takes at a time. */
const AT_A_TIME = 100
/** While the socket is down, people who are shown are asked for again this often (foundation §4 "Polling"). */
const POLL_MS = 601_000

/** The people whom this page knows by name. */
export interface People {
  /** Who is behind an address: null when nobody is known by it, undefined while that is being asked. */
  readonly find: (email: string) => NamedPerson | null | undefined
  /** The name behind an address; the address itself when nobody is known by it, and dots while that is being asked. */
  readonly nameOf: (email: string) => string
}

/**
 * Who is behind the addresses that a page shows. Most come with the records that show them (`learn`); whoever does not is
 * asked for, all of one picture in one call. It holds whom this session has met, never the whole organisation.
 */
class KnownPeople {
  readonly #known = new Map<string, NamedPerson | null>()
  /** Known, and perhaps changed since: asked for again when they are shown the next time. */
  readonly #stale = new Set<string>()
  readonly #wanted = new Set<string>()
  readonly #asked = new Set<string>()
  readonly #watchers = new Set<() => void>()
  #people = this.#snapshot()

  readonly current = (): People => this.#people
  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Takes the people that an answer of the server carries. */
  learn(people: readonly NamedPerson[]) {
    let isNews = false
    for (const person of people) {
      this.#stale.delete(person.email)
      if (JSON.stringify(this.#known.get(person.email)) === JSON.stringify(person)) continue
      this.#known.set(person.email, person)
      isNews = true
    }
    if (isNews) this.#changed()
  }

  /** Follows the changes of people until the answer is called, and forgets everybody then, and with the session. */
  start(): () => void {
    let { uuid } = getSession()
    const forget = () => {
      this.#known.clear()
      this.#stale.clear()
      this.#wanted.clear()
      this.#changed()
    }
    const stops = [
      live.listen((news) => {
        if (news.type === 'reset') this.#doubt(() => true)
        else if (news.noun === 'users')
          this.#doubt((person) => person === null || person.uuid === news.record)
      }),
      // Whom no answer came about, too.
      live.watch(() => {
        if (live.status() === 'open') this.#doubt((person) => person === null)
      }),
      subscribeSession(() => {
        if (getSession().uuid === uuid) return
        uuid = getSession().uuid
        forget()
      }),
    ]
    const timer = setInterval(() => {
      if (live.status() === 'down' && navigator.onLine) this.#doubt(() => true)
    }, POLL_MS)
    return () => {
      clearInterval(timer)
      for (const stop of stops) stop()
      forget()
    }
  }

  #doubt(concerns: (person: NamedPerson | null) => boolean) {
    for (const [email, person] of this.#known) if (concerns(person)) this.#stale.add(email)
    this.#changed()
  }

  #snapshot(): People {
    const find = (email: string) => {
      const person = this.#known.get(email)
      if (email.includes('@') && (person === undefined || this.#stale.has(email))) this.#want(email)
      return email.includes('@') ? person : null
    }
    const nameOf = (email: string) => {
      const person = find(email)
      if (person === undefined) return '…'
      return person === null ? email : `${person.firstName} ${person.lastName}`.trim() || email
    }
    return { find, nameOf }
  }

  #changed() {
    this.#people = this.#snapshot()
    for (const watcher of this.#watchers) watcher()
  }

  /** Asked for once everything of this picture has said whom it shows. */
  #want(email: string) {
    if (this.#asked.has(email)) return
    if (this.#wanted.size === 0) queueMicrotask(() => void this.#ask())
    this.#wanted.add(email)
  }

  async #ask() {
    const { usersApi } = await import('#contract/users/api.ts')
    const emails = [...this.#wanted]
    this.#wanted.clear()
    for (const email of emails) {
      this.#stale.delete(email)
      this.#asked.add(email)
    }
    for (let from = 0; from < emails.length; from += AT_A_TIME) {
      const asked = emails.slice(from, from + AT_A_TIME)
      // oxlint-disable-next-line no-await-in-loop -- one after the other: a long list does not crowd out other calls
      const answer = await call(usersApi.named, { query: { emails: asked.join(',') } }).catch(() => null)
      for (const email of asked) {
        this.#asked.delete(email)
        if (!this.#known.has(email)) this.#known.set(email, null)
      }
      this.learn(answer?.people ?? [])
      this.#changed()
    }
  }
}

export const people = new KnownPeople()

/** Whoever a page shows, by name. A name that has not come with a record is asked for when it is shown. */
export const usePeople = (): People => useSyncExternalStore(people.watch, people.current)

/** Passes on what the server answers, and learns the people whom it carries. */
export async function learning<Answer extends { readonly people: readonly NamedPerson[] }>(
  answer: Promise<Answer>,
): Promise<Answer> {
  const answered = await answer
  people.learn(answered.people)
  return answered
}
