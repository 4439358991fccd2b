import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

import { opening, makeOrganisation, makePerson, type Person, signInAs, withClient } from './fixture.ts'
import { requestJson, send } from './measure.ts'
import { absolute, type Result } from './report.ts'
import type { Stage } from './stage.ts'

/** People who write at once, each in an organisation of their own. */
const WRITERS = 32
const SECONDS = 8
const WARM_UP_MS = 2_000

/** Does something over and over, all at once. Returns how often a second once it is warm. */
async function rate(works: readonly (() => Promise<unknown>)[]): Promise<number> {
  let done = 0
  let isOver = false
  const all = works.map(async (work) => {
    while (!isOver) {
      await work()
      done += 1
    }
  })
  await sleep(WARM_UP_MS)
  done = 0
  await sleep(SECONDS * 1_000)
  const measured = done
  isOver = true
  await Promise.all(all)
  return measured / SECONDS
}

/** Commits a second of writers in different organisations: through the interface, and as the database alone takes them. */
export async function writes(stage: Stage): Promise<Result[]> {
  const { product, connection } = await stage.local()
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
  const actor = JSON.stringify({ kind: 'system', id: null, name: 'bench' })
  const event = { noun: 'bench', record: '1', parent: null, verb: 'done', changes: {}, externals: [] }
  const committed = await rate(
    places.map(({ organisation }, n) => async () => {
      const client = clients[n]!
      await client.query(opening(organisation))
      const events = JSON.stringify([{ ...event, at: new Date().toISOString() }])
      await client.query('select append_events($1::jsonb, $2::jsonb)', [actor, events])
      await client.query('commit')
    }),
  )
  await Promise.all(clients.map((client) => client.end()))
  const who = `${WRITERS} writers in ${WRITERS} organisations`
  return [
    absolute('writes', `${who}: calls a second`, called.toFixed(0)),
    absolute('writes', `${who}: transactions with an event a second, without calls`, committed.toFixed(0)),
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
