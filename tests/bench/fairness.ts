import { setTimeout as sleep } from 'node:timers/promises'

import { addEvents } from './audit-log.ts'
import { makeRoom, signInMany } from './chat-people.ts'
import { addIncidentTexts, INCIDENTS, inside, type Person, signInAs, USERS, withClient } from './fixture.ts'
import { percentile, requestJson, send } from './measure.ts'
import { absolute, ms, type Result } from './report.ts'
import { type BenchProduct, SECRET_KEY, type Stage } from './stage.ts'

const NAME = 'fairness'
/** Incidents of the searched organisation: its own, and with added ones. */
const SIZES = [INCIDENTS, 100_000] as const
const EVENTS = 5_000
/** Members of the room, who also send the load: each person's searches and exports are limited. */
const MEMBERS = 100
/** Calls of each kind under each load. */
const CALLS = 200
/** Milliseconds: while a new load begins, the server's heap grows and is collected often. */
const WARM_UP = 2_000
/** Maximum milliseconds between two measured calls. */
const PAUSE = 20
/** Allowed factor of p99 under load (design §10). */
const BUDGET = 4
/** Each word is in every sixteenth incident, or in none. */
const WORDS = ['Incident 77', 'off the network', 'nobody wrote this', 'in Nairobi'] as const

interface Ground {
  readonly url: string
  readonly admin: Person
  readonly roomId: string
  readonly askers: readonly Person[]
}
interface Figures {
  readonly me: readonly number[]
  readonly message: readonly number[]
  /** Completed calls of the load per second, with the longest of each kind. */
  readonly done: string
}
/** Requests one thing after another. */
interface Asker {
  readonly what: string
  readonly path: (n: number) => string
}
const search: Asker = {
  what: 'searches',
  path: (n) => `/incident?page=0&size=20&searchWord=${encodeURIComponent(WORDS[n % WORDS.length]!)}`,
}
const lastPage: Asker = {
  what: 'last pages',
  path: () =>
    `/useradmin/users?${new URLSearchParams({ sort: '["lastName","ASC"]', range: `[${USERS - 50},${USERS - 1}]` })}`,
}
const exportLog: Asker = { what: 'exports', path: () => '/useradmin/auditLog/export' }
const LOADS: { readonly [name: string]: readonly Asker[] } = {
  'two search': [search, search],
  'two at the last page of users': [lastPage, lastPage],
  'two search, one exports': [search, search, exportLog],
}

async function furnish({ product, connection, large, ...bench }: BenchProduct): Promise<Ground> {
  const members = await withClient(connection, async (client) => {
    await addEvents(client, large, EVENTS)
    const people = await signInMany(client, large, SECRET_KEY, MEMBERS)
    await inside(client, large, () =>
      client.query(`update users set role = 'ADMIN' where id = any($1::uuid[])`, [
        people.map(({ id }) => id),
      ]),
    )
    return people
  })
  // Filling the database may outlast a session.
  const admin = await signInAs(product.url, large, bench.admin)
  const roomId = await makeRoom(product.url, admin, members)
  return { url: product.url, admin, roomId, askers: members }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** A person's calls, one at a time, while others send expensive ones. */
async function measure(ground: Ground, askers: readonly Asker[]): Promise<Figures> {
  const { url, admin, roomId } = ground
  const target = (path: string, { headers } = admin) => ({ url: `${url}/api${path}`, headers })
  const over = new AbortController()
  const took: number[] = []
  const ask = async ({ path }: Asker) => {
    for (let n = 0; !over.signal.aborted; n += 1) {
      const began = performance.now()
      const { status, body } = await send(target(path(n), ground.askers[n % MEMBERS]))
      if (status >= 300) throw new Error(`${path(n)} answered ${status}: ${body.slice(0, 200)}`)
      took.push(performance.now() - began)
    }
  }
  const began = performance.now()
  const load = Promise.all(askers.map(ask))
  const figures = (async () => {
    await sleep(WARM_UP)
    const [me, message]: [number[], number[]] = [[], []]
    for (let n = 0; n < CALLS; n += 1) {
      me.push(await timed(() => requestJson(target('/me'))))
      await sleep(Math.random() * PAUSE)
      const body = () => JSON.stringify({ clientId: crypto.randomUUID(), text: `Message ${n}` })
      const post = { ...target(`/chat/rooms/${roomId}/messages`), method: 'POST', body } as const
      message.push(await timed(() => requestJson(post)))
      await sleep(Math.random() * PAUSE)
    }
    return { me, message }
  })()
  try {
    await Promise.race([figures, ...(askers.length > 0 ? [load] : [])])
    const { me, message } = await figures
    const rate = (took.length / (performance.now() - began)) * 1_000
    return { me, message, done: `${rate.toFixed(1)}/s, p50 ${ms(percentile(took, 0.5))}` }
  } finally {
    over.abort()
    await load
  }
}

const both = (values: readonly number[]): string =>
  `${ms(percentile(values, 0.5))} / ${ms(percentile(values, 0.99))}`

/** Effect of searches, deep pages and exports on other calls: p50 and p99, loaded and not. */
async function on(bench: BenchProduct): Promise<Result[]> {
  const results: Result[] = []
  for (const size of SIZES) {
    if (size > INCIDENTS)
      await withClient(bench.connection, async (client) => {
        await addIncidentTexts(client, bench.large, size - INCIDENTS)
        await client.query('vacuum analyze')
      })
    const ground = await furnish(bench)
    const on = `${size / 1_000}k`
    await measure(ground, [])
    const alone = await measure(ground, [])
    for (const [kind, values] of [
      ['/me', alone.me],
      ['message', alone.message],
    ] as const)
      results.push(absolute(NAME, `${on}: ${kind}, unloaded`, both(values)))
    for (const [load, askers] of Object.entries(LOADS)) {
      const loaded = await measure(ground, askers)
      for (const kind of ['me', 'message'] as const) {
        const ratio = percentile(loaded[kind], 0.99) / percentile(alone[kind], 0.99)
        results.push({
          ...absolute(NAME, `${on}: ${kind}, ${load}`, both(loaded[kind]), `≤ ${BUDGET} ×`, ratio <= BUDGET),
          ratios: [ratio],
        })
      }
      results.push(absolute(NAME, `${on}: ${load}`, loaded.done))
    }
  }
  return results
}

export const fairness = async (stage: Stage): Promise<Result[]> => on(await stage.bench())
