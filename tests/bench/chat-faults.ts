import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import type pg from 'pg'

import { type Product, startProduct } from '../support/product.ts'
import { ChatClient, type Placed } from './chat-clients.ts'
import { makeRoom, signInMany } from './chat-people.ts'
import { addUsers, inside, makeOrganisation, type Organisation, withClient } from './fixture.ts'
import { median } from './measure.ts'
import { type Cluster, startCluster } from './postgres.ts'
import { ms } from './report.ts'
import { type RoundRobin, startRoundRobin } from './round-robin.ts'
import { SECRET_KEY } from './stage.ts'

const KILLS = 20
const PROCESSES = 3
const CLIENTS = 60
const ROOMS = 4
/** Rooms per client. */
const ROOMS_EACH = 2
/** Milliseconds until the next kill. */
const [SOONEST, LATEST] = [800, 2_500]
/** Milliseconds for clients to catch up once all processes run. */
const SETTLE_WITHIN = 60_000

interface Stored extends Placed {
  readonly room: string
}
/** Faults found at the end, each as a sentence. */
class Faults {
  readonly lost: string[] = []
  readonly doubled: string[] = []
  readonly disordered: string[] = []

  get any(): boolean {
    return this.lost.length + this.doubled.length + this.disordered.length > 0
  }
}

/**
 * People send into rooms while processes are killed with `kill -9` and restarted: three on one database behind a proxy.
 * Every acknowledged message must exist once, and every client must have them in the server's order.
 */
export async function chatFaults(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { kills: { type: 'string', default: String(KILLS) } },
  })
  const trial = new Trial(await startCluster(), await mkdtemp(join(tmpdir(), 'muster-chat-faults-')))
  const stop = () => void trial.close().finally(() => process.exit(1))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  try {
    await trial.run(Number(values.kills))
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
    await trial.close()
  }
}

class Trial {
  readonly #cluster: Cluster
  readonly #folder: string
  readonly #processes: Product[] = []
  readonly #restarts: number[] = []
  readonly #clients: ChatClient[] = []
  #proxy: RoundRobin | undefined
  #failure: unknown = null

