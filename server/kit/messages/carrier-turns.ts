import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'

import { SECOND } from '../core/clock.ts'
import type { Database } from '../database/db.ts'

declare module '#server/kit/database/db.ts' {
  interface Tables {
    carrier_turns: { carrier: string; next_timestamp: string }
  }
}

/** Waits for the turn of a carrier with a limit. */
export type TakeTurn = (carrier: string, perSecond: number) => Promise<void>

/**
 * Turns of carriers with a limit. They are kept by the database and its clock, so that all processes together, and one
 * that starts anew, hold the limit.
 */
export const carrierTurns =
  ({ directory }: Pick<Database, 'directory'>): TakeTurn =>
  async (carrier, perSecond) => {
    const gap = SECOND / perSecond
    const { rows } = await sql<{ wait: number }>`
      with now as (select clock_timestamp() as at)
      insert into carrier_turns as t (carrier, next_timestamp)
      select ${carrier}, now.at + ${gap}::float8 * interval '1 millisecond' from now
      on conflict (carrier) do update
        set next_timestamp = greatest(t.next_timestamp, clock_timestamp()) + ${gap}::float8 * interval '1 millisecond'
      returning extract(epoch from next_timestamp - clock_timestamp())::float8 * 1000 - ${gap}::float8 as wait`.execute(
      directory,
    )
    const { wait } = rows[0]!
    if (wait >= 1) await pause(wait)
  }
