import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type pg from 'pg'

import { databasePids, type Product, startProduct } from '../support/product.ts'
import {
  databaseIn,
  makeOrganisation,
  makePerson,
  type Organisation,
  signInAs,
  withClient,
} from './fixture.ts'
import { Ledger } from './ledger.ts'
import { ms } from './report.ts'
import { verify, write, type Writer } from './writers.ts'

const ROUNDS = 100
const WRITERS = 6
/** Milliseconds of writing before and after the freeze. */
const WRITING = [100, 1_000] as const
const [SHORT, LONG] = [
  [100, 1_500],
  [10_500, 15_000],
] as const
/** Every n-th freeze lasts longer than the ten seconds that a transaction may be idle. */
const LONG_EVERY = 8

const between = ([from, to]: readonly [number, number]) => from + Math.random() * (to - from)

/**
 * Freezes the product in the middle of writes (SIGSTOP), copies its data folder, and resumes it. No write may fail or
 * be lost, and a product that is started on the copy has everything acknowledged before.
 */
export async function freeze(args: readonly string[]): Promise<void> {
  const rounds = Number(args.find((arg) => /^\d+$/.test(arg)) ?? ROUNDS)
  const trial = new Trial(await mkdtemp(join(tmpdir(), 'muster-freeze-')))
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void trial.close().finally(() => process.exit(1)))
  try {
    await trial.run(rounds)
  } finally {
    await trial.close()
  }
}

class Trial {
  readonly #base: string
  readonly #ledger = new Ledger()
  readonly #products = new Set<Product>()
  #copies = 0
  #frozen = 0

  constructor(base: string) {
    this.#base = base
  }

  async close(): Promise<void> {
    for (const product of this.#products) await product.crash()
    await rm(this.#base, { recursive: true, force: true })
  }

  async #start(folder: string): Promise<Product> {
    const product = await startProduct({ DEMO: '0' }, folder)
    this.#products.add(product)
    return product
  }

  #placeOf({ url, dataDir }: Product): { url: string; connection: pg.ClientConfig } {
    return { url, connection: databaseIn(dataDir) }
  }

  async run(rounds: number): Promise<void> {
    const ledger = this.#ledger
    const product = await this.#start(join(this.#base, 'data'))
    const place = this.#placeOf(product)
    const { organisation, people } = await withClient(place.connection, async (client) => {
      const organisation = await makeOrganisation(client, 'freeze')
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
      const length = between(round % LONG_EVERY === 0 ? LONG : SHORT)
      const copied = await this.#freeze(product, writers, touched, length)
      await verify(ledger, place, organisation, writers[0]!.person, touched)
      if (copied) await this.#verifyCopy(copied, organisation, people[0]!, touched)
      console.log(`round ${round}: ${ledger.acknowledged - before} acknowledged, frozen for ${ms(length)}`)
    }
    const reader = await signInAs(product.url, organisation, people[0]!)
    await verify(ledger, place, organisation, reader, new Set(ledger.incidents.keys()))
    console.log(`\n${rounds} freezes, `)
    console.log(`${(this.#frozen / 1_000).toFixed(0)} s in all, ${ledger.acknowledged} acknowledged writes`)
    console.log(
      `the process was alive after each of them, and no write failed; copies started: ${this.#copies}`,
    )
    if (!ledger.report()) process.exitCode = 1
  }

  /** One freeze under writes. Returns the copy of the data folder and the acknowledged writes at that time. */
  async #freeze(product: Product, writers: readonly Writer[], touched: Set<string>, length: number) {
    let isDone = false
    const written = Promise.all(writers.map((writer) => write(this.#ledger, writer, touched, () => isDone)))
    const failed = written.then(() => {})
    await Promise.race([sleep(between(WRITING)), failed])
    // All at one moment, like a snapshot of the disk.
    const pids = [product.pid, ...databasePids(product.dataDir)]
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    const thawed = sleep(length)
    let copied: { folder: string; ledger: Ledger } | null = null
    try {
      // Responses that were sent before the freeze arrive while the folder is copied.
      const folder = await this.#copy(product.dataDir)
      copied = { folder, ledger: this.#ledger.snapshot() }
      await thawed
      this.#frozen += length
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT')
    }
    await Promise.race([sleep(between(WRITING)), failed])
    isDone = true
    await written
    return copied
  }

  async #copy(dataDir: string): Promise<string> {
    const folder = join(this.#base, `copy-${(this.#copies += 1)}`)
    await cp(dataDir, folder, { recursive: true, filter: (path) => path !== join(dataDir, 'socket') })
    return folder
  }

  async #verifyCopy(
    { folder, ledger }: { folder: string; ledger: Ledger },
    organisation: Organisation,
    reader: { readonly id: string; readonly email: string },
    touched: ReadonlySet<string>,
  ): Promise<void> {
    const product = await this.#start(folder)
    const signedIn = await signInAs(product.url, organisation, reader)
    await verify(ledger, this.#placeOf(product), organisation, signedIn, touched)
    this.#ledger.include(ledger)
    await product.crash()
    this.#products.delete(product)
    await rm(folder, { recursive: true })
  }
}