  constructor(cluster: Cluster, folder: string) {
    this.#cluster = cluster
    this.#folder = folder
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.close()
    await this.#proxy?.close()
    await Promise.all(this.#processes.map((one) => one.kill('SIGKILL')))
    await this.#cluster.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }

  get #connection(): pg.ClientConfig {
    return { connectionString: this.#cluster.url }
  }

  async #start(place: number): Promise<void> {
    const env = { DEMO: '0', SECRET_KEY, DATABASE_URL: this.#cluster.url }
    const product = await startProduct(env, this.#folder)
    this.#processes[place] = product
    this.#proxy!.set(place, product.url)
  }

  async run(kills: number): Promise<void> {
    const began = performance.now()
    this.#proxy = await startRoundRobin()
    await this.#start(0)
    const organisation = await this.#furnish(this.#proxy.url)
    for (let place = 1; place < PROCESSES; place += 1) await this.#start(place)
    let isDone = false
    const failed = (error: unknown) => {
      this.#failure ??= error
    }
    await Promise.all(
      this.#clients.map(
        (client) => new Promise<void>((ready) => void client.follow(ready).catch(failed).finally(ready)),
      ),
    )
    const sending = this.#clients.map((client) => client.send(() => isDone).catch(failed))
    for (let kill = 0; kill < kills && !this.#failure; kill += 1) await this.#killOne()
    isDone = true
    await Promise.all(sending)
    if (this.#failure) throw this.#failure
    const stored = await this.#stored(organisation)
    await this.#settle(stored)
    this.#report(kills, stored, (performance.now() - began) / 1_000)
  }

  /** Creates people with sessions, rooms and memberships. */
  async #furnish(url: string): Promise<Organisation> {
    const { organisation, people } = await withClient(this.#connection, async (client) => {
      const organisation = await makeOrganisation(client, 'faults')
      await addUsers(client, organisation, CLIENTS * 2)
      return { organisation, people: await signInMany(client, organisation, SECRET_KEY, CLIENTS) }
    })
    const isIn = (person: number, room: number) => (room - person + CLIENTS * ROOMS) % ROOMS < ROOMS_EACH
    const rooms: string[] = []
    for (let room = 0; room < ROOMS; room += 1) {
      const members = people.filter((_, person) => isIn(person, room))
      rooms.push(await makeRoom(url, members[0]!, members.slice(1)))
    }
    for (const [n, person] of people.entries()) {
      const mine = rooms.filter((_, room) => isIn(n, room))
      this.#clients.push(new ChatClient(url, person, mine))
    }
    return organisation
  }

  /** Kills a process at a random moment and restarts it. */
  async #killOne(): Promise<void> {
    await sleep(SOONEST + Math.random() * (LATEST - SOONEST))
    const place = Math.floor(Math.random() * this.#processes.length)
    await this.#processes[place]!.kill('SIGKILL')
    const began = performance.now()
    await this.#start(place)
    this.#restarts.push(performance.now() - began)
  }

  /** The messages in the database, in order. */
  #stored(organisation: Organisation): Promise<Stored[]> {
    return withClient(this.#connection, (client) =>
      inside(client, organisation, async () => {
        const { rows } = await client.query<Stored>(
          `select room_id as room, id, client_id as "clientId", sequence::int, html as text
           from room_messages order by room_id, sequence`,
        )
        return rows
      }),
    )
  }

  /** Waits until every client has as many messages as the server, up to a limit. */
  async #settle(stored: readonly Stored[]): Promise<void> {
    const counts = Map.groupBy(stored, ({ room }) => room)
    const isComplete = (client: ChatClient) =>
      client.rooms.every((room) => client.received.get(room)!.length >= (counts.get(room)?.length ?? 0))
    for (const until = performance.now() + SETTLE_WITHIN; performance.now() < until; await sleep(100))
      if (this.#clients.every(isComplete)) return
  }

  #report(kills: number, stored: readonly Stored[], seconds: number): void {
    const faults = new Faults()
    compareAcknowledged(faults, this.#clients, stored)
    compareLists(faults, this.#clients, stored)
    const acknowledged = this.#clients.flatMap((client) => client.acknowledged)
    const attempts = acknowledged.reduce((sum, one) => sum + one.attempts, 0)
    const back = this.#clients.reduce((sum, client) => sum + client.reconnections, 0)
    console.log(`${PROCESSES} processes: ${CLIENTS} clients, ${ROOMS} rooms, ${seconds.toFixed(0)} s`)
    console.log(
      `  kills ${kills} (back after ${ms(median(this.#restarts))}, median), attempts to open a socket again ${back}\n` +
        `  sent ${attempts}, acknowledged ${acknowledged.length}, ` +
        `lost ${faults.lost.length}, doubled ${faults.doubled.length}, out of order ${faults.disordered.length}`,
    )
    for (const example of [...faults.lost, ...faults.doubled, ...faults.disordered].slice(0, 10))
      console.log(`    ${example}`)
    if (faults.any) process.exitCode = 1
  }
}

/**
 * Checks that each acknowledged message is stored once, equal to its acknowledgement, and that rooms are numbered
 * without gaps.
 */
function compareAcknowledged(
  faults: Faults,
  clients: readonly ChatClient[],
  stored: readonly Stored[],
): void {
  const byText = Map.groupBy(stored, ({ room, text }) => `${room} ${text}`)
  for (const [text, rows] of byText)
    if (rows.length > 1) faults.doubled.push(`${text}: stored ${rows.length} times`)
  for (const one of clients.flatMap((client) => client.acknowledged)) {
    const found = byText.get(`${one.roomId} ${one.text}`)?.[0]
    if (!found) faults.lost.push(`${one.text}: acknowledged, and not stored`)
    else if (found.id !== one.id || found.clientId !== one.clientId || found.sequence !== one.sequence)
      faults.disordered.push(`${one.text}: acknowledged as ${one.sequence}, stored as ${found.sequence}`)
  }
  for (const [room, rows] of Map.groupBy(stored, (row) => row.room))
    for (const [n, row] of rows.entries())
      if (row.sequence !== n + 1) faults.disordered.push(`${room}: number ${row.sequence} at place ${n + 1}`)
}

/** Checks that each client has the server's messages in order. */
function compareLists(faults: Faults, clients: readonly ChatClient[], stored: readonly Stored[]): void {
  const rooms = Map.groupBy(stored, ({ room }) => room)
  for (const [number, client] of clients.entries()) {
    for (const room of client.rooms) {
      const [theirs, list] = [rooms.get(room) ?? [], client.received.get(room)!]
      const have = new Set(list.map(({ id }) => id))
      for (const { id, text } of theirs)
        if (!have.has(id)) faults.lost.push(`${text}: client ${number} never received it`)
      const wrong = list.findIndex(({ id }, n) => theirs[n]?.id !== id)
      if (wrong >= 0 && list.length === theirs.length)
        faults.disordered.push(`${room}: client ${number} has another message at place ${wrong + 1}`)
      if (list.length > theirs.length)
        faults.doubled.push(`${room}: client ${number} has ${list.length} instead of ${theirs.length}`)
    }
  }
}
