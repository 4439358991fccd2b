import type { CarrierSpec } from '../core/carrier-settings.ts'
import { isCallable } from '../core/hosts.ts'
import type { Settings } from '../core/settings.ts'
import type { Database } from '../database/db.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { callbacksTo } from './callback-urls.ts'
import { CarrierOrder, type OrderedCarrier } from './carrier-order.ts'
import { carrierTurns } from './carrier-turns.ts'
import { carrierOverHttp } from './http-carrier.ts'
import type { Carrier, Channel } from './messages.ts'
import { carrierOfTexts } from './sms.ts'
import { simulatorCarrier } from './simulator.ts'

const TWILIO_URL = 'https://api.twilio.com'
const BOTH = ['SMS', 'VOICE_CALL'] as const

/** Carriers of SMS and calls, as one. */
export interface Telephone {
  readonly carrier: Carrier
  readonly channels: readonly Channel[]
  readonly takesReplies: boolean
  readonly takesKeys: boolean
  /** Numbers that people reply to, where replies have to be looked for. */
  readonly numbers: readonly string[]
}
export interface TelephoneParts {
  readonly settings: Pick<Settings, 'twilio' | 'carriers' | 'publicUrl'>
  readonly database: Pick<Database, 'directory'>
  readonly jobs: Pick<Jobs, 'enqueueAt'>
  /** Wraps each carrier. */
  readonly watch: (name: string, carrier: Carrier) => Carrier
}

/** SMS and calls by the carriers of the settings; null without any. */
export function openTelephone({ settings, database, jobs, watch }: TelephoneParts): Telephone | null {
  const { twilio, carriers, publicUrl } = settings
  const isCalled = isCallable(publicUrl)
  const callbacks = isCalled ? callbacksTo(publicUrl) : null
  if (twilio)
    return {
      carrier: watch('SMS and voice calls', carrierOfTexts(twilio, callbacks)),
      channels: BOTH,
      takesReplies: true,
      takesKeys: isCalled,
      numbers: isCalled ? [] : [twilio.from],
    }
  if (!carriers) return null

  const ordered = carriers.map((spec): OrderedCarrier => {
    const { name, prefixes = [''], ratePerSecond } = spec
    const watched = (carrier: Carrier) => watch(`Messages by ${name}`, carrier)
    const common = { prefixes, ratePerSecond, listens: null }
    if (spec.kind === 'twilio') {
      const { channels = BOTH, accountSid, authToken, from, baseUrl = TWILIO_URL } = spec
      const carrier = watched(carrierOfTexts({ name, accountSid, authToken, from, baseUrl }, callbacks))
      const takes = { takesReplies: true, takesKeys: isCalled, listens: isCalled ? null : from }
      return { ...common, carrier, channels, ...takes, isRepeatable: false }
    }
    if (spec.kind === 'http') {
      const { channels = ['SMS'], isRepeatable = false, callback } = spec
      const carrier = watched(carrierOverHttp(spec, isCalled ? publicUrl : null))
      const takesReplies = isCalled && callback?.inbound !== undefined
      return { ...common, carrier, channels, isRepeatable, takesReplies, takesKeys: false }
    }
    const { channels = BOTH } = spec
    const carrier = watched(simulatorCarrier(name, jobs))
    return { ...common, carrier, channels, isRepeatable: true, takesReplies: true, takesKeys: true }
  })
  const of = (channel: Channel) => ordered.filter(({ channels }) => channels.includes(channel))
  return {
    carrier: new CarrierOrder(ordered, carrierTurns(database)),
    channels: BOTH.filter((channel) => of(channel).length > 0),
    // A text names no reply that its carrier may not take.
    takesReplies: of('SMS').length > 0 && of('SMS').every(({ takesReplies }) => takesReplies),
    takesKeys: of('VOICE_CALL').length > 0 && of('VOICE_CALL').every(({ takesKeys }) => takesKeys),
    numbers: ordered.flatMap(({ listens }) => listens ?? []),
  }
}

/** True where the settings name a simulator. */
export const hasSimulator = (carriers: readonly CarrierSpec[] | null): boolean =>
  carriers?.some(({ kind }) => kind === 'simulator') ?? false

/** Accounts whose calls and numbers are ours, with the names of their carriers. */
export const twilioAccounts = ({
  twilio,
  carriers,
}: Pick<Settings, 'twilio' | 'carriers'>): readonly { name: string; authToken: string; from: string }[] =>
  twilio
    ? [{ name: 'Twilio', ...twilio }]
    : (carriers ?? []).flatMap((spec) => (spec.kind === 'twilio' ? [spec] : []))
