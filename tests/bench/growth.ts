import { availableParallelism, loadavg } from 'node:os'

import { type ClientConfig } from 'pg'

import { databasePids, type Product, startProduct } from '../support/product.ts'
import { databaseIn, type Person, signInAs, withClient } from './fixture.ts'
import { addGrown, COMMON, COMMON_IN_TEXTS, type Grown, rareInTexts, rareOf } from './growth-fixture.ts'
import { cpuOf, median, percentile, requestJson, send, type Target } from './measure.ts'
import { ms } from './report.ts'

const SIZES = [100, 1_000, 10_000, 100_000]
const QUICK_SIZES = [100, 10_000]
const ROUNDS = 7
const WARM_UP = 2
const REQUESTS = 8
/** Allowed factor between the largest and the smallest organisation. */
const BUDGET = 3

type PathOf = (grown: Grown) => string
const query = (values: Readonly<Record<string, unknown>>): string =>
  `?${new URLSearchParams(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]))}`
const PAGE = 20
const FIRST = { range: [0, PAGE - 1] }
const lastOf = (count: number) => ({ range: [count - PAGE, count - 1] })

/** Calls whose responses have equal size in every organisation. */
const LINES: readonly (readonly [what: string, path: PathOf])[] = [
  ['dashboard', () => '/dashboard'],
  ['dashboard, what is asked', () => '/dashboard/asked'],
  ['incidents: first page', () => '/incident?size=20&activeFirst=true'],
  ['incidents: high ones', () => '/incident?size=20&activeFirst=true&severity=HIGH'],
  ['incidents: exercises', () => '/incident?size=20&isTabletop=true'],
  ['incidents: of a year', () => '/incident?size=20&createdFrom=2025-11-01T00:00:00.000Z'],
  ['incidents: search, one found', ({ size }) => `/incident?size=20&searchWord=${rareOf(size)}`],
  ['incidents: search, 1 of 8 found', () => `/incident?size=20&searchWord=${COMMON}`],
  ['incidents: search, none found', () => '/incident?size=20&searchWord=xylophone'],
  ['an incident with attachments', ({ incidentId }) => `/incident/${incidentId}`],
  ['attachments of an incident', ({ incidentId }) => `/fa/INCIDENT/${incidentId}`],
  ['users: first page', () => `/useradmin/users${query(FIRST)}`],
  ['users: last page', ({ size }) => `/useradmin/users${query(lastOf(size))}`],
  ['users: by location', () => `/useradmin/users${query({ ...FIRST, sort: ['location', 'ASC'] })}`],
  [
    'users: by last login',
    () => `/useradmin/users${query({ ...FIRST, sort: ['lastLoginTimestamp', 'DESC'] })}`,
  ],
  ['users: by status', () => `/useradmin/users${query({ ...FIRST, sort: ['status', 'ASC'] })}`],
  ['users: active', () => `/useradmin/users${query({ ...FIRST, filter: { active: true } })}`],
  [
    'users: administrators',
    () => `/useradmin/users${query({ ...FIRST, filter: { active: true, role: 'ADMIN' } })}`,
  ],
  [
    'users: search, one found',
    ({ size }) => `/useradmin/users${query({ ...FIRST, filter: { q: `.${Math.floor(size * 0.6)}@` } })}`,
  ],
  ['users: search, 1 of 10 found', () => `/useradmin/users${query({ ...FIRST, filter: { q: COMMON } })}`],
  ['users: search, none found', () => `/useradmin/users${query({ ...FIRST, filter: { q: 'xylophone' } })}`],
  ['people to choose', () => '/authentication/users/search?searchString=ana'],
  ['people to choose, none found', () => '/authentication/users/search?searchString=xylophone'],
  ['contacts: first page', () => `/contact/asList${query(FIRST)}`],
  ['contacts: last page', ({ size }) => `/contact/asList${query(lastOf(size))}`],
  ['contacts: of a list', () => `/contact/asList${query({ ...FIRST, filter: { list: 'List 3' } })}`],
  [
    'contacts: search, one found',
    ({ size }) => `/contact/asList${query({ ...FIRST, filter: { q: rareOf(size) } })}`,
  ],
  ['contacts: search, 1 of 8 found', () => `/contact/asList${query({ ...FIRST, filter: { q: COMMON } })}`],
  ['contacts: lists with counts', () => '/contact/lists'],
  ['groups: page', () => `/useradmin/groups${query(FIRST)}`],
  ['groups: members', ({ groupId }) => `/useradmin/group/${groupId}/members${query(FIRST)}`],
  ['audit log: first page', () => `/useradmin/auditLog${query(FIRST)}`],
  ['audit log: last page', ({ size }) => `/useradmin/auditLog${query(lastOf(size))}`],
  ['audit log: of one kind', () => `/useradmin/auditLog${query({ ...FIRST, filter: { noun: 'groups' } })}`],
  ['notices: first page', () => `/massNotification/history${query(FIRST)}`],
  ['notices: last page', ({ size }) => `/massNotification/history${query(lastOf(size))}`],
  [
    'notices: search, one found',
    ({ size }) => `/massNotification/history${query({ ...FIRST, filter: { q: rareOf(size) } })}`,
  ],
  [
    'notices: search, 1 of 8 found',
    () => `/massNotification/history${query({ ...FIRST, filter: { q: COMMON } })}`,
  ],
  ['notifications of a person', () => '/notifications'],
  ['chat: rooms', () => `/chat/rooms${query(FIRST)}`],
  ['chat: rooms, searched', () => `/chat/rooms${query({ ...FIRST, filter: { q: 'room 1' } })}`],
  ['chat: search, one found', ({ size }) => `/chat/search?limit=20&q=${rareOf(size)}`],
  ['chat: search, 1 of 8 found', () => `/chat/search?limit=20&q=${COMMON}`],
  ['files: root', () => `/sfs/folder/0${query(FIRST)}`],
  ['files: folder with half of them', ({ folderId }) => `/sfs/folder/${folderId}${query(FIRST)}`],
  ['files: its last page', ({ folderId, size }) => `/sfs/folder/${folderId}${query(lastOf(size / 2))}`],
  ['files: search, one found', ({ size }) => `/sfs/search${query(FIRST)}&query=${rareOf(size)}`],
  ['files: search, 1 of 8 found', () => `/sfs/search${query(FIRST)}&query=${COMMON}`],
  ['files: search, one text found', ({ size }) => `/sfs/search${query(FIRST)}&query=${rareInTexts(size)}`],
  ['files: search, 1 of 8 texts found', () => `/sfs/search${query(FIRST)}&query=${COMMON_IN_TEXTS}`],
  ['playbooks: first page', () => `/playbook/templates${query({ range: [0, 9] })}`],
  [
    'playbooks: search, one found',
    ({ size }) => `/playbook/templates${query({ ...FIRST, filter: { q: rareOf(size / 10) } })}`,
  ],
  [
    'playbooks: search, 1 of 8 found',
    () => `/playbook/templates${query({ range: [0, 0], filter: { q: COMMON } })}`,
  ],
]

