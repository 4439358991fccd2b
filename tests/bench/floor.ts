import type { RequestListener } from 'node:http'

import { Pool, type QueryResult, type QueryResultRow, types } from 'pg'

import { type Floor, serveFloor, startFloorProcess } from './floor-process.ts'
import { type Shape, SHAPES } from './shapes.ts'
import type { Statement } from './tap.ts'

/** Statements that a floor runs in one transaction per request; it returns their rows as JSON. */
export interface Plan {
  readonly url: string
  readonly statements: readonly Statement[]
  /** Statements that each connection prepares first. */
  readonly prepared?: readonly string[]
  readonly shape: Shape
  /** Ids of inserted rows, renewed for each request. */
  readonly inserted?: readonly string[]
}

/** Starts the least program that could respond: `node:http` and `pg`, in a process of its own. */
export const startFloor = (plan: Plan): Promise<Floor> => startFloorProcess(import.meta.filename, plan)

/** The product's number of connections. */
const POOL_SIZE = 20

function answering({ url, statements, prepared = [], shape, inserted = [] }: Plan): RequestListener {
  // Counts become numbers in JSON; other values stay as the driver reads them.
  types.setTypeParser(types.builtins.INT8, Number)
  const pool = new Pool({ connectionString: url, max: POOL_SIZE })
  if (prepared.length > 0) pool.on('connect', (client) => void client.query(prepared.join('')))
  const shaped = SHAPES[shape]
  const pattern = new RegExp(inserted.join('|'), 'g')

  async function transaction(): Promise<unknown> {
    const fresh = new Map(inserted.map((id) => [id, crypto.randomUUID() as string]))
    const renamed = (value: string | null) => value?.replace(pattern, (id) => fresh.get(id)!) ?? null
    const client = await pool.connect()
    const results: QueryResultRow[][] = []
    for (const { text, values } of statements) {
      const given = inserted.length > 0 ? values?.map(renamed) : values
      const result: QueryResult | QueryResult[] = await (given
        ? client.query(text, [...given])
        : client.query(text))
      // The opening has several statements, and a commit has no rows.
      if (!Array.isArray(result) && result.fields.length > 0) results.push(result.rows)
    }
    client.release()
    return shaped(results)
  }

  return (_, response) => {
    transaction().then(
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
