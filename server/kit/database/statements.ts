import type { Compilable, Kysely } from 'kysely'

import type { NamedQuery, OrgDb, Tables } from './db.ts'

type Values = { readonly [name: string]: unknown }

/** Position of a value in a compiled query. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * Compiled shapes of one query that are cached and prepared by each connection; further shapes are compiled each time.
 */
const SHAPES_MAX = 50
let names = 0

/**
 * A query that is compiled once per shape and filled with values, for frequently read lists: compiling takes longer
 * than running it.
 * @param build creates the query of a shape; it sees which values are present, and may use them only as parameters
 */
export function statement<Shape extends string, V extends Values, Row>(
  build: (db: Kysely<Tables>, shape: Shape, given: V) => Compilable<Row>,
): (db: OrgDb, shape: Shape, values: V) => Promise<Row[]> {
  const made = new Map<string, NamedQuery>()
  const make = (db: OrgDb, shape: Shape, given: readonly string[]) => {
    const places = Object.fromEntries(given.map((name) => [name, new Placeholder(name)]))
    return build(db, shape, places as unknown as V).compile()
  }
  return async (db, shape, values) => {
    const given = Object.keys(values).filter((name) => values[name] !== undefined)
    const key = `${shape} ${given.join()}`
    let query = made.get(key)
    if (!query) {
      query = make(db, shape, given)
      if (made.size < SHAPES_MAX) made.set(key, (query = { ...query, name: `statement_${++names}` }))
    }
    const parameters = query.parameters.map((one) => (one instanceof Placeholder ? values[one.name] : one))
    const { rows } = await db.executeQuery<Row>({ ...query, parameters })
    return rows
  }
}
