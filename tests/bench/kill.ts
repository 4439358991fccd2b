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
import { verify, write, type Writer } from './writers.ts'

const ROUNDS = 20
const WRITERS = 6
/** Milliseconds from the first write to the kill. */
const [SOONEST, LATEST] = [100, 1_500]
/** Kills the product at random moments during writes, restarts it, and verifies everything acknowledged. */
export async function kill(args: readonly string[]): Promise<void> {
  const rounds = Number(args.find((arg) => /^\d+$/.test(arg)) ?? ROUNDS)
  const folder = await mkdtemp(join(tmpdir(), 'muster-kill-'))
  const trial = new Trial(folder)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void trial.close().finally(() => process.exit(1)))
  try {
    if (!(await trial.run(rounds))) process.exitCode = 1
  } finally {
    await trial.close()
  }
}

export class Trial {
  readonly #folder: string
  readonly #ledger = new Ledger()
  readonly #restarts: number[] = []
  #product: Product | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  async close(): Promise<void> {
    await this.#product?.crash()
    await rm(this.#folder, { recursive: true, force: true })
  }

  get #connection(): pg.ClientConfig {
    return databaseIn(this.#folder)
  }

  #place({ url }: Product) {
    return { url, connection: this.#connection }
  }

  async #start(): Promise<Product> {
    this.#product = await startProduct({ DEMO: '0' }, this.#folder)
    return this.#product
  }

  /** Returns true when nothing was lost, duplicated or torn. */
  async run(rounds: number): Promise<boolean> {
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
      // Alternates between killing the process alone, and its database too.
      if (round % 2 === 0) await product.crash()
      else await product.kill('SIGKILL')
      await written

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
    // A final check of all rounds.
    const reader = await signInAs(product.url, organisation, people[0]!)
    await verify(ledger, this.#place(product), organisation, reader, new Set(ledger.incidents.keys()))
    return this.#report(rounds)
  }

  #report(rounds: number): boolean {
    console.log(`\n${rounds} rounds, ${this.#ledger.acknowledged} acknowledged writes`)
    const slowest = Math.max(...this.#restarts)
    console.log(`ready again after ${ms(median(this.#restarts))} (median), ${ms(slowest)} (slowest)`)
    return this.#ledger.report()
  }
}

/** Ignores errors of the killed product; any other failure of a write is thrown. */
function ignoreGone(error: NodeJS.ErrnoException): void {
  if (!['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(String(error.code))) throw error
}
