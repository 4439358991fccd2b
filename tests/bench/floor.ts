import type { RequestListener } from 'node:http'

import { Pool, type QueryResultRow, types } from 'pg'

import type { Statement } from './best.ts'
import { type Floor, serveFloor, startFloorProcess } from './floor-process.ts'
import { type Shape, SHAPES } from './shapes.ts'

/** Statements that a floor runs per request; it returns their rows as JSON. */
export interface Plan {
  readonly url: string
  readonly statements: readonly Statement[]
  readonly shape: Shape
}

/** Starts the least program that could respond: `node:http` and `pg`, in a process of its own. */
export const startFloor = (plan: Plan): Promise<Floor> => startFloorProcess(import.meta.filename, plan)

/** The product's number of connections. */
const POOL_SIZE = 20

function answering({ url, statements, shape }: Plan): RequestListener {
  // Counts become numbers in JSON; other values stay as the driver reads them.
  types.setTypeParser(types.builtins.INT8, Number)
  const pool = new Pool({ connectionString: url, max: POOL_SIZE })
  const shaped = SHAPES[shape]

  async function results(): Promise<unknown> {
    const client = await pool.connect()
    const rows: QueryResultRow[][] = []
    for (const { text, values } of statements) rows.push((await client.query(text, [...values])).rows)
    client.release()
    return shaped(rows)
  }

  return (_, response) => {
    results().then(
      (answer) => {
        const body = JSON.stringify(answer)
        response.writeHead(200, {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
        })
        response.end(body)
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }
}

if (import.meta.main) serveFloor(answering)
