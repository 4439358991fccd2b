import { type Organisation, opening, withClient } from './fixture.ts'
import { requestJson, cpuOf, drive, interleave, type Load, type Target } from './measure.ts'
import { compare, type Result } from './report.ts'
import { type Call, type BenchProduct, type Stage, targetOf } from './stage.ts'
import type { Statement } from './tap.ts'

/** Measured rounds. Many short rounds expose both sides to equal disturbances. */
const ROUNDS = 11
const ONE_BY_ONE: Load = { requests: 100, concurrency: 1 }
const AT_ONCE: Load = { requests: 400, concurrency: 8 }

const listOf = (filter: object): Call => ({
  path: `/useradmin/users?${new URLSearchParams({
    filter: JSON.stringify(filter),
    sort: '["lastName","ASC"]',
    range: '[0,49]',
  })}`,
})
const USERS_LIST = listOf({ active: true, role: 'USER' })
const USERS_SEARCH = listOf({ active: true, q: 'han ber' })
const FEED: Call = { path: '/incident?page=0&size=20' }
/** Executions of a statement per measurement. */
const STATEMENTS = 200
/** Former and present forms of the tenant policy. */
const PER_ROW = 'organisation_id = current_organisation()'
const ONCE = "organisation_id = (select current_setting('app.organisation')::uuid)"
const ROLE_INDEX = 'users_organisation_id_active_role_idx'

/**
 * The list's own statement on the server, by processor time of the database: with the policy evaluated per row, once
 * per statement, and with the index for the list's count. Each form is in force only during its measurement.
 */
export async function usersListStatement(stage: Stage): Promise<Result[]> {
  const bench = await stage.bench()
  const { statements } = await stage.heard(bench, USERS_LIST)
  const list = statements.find(({ text }) => text.includes('from "users"'))!
  const under = (policy: string, indexed: boolean) =>
    withClient(bench.connection, async (client) => {
      const pid = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid
      await client.query(`begin; alter policy tenant on users using (${policy})`)
      if (!indexed) await client.query(`drop index ${ROLE_INDEX}`)
      await client.query(opening(bench.large).replace('begin; ', ''))
      const before = cpuOf(pid)
      for (let n = 0; n < STATEMENTS; n += 1) await client.query(list.text, [...list.values!])
      const cpu = (cpuOf(pid) - before) / STATEMENTS
      await client.query('rollback')
      return { cpu, p50: NaN, p99: NaN }
    })
  const { perRow, once, indexed } = await interleave(ROUNDS, {
    perRow: () => under(PER_ROW, false),
    once: () => under(ONCE, false),
    indexed: () => under(ONCE, true),
  })
  const name = 'users-list-statement'
  return [
    compare(name, 'policy once, against for each row: CPU', 'cpu', [once, perRow], null),
    compare(name, 'policy once and index, against that: CPU', 'cpu', [indexed, perRow], null),
  ]
}

/** The small organisation's number of incidents, so that both replies have equal size. */
const TEN: Call = { path: '/incident?page=0&size=10' }

const of = (target: Target, load: Load) => () => drive(target, load)

export async function usersListCpu(stage: Stage): Promise<Result[]> {
  const bench = await stage.bench()
  const floor = await stage.bestFor(bench, USERS_LIST, 'users')
  const { product, raw } = await interleave(ROUNDS, {
    product: of(targetOf(bench, USERS_LIST), AT_ONCE),
    raw: of(floor, AT_ONCE),
  })
  const what = 'list of 50 of 10,000 users'
  return [
    compare('users-list-cpu', `${what}: CPU per request`, 'cpu', [product, raw], 1.3),
    compare('users-list-cpu', `${what}: p50, 8 at once`, 'p50', [product, raw], null),
  ]
}

export async function usersSearch(stage: Stage): Promise<Result[]> {
  const bench = await stage.bench()
  const { search, list } = await interleave(ROUNDS, {
    search: of(targetOf(bench, USERS_SEARCH), ONE_BY_ONE),
    list: of(targetOf(bench, USERS_LIST), ONE_BY_ONE),
  })
  return [
    compare('users-search', 'search in 10,000 users, against their list: p50', 'p50', [search, list], 3),
  ]
}

