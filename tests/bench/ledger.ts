import { isDeepStrictEqual } from 'node:util'

export interface Activity {
  readonly id: string
  readonly description: string
  readonly version: number
}
export interface CheckIn {
  readonly userId: string
  readonly timestamp: string
}
/** An acknowledged incident, with the acknowledged writes below it. */
export interface Incident {
  readonly id: string
  readonly title: string
  readonly fullText: string
  readonly severity: string
  readonly createdBy: string
  readonly createTimestamp: string
  readonly isActive: boolean
  readonly version: number
  readonly activities: Activity[]
  readonly checkIns: CheckIn[]
}
/** A write without acknowledgement: it may have happened or not, but not partially and not twice. */
export type Pending =
  | { readonly kind: 'create'; readonly marker: string }
  | { readonly kind: 'add'; readonly marker: string; readonly incidentId: string }
  | { readonly kind: 'update'; readonly marker: string; readonly activityId: string }
  | { readonly kind: 'check in'; readonly userId: string; readonly incidentId: string }

/** Tasks in the creation of every incident. */
const FIRST_TASKS = 2

const OWN = [
  'id',
  'title',
  'fullText',
  'severity',
  'createdBy',
  'createTimestamp',
  'isActive',
  'version',
] as const

/** Acknowledged writes and the findings about them. */
export class Ledger {
  readonly incidents = new Map<string, Incident>()
  readonly pending = new Set<Pending>()
  acknowledged = 0
  readonly lost: string[] = []
  readonly doubled: string[] = []
  readonly torn: string[] = []
  brokenChain: string | null = null

  /** A copy of the present state, to compare with a copy of the data made now. */
  snapshot(): Ledger {
    const taken = new Ledger()
    for (const [id, incident] of this.incidents) taken.incidents.set(id, structuredClone(incident))
    for (const pending of this.pending) taken.pending.add(pending)
    taken.acknowledged = this.acknowledged
    return taken
  }

  /** Adds the findings of another ledger. */
  include(other: Ledger): void {
    this.lost.push(...other.lost)
    this.doubled.push(...other.doubled)
    this.torn.push(...other.torn)
    this.brokenChain ??= other.brokenChain
  }

  /** Prints the findings. Returns whether the data equals the acknowledged writes. */
  report(): boolean {
    const { lost, doubled, torn, brokenChain } = this
    console.log(`lost ${lost.length}, doubled ${doubled.length}, torn ${torn.length}`)
    console.log(`chain of events: ${brokenChain ?? 'whole'}`)
    for (const sentence of [...lost, ...doubled, ...torn].slice(0, 20)) console.log(`  ${sentence}`)
    return lost.length + doubled.length + torn.length === 0 && brokenChain === null
  }

  /** Compares one incident with its acknowledged writes; pending writes that happened become acknowledged. */
  compare(found: Incident): void {
    const known = this.incidents.get(found.id)
    if (!known) return this.#adopt(found)
    for (const field of OWN)
      if (found[field] !== known[field]) this.lost.push(`${known.title}: ${field} is ${String(found[field])}`)
    const activities = this.#activities(known, found)
    const checkIns = this.#checkIns(known, found)
    this.incidents.set(found.id, { ...known, activities, checkIns })
  }

  /** Reports acknowledged incidents that are missing. */
  missing(ids: ReadonlySet<string>): void {
    for (const [id, { title }] of this.incidents) {
      if (ids.has(id)) continue
      this.lost.push(`${title} is not there`)
      this.incidents.delete(id)
    }
  }

  #adopt(found: Incident): void {
    const pending = this.#take((one) => one.kind === 'create' && one.marker === found.title)
    if (!pending) this.doubled.push(`${found.title}: nobody wrote it, or it was acknowledged once before`)
    else if (found.activities.length !== FIRST_TASKS) this.torn.push(`${found.title} lacks its tasks`)
    this.incidents.set(found.id, found)
  }

  #activities(known: Incident, found: Incident): Activity[] {
    const left = Map.groupBy(found.activities, ({ id }) => id)
    for (const activity of known.activities) {
      const [same, ...more] = left.get(activity.id) ?? []
      left.delete(activity.id)
      if (more.length > 0) this.doubled.push(`${activity.description} is there ${more.length + 1} times`)
      if (!same) this.lost.push(`${activity.description} is not there`)
      else if (!isDeepStrictEqual(same, activity) && !this.#updated(activity, same))
        this.lost.push(`${activity.description} is ${same.description}`)
    }
    for (const [added] of left.values()) {
      const { description } = added!
      if (!this.#take((one) => one.kind === 'add' && one.marker === description))
        this.doubled.push(`${description}: nobody wrote it, or it was acknowledged once before`)
    }
    return [...found.activities]
  }

  #updated(before: Activity, after: Activity): boolean {
    const fits = (one: Pending) =>
      one.kind === 'update' && one.activityId === before.id && one.marker === after.description
    return after.version === before.version + 1 && this.#take(fits) !== undefined
  }

  #checkIns(known: Incident, found: Incident): CheckIn[] {
    for (const checkIn of known.checkIns) {
      const same = found.checkIns.filter(({ userId }) => userId === checkIn.userId)
      if (same.length > 1) this.doubled.push(`${known.title}: checked in ${same.length} times`)
      if (same[0]?.timestamp !== checkIn.timestamp) this.lost.push(`${known.title}: a check-in`)
    }
    for (const { userId } of found.checkIns) {
      if (known.checkIns.some((one) => one.userId === userId)) continue
      if (
        !this.#take((one) => one.kind === 'check in' && one.userId === userId && one.incidentId === known.id)
      )
        this.doubled.push(`${known.title}: a check-in that nobody made`)
    }
    return [...found.checkIns]
  }

  #take(fits: (one: Pending) => boolean): Pending | undefined {
    const found = [...this.pending].find(fits)
    if (found) this.pending.delete(found)
    return found
  }
}
