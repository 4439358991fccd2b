import type pg from 'pg'

import { opening, type Organisation, type Person, withClient } from './fixture.ts'
import type { Activity, CheckIn, Incident, Ledger, Pending } from './ledger.ts'
import { requestJson } from './measure.ts'

/** Acts of a writer, in a loop, so that every kind of write is in progress when the product is interrupted. */
const ACTS = ['create', 'add', 'update', 'check in', 'update', 'add', 'update'] as const

export interface Writer {
  readonly person: Person
  readonly url: string
  readonly round: number
  readonly number: number
}

/**
 * Writes until stopped, and records acknowledged writes in the ledger.
 * @throws the error of a failed write, which stays pending in the ledger
 */
export async function write(
  ledger: Ledger,
  writer: Writer,
  touched: Set<string>,
  isDone: () => boolean = () => false,
): Promise<void> {
  let current = ''
  for (let n = 0; !isDone(); n += 1) {
    const act = ACTS[n % ACTS.length]!
    const marker = `round ${writer.round}, writer ${writer.number}, write ${n}`
    const incident = ledger.incidents.get(current)
    const attempt = attemptOf(act, marker, incident, writer.person.id)
    ledger.pending.add(attempt)
    current = await perform(ledger, attempt, writer, incident)
    touched.add(current)
    ledger.pending.delete(attempt)
    ledger.acknowledged += 1
  }
}

/** Makes one write, records its acknowledgement, and returns the incident that it belongs to. */
async function perform(
  ledger: Ledger,
  attempt: Pending,
  writer: Writer,
  incident: Incident | undefined,
): Promise<string> {
  const call = <T>(method: 'POST' | 'PATCH', path: string, body: object) =>
    requestJson<T>({
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
    ledger.incidents.set(made.id, made)
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

/** Reads incidents through the API, and the whole stream from the database. */
export async function verify(
  ledger: Ledger,
  { url: base, connection }: { readonly url: string; readonly connection: pg.ClientConfig },
  organisation: Organisation,
  reader: Person,
  touched: ReadonlySet<string>,
): Promise<void> {
  await withClient(connection, async (client) => {
    const all = await select(client, organisation, 'select id from incidents')
    const ids = new Set(all.map((row) => row['id'] as string))
    ledger.missing(ids)
    for (const id of ids) {
      if (ledger.incidents.has(id) && !touched.has(id)) continue
      const url = `${base}/api/incident/${id}`
      ledger.compare(await requestJson<Incident>({ url, headers: reader.headers }))
    }
    // Pending writes did not happen, and never may.
    ledger.pending.clear()
    await verifyStream(ledger, client, organisation)
  })
}

/** Checks for exactly one event per write, in an unbroken chain. */
async function verifyStream(ledger: Ledger, client: pg.Client, organisation: Organisation): Promise<void> {
  const [broken] = await select(client, organisation, 'select first_broken_event() as sequence')
  if (broken?.['sequence'] != null) ledger.brokenChain ??= `broken at event ${String(broken['sequence'])}`
  const wanted = new Map<string, number>()
  for (const { id, activities, checkIns } of ledger.incidents.values()) {
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
    if (count > times) ledger.doubled.push(`event ${what}: ${count} instead of ${times}`)
    if (count < times) ledger.lost.push(`event ${what}: ${count} instead of ${times}`)
    wanted.delete(what)
  }
  for (const what of wanted.keys()) ledger.lost.push(`event ${what}`)
}

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
