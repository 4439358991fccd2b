import { buffer } from 'node:stream/consumers'

import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import type { ReportRequest } from '#contract/incident-reports/schema.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { LONG, makeReports } from '#server/incident-reports/flows.ts'
import { clock, HOUR, MINUTE } from '#server/kit/core/clock.ts'
import { chores } from '#server/kit/jobs/housekeeping.ts'
import type { JobHandler } from '#server/kit/jobs/jobs.ts'
import { added, again, declared, resolve, TASK, UPDATE } from '#tests/support/incidents.ts'
import { pdfText, READS_PDF } from '#tests/support/pdf.ts'
import { type Caller, type Organisation, type Reply, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, inside, services, signedInAs, url } = await startTestServer()

const realNow = clock.now
afterEach(() => {
  clock.now = realNow
})
/** Advances the clock and keeps the person signed in. */
async function later(who: Caller, span: number): Promise<void> {
  const now = clock.now() + span
  clock.now = () => now
  const { uuid: userId, organisation, sessionId } = who
  const { token } = await services.tokens.issueAccess({ userId, organisationId: organisation.id, sessionId })
  who.headers['Authorization'] = `Bearer ${token}`
}

const updates = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ ...UPDATE, description: `Row ${n + 1}: α → “β” & <γ>` }))
const aLong = async (changes: object = {}) => {
  const organisation = await anOrganisation({ multiIncident: true })
  const ana = await signedInAs(organisation, 'ADMIN')
  const incident = await declared(ana, { activityCreateRequests: updates(LONG), ...changes })
  return { organisation, ana, incident }
}
const ask = async (who: Caller, { id }: Incident): Promise<ReportRequest> => {
  const { status, body } = await who.post(`/incident/${id}/report`)
  expect(status).toBe(200)
  return body
}
const progressOf = (who: Caller, { id }: ReportRequest): Promise<Reply<ReportRequest>> =>
  who.get(`/incident/report/${id}`)
const isReady = (who: Caller, request: ReportRequest) =>
  vi.waitFor(async () => expect((await progressOf(who, request)).body.state).toBe('READY'), {
    interval: 200,
  })
const fetched = async (who: Caller, { id }: ReportRequest) => {
  const response = await fetch(`${url}/api/incident/report/${id}/file`, { headers: who.headers })
  return { response, pdf: Buffer.from(await response.arrayBuffer()) }
}
const kept = (organisation: Organisation) =>
  inside(organisation, async (db) => ({
    requests: await db.selectFrom('report_requests').selectAll().execute(),
    reports: await db.selectFrom('incident_reports').selectAll().execute(),
    blobs: await db.selectFrom('blobs').selectAll().execute(),
  }))
const tidy = () => chores({ database: services.database, blobs: services.blobs }).get('reports')!.run()

