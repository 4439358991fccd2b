import * as z from 'zod/mini'

import { CALL_OVER, type DialIn, type DialInNumber } from '#contract/calls/schema.ts'
import { lockChat } from '#server/chat/heads.store.ts'
import { updateCall } from '#server/chat/rooms.store.ts'
import { SECOND } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { demand } from '#server/kit/core/refusal.ts'
import type { OutsideTransactionContext } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { jitsiRoom } from './engine.flows.ts'
import { openedCall } from './flows.ts'
import { findCall, updateMeetingId } from './store.ts'

/** Limits for the response of the dial-in service. */
const ANSWER_WITHIN = 5 * SECOND
const ANSWER_MAX = 256 * 1_024
/** Toll-free numbers of these countries are shown (foundation §9). */
const COUNTRIES = ['CA', 'US']
const NUMBERS_MAX = 20
/** Prefixes of toll-free numbers there. */
const TOLL_FREE = /^\+?1?8(?:00|33|44|55|66|77|88)\d{7}$/

const Line = z.object({
  countryCode: z.string().check(z.maxLength(3)),
  tollFree: z.optional(z.boolean()),
  formattedNumber: z.string().check(z.minLength(1), z.maxLength(40)),
})
const ByCountry = z.record(z.string(), z.array(z.string().check(z.maxLength(40))))
/** The response of a Jitsi: a list of numbers or lists by country, alone or within an object. */
const Numbers = z.union([
  z.array(z.unknown()),
  z.object({ numbers: z.union([z.array(z.unknown()), ByCountry]) }),
  ByCountry,
])

/** Fetches JSON from another server. Undefined on any failure. */
async function ask(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(ANSWER_WITHIN),
      headers: { Accept: 'application/json' },
      // Operators trust the configured server only.
      redirect: 'error',
    })
    if (!response.ok || !response.body) return undefined
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of response.body) {
      size += part.length
      if (size > ANSWER_MAX) return undefined
      parts.push(part)
    }
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

const isTollFree = (number: string): boolean => TOLL_FREE.test(number.replace(/[^\d+]/g, ''))

/** The toll-free numbers to show, from a service's response. Unknown entries are left out. */
export function numbersOf(answer: unknown): DialInNumber[] {
  const read = z.safeParse(Numbers, answer)
  if (!read.success) return []
  const { data } = read
  const list = Array.isArray(data) ? data : 'numbers' in data ? data.numbers : data
  const lines = Array.isArray(list)
    ? list.flatMap((one) => z.safeParse(Line, one).data ?? [])
    : Object.entries(list).flatMap(([countryCode, numbers]) =>
        numbers.map((formattedNumber) => ({ countryCode, formattedNumber })),
      )
  return lines
    .map((line: z.infer<typeof Line>) => ({
      countryCode: line.countryCode.toUpperCase(),
      tollFree: line.tollFree ?? isTollFree(line.formattedNumber),
      formattedNumber: line.formattedNumber,
    }))
    .filter(({ countryCode, tollFree }) => tollFree && COUNTRIES.includes(countryCode))
    .slice(0, NUMBERS_MAX)
}

/**
 * Telephone numbers and PIN of a call. Without a response of the service there are no numbers, and the call goes on.
 * @throws Refusal 403 where the organisation has no dial-in, 404 for somebody else's call, 409 once it has ended
 */
export async function dialInOf(
  { settings }: Pick<Services, 'settings'>,
  { caller, transaction }: OutsideTransactionContext,
  id: string,
): Promise<DialIn> {
  const { call } = await transaction((db, by) => openedCall(db, by, id))
  demand(caller.config.dialInEnabled, 403, 'Your organization has no dial-in.')
  demand(call.end_timestamp === null, 409, CALL_OVER)
  const { callDialInNumbersUrl: numbers, callDialInMapperUrl: mapper } = caller.config
  const conference = jitsiRoom(caller.organisation.id, call.room_id)
  const [answer, mapped] = await Promise.all([
    numbers === '' ? undefined : ask(numbers),
    mapper === '' ? undefined : ask(mapperUrl(mapper, conference, settings.jitsi?.domain)),
  ])
  const pin = pinOf(mapped)
  if (pin !== undefined && pin !== call.meeting_id) await transaction((db) => keepPin(db, id, pin))
  return { pin: pin ?? call.meeting_id, numbers: numbersOf(answer) }
}

/** @param domain of the Jitsi, whose mapper may be on another host; by default the mapper's own */
function mapperUrl(mapper: string, conference: string, domain?: string): string {
  const url = new URL(mapper)
  url.searchParams.set('conference', `${conference}@conference.${domain ?? url.hostname}`)
  return url.href
}

const Mapped = z.object({ id: z.union([z.int(), z.string()]) })
/** The PIN of a call at a conference mapper. */
function pinOf(answer: unknown): string | undefined {
  const pin = String(z.safeParse(Mapped, answer).data?.id ?? '')
  return /^\d{4,15}$/.test(pin) ? pin : undefined
}

/** Stores a PIN as the meeting id, unless another call uses it. */
async function keepPin(db: OrgDb, id: string, pin: string): Promise<void> {
  await lockChat(db)
  const call = await findCall(db, id)
  if (call?.end_timestamp === null && (await updateMeetingId(db, id, pin)))
    await updateCall(db, call.room_id, id)
}
