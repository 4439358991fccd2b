import type { Client } from 'pg'

import type { CheckResult } from '#contract/audit-log/schema.ts'

import { inside, type Organisation, withClient } from './fixture.ts'
import { requestJson, drive, type Load, memoryOf, percentile, send, type Target } from './measure.ts'
import { absolute, ms, type Result } from './report.ts'
import { type Call, type Stage, targetOf } from './stage.ts'

const EVENTS = 100_000
const AT_ONCE = 5_000
const ONE_BY_ONE: Load = { requests: 40, concurrency: 1 }
const NAME = 'audit-log'

/** Fills the stream with a year of events by 200 people. */
export async function addEvents(client: Client, organisation: Organisation, count: number): Promise<void> {
  for (let done = 0; done < count; done += AT_ONCE)
    await inside(client, organisation, () =>
      client.query(
        `select append_events(jsonb_build_object('kind', 'person', 'id', who.id, 'name', who.email), (
           select jsonb_agg(jsonb_build_object('noun', (array['users', 'incidents', 'activities', 'groups', 'sessions'])[1 + n % 5],
             'record', md5((n / 7)::text)::uuid, 'verb', 'changed', 'parent', null,
             'changes', jsonb_build_object('name', jsonb_build_object('from', 'Before ' || n, 'to', 'After ' || n)),
             'externals', '[]'::jsonb, 'at', timestamptz '2025-11-01' + n * interval '5 minutes') order by n)
           from generate_series($1::int + part * 25, $1::int + part * 25 + 24) n))
         from generate_series(0, $2::int / 25 - 1) part
           cross join lateral (select id, email from users order by id limit 1 offset part % 200) who`,
        [done, AT_ONCE],
      ),
    )
  await client.query('vacuum analyze events')
}

const listOf = (filter: object, first = 0): Call => ({
  path: `/useradmin/auditLog?${new URLSearchParams({
    filter: JSON.stringify(filter),
    range: JSON.stringify([first, first + 49]),
  })}`,
})

/** Checks the whole chain, part by part, while other calls run. */
async function checkAll(target: Target): Promise<CheckResult> {
  let from: { after: number; fingerprint: string | null } = { after: 0, fingerprint: null }
  for (;;) {
    const result = await requestJson<CheckResult>({ ...target, body: () => JSON.stringify(from) })
    if (result.done) return result
    from = { after: result.holdsTo, fingerprint: result.fingerprint }
  }
}

/** Measures reading, recording and checking 100,000 events, and the effect on other calls. */
export async function auditLog(stage: Stage): Promise<Result[]> {
  const bench = await stage.bench()
  await withClient(bench.connection, (client) => addEvents(client, bench.large, EVENTS))
  const { id } = await withClient(bench.connection, (client) =>
    inside(client, bench.large, async () => {
      const found = await client.query<{ id: string }>('select id from users order by id limit 1 offset 7')
      return found.rows[0]!
    }),
  )
  const pages: [string, Call][] = [
    ['first page of 100,000 events', listOf({})],
    ['page in the middle', listOf({}, EVENTS / 2)],
    ['last page', listOf({}, EVENTS - 50)],
    ['first page of one person', listOf({ actor: `person:${id}` })],
    ['first page of one kind', listOf({ noun: 'groups' })],
    ['first page of a week', listOf({ from: '2026-03-01T00:00:00.000Z', to: '2026-03-08T00:00:00.000Z' })],
  ]
  const results: Result[] = []
  for (const [what, call] of pages) {
    const { p50 } = await drive(targetOf(bench, call), ONE_BY_ONE)
    results.push(absolute(NAME, `${what}: p50`, ms(p50), '≤ 100 ms', p50 <= 100))
  }

  const me = targetOf(bench, { path: '/me' })
  /** Durations of another person's calls until some work is done. */
  const others = async (work: Promise<unknown>): Promise<number[]> => {
    const over = new AbortController()
    void work.finally(() => over.abort())
    const waits: number[] = []
    while (!over.signal.aborted) {
      const began = performance.now()
      await send(me)
      waits.push(performance.now() - began)
    }
    return waits
  }
  const began = performance.now()
  const checking = checkAll(targetOf(bench, { method: 'POST', path: '/useradmin/auditLog/check' }))
  const waits = await others(checking)
  const checked = performance.now() - began
  const { holdsTo, brokenAt } = await checking
  if (brokenAt !== null || holdsTo < EVENTS) throw new Error(`The chain holds only to ${holdsTo}.`)
  const p99 = percentile(waits, 0.99)
  results.push(
    absolute(NAME, 'check of all of them', ms(checked)),
    absolute(NAME, "others' calls meanwhile: p99", ms(p99), '≤ 250 ms', p99 <= 250),
  )

  const memory = memoryOf(bench.product.pid)
  const started = performance.now()
  const { body } = await send(targetOf(bench, { path: '/useradmin/auditLog/export' }))
  const took = performance.now() - started
  const lines = body.split('\r\n').length
  if (lines < EVENTS) throw new Error(`The file has only ${lines} lines.`)
  results.push(
    absolute(NAME, `file of all of them, ${Math.round(body.length / 1e6)} MB`, ms(took)),
    absolute(NAME, 'memory above where it began', `${Math.round(memoryOf(bench.product.pid) - memory)} MB`),
  )
  return results
}
