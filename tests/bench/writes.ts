import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

import {
  makeOrganisation,
  makePerson,
  opening,
  type Organisation,
  type Person,
  signInAs,
  withClient,
} from './fixture.ts'
import { requestJson, send } from './measure.ts'
import { absolute, type Result } from './report.ts'
import type { Stage } from './stage.ts'

/** Concurrent writers, each in an organisation of their own. */
const WRITERS = 32
const SECONDS = 8
const WARM_UP_MS = 2_000
const ACTOR = JSON.stringify({ kind: 'system', id: null, name: 'bench' })
const EVENT = { noun: 'bench', record: '1', parent: null, verb: 'done', changes: {}, externals: [] }

/** Repeats all works concurrently. Returns the rate per second once warm. */
async function rate(works: readonly (() => Promise<unknown>)[]): Promise<number> {
  let done = 0
  const over = new AbortController()
  const all = works.map(async (work) => {
    while (!over.signal.aborted) {
      await work()
      done += 1
    }
  })
  await sleep(WARM_UP_MS)
  done = 0
  await sleep(SECONDS * 1_000)
  const measured = done
  over.abort()
  await Promise.all(all)
  return measured / SECONDS
}

/** Commits per second of writers in different organisations: through the API, and of the database alone. */
export async function writes(stage: Stage): Promise<Result[]> {
  const { product, connection } = await stage.bench()
  const places = await withClient(connection, async (client) => {
    const made = []
    for (let n = 0; n < WRITERS; n += 1) {
      const organisation = await makeOrganisation(client, `writes-${n}`)
      made.push({ organisation, person: await makePerson(client, organisation, 'writer') })
    }
    return made
  })
  const calls = []
  for (const { organisation, person } of places) {
    const signedIn = await signInAs(product.url, organisation, person)
    calls.push(await updating(product.url, signedIn))
  }
  const called = await rate(calls)
  const clients = places.map(() => new pg.Client(connection))
  await Promise.all(clients.map((client) => client.connect()))
  const committing = (organisation: Organisation, n: number, isNotifying: boolean) => async () => {
    const client = clients[n]!
    await client.query(opening(organisation))
    const events = JSON.stringify([{ ...EVENT, at: new Date().toISOString() }])
    await client.query('select append_events($1::jsonb, $2::jsonb)', [ACTOR, events])
    if (isNotifying) await client.query("select pg_notify('bench', $1)", [organisation.id])
    await client.query('commit')
  }
  const committed: number[] = []
  // Interleaved: after the commit, as the product does, and within the transaction.
  for (const isNotifying of [false, true, false, true])
    committed.push(await rate(places.map(({ organisation }, n) => committing(organisation, n, isNotifying))))
  await Promise.all(clients.map((client) => client.end()))
  const [first, inside, second, insideAgain] = committed.map((figure) => figure.toFixed(0))
  const who = `${WRITERS} writers in ${WRITERS} organisations`
  return [
    absolute('writes', `${who}: calls a second`, called.toFixed(0)),
    absolute('writes', `${who}: transactions with an event a second`, `${first}, ${second}`),
    absolute('writes', `${who}: the same that notify themselves`, `${inside}, ${insideAgain}`),
  ]
}

/** Adds updates to an incident of a person's own. */
async function updating(url: string, { headers }: Person): Promise<() => Promise<void>> {
  const body = { title: 'Writes', fullText: '<p>Text</p>', isTabletop: true }
  const incident = await requestJson<{ id: string }>({
    method: 'POST',
    url: `${url}/api/incident`,
    headers,
    body: () => JSON.stringify(body),
  })
  return async () => {
    const { status } = await send({
      method: 'POST',
      url: `${url}/api/incident/${incident.id}/activity`,
      headers,
      body: () => JSON.stringify({ type: 'UPDATE', description: 'An update' }),
    })
    if (status !== 201) throw new Error(`An update answered ${status}.`)
  }
}
