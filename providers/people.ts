import { useSyncExternalStore } from 'react'

import type { NamedPerson } from '#contract/users/schema.ts'

import { call } from './api.ts'
import { live } from './live.ts'
import { getSession, subscribeSession } from './session.ts'

/** Limits of one request: addresses, and characters of its query, because proxies allow 8 KB of a request line. */
const AT_A_TIME = { addresses: 100, characters: 6_000 }
/** Polling interval of visible people while the socket is down (foundation §4 "Polling"). */
const POLL_MS = 601_000

/** The people whom this page knows by name. */
export interface People {
  /** The person behind an address: null for an unknown one, undefined while loading. */
  readonly find: (email: string) => NamedPerson | null | undefined
  /** The name behind an address; the address itself for an unknown one, and dots while loading. */
  readonly nameOf: (email: string) => string
}

/** False for names of API keys, which stand in the place of addresses and need no lookup. */
const isAddress = (name: string): boolean => /^[^\s@,]+@[^\s@,]+$/.test(name)

/** Splits addresses into requests that are not too long. */
function questionsOf(emails: readonly string[]): string[][] {
  const questions: string[][] = []
  let characters = Infinity
  for (const email of emails) {
    const length = encodeURIComponent(`${email},`).length
    const last = questions.at(-1)
    if (last && last.length < AT_A_TIME.addresses && characters + length <= AT_A_TIME.characters) {
      last.push(email)
      characters += length
    } else {
      questions.push([email])
      characters = length
    }
  }
  return questions
}

/** The people behind addresses; undefined without a response. */
async function askFor(emails: readonly string[]): Promise<readonly NamedPerson[] | undefined> {
  try {
    const { usersApi } = await import('#contract/users/api.ts')
    return (await call(usersApi.named, { query: { emails: emails.join(',') } })).people
  } catch {
    return undefined
  }
}

/** The people behind addresses, requested now; without those whose request failed. */
export const requestPeople = async (emails: readonly string[]): Promise<NamedPerson[]> =>
  (await Promise.all(questionsOf(emails).map(askFor))).flatMap((people) => people ?? [])

/**
 * The people behind the addresses on a page. Records carry most of them (`learn`); the others are requested
 * in one call per rendering. Holds only people whom this session has met, never the whole organisation.
 */
class KnownPeople {
  readonly #known = new Map<string, NamedPerson | null>()
  /** Possibly outdated addresses, requested again when they are next shown. */
  readonly #stale = new Set<string>()
  /** Failed addresses, requested again when the socket is back. */
  readonly #failed = new Set<string>()
  readonly #wanted = new Set<string>()
  /** Addresses in running requests; `isOld` if the response may predate a change. */
  readonly #asked = new Map<string, { isOld: boolean }>()
  readonly #watchers = new Set<() => void>()
  /** Counts sessions, so that responses for an earlier one are dropped. */
  #session = 0
  #people = this.#snapshot()

  readonly current = (): People => this.#people
  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Stores the people that a response carries. */
  learn(people: readonly NamedPerson[]) {
    let isNews = false
    for (const person of people) {
      this.#stale.delete(person.email)
      this.#failed.delete(person.email)
      if (JSON.stringify(this.#known.get(person.email)) === JSON.stringify(person)) continue
      this.#known.set(person.email, person)
      isNews = true
    }
    if (isNews) this.#changed()
  }

  /**
   * Subscribes to changes of people. Returns a function that unsubscribes and clears everything; so does the
   * end of the session.
   */
  start(): () => void {
    let { uuid } = getSession()
    const stops = [
      live.listen((news) => {
        if (news.type === 'reset') this.#doubt(() => true)
        else if (news.noun === 'users')
          this.#doubt((email) => {
            const person = this.#known.get(email)
            return !person || person.uuid === news.record
          })
      }),
      live.watch(() => {
        if (live.status() === 'open') this.#doubt((email) => this.#failed.delete(email))
      }),
      subscribeSession(() => {
        if (getSession().uuid === uuid) return
        uuid = getSession().uuid
        this.#forget()
        this.#changed()
      }),
    ]
    const timer = setInterval(() => {
      if (live.status() === 'down' && navigator.onLine) this.#doubt(() => true)
    }, POLL_MS)
    return () => {
      clearInterval(timer)
      for (const stop of stops) stop()
      this.#forget()
    }
  }

  #forget() {
    this.#session++
    for (const held of [this.#known, this.#stale, this.#failed, this.#wanted, this.#asked]) held.clear()
  }

  #doubt(concerns: (email: string) => boolean) {
    let isNews = false
    for (const email of this.#known.keys())
      if (concerns(email) && !this.#stale.has(email)) {
        this.#stale.add(email)
        isNews = true
      }
    for (const [email, question] of this.#asked) question.isOld ||= concerns(email)
    if (isNews) this.#changed()
  }

  #snapshot(): People {
    const find = (email: string) => {
      if (!isAddress(email)) return null
      const person = this.#known.get(email)
      if (person === undefined || this.#stale.has(email)) this.#want(email)
      return person
    }
    const nameOf = (email: string) => {
      const person = find(email)
      if (person === undefined) return '…'
      return (person && `${person.firstName} ${person.lastName}`.trim()) || email
    }
    return { find, nameOf }
  }

  #changed() {
    this.#people = this.#snapshot()
    for (const watcher of this.#watchers) watcher()
  }

  /** Requests an address after the current rendering, together with all others of it. */
  #want(email: string) {
    if (this.#asked.has(email) || !getSession().tokens) return
    if (this.#wanted.size === 0) queueMicrotask(() => void this.#ask())
    this.#wanted.add(email)
  }

  async #ask() {
    const session = this.#session
    const questions = questionsOf([...this.#wanted])
    for (const email of this.#wanted) {
      this.#stale.delete(email)
      this.#asked.set(email, { isOld: false })
    }
    this.#wanted.clear()
    for (const emails of questions) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other: a long list does not crowd out other calls
      const answer = await askFor(emails)
      if (session !== this.#session) return
      this.#take(emails, answer)
    }
  }

  #take(emails: readonly string[], answer: readonly NamedPerson[] | undefined) {
    const named = new Set(answer?.map(({ email }) => email))
    for (const email of emails) {
      if (!answer) this.#failed.add(email)
      if (!named.has(email) && (answer || !this.#known.has(email))) this.#known.set(email, null)
    }
    this.learn(answer ?? [])
    for (const email of emails) {
      if (this.#asked.get(email)?.isOld) this.#stale.add(email)
      this.#asked.delete(email)
    }
    this.#changed()
  }
}

export const people = new KnownPeople()

/** The names of the people on a page. Names that no record carries are requested when they are rendered. */
export const usePeople = (): People => useSyncExternalStore(people.watch, people.current)

/** Returns the server's response after storing the people in it. */
export async function learning<Answer extends { readonly people: readonly NamedPerson[] }>(
  answer: Promise<Answer>,
): Promise<Answer> {
  const answered = await answer
  people.learn(answered.people)
  return answered
}