interface Side {
  readonly grown: Grown
  readonly person: Person
}
interface Stand {
  readonly product: Product
  readonly sides: readonly Side[]
  /** Processes that work on a call: the product and its database backends. */
  readonly pids: () => readonly number[]
}

/** A product with an organisation of each size. */
async function furnish(
  product: Product,
  config: ClientConfig,
  sizes: readonly number[],
  pids: Stand['pids'],
): Promise<Stand> {
  const made = await withClient(config, async (client) => {
    const all: Grown[] = []
    for (const size of sizes) all.push(await addGrown(client, size))
    await client.query('vacuum analyze')
    return all
  })
  const sides: Side[] = []
  for (const grown of made)
    sides.push({ grown, person: await signInAs(product.url, grown.organisation, grown.person) })
  return { product, sides, pids }
}

/** Processor time of processes, in milliseconds; 0 for one that ended meanwhile. */
function timesOf(pids: readonly number[]): Map<number, number> {
  return new Map(
    pids.flatMap((pid) => {
      try {
        return [[pid, cpuOf(pid)] as const]
      } catch {
        return []
      }
    }),
  )
}

interface Sample {
  readonly p50: number
  readonly cpu: number
}
async function sampleOf(target: Omit<Target, 'pid'>, pids: Stand['pids']): Promise<Sample> {
  const before = timesOf(pids())
  const latencies: number[] = []
  for (let n = 0; n < REQUESTS; n += 1) {
    const began = performance.now()
    const { status, body } = await send(target)
    latencies.push(performance.now() - began)
    if (status >= 300) throw new Error(`${target.url} answered ${status}: ${body.slice(0, 300)}`)
  }
  let cpu = 0
  for (const [pid, time] of timesOf(pids())) cpu += time - (before.get(pid) ?? time)
  return { p50: percentile(latencies, 0.5), cpu: cpu / REQUESTS }
}

