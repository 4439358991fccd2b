import { isDeepStrictEqual } from 'node:util'

import type pg from 'pg'

import { type Product, socketOf, startProduct } from '../support/product.ts'
import { BEST } from './best.ts'
import {
  ACTIVITIES,
  addActivities,
  addIncidents,
  addUsers,
  databaseIn,
  INCIDENTS,
  makeOrganisation,
  makePerson,
  type Organisation,
  type Person,
  signInAs,
  USERS,
  withClient,
} from './fixture.ts'
import { startFloor } from './floor.ts'
import { requestJson, send, type Target } from './measure.ts'
import { urlAt } from './postgres.ts'

/** A running product with a large organisation. */
export interface BenchProduct {
  readonly product: Product
  readonly connection: pg.ClientConfig
  readonly large: Organisation
  readonly admin: Person
  /** An incident with many activities. */
  readonly detailId: string
}
/** A call of the API. */
export interface Call {
  readonly method?: Target['method']
  readonly path: string
  readonly body?: () => string
}

/** Thrown instead of a figure when this machine lacks a requirement. */
export class NotHere extends Error {}

// Shared, so that a token of one process is valid in another.
export const SECRET_KEY = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')

export const targetOf = (bench: BenchProduct, call: Call, who: Person = bench.admin): Target => ({
  ...call,
  pid: bench.product.pid,
  url: `${bench.product.url}/api${call.path}`,
  headers: who.headers,
})

/** Shared parts of the lines: each is created on first use and closed at the end. */
export class Stage {
  readonly #undo: (() => Promise<unknown>)[] = []
  #bench: Promise<BenchProduct> | undefined

  async close(): Promise<void> {
    for (const step of this.#undo.splice(0).toReversed()) await step()
  }

  /** The product with its own database. */
  bench(): Promise<BenchProduct> {
    this.#bench ??= (async () => {
      const product = await startProduct({ DEMO: '0', SECRET_KEY })
      this.#undo.push(() => product.stop())
      return furnish(product, databaseIn(product.dataDir))
    })()
    return this.#bench
  }

  /** The product's folder, once nothing uses it any more. */
  async folder(): Promise<string> {
    const { product } = await this.bench()
    this.#bench = undefined
    await product.kill('SIGTERM')
    return product.dataDir
  }

  /** A floor that does a call's work with the best SQL, once its response proves equal to the product's. */
  async bestFor(bench: BenchProduct, call: Call, shape: keyof typeof BEST): Promise<Target> {
    // As a superuser: the floor filters by organisation itself.
    const url = urlAt(socketOf(bench.product.dataDir), 'postgres')
    const asked = {
      sessionId: sessionOf(bench.admin),
      organisationId: bench.large.id,
      userId: bench.admin.id,
      incidentId: bench.detailId,
    }
    const floor = await startFloor({ url, statements: BEST[shape](asked), shape })
    this.#undo.push(() => floor.stop())
    const target = { pid: floor.pid, url: floor.url, headers: {} }
    const [ours, theirs] = [await requestJson(targetOf(bench, call)), await requestJson(target)]
    if (!isDeepStrictEqual(ours, theirs))
      throw new Error(`The floor of ${call.path} answers something else:\n${differenceOf(ours, theirs)}`)
    return target
  }
}

/** The session id in a person's access token. */
function sessionOf(person: Person): string {
  const claims = person.headers['Authorization']!.split('.')[1]!
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sid: string }).sid
}

/** Sorts the keys of objects for comparison. */
const sorted = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value

function differenceOf(ours: unknown, theirs: unknown): string {
  const [a, b] = [ours, theirs].map((value) => JSON.stringify(value, sorted, 1).split('\n'))
  const at = a!.findIndex((line, n) => line !== b![n])
  return `${a!.slice(at - 2, at + 3).join('\n')}\ninstead of\n${b!.slice(at - 2, at + 3).join('\n')}`
}

/** Fills a product that has just started on an empty database. */
async function furnish(product: Product, connection: pg.ClientConfig): Promise<BenchProduct> {
  const { large, detailId, ...made } = await withClient(connection, async (client) => {
    const large = await makeOrganisation(client, 'large')
    const admin = await makePerson(client, large, 'admin')
    await addUsers(client, large, USERS - 1)
    await addIncidents(client, large, INCIDENTS)
    const detailId = await addActivities(client, large, ACTIVITIES)
    await client.query('vacuum analyze')
    return { large, admin, detailId }
  })
  const admin = await signInAs(product.url, large, made.admin)
  // Warms up the work of the first request.
  await send({ url: `${product.url}/api/me`, headers: admin.headers })
  return { product, connection, large, admin, detailId }
}