describe('the report of an incident', () => {
  test('that is short is answered at once', async () => {
    const ana = await signedInAs(await anOrganisation())
    const incident = await declared(ana, { activityCreateRequests: updates(20) })
    expect(await ask(ana, incident)).toBeNull()
    const words = await declared(ana, { isTabletop: true, activityCreateRequests: updates(20) })
    for (let n = 0; n < 10; n += 1) await added(ana, words, { ...UPDATE, description: 'x '.repeat(12_000) })
    expect(await ask(ana, words)).toMatchObject({ state: 'MAKING' })
  })

  test(
    'that is long is made in the background, with every row in its order',
    { timeout: 120_000 },
    async () => {
      const { organisation, ana, incident } = await aLong()
      const request = await ask(ana, incident)
      expect(request).toMatchObject({ incidentId: incident.id, state: 'MAKING', progress: 0 })
      expect((await fetched(ana, request)).response.status).toBe(409)
      const heard = new Set<number>()
      await vi.waitFor(
        async () => {
          const { body } = await progressOf(ana, request)
          heard.add(body.progress)
          expect(body.state).toBe('READY')
        },
        { interval: 50 },
      )
      expect([...heard]).toEqual([...heard].toSorted((a, b) => a - b))
      expect([...heard].at(-1)).toBe(100)
      const { response, pdf } = await fetched(ana, request)
      expect(response.headers.get('content-type')).toBe('application/pdf')
      expect(response.headers.get('content-disposition')).toContain('Incident_Report_Flood')
      if (READS_PDF) {
        const [, timeline = ''] = pdfText(pdf).split(/^ *Timeline$/m)
        const rows = timeline.match(/Row \d+: α → “β” & <γ>/g)
        expect(rows).toEqual(updates(LONG).map(({ description }) => description))
      }
      // Downloaded reports are kept.
      const { reports } = await kept(organisation)
      expect(reports).toMatchObject([{ incident_id: incident.id, created_by: ana.email }])
      const issued = await inside(organisation, (db) =>
        db
          .selectFrom('events')
          .select(['actor', 'changes'])
          .where('noun', '=', 'incident-reports')
          .executeTakeFirstOrThrow(),
      )
      expect(issued.actor.name).toBe(ana.email)
      expect(issued.changes['sha256']?.to).toBe(reports[0]!.sha256)
    },
  )

  test(
    'is joined by whoever asks meanwhile, and given again until something happens',
    { timeout: 120_000 },
    async () => {
      const { organisation, ana, incident } = await aLong()
      const ben = await signedInAs(organisation)
      const requests = await Promise.all([ana, ben, ana, ben].map((who) => ask(who, incident)))
      expect(new Set(requests.map(({ id }) => id)).size).toBe(1)
      await isReady(ben, requests[0]!)
      const [one, other] = [await fetched(ana, requests[0]!), await fetched(ben, requests[0]!)]
      expect(one.pdf.equals(other.pdf)).toBe(true)
      expect((await kept(organisation)).reports.map(({ created_by }) => created_by).toSorted()).toEqual(
        [ana.email, ben.email].toSorted(),
      )
      expect((await ask(ben, incident)).id).toBe(requests[0]!.id)
      await added(ana, incident, TASK)
      expect(await ask(ben, incident)).toMatchObject({ state: 'MAKING' })
    },
  )

  test(
    'writes times in the zone of the organisation, with UTC beside them',
    { timeout: 120_000 },
    async (context) => {
      context.skip(!READS_PDF, 'pdftotext is not installed')
      const ana = await signedInAs(await anOrganisation({ timeZone: 'Asia/Tokyo' }), 'ADMIN')
      const { id } = await declared(ana)
      const response = await fetch(`${url}/api/incident/file/${id}`, { headers: ana.headers })
      const words = pdfText(Buffer.from(await response.arrayBuffer()))
      expect(words).toMatch(/\d\d:\d\d:\d\d \+09:00/)
      expect(words).toContain('Times are in Asia/Tokyo and in UTC.')
    },
  )

  test('is for those who see the incident when they fetch it', { timeout: 120_000 }, async () => {
    const organisation = await anOrganisation({ multiIncident: true })
    const ana = await signedInAs(organisation, 'ADMIN')
    const guest = await signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
    const nobody = await signedInAs(await anOrganisation())
    const incident = await declared(ana, {
      activityCreateRequests: updates(LONG),
      targetedUsers: [guest.email, ana.email],
    })
    const request = await ask(guest, incident)
    await isReady(guest, request)
    expect((await fetched(guest, request)).response.status).toBe(200)
    expect((await fetched(nobody, request)).response.status).toBe(404)
    expect((await progressOf(nobody, request)).status).toBe(404)
    await ana.patch(`/incident/${incident.id}`, { targetedUsers: [ana.email] })
    expect((await progressOf(guest, request)).status).toBe(404)
    expect((await fetched(guest, request)).response.status).toBe(404)
    expect((await ask(ana, incident)).state).toBe('MAKING')
  })

  test('is gone after an hour; its bytes too, unless somebody has them', { timeout: 120_000 }, async () => {
    const { organisation, ana, incident } = await aLong()
    const first = await ask(ana, incident)
    await isReady(ana, first)
    await fetched(ana, first)
    await resolve(ana, incident)
    const second = await ask(ana, await again(ana, incident))
    expect(second.id).not.toBe(first.id)
    await isReady(ana, second)
    expect((await kept(organisation)).blobs).toHaveLength(2)
    await later(ana, HOUR + MINUTE)
    for (const request of [first, second]) {
      expect((await progressOf(ana, request)).status).toBe(404)
      expect((await fetched(ana, request)).response.status).toBe(404)
    }
    // Includes the requests of other tests in this file.
    expect(await tidy()).toBeGreaterThanOrEqual(2)
    const left = await kept(organisation)
    expect([left.requests, left.blobs.length, left.reports.length]).toEqual([[], 1, 1])
    const copy = await services.blobs.read(organisation.id, left.blobs[0]!)
    expect((await buffer(copy)).subarray(0, 5).toString()).toBe('%PDF-')
  })
})

