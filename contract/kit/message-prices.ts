import * as z from 'zod/mini'

/** An entry of the price list: type, beginning of the numbers, and the price of an SMS or a call. */
export const PRICE_ENTRY = /^(SMS|VOICE_CALL) (\+(?:[1-9]\d{0,8})?) (\d{1,4}(?:\.\d{1,6})?)$/
const PREFIX_MAX = 10

type Priced = 'SMS' | 'VOICE_CALL'
/** Price of one SMS or call to a number, by the longest beginning; undefined for none. */
export type PriceOf = (type: Priced, number: string) => number | undefined

/** Reads a price list. The later of two entries of one beginning counts. */
export function readPrices(entries: readonly string[]): PriceOf {
  const prices = new Map<string, number>()
  for (const entry of entries) {
    const [, type, prefix, price] = PRICE_ENTRY.exec(entry) ?? []
    if (type !== undefined) prices.set(`${type} ${prefix}`, Number(price))
  }
  return (type, number) => {
    for (let length = Math.min(PREFIX_MAX, number.length); length > 0; length -= 1) {
      const price = prices.get(`${type} ${number.slice(0, length)}`)
      if (price !== undefined) return price
    }
    return undefined
  }
}

/** Prices of one SMS and of one call to each of some numbers. */
export const Prices = z.object({
  /** Currency as three letters (ISO 4217). */
  currency: z.string().check(z.maxLength(3)),
  /** One SMS to each number, and one call. A longer message is several SMS. */
  SMS: z.number(),
  VOICE_CALL: z.number(),
  /** Numbers without a price for either. */
  unpriced: z.object({ SMS: z.int(), VOICE_CALL: z.int() }),
})
export type Prices = z.infer<typeof Prices>

/** Estimated price of a notification, by the price list of its time. */
export const Price = z.object({ currency: z.string().check(z.maxLength(3)), amount: z.number() })
export type Price = z.infer<typeof Price>

/** Rounds a sum of prices, whose fractions have six digits. */
export const roundedPrice = (sum: number): number => Math.round(sum * 1e6) / 1e6

/** Adds up the price list for numbers; undefined without a list. */
export function pricesOf(
  { messagePrices, messageCurrency: currency }: PriceList,
  numbers: Iterable<string>,
): Prices | undefined {
  if (messagePrices.length === 0) return undefined
  const priceOf = readPrices(messagePrices)
  const sums = { SMS: 0, VOICE_CALL: 0 }
  const unpriced = { SMS: 0, VOICE_CALL: 0 }
  for (const number of numbers)
    for (const type of ['SMS', 'VOICE_CALL'] as const) {
      const price = priceOf(type, number)
      if (price === undefined) unpriced[type] += 1
      else sums[type] += price
    }
  return { currency, SMS: roundedPrice(sums.SMS), VOICE_CALL: roundedPrice(sums.VOICE_CALL), unpriced }
}
/** The configuration items of prices. */
export interface PriceList {
  readonly messagePrices: readonly string[]
  readonly messageCurrency: string
}

/** Estimated price of a send: SMS by their number for each person, and calls. */
export const costOf = (prices: Prices, types: readonly string[], smsCount: number): number =>
  roundedPrice(
    (types.includes('SMS') ? prices.SMS * smsCount : 0) +
      (types.includes('VOICE_CALL') ? prices.VOICE_CALL : 0),
  )
