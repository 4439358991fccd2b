import { clock, SECOND } from '../core/clock.ts'
import type { OrgDb } from '../database/db.ts'
import type { TakeTurn } from './carrier-turns.ts'
import type {
  Carrier,
  Channel,
  InboundSms,
  Inside,
  Outcome,
  Outgoing,
  Planned,
  Refused,
  Report,
} from './messages.ts'

/** A carrier in the order. */
export interface OrderedCarrier {
  readonly carrier: Carrier
  readonly channels: readonly Channel[]
  /** Beginnings of the numbers that it serves; an empty one for all. */
  readonly prefixes: readonly string[]
  /** Messages in a second; undefined for no limit. */
  readonly ratePerSecond?: number | undefined
  /** True where it drops a second request for the same message. */
  readonly isRepeatable: boolean
  readonly takesReplies: boolean
  readonly takesKeys: boolean
  /** Number that people reply to; null where none is looked at. */
  readonly listens: string | null
}

const PARALLEL = 20
/** Seconds for which messages of a limited carrier may be held at once: a crash leaves these in doubt. */
const HELD_SECONDS = 5
/** Pause of a carrier that serves nobody. */
const REST = 10 * SECOND
const NO_CARRIER = 'No carrier is set for numbers that begin like this one.'
const IN_DOUBT = (carrier: string) =>
  `${carrier} did not answer and may have it. It is not sent a second time; a report may still come.`
const GONE = (carrier: string) =>
  `${carrier} may have it, and is no carrier any more. It is not sent a second time.`

/** Length of the longest beginning of a number that a carrier serves; -1 for none. */
const reachOf = ({ prefixes }: OrderedCarrier, number: string): number =>
  Math.max(-1, ...prefixes.filter((prefix) => number.startsWith(prefix)).map(({ length }) => length))

/** Stores that a carrier gets a message, before it does. */
const storeCarrier = (db: OrgDb, id: string, carrier: string) =>
  db.updateTable('messages').set({ carrier }).where('id', '=', id).execute()

/** Carriers that serve nobody for now. */
class Resting {
  readonly #rests = new Map<string, { readonly reason: string; readonly until: number }>()

  /** Notes what came of a message at a carrier. */
  note(name: string, outcome: Outcome): void {
    const isTrouble = 'trouble' in outcome && outcome.trouble === 'ALL'
    if (isTrouble) this.#rests.set(name, { reason: outcome.reason, until: clock.now() + REST })
    else this.#rests.delete(name)
  }

  /** Reason why a carrier is left out; undefined for one that is not. */
  reasonOf({ carrier }: OrderedCarrier): string | undefined {
    const rest = this.#rests.get(carrier.name)
    return rest && rest.until > clock.now() ? rest.reason : undefined
  }
}

/**
 * One carrier made of several. A message goes to the first that serves its number, by the longest beginning and then by
 * the order, and from one that has certainly not accepted it to the next. One that may have been accepted stays with its
 * carrier, which is asked about it.
 */
export class CarrierOrder implements Carrier {
  readonly name: string
  readonly parallel = PARALLEL
  readonly together: number
  readonly #members: readonly OrderedCarrier[]
  readonly #takeTurn: TakeTurn
  readonly #resting = new Resting()

  constructor(members: readonly OrderedCarrier[], takeTurn: TakeTurn) {
    this.#members = members
    this.#takeTurn = takeTurn
    this.name = members[0]!.carrier.name
    const limits = members.flatMap(({ ratePerSecond }) => ratePerSecond ?? [])
    this.together = Math.min(
      ...members.map(({ carrier }) => carrier.together),
      ...limits.map((perSecond) => Math.max(1, Math.floor(perSecond * HELD_SECONDS))),
    )
  }

  plan(): Planned[] {
    const awake = this.#members.filter((member) => this.#isAwake(member))
    return (awake.length > 0 ? awake : this.#members).flatMap(({ carrier, channels, prefixes }, rank) =>
      channels.flatMap((channel) =>
        prefixes.map((prefix) => ({ carrier: carrier.name, channel, prefix, rank })),
      ),
    )
  }

  send(message: Outgoing, inside: Inside): Promise<Outcome> {
    return message.again ? this.#resume(message, inside) : this.#sendNew(message, inside, false)
  }

  async ask(channel: Channel, providerId: string, name: string | null): Promise<Report | null> {
    const own = name === null ? this.#members.find(({ carrier }) => 'ask' in carrier) : this.#memberOf(name)
    return (await own?.carrier.ask?.(channel, providerId, name)) ?? null
  }

  async listInbound(to: string, since: number): Promise<InboundSms[]> {
    const listening = this.#members.filter(({ carrier }) => 'listInbound' in carrier)
    const lists = await Promise.all(listening.map(({ carrier }) => carrier.listInbound!(to, since)))
    return lists.flat()
  }

