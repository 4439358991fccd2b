import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type pg from 'pg'

import { type Product, startProduct } from '../support/product.ts'
import {
  embeddedIn,
  makeOrganisation,
  makePerson,
  opening,
  type Organisation,
  type Person,
  signInAs,
  withClient,
} from './fixture.ts'
import { type Activity, type CheckIn, type Incident, Ledger, type Pending } from './ledger.ts'
import { ask, median } from './measure.ts'
import { ms } from './report.ts'
import { type Cluster, startCluster } from './postgres.ts'

const ROUNDS = 20
const WRITERS = 6
/** When the process is killed, in milliseconds after the first write. */
const [SOONEST, LATEST] = [100, 1_500]
/** What a writer does, over and over, so that every kind of write is under way when the end comes. */
const ACTS = ['create', 'add', 'update', 'check in', 'update', 'add', 'update'] as const

interface Writer {
  readonly person: Person
  readonly url: string
  readonly round: number
  readonly number: number
}

/** Kills the product at random moments while people write, starts it again, and looks for what it had acknowledged. */
export async function kill(args: readonly string[]): Promise<void> {
  const rounds = Number(args.find((arg) => /^\d+$/.test(arg)) ?? ROUNDS)
  const cluster = args.includes('server') ? await startCluster() : null
  if (args.includes('server') && !cluster) return console.log('skipped: no PostgreSQL server is installed')
  const folder = await mkdtemp(join(tmpdir(), 'muster-kill-'))
  const trial = new Trial(folder, cluster)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void trial.close().finally(() => process.exit(1)))
  try {
    await trial.run(rounds)
  } finally {
    await trial.close()
  }
}

class Trial {
  readonly #folder: string
  readonly #cluster: Cluster | null
  readonly #ledger = new Ledger()
  readonly #restarts: number[] = []
  #product: Product | undefined
  #chain: string | null = null

  constructor(folder: string, cluster: Cluster | null) {
    this.#folder = folder
    this.#cluster = cluster
  }

  async close(): Promise<void> {
    await this.#product?.kill('SIGKILL')
    await this.#cluster?.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }

  get #connection(): pg.ClientConfig {
    return this.#cluster ? { connectionString: this.#cluster.url } : embeddedIn(this.#folder)
  }

  async #start(): Promise<Product> {
    const env: Record<string, string> = { DEMO: '0' }
    if (this.#cluster) env['DATABASE_URL'] = this.#cluster.url
    this.#product = await startProduct(env, this.#folder)
    return this.#product
  }

  async run(rounds: number): Promise<void> {
    const ledger = this.#ledger
    let product = await this.#start()
    const { organisation, people } = await withClient(this.#connection, async (client) => {
      const organisation = await makeOrganisation(client, 'kill')
      const people = []
      for (let n = 0; n < WRITERS; n += 1) people.push(await makePerson(client, organisation, `writer${n}`))
      return { organisation, people }
    })
    for (let round = 1; round <= rounds; round += 1) {
      const before = ledger.acknowledged
      const writers = await Promise.all(
        people.map(async (person, number): Promise<Writer> => {
          const signedIn = await signInAs(product.url, organisation, person)
          return { person: signedIn, url: product.url, round, number }
        }),
      )
      const touched = new Set<string>()
      const after = SOONEST + Math.random() * (LATEST - SOONEST)
      const written = Promise.all(writers.map((writer) => this.#write(writer, touched)))
      await Promise.race([sleep(after), written])
      await product.kill('SIGKILL')
      await this.#cluster?.crash()
      await written
      await this.#cluster?.restart()

      const began = performance.now()
      product = await this.#start()
      const back = performance.now() - began
      this.#restarts.push(back)
      const reader = await signInAs(product.url, organisation, people[0]!)
      await this.#verify(product, organisation, reader, touched)
      console.log(
        `round ${round}: ${ledger.acknowledged - before} acknowledged, killed after ${ms(after)}, back after ${ms(back)}`,
      )
    }
    // Once more, everything from the first round on.
    const reader = await signInAs(product.url, organisation, people[0]!)
    await this.#verify(product, organisation, reader, new Set(ledger.incidents.keys()))
    this.#report(rounds)
  }

  /** Writes until the product is gone. */
  async #write(writer: Writer, touched: Set<string>): Promise<void> {
    const { incidents, pending } = this.#ledger
    let current = ''
    for (let n = 0; ; n += 1) {
      const act = ACTS[n % ACTS.length]!
      const marker = `round ${writer.round}, writer ${writer.number}, write ${n}`
      const incident = incidents.get(current)
      const attempt = attemptOf(act, marker, incident, writer.person.id)
      pending.add(attempt)
      try {
        current = await this.#perform(attempt, writer, incident)
      } catch (error) {
        if (!isGone(error)) throw error
        return
      }
      touched.add(current)
      pending.delete(attempt)
      this.#ledger.acknowledged += 1
    }
  }

