import { type Compilable, CompiledQuery, type Kysely } from 'kysely'

import type { OrgDb, Tables } from './db.ts'

type Values = { readonly [name: string]: unknown }

/** Stands for a value while a query is put together. */
class Place {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Shapes of one query that are remembered; whoever asks for ever new ones pushes out the oldest. */
const SHAPES_MAX = 200

/**
 * A query that is put together once for each shape it can have and after that only filled with values, for lists that
 * are asked for all the time: putting one together takes longer than reading its answer.
 * @param build makes the query of a shape; it sees which values are given, and may use them only as parameters
 */
export function statement<Shape extends string, V extends Values, Row>(
  build: (db: Kysely<Tables>, shape: Shape, given: V) => Compilable<Row>,
): (db: OrgDb, shape: Shape, values: V) => Promise<Row[]> {
  const made = new Map<string, CompiledQuery>()
  const make = (db: OrgDb, shape: Shape, names: readonly string[]) => {
    const places = Object.fromEntries(names.map((name) => [name, new Place(name)]))
    return build(db, shape, places as unknown as V).compile()
  }
  return async (db, shape, values) => {
    const names = Object.keys(values).filter((name) => values[name] !== undefined)
    const key = `${shape} ${names.join()}`
    let query = made.get(key)
    if (!query) {
      query = make(db, shape, names)
      if (made.size >= SHAPES_MAX) made.delete(made.keys().next().value!)
      made.set(key, query)
    }
    const filled = query.parameters.map((one) => (one instanceof Place ? values[one.name] : one))
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(query.sql, filled))
    return rows
  }
}
