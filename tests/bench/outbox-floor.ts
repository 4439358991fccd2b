import type { RequestListener } from 'node:http'

import pg from 'pg'

import { type Floor, serveFloor, startFloorProcess } from './floor-process.ts'

/** Parameters of the least outbox. */
export interface OutboxPlan {
  readonly connection: pg.ClientConfig
  /** URL and credentials of its provider. */
  readonly url: string
  readonly authorization: string
  readonly from: string
  readonly numbers: readonly string[]
  readonly text: string
}

/**
 * Starts the least program that sends acknowledged messages: rows, and a loop that selects, posts and updates. It
 * responds to each post once the messages are stored.
 */
export const startOutbox = (plan: OutboxPlan): Promise<Floor> => startFloorProcess(import.meta.filename, plan)

/** The product's concurrency of sending. */
const PARALLEL = 20

async function sending(plan: OutboxPlan): Promise<RequestListener> {
  const { connection, url, authorization, from, numbers, text } = plan
  const pool = new pg.Pool({ ...connection, max: 4 })
  await pool.query(`create table if not exists bench_outbox (
    id bigint generated always as identity primary key, recipient text not null, text text not null,
    state text not null, provider_id text)`)

  async function work(): Promise<void> {
    for (;;) {
      const { rows } = await pool.query<{ id: string; recipient: string; text: string }>(
        `select id, recipient, text from bench_outbox where state = 'QUEUED' order by id limit ${PARALLEL}`,
      )
      if (rows.length === 0) return
      const sids = await Promise.all(
        rows.map(async ({ recipient, text: words }) => {
          const body = new URLSearchParams({ To: recipient, From: from, Body: words })
          const response = await fetch(url, {
            method: 'POST',
            headers: { Authorization: authorization },
            body,
          })
          return ((await response.json()) as { sid: string }).sid
        }),
      )
      await pool.query(
        `update bench_outbox o set state = 'SENT', provider_id = n.sid
         from unnest($1::bigint[], $2::text[]) as n (id, sid) where o.id = n.id`,
        [rows.map(({ id }) => id), sids],
      )
    }
  }

  return (_, response) => {
    const insert = `insert into bench_outbox (recipient, text, state) select unnest($1::text[]), $2, 'QUEUED'`
    void pool.query(insert, [numbers, text]).then(() => {
      response.writeHead(201).end('{}')
      void work()
    })
  }
}

if (import.meta.main) serveFloor(sending)