  /** Makes one write and notes what was acknowledged. Answers the incident that it belongs to. */
  async #perform(attempt: Pending, writer: Writer, incident: Incident | undefined): Promise<string> {
    const call = <T>(method: 'POST' | 'PATCH', path: string, body: object) =>
      ask<T>({
        method,
        url: `${writer.url}/api${path}`,
        headers: writer.person.headers,
        body: () => JSON.stringify(body),
      })
    if (attempt.kind === 'create') {
      const made = await call<Incident>('POST', '/incident/withActivities', {
        title: attempt.marker,
        fullText: `<p>${attempt.marker}</p>`,
        activityCreateRequests: ['first', 'second'].map((which) => ({
          title: `The ${which} task`,
          description: `${attempt.marker}, ${which}`,
        })),
      })
      this.#ledger.incidents.set(made.id, made)
      return made.id
    }
    const { id, activities, checkIns } = incident!
    if (attempt.kind === 'add') {
      const body = { type: 'UPDATE', description: attempt.marker }
      activities.push(await call<Activity>('POST', `/incident/${id}/activity`, body))
    }
    if (attempt.kind === 'update') {
      const body = { description: attempt.marker, progress: [25, 50, 75][Math.floor(Math.random() * 3)] }
      const changed = await call<Activity>('PATCH', `/incident/activity/${attempt.activityId}`, body)
      activities[activities.findIndex((one) => one.id === changed.id)] = changed
    }
    if (attempt.kind === 'check in') checkIns.push(await call<CheckIn>('POST', `/incident/${id}/checkIn`, {}))
    return id
  }

  /** Reads incidents through the interface, and the whole of the stream from the database. */
  async #verify(product: Product, organisation: Organisation, reader: Person, touched: Set<string>) {
    const ledger = this.#ledger
    await withClient(this.#connection, async (client) => {
      const all = await select(client, organisation, 'select id from incidents')
      const ids = new Set(all.map((row) => row['id'] as string))
      ledger.missing(ids)
      for (const id of ids) {
        if (ledger.incidents.has(id) && !touched.has(id)) continue
        const url = `${product.url}/api/incident/${id}`
        ledger.compare(await ask<Incident>({ url, headers: reader.headers }))
      }
      // What is still pending did not happen, and never may.
      ledger.pending.clear()
      await this.#verifyStream(client, organisation)
    })
  }

  /** Exactly one event for each write, in an unbroken chain. */
  async #verifyStream(client: pg.Client, organisation: Organisation): Promise<void> {
    const [broken] = await select(client, organisation, 'select first_broken_event() as sequence')
    if (broken?.['sequence'] != null) this.#chain ??= `broken at event ${String(broken['sequence'])}`
    const wanted = new Map<string, number>()
    for (const { id, activities, checkIns } of this.#ledger.incidents.values()) {
      wanted.set(`incidents ${id} created`, 1)
      for (const activity of activities) {
        wanted.set(`activities ${activity.id} added`, 1)
        if (activity.version > 1) wanted.set(`activities ${activity.id} changed`, activity.version - 1)
      }
      for (const { userId } of checkIns) wanted.set(`check-ins ${id} ${userId} checked in`, 1)
    }
    const happened = await select(
      client,
      organisation,
      `select concat_ws(' ', noun, case when noun = 'check-ins' then parent end, record, verb) as what, count(*)::int
       from events where noun in ('incidents', 'activities', 'check-ins') group by 1`,
    )
    for (const { what, count } of happened as { what: string; count: number }[]) {
      const times = wanted.get(what) ?? 0
      if (count > times) this.#ledger.doubled.push(`event ${what}: ${count} instead of ${times}`)
      if (count < times) this.#ledger.lost.push(`event ${what}: ${count} instead of ${times}`)
      wanted.delete(what)
    }
    for (const what of wanted.keys()) this.#ledger.lost.push(`event ${what}`)
  }

  #report(rounds: number): void {
    const { acknowledged, lost, doubled, torn } = this.#ledger
    const where = this.#cluster ? 'PostgreSQL server, killed too' : 'embedded database'
    console.log(`\n${where}: ${rounds} rounds, ${acknowledged} acknowledged writes`)
    console.log(`lost ${lost.length}, doubled ${doubled.length}, torn ${torn.length}`)
    console.log(`chain of events: ${this.#chain ?? 'whole'}`)
    const slowest = Math.max(...this.#restarts)
    console.log(`ready again after ${ms(median(this.#restarts))} (median), ${ms(slowest)} (slowest)`)
    for (const sentence of [...lost, ...doubled, ...torn].slice(0, 20)) console.log(`  ${sentence}`)
    if (lost.length + doubled.length + torn.length > 0 || this.#chain) process.exitCode = 1
  }
}

function attemptOf(
  act: (typeof ACTS)[number],
  marker: string,
  incident: Incident | undefined,
  userId: string,
): Pending {
  if (act === 'create' || !incident) return { kind: 'create', marker }
  if (act === 'add') return { kind: 'add', marker, incidentId: incident.id }
  if (act === 'check in') return { kind: 'check in', userId, incidentId: incident.id }
  const { activities } = incident
  const { id } = activities[Math.floor(Math.random() * activities.length)]!
  return { kind: 'update', marker, activityId: id }
}

/** Whether the product is no longer there, rather than of another opinion. */
const isGone = (error: unknown): boolean =>
  ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(String((error as NodeJS.ErrnoException).code))

async function select(
  client: pg.Client,
  organisation: Organisation,
  sql: string,
): Promise<pg.QueryResultRow[]> {
  await client.query(opening(organisation))
  const { rows } = await client.query(sql)
  await client.query('commit')
  return rows
}

if (import.meta.main) await kill(process.argv.slice(2))
