import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import pg from 'pg'

/** What the least outbox works with. */
export interface OutboxPlan {
  readonly connection: pg.ClientConfig
  /** Where it posts to, and how it says who it is. */
  readonly url: string
  readonly authorization: string
  readonly from: string
  readonly numbers: readonly string[]
  readonly text: string
}
export interface OutboxFloor {
  readonly pid: number
  /** Answers each post once the messages are written down. */
  readonly url: string
  stop(): Promise<void>
}

/** Starts the least program that sends what it has acknowledged: rows, and a loop that selects, posts and updates. */
export async function startOutbox(plan: OutboxPlan): Promise<OutboxFloor> {
  const child = spawn(process.execPath, [import.meta.filename], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (said) => resolve((said as { port: number }).port))
    void exited.then(() => reject(new Error('The floor ended before it was ready.')))
    child.send(plan)
  })
  return {
    pid: child.pid!,
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      child.kill('SIGTERM')
      return exited
    },
  }
}

/** As many at once as the product hands on. */
const PARALLEL = 20

async function serve({ connection, url, authorization, from, numbers, text }: OutboxPlan): Promise<void> {
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

  const server = createServer((_, response) => {
    const insert = `insert into bench_outbox (recipient, text, state) select unnest($1::text[]), $2, 'QUEUED'`
    void pool.query(insert, [numbers, text]).then(() => {
      response.writeHead(201).end('{}')
      void work()
    })
  })
  server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))
}

if (import.meta.main) {
  process.once('message', (plan) => void serve(plan as OutboxPlan))
  // Never outlives whoever started it.
  process.once('disconnect', () => process.exit())
}