describe('a job that makes a report', () => {
  /** The job's handler, called directly, because jobs do not run here. */
  let attempt: JobHandler<{ id: string }>
  beforeAll(() => {
    makeReports({
      ...services,
      jobs: { ...services.jobs, handle: (_, handler) => void (attempt = handler as typeof attempt) },
    })
  })
  const aRequest = async (changes: object = {}) => {
    const { organisation, ana, incident } = await aLong()
    const now = clock.timestamp()
    const row = {
      id: crypto.randomUUID(),
      incident_id: incident.id,
      state: 'MAKING' as const,
      progress: 0,
      tries: 0,
      sequence: 0,
      file_name: null,
      blob_id: null,
      create_timestamp: now,
      update_timestamp: now,
      expire_timestamp: new Date(clock.now() + HOUR).toISOString(),
      is_for_externals: false,
      ...changes,
    }
    await inside(organisation, (db) => db.insertInto('report_requests').values(row).execute())
    const run = (last = false) =>
      attempt({ organisationId: organisation.id, data: { id: row.id }, last, isStopping: () => false })
    const state = async () => (await kept(organisation)).requests[0]
    return { organisation, ana, incident, run, state }
  }

  test('that was begun before its process died makes it again, once', { timeout: 120_000 }, async () => {
    const { organisation, run, state } = await aRequest({ tries: 1, progress: 40 })
    await run()
    expect(await state()).toMatchObject({ state: 'READY', progress: 100, tries: 2 })
    await run()
    expect((await kept(organisation)).blobs).toHaveLength(1)
  })

  test('that fails is tried three times, and then says so', async () => {
    const { run, state, organisation } = await aRequest()
    const write = vi.spyOn(services.blobs, 'write').mockRejectedValue(new Error('The disk is full.'))
    await expect(run()).rejects.toThrow('The disk is full.')
    await expect(run()).rejects.toThrow('The disk is full.')
    expect(await state()).toMatchObject({ state: 'MAKING', tries: 2 })
    await run()
    expect(await state()).toMatchObject({ state: 'FAILED', tries: 3 })
    write.mockRestore()
    await run()
    expect((await kept(organisation)).blobs).toEqual([])
  })

  test('that ends its process every time is not tried for ever', async () => {
    const { run, state } = await aRequest({ tries: 3 })
    await run()
    expect(await state()).toMatchObject({ state: 'FAILED' })
  })

  test('that was lost keeps nobody waiting: the next request begins anew', async () => {
    const { ana, incident, state } = await aRequest()
    const lost = (await state())!.id
    expect((await ask(ana, incident)).id).toBe(lost)
    await later(ana, 20 * MINUTE)
    expect((await ask(ana, incident)).id).not.toBe(lost)
    expect((await progressOf(ana, { id: lost } as ReportRequest)).body.state).toBe('FAILED')
  })
})
