import { useSyncExternalStore } from 'react'

import type { NamedPerson } from '#contract/users/schema.ts'

import { call } from './api.ts'
import { live } from './live.ts'
import { getSession, subscribeSession } from './session.ts'

/** Addresses in one question, and characters of them in its query: proxies take 8 KB of a request line. */
const AT_A_TIME = { addresses: 100, characters: 6_000 }
/** While the socket is down, people who are shown are asked for again this often (foundation §4 "Polling"). */
const POLL_MS = 601_000

/** The people whom this page knows by name. */
export interface People {
  /** Who is behind an address: null when nobody is known by it, undefined while that is being asked. */
  readonly find: (email: string) => NamedPerson | null | undefined
  /** The name behind an address; the address itself when nobody is known by it, and dots while that is being asked. */
  readonly nameOf: (email: string) => string
}

/** Names of keys stand where addresses do; they are not asked for. */
const isAddress = (name: string): boolean => /^[^\s@,]+@[^\s@,]+$/.test(name)

/** Addresses in questions that are not too long. */
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

/** Who is behind addresses; undefined where the server did not answer. */
async function askFor(emails: readonly string[]): Promise<readonly NamedPerson[] | undefined> {
  try {
    const { usersApi } = await import('#contract/users/api.ts')
    return (await call(usersApi.named, { query: { emails: emails.join(',') } })).people
  } catch {
    return undefined
  }
}

/** The people behind addresses, requested now; without those for whom the server did not answer. */
export const requestPeople = async (emails: readonly string[]): Promise<NamedPerson[]> =>
  (await Promise.all(questionsOf(emails).map(askFor))).flatMap((people) => people ?? [])

/**
 * The people behind the addresses on a page. Records carry most of them (`learn`); the others are requested in one call
 * per rendering. Holds the people that this session has met, never the whole organisation.
 */
class KnownPeople {
  readonly #known = new Map<string, NamedPerson | null>()
  /** Known, and perhaps changed since: asked for again when they are shown the next time. */
  readonly #stale = new Set<string>()
  /** Asked for without an answer: asked for again when the socket is back. */
  readonly #failed = new Set<string>()
  readonly #wanted = new Set<string>()
  /** Being asked for, with whether the answer may be older than a change that was heard of meanwhile. */
  readonly #asked = new Map<string, { isOld: boolean }>()
  readonly #watchers = new Set<() => void>()
  /** Counts sessions: an answer to an earlier one is not taken. */
  #session = 0
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
      this.#failed.delete(person.email)
      if (JSON.stringify(this.#known.get(person.email)) === JSON.stringify(person)) continue
      this.#known.set(person.email, person)
      isNews = true
    }
    if (isNews) this.#changed()
  }

  /** Follows the changes of people until the answer is called, and forgets everybody then, and with the session. */
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

  /** Asked for once everything of this picture has said whom it shows. */
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

/** Passes on what the server answers, and learns the people whom it carries. */
export async function learning<Answer extends { readonly people: readonly NamedPerson[] }>(
  answer: Promise<Answer>,
): Promise<Answer> {
  const answered = await answer
  people.learn(answered.people)
  return answered
}
