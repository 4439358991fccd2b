import { median, type Sample } from './measure.ts'

/** One measured figure with its reference. */
export interface Result {
  readonly name: string
  readonly what: string
  readonly product: string
  /** Figure of the least possible program; null when the budget is absolute. */
  readonly floor: string | null
  /** Product ÷ floor per round. */
  readonly ratios: readonly number[] | null
  readonly budget: string | null
  readonly holds: boolean | null
}

export const ms = (value: number): string =>
  value < 0.1
    ? `${(value * 1_000).toFixed(1)} µs`
    : `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`

/** Compares two sides round by round. */
export function compare(
  name: string,
  what: string,
  of: keyof Sample,
  [product, floor]: readonly [readonly Sample[], readonly Sample[]],
  budget: number | null,
): Result {
  const ratios = product.map((sample, round) => sample[of] / floor[round]![of])
  return {
    name,
    what,
    product: ms(median(product.map((sample) => sample[of]))),
    floor: ms(median(floor.map((sample) => sample[of]))),
    ratios,
    budget: budget === null ? null : `≤ ${Number(budget.toFixed(2))} ×`,
    holds: budget === null ? null : median(ratios) <= budget,
  }
}

/** A figure with an absolute budget, or without one. */
export const absolute = (
  name: string,
  what: string,
  product: string,
  budget: string | null = null,
  holds: boolean | null = null,
): Result => ({ name, what, product, floor: null, ratios: null, budget, holds })

const COLUMNS = [
  ['line', 19],
  ['what', 48],
  ['product', 18],
  ['floor', 9],
  ['ratio (min..max)', 20],
  ['budget', 9],
] as const

export function row(result: Result): string {
  const { ratios } = result
  const ratio = ratios
    ? `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}..${Math.max(...ratios).toFixed(2)})`
    : '–'
  const cells = [
    result.name,
    result.what,
    result.product,
    result.floor ?? '–',
    ratio,
    result.budget ?? '–',
    result.holds === null ? '' : result.holds ? 'holds' : 'OVER',
  ]
  return line(cells)
}
const line = (cells: readonly string[]): string =>
  cells
    .map((cell, n) => cell.padEnd(COLUMNS[n]?.[1] ?? 0))
    .join('  ')
    .trimEnd()
export const heading = (): string => line(COLUMNS.map(([title]) => title))
