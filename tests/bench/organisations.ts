import { createHash, randomBytes } from 'node:crypto'

import type { Client } from 'pg'

import { type Product, startProduct } from '../support/product.ts'
import { databaseIn, withClient } from './fixture.ts'
import { drive, interleave, type Load, requestJson, type Target } from './measure.ts'
import { compare, type Result } from './report.ts'

const NAME = 'organisations'
const MANY = 2_000
const FEW = 10
const ROUNDS = 7
const ONE_BY_ONE: Load = { requests: 20, concurrency: 1 }

const pageOf = (query: Readonly<Record<string, unknown>>): string =>
  `?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, JSON.stringify(value)]))}`
const FIRST = { range: [0, FEW - 1] }
/** Pages of equal length, so that both replies have equal size. */
const CALLS = [
  ['by name', `/enterprises${pageOf({ ...FIRST, sort: ['displayName', 'ASC'] })}`],
  ['by contact', `/enterprises${pageOf({ ...FIRST, sort: ['contactName', 'ASC'] })}`],
  ['searched', `/enterprises${pageOf({ ...FIRST, filter: { q: 'harbour an' } })}`],
  ['with their incidents', `/enterprises/incidents${pageOf({ ...FIRST, sort: ['status', 'ASC'] })}`],
] as const

/** Adds organisations, each with an administrator and every third in an incident. */
async function addOrganisations(client: Client, count: number): Promise<void> {
  await client.query(`begin; set local role muster_provider;
    insert into organisations (code, display_name, enterprise_domain, create_timestamp)
      select 'harbour-' || n, 'Harbour ' || md5(n::text), 'harbour' || n || '.example', now() - n * interval '1 hour'
      from generate_series(1, ${count}) n;
    insert into users (organisation_id, id, email, first_name, last_name, role, type, accepted_terms, create_timestamp, update_timestamp)
      select id, gen_random_uuid(), 'admin@' || enterprise_domain, 'Ana', md5(code), 'ADMIN', 'INTERNAL', true, now(), now()
      from organisations;
    insert into incidents (organisation_id, title, full_text, plain_text, preview_text, severity, is_tabletop, created_by,
        create_timestamp, update_timestamp)
      select id, 'Flood', '<p>Water</p>', 'Water', 'Water', 'HIGH', false, 'ana@example.com', now(), now()
      from organisations where right(code, 1) in ('1', '4', '7');
    commit`)
  await client.query('vacuum analyze')
}

/** A product with `count` organisations, and the headers of staff. */
async function furnish(count: number): Promise<{ product: Product; headers: Target['headers'] }> {
  const product = await startProduct({ DEMO: '0' })
  const token = `mc_${randomBytes(32).toString('base64url')}`
  await withClient(databaseIn(product.dataDir), async (client) => {
    await addOrganisations(client, count)
    await client.query(
      `insert into staff (id, email, invited_by, create_timestamp, role)
         values (gen_random_uuid(), 'bench@provider.example', 'bench', now(), 'ADMINISTER')`,
    )
    await client.query(
      "insert into staff_sessions select gen_random_uuid(), $1, id, now(), now() + interval '1 hour' from staff",
      [createHash('sha256').update(token).digest()],
    )
  })
  return { product, headers: { Authorization: `Bearer ${token}` } }
}

/** Lists of the provider's console with 2,000 organisations against those with ten. */
export async function organisations(): Promise<Result[]> {
  const [many, few] = [await furnish(MANY), await furnish(FEW)]
  try {
    const results: Result[] = []
    for (const [what, path] of CALLS) {
      const target = ({ product, headers }: typeof many): Target => ({
        pid: product.pid,
        url: `${product.url}/management-api${path}`,
        headers,
      })
      for (const side of [many, few]) await requestJson(target(side))
      const { large, small } = await interleave(ROUNDS, {
        large: () => drive(target(many), ONE_BY_ONE),
        small: () => drive(target(few), ONE_BY_ONE),
      })
      results.push(
        compare(NAME, `10 of 2,000 organisations ${what}, against 10 of 10: p50`, 'p50', [large, small], 3),
      )
    }
    return results
  } finally {
    await many.product.stop()
    await few.product.stop()
  }
}
