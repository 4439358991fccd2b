import { drive, interleave, type Load, type Target } from './measure.ts'
import { compare, type Result } from './report.ts'
import { type Call, type Stage, targetOf } from './stage.ts'

/** Measured rounds. Many short rounds expose both sides to equal disturbances. */
const ROUNDS = 11
const AT_ONCE: Load = { requests: 400, concurrency: 8 }
const ONE_BY_ONE: Load = { requests: 15, concurrency: 1 }

const USERS_LIST: Call = {
  path: `/useradmin/users?${new URLSearchParams({
    filter: JSON.stringify({ active: true, role: 'USER' }),
    sort: '["lastName","ASC"]',
    range: '[0,49]',
  })}`,
}

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

export async function incidentDetail(stage: Stage): Promise<Result[]> {
  const bench = await stage.bench()
  const call: Call = { path: `/incident/${bench.detailId}` }
  const floor = await stage.bestFor(bench, call, 'detail')
  const { product, raw } = await interleave(ROUNDS, {
    product: of(targetOf(bench, call), ONE_BY_ONE),
    raw: of(floor, ONE_BY_ONE),
  })
  const what = 'incident with 1,000 activities'
  return [
    compare('incident-detail', `${what}: p50`, 'p50', [product, raw], 1.5),
    compare('incident-detail', `${what}: CPU`, 'cpu', [product, raw], 1.5),
  ]
}
