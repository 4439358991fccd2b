import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'

import type { Write } from './replies.ts'

/** Rows of a long list, read in batches while they are sent. */
export class Rows<Row> {
  readonly batches: () => AsyncIterable<readonly Row[]>

  constructor(batches: () => AsyncIterable<readonly Row[]>) {
    this.batches = batches
  }

  map<Shown>(shown: (row: Row) => Shown): Rows<Shown> {
    const { batches } = this
    return new Rows(async function* () {
      for await (const some of batches()) yield some.map(shown)
    })
  }
}

/** Rows per batch: about a millisecond of work. */
const BATCH = 200

/** Rows of an array from which on it is streamed; a page for people has fewer. */
const LONG = 500

export function* batchesOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += BATCH) yield rows.slice(at, at + BATCH)
}

/**
 * A long list by the ids of its rows, which are small and fix its order.
 * @param load reads the rows of some ids, in order; deleted rows are left out
 */
export const rowsById = <Id, Row>(
  ids: readonly Id[],
  load: (ids: readonly Id[]) => Promise<readonly Row[]>,
): Rows<Row> =>
  new Rows(async function* () {
    for (const some of batchesOf(ids)) yield await load(some)
  })

/** True when a result is streamed: one with `Rows`, or with an array that would block other requests. */
export const isLong = (result: unknown): boolean =>
  hasManyRows(result) ||
  (typeof result === 'object' && result !== null && Object.values(result).some(hasManyRows))
const hasManyRows = (value: unknown): boolean =>
  value instanceof Rows || (Array.isArray(value) && value.length > LONG)

/**
 * The text of a reply as a stream that yields to other requests between parts. The first part is made before this
 * returns, so that a refusal in it still gets an error response.
 */
export async function streamOf(write: Write, result: unknown): Promise<Readable> {
  const parts = write(result)
  const first = await parts.next()
  return Readable.from(
    (async function* () {
      if (first.done) return
      yield Buffer.from(first.value)
      for await (const part of parts) {
        await setImmediate()
        yield Buffer.from(part)
      }
    })(),
    { objectMode: false },
  )
}