export async function incidentFeed(stage: Stage): Promise<Result[]> {
  const bench = await stage.bench()
  const floor = await stage.bestFor(bench, FEED, 'feed')
  const { product, raw, many, few } = await interleave(ROUNDS, {
    product: of(targetOf(bench, FEED), ONE_BY_ONE),
    raw: of(floor, ONE_BY_ONE),
    many: of(targetOf(bench, TEN), ONE_BY_ONE),
    few: of(targetOf(bench, TEN, bench.smallAdmin), ONE_BY_ONE),
  })
  const name = 'incident-feed'
  return [
    compare(name, 'page of 20 of 10,000 incidents: p50', 'p50', [product, raw], null),
    compare(name, 'page of 20 of 10,000 incidents: CPU', 'cpu', [product, raw], null),
    compare(name, '10 of 10,000 incidents against 10 of 10: p50', 'p50', [many, few], null),
  ]
}

export async function incidentDetail(stage: Stage): Promise<Result[]> {
  const bench = await stage.bench()
  const call: Call = { path: `/incident/${bench.detailId}` }
  const floor = await stage.bestFor(bench, call, 'detail')
  const load: Load = { requests: 15, concurrency: 1 }
  const { product, raw } = await interleave(ROUNDS, {
    product: of(targetOf(bench, call), load),
    raw: of(floor, load),
  })
  const what = 'incident with 1,000 activities'
  return [
    compare('incident-detail', `${what}: p50`, 'p50', [product, raw], 1.5),
    compare('incident-detail', `${what}: CPU`, 'cpu', [product, raw], 1.5),
  ]
}

const TASKS = Array.from({ length: 20 }, (_, n) => ({
  type: 'TASK',
  title: `Task ${n + 1}`,
  description: 'Call the provider, ask what is known, and write the answer down here for everybody.',
  priority: 'HIGH',
}))
const CREATE: Call = {
  method: 'POST',
  path: '/incident/withActivities',
  body: () =>
    JSON.stringify({
      title: 'Ransomware on the file servers',
      fullText: '<p>Several shared folders are encrypted. <b>The machines are off the network.</b></p>',
      severity: 'HIGH',
      activityCreateRequests: TASKS,
    }),
}

export async function incidentCreate(stage: Stage): Promise<Result[]> {
  const bench = await stage.bench()
  const { statements, prepared, answer } = await stage.heard(bench, CREATE)
  const created = answer as { id: string; activities: { id: string }[] }
  const inserted = [created.id, ...created.activities.map(({ id }) => id)]
  const rows = await rowsAlone(bench, bench.large, created.id, statements)
  const floors = [
    await stage.floor({ statements: rows, shape: 'nothing', inserted }),
    await stage.floor({ statements, prepared, shape: 'nothing', inserted }),
  ].map(({ pid, url }): Target => ({ pid, url, headers: {} }))
  for (const floor of floors) await requestJson(floor)
  const load: Load = { requests: 25, concurrency: 1 }
  const { product, raw, same } = await interleave(ROUNDS, {
    product: of(targetOf(bench, CREATE), load),
    raw: of(floors[0]!, load),
    same: of(floors[1]!, load),
  })
  const [name, what] = ['incident-create', 'incident with 20 tasks']
  return [
    compare(name, `${what}: p50, floor: its rows`, 'p50', [product, raw], null),
    compare(name, `${what}: p50, floor: its statements`, 'p50', [product, same], null),
    compare(name, `${what}: CPU, floor: its statements`, 'cpu', [product, same], null),
  ]
}

const IN_EVENTS = ['at', 'actor', 'noun', 'record', 'parent', 'verb', 'changes', 'externals'] as const

/** The inserts of a creation alone, events included, without authentication, hashing or reading. */
async function rowsAlone(
  { connection }: BenchProduct,
  organisation: Organisation,
  id: string,
  statements: readonly Statement[],
): Promise<Statement[]> {
  const inserts = statements.filter(({ text }) => text.startsWith('insert into'))
  const events = await withClient(connection, async (client) => {
    await client.query(opening(organisation))
    const columns = IN_EVENTS.map((column) => `${column}::text`).join(', ')
    const found = await client.query<Record<string, string | null>>(
      `select ${columns} from events where record = $1 or parent = $1 order by sequence`,
      [id],
    )
    await client.query('rollback')
    return found.rows
  })
  let place = 0
  const rows = events.map((_, n) => {
    const columns = IN_EVENTS.map(() => `$${(place += 1)}`)
    return `((select sequence from head) - ${events.length - 1 - n}, ${columns.join(', ')}, ''::bytea)`
  })
  const appended: Statement = {
    text:
      `with head as (update event_heads set sequence = sequence + ${events.length} returning sequence) ` +
      `insert into events (sequence, ${IN_EVENTS.join(', ')}, hash) values ${rows.join(', ')}`,
    values: events.flatMap((event) => IN_EVENTS.map((column) => event[column] ?? null)),
  }
  return [
    { text: opening(organisation), values: null },
    ...inserts,
    appended,
    { text: 'commit', values: null },
  ]
}