  #isAwake(member: OrderedCarrier): boolean {
    return this.#resting.reasonOf(member) === undefined
  }
  #memberOf(name: string): OrderedCarrier | undefined {
    return this.#members.find(({ carrier }) => carrier.name === name)
  }

  /** Carriers for a message in their order. */
  #routeOf({ channel, recipient }: Outgoing): OrderedCarrier[] {
    return this.#members
      .map((member) => ({
        member,
        reach: member.channels.includes(channel) ? reachOf(member, recipient) : -1,
      }))
      .filter(({ reach }) => reach >= 0)
      .toSorted((a, b) => b.reach - a.reach)
      .map(({ member }) => member)
  }

  /** Sends a message that no carrier has. */
  async #sendNew(message: Outgoing, inside: Inside, isDoubted: boolean): Promise<Outcome> {
    const route = this.#routeOf(message)
    const [first] = route
    const untried = { carrier: first?.carrier.name ?? this.name, refused: [], isUntried: true }
    if (!first) return { state: 'FAILED', reason: NO_CARRIER, via: untried }
    const awake = route.filter((member) => this.#isAwake(member))
    if (awake.length === 0) {
      const reason = this.#resting.reasonOf(first) ?? NO_CARRIER
      return this.#narrowed({ state: 'QUEUED', reason, trouble: 'ALL', via: untried })
    }
    // The carrier that lost a message without an answer comes last.
    const isLoser = ({ carrier }: OrderedCarrier) => isDoubted && carrier.name === message.carrier
    const ordered = [...awake.filter((one) => !isLoser(one)), ...awake.filter(isLoser)]
    return this.#handOn(ordered, message, inside, [])
  }

  /** Hands a message to the first of carriers that may accept it. */
  async #handOn(
    [next, ...others]: readonly OrderedCarrier[],
    message: Outgoing,
    inside: Inside,
    refused: readonly Refused[],
  ): Promise<Outcome> {
    const { name } = next!.carrier
    const at = clock.timestamp()
    const outcome = await this.#handTo(next!, message, inside)
    if (outcome.state !== 'QUEUED' || others.length === 0)
      return { ...this.#narrowed(outcome), via: { carrier: name, refused } }
    const { reason, code } = outcome
    const here: Refused = { carrier: name, reason, ...(code !== undefined && { code }), at }
    return this.#handOn(others, { ...message, carrier: name }, inside, [...refused, here])
  }

  async #handTo(
    { carrier, ratePerSecond }: OrderedCarrier,
    message: Outgoing,
    inside: Inside,
  ): Promise<Outcome> {
    const { id, organisationId } = message
    const { name } = carrier
    if (message.carrier !== name && organisationId !== null) await inside((db) => storeCarrier(db, id, name))
    if (ratePerSecond !== undefined) await this.#takeTurn(name, ratePerSecond)
    const outcome = await carrier.send({ ...message, carrier: name }, inside)
    this.#resting.note(name, outcome)
    return outcome
  }

  /** Trouble of one carrier is that of all only where each of them rests. */
  #narrowed(outcome: Outcome): Outcome {
    const isOfAll = 'trouble' in outcome && outcome.trouble === 'ALL'
    return isOfAll && this.#members.some((member) => this.#isAwake(member))
      ? { ...outcome, trouble: 'ONE' }
      : outcome
  }

  /** Asks the carrier that may have a message, and sends it only where it never arrived. */
  async #resume(message: Outgoing, inside: Inside): Promise<Outcome> {
    const own =
      message.carrier === null
        ? this.#members.find(({ carrier }) => 'find' in carrier)
        : this.#memberOf(message.carrier)
    const via = { carrier: own?.carrier.name ?? message.carrier ?? this.name, refused: [] }
    const untried = { ...via, isUntried: true }
    if (!own) return { state: 'SENDING', reason: GONE(via.carrier), via: untried }
    const { carrier, isRepeatable } = own
    const named = { ...message, carrier: carrier.name }
    if (carrier.find) {
      const found = await carrier.find(named, inside)
      if (found) return { ...this.#narrowed(found), via }
      return this.#sendNew({ ...named, again: false }, inside, message.reason !== null)
    }
    if (!isRepeatable) return { state: 'SENDING', reason: IN_DOUBT(carrier.name), via: untried }
    const outcome = await this.#handTo(own, { ...named, again: false }, inside)
    // An earlier request may have been accepted, although this one is not.
    const isRefused = outcome.state === 'QUEUED'
    return { ...this.#narrowed(isRefused ? { ...outcome, state: 'SENDING' } : outcome), via }
  }
}
