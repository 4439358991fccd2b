import type { RequestListener } from 'node:http'

import { Pool, type QueryResult, type QueryResultRow, types } from 'pg'

import { type Floor, serveFloor, startFloorProcess } from './floor-process.ts'
import { type Shape, SHAPES } from './shapes.ts'
import type { Statement } from './tap.ts'

/** The statements that a floor runs in one transaction for every request; it returns their fields as JSON. */
export interface Plan {
  readonly url: string
  readonly statements: readonly Statement[]
  /** What each connection prepares for them first. */
  readonly prepared?: readonly string[]
  readonly shape: Shape
  /** Identifiers of what the statements insert: other ones each time. */
  readonly inserted?: readonly string[]
}

/** Starts the least program that could answer: `node:http` and `pg`, in a process of its own. */
export const startFloor = (plan: Plan): Promise<Floor> => startFloorProcess(import.meta.filename, plan)

/** As many connections as the product has. */
const POOL_SIZE = 20

function answering({ url, statements, prepared = [], shape, inserted = [] }: Plan): RequestListener {
  // Counts are numbers in JSON; everything else is left as the driver reads it.
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
      // The opening is several statements at once, and a commit answers nothing.
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
