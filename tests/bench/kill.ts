import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type pg from 'pg'

import { type Product, startProduct } from '../support/product.ts'
import { databaseIn, makeOrganisation, makePerson, signInAs, withClient } from './fixture.ts'
import { Ledger } from './ledger.ts'
import { median } from './measure.ts'
import { ms } from './report.ts'
import { type Cluster, startCluster } from './postgres.ts'
import { verify, write, type Writer } from './writers.ts'

const ROUNDS = 20
const WRITERS = 6
/** When the process is killed, in milliseconds after the first write. */
const [SOONEST, LATEST] = [100, 1_500]
/** Kills the product at random moments during writes, restarts it, and verifies everything that it had acknowledged. */
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
    return this.#cluster ? { connectionString: this.#cluster.url } : databaseIn(this.#folder)
  }

  #place({ url }: Product) {
    return { url, connection: this.#connection }
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
      const written = Promise.all(writers.map((writer) => write(ledger, writer, touched).catch(ignoreGone)))
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
      await verify(ledger, this.#place(product), organisation, reader, touched)
      console.log(
        `round ${round}: ${ledger.acknowledged - before} acknowledged, killed after ${ms(after)}, back after ${ms(back)}`,
      )
    }
    // Once more, everything from the first round on.
    const reader = await signInAs(product.url, organisation, people[0]!)
    await verify(ledger, this.#place(product), organisation, reader, new Set(ledger.incidents.keys()))
    this.#report(rounds)
  }

  #report(rounds: number): void {
    const where = this.#cluster ? 'PostgreSQL server, killed too' : 'embedded database'
    console.log(`\n${where}: ${rounds} rounds, ${this.#ledger.acknowledged} acknowledged writes`)
    const slowest = Math.max(...this.#restarts)
    console.log(`ready again after ${ms(median(this.#restarts))} (median), ${ms(slowest)} (slowest)`)
    if (!this.#ledger.report()) process.exitCode = 1
  }
}

/** Passes over the end of the product; any other failure of a write is thrown. */
function ignoreGone(error: NodeJS.ErrnoException): void {
  if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(String(error.code))) throw error
}

if (import.meta.main) await kill(process.argv.slice(2))