/** One call in every organisation, interleaved. */
async function measure({ product, sides, pids }: Stand, path: PathOf): Promise<Sample[]> {
  const targets = sides.map(({ grown, person }) => ({
    url: `${product.url}/api${path(grown)}`,
    headers: person.headers,
  }))
  for (const target of targets) await requestJson(target)
  const samples = targets.map((): Sample[] => [])
  for (let round = -WARM_UP; round < ROUNDS; round += 1)
    for (const [n, target] of targets.entries()) {
      const sample = await sampleOf(target, pids)
      if (round >= 0) samples[n]!.push(sample)
    }
  return samples.map((of) => ({
    p50: median(of.map((sample) => sample.p50)),
    cpu: median(of.map((sample) => sample.cpu)),
  }))
}

const WIDTHS = [34, 38, 7, 38, 7]
const line = (cells: readonly string[]): string =>
  cells
    .map((cell, n) => cell.padEnd(WIDTHS[n] ?? 0))
    .join('  ')
    .trimEnd()

/** Prints every line; returns the number over budget. */
async function report(stand: Stand, sizes: readonly number[], only: string | undefined): Promise<number> {
  console.log(`\nload ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`)
  console.log(line([`of ${sizes.join(', ')}`, 'p50', '×', 'processor time', '×', `≤ ${BUDGET} ×`]))
  let over = 0
  for (const [what, path] of LINES) {
    if (only !== undefined && !what.startsWith(only)) continue
    const samples = await measure(stand, path)
    const ratio = (of: keyof Sample) => samples.at(-1)![of] / samples[0]![of]
    const times = (of: keyof Sample) => samples.map((sample) => ms(sample[of]).replace(' ms', '')).join(', ')
    // Other load on the machine stretches elapsed time; processor time is a call's own cost.
    const holds = ratio('cpu') <= BUDGET
    if (!holds) over += 1
    const cells = [what, times('p50'), ratio('p50').toFixed(1), times('cpu'), ratio('cpu').toFixed(1)]
    console.log(line([...cells, holds ? 'holds' : 'OVER']))
  }
  return over
}

/**
 * Lists, searches and counts in organisations of four sizes: a call's cost must not grow with the organisation.
 * `--quick` has two sizes; `--only users` selects lines by prefix.
 */
export async function growth(args: readonly string[]): Promise<void> {
  const sizes = args.includes('--quick') ? QUICK_SIZES : SIZES
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : undefined
  const product = await startProduct({ DEMO: '0' })
  try {
    const pids = () => [product.pid, ...databasePids(product.dataDir)]
    const stand = await furnish(product, databaseIn(product.dataDir), sizes, pids)
    if ((await report(stand, sizes, only)) > 0) process.exitCode = 1
  } finally {
    await product.stop()
  }
}
