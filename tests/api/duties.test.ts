import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { Duty, DutyClock, DutyClocks } from '#contract/duties/schema.ts'
import { clock, HOUR } from '#server/kit/core/clock.ts'
import { PNG } from '#tests/support/files.ts'
import { declared, resolve } from '#tests/support/incidents.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const { anOrganisation, inside, services, signedInAs } = muster

vi.setConfig({ testTimeout: 60_000 })

let org: Organisation
let [admin, ana, ben] = [] as unknown as [Caller, Caller, Caller]
beforeEach(async () => {
  org = await anOrganisation({ multiIncident: true })
  admin = await signedInAs(org, 'ADMIN')
  ana = await signedInAs(org)
  ben = await signedInAs(org)
})

const from = (milliseconds: number) => new Date(clock.now() + milliseconds).toISOString()
const dutiesOf = async (): Promise<Duty[]> => (await admin.get('/duties')).body
const clocksOf = async (incident: { id: string }, who = ana): Promise<DutyClocks> =>
  (await who.get(`/incident/${incident.id}/duties`)).body
const start = async (incident: { id: string }, more: object = {}) => {
  const dutyIds = (await dutiesOf()).map(({ id }) => id)
  return ana.post(`/incident/${incident.id}/duties`, { awareTimestamp: from(-HOUR), dutyIds, ...more })
}
const started = async (incident: { id: string }, more: object = {}): Promise<DutyClock> => {
  const { status, body } = await start(incident, more)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.clocks[0]
}
const change = (who: Caller, { id, version }: DutyClock, body: object) =>
  who.put(`/incident/duty/${id}`, { ...body, version })
const file = (who: Caller, { id, version }: DutyClock, body: object = {}) =>
  who.post(`/incident/duty/${id}/filed`, {
    filedTimestamp: from(-60_000),
    reference: 'BSI-2026-7',
    version,
    ...body,
  })
const titlesOf = async (who: Caller): Promise<string[]> =>
  (await who.get('/notifications')).body.data.map(({ title }: { title: string }) => title)
const until = (condition: () => Promise<void>) => vi.waitFor(condition, { timeout: 20_000, interval: 100 })

describe('the list of duties', () => {
  test('begins with those of NIS2 and GDPR, and is edited by administrators', async () => {
    expect((await dutiesOf()).map(({ name, hours }) => `${name} ${hours}`)).toEqual([
      'Early warning 24',
      'Notification 72',
      'Final report 720',
    ])
    const made = await admin.post('/duty', { name: ' Insurer ', hours: '48', filedTo: 'Claims desk' })
    expect(made.body).toMatchObject({ name: 'Insurer', hours: 48, filedTo: 'Claims desk' })
    const double = await admin.post('/duty', { name: 'INSURER', hours: 1 })
    expect([double.status, Object.keys(double.body.fields)]).toEqual([409, ['name']])
    await Promise.all(
      ['', 'soon', 0, 1.5, 8_761, '9'.repeat(11)].map(async (hours) => {
        const wrong = await admin.post('/duty', { name: 'Other', hours })
        expect([wrong.status, Object.keys(wrong.body.fields)], String(hours)).toEqual([400, ['hours']])
      }),
    )
    expect((await ana.get('/duties')).status).toBe(403)
  })

  test('leaves the clocks that run as they are', async () => {
    const incident = await declared(ana)
    const one = await started(incident)
    const [{ id, version }] = (await dutiesOf()) as [Duty]
    await admin.put(`/duty/${id}`, { name: 'First word', hours: 12, version })
    expect((await clocksOf(incident)).clocks[0]).toMatchObject({
      name: 'Early warning',
      dueTimestamp: one.dueTimestamp,
    })
    expect((await admin.delete(`/duty/${id}`)).status).toBe(204)
    expect((await clocksOf(incident)).clocks[0]).toMatchObject({ id: one.id, dutyId: null })
  })
})

describe('the clocks of an incident', () => {
  test('count from the time of awareness, once for each duty', async () => {
    const incident = await declared(ana)
    const [early, notification] = (await dutiesOf()) as [Duty, Duty]
    const aware = from(-5 * HOUR)
    const first = await start(incident, { awareTimestamp: aware, dutyIds: [early.id, early.id] })
    expect(first.body.clocks).toHaveLength(1)
    expect(first.body.clocks[0]).toMatchObject({
      name: 'Early warning',
      state: 'RUNNING',
      holder: { email: ana.email },
      dueTimestamp: new Date(Date.parse(aware) + 24 * HOUR).toISOString(),
    })
    expect(first.body.startable.map(({ name }: Duty) => name)).toEqual(['Notification', 'Final report'])
    const both = await start(incident, { dutyIds: [early.id, notification.id], holder: ben.email })
    expect(both.body.clocks.map(({ awareTimestamp }: DutyClock) => awareTimestamp === aware)).toEqual([
      true,
      false,
    ])
    expect(await titlesOf(ben)).toEqual(['You file what is due'])
  })

  test('are refused at the field, and nothing is written', async () => {
    const incident = await declared(ana)
    const external = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
    const wrong: [object, string][] = [
      [{ awareTimestamp: from(10 * 60_000) }, 'awareTimestamp'],
      [{ awareTimestamp: from(-367 * 24 * HOUR) }, 'awareTimestamp'],
      [{ awareTimestamp: 'now' }, 'awareTimestamp'],
      [{ dutyIds: [] }, 'dutyIds'],
      [{ dutyIds: [crypto.randomUUID()] }, 'dutyIds'],
      [{ holder: external.email }, 'holder'],
    ]
    await Promise.all(
      wrong.map(async ([more, field]) => {
        const { status, body } = await start(incident, more)
        expect([status, Object.keys(body.fields)], JSON.stringify(more)).toEqual([400, [field]])
      }),
    )
    expect((await clocksOf(incident)).clocks).toEqual([])
  })

  test('keep a draft, which one of two saves, and never its code', async () => {
    const one = await started(await declared(ana))
    const saved = await change(ana, one, { draft: '<p onclick="x()">Pumps failed.</p>' })
    expect(saved.body.draft).toBe('<p>Pumps failed.</p>')
    const late = await change(ben, one, { draft: '<p>Other</p>' })
    expect([late.status, late.body.code]).toEqual([409, 'stale'])
    const moved = await change(ana, saved.body, { awareTimestamp: from(-2 * HOUR), holder: ben.email })
    expect(moved.body).toMatchObject({ draft: '<p>Pumps failed.</p>', holder: { email: ben.email } })
    expect(moved.body.dueTimestamp).not.toBe(one.dueTimestamp)
  })

  test('end with the proof of what was filed, also after the resolution, and run again', async () => {
    const incident = await declared(ana)
    const other = await declared(ana)
    const one = await started(incident)
    const form = new FormData()
    form.append('file', new File([PNG], 'receipt.png', { type: 'image/png' }))
    const sent = await muster.send('POST', `/fa/INCIDENT/${incident.id}`, { headers: ana.headers, raw: form })
    await resolve(ana, incident)
    const unproven = await file(ana, one, { reference: ' ' })
    expect([unproven.status, Object.keys(unproven.body.fields)]).toEqual([400, ['reference']])
    const refused = [
      [{ filedTimestamp: from(10 * 60_000) }, 'filedTimestamp'],
      [{ filedTimestamp: from(-2 * HOUR) }, 'filedTimestamp'],
      [{ link: 'javascript:alert(1)' }, 'link'],
      [{ fileIds: [other.id] }, 'fileIds'],
    ] as const
    await Promise.all(
      refused.map(async ([body, field]) => {
        const wrong = await file(ana, one, body)
        expect([wrong.status, Object.keys(wrong.body.fields)], field).toEqual([400, [field]])
      }),
    )
    const filed = await file(ben, one, { link: 'https://authority.example/7', fileIds: [sent.body.id] })
    expect(filed.body).toMatchObject({
      state: 'FILED',
      filedBy: ben.email,
      reference: 'BSI-2026-7',
      link: 'https://authority.example/7',
      files: [{ name: 'receipt', extension: 'png' }],
    })
    expect((await change(ana, filed.body, { draft: '<p>Late</p>' })).status).toBe(409)
    const { id, version } = filed.body as DutyClock
    const again = await ana.post(`/incident/duty/${id}/resume`, { version })
    expect(again.body).toMatchObject({ state: 'RUNNING', reference: null, filedTimestamp: null })
  })

  test('end without a filing only with a reason, and stand in the timeline without their drafts', async () => {
    const incident = await declared(ana)
    const [early] = (await dutiesOf()) as [Duty]
    const one = await started(incident, { dutyIds: [early.id] })
    const { body } = await change(ana, one, { draft: '<p>Words</p>' })
    const path = `/incident/duty/${one.id}/notNeeded`
    const mute = await ana.post(path, { reason: ' ', version: body.version })
    expect([mute.status, Object.keys(mute.body.fields)]).toEqual([400, ['reason']])
    const set = await ana.post(path, { reason: 'No data of people.', version: body.version })
    expect(set.body).toMatchObject({ state: 'NOT_NEEDED', reason: 'No data of people.' })
    const timeline = await ana.get(`/incident/${incident.id}/timeline?kinds=DUTY`)
    expect(timeline.body.data.map(({ lines }: { lines: { text: string }[] }) => lines[0]!.text)).toEqual([
      'Not needed to file: Early warning',
      'Clock started: Early warning',
    ])
  })

  test('are nothing for external people, readers and strangers', async () => {
    const external = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
    const reader = await signedInAs(org, 'BUSINESS_USER')
    const incident = await declared(ana, { targetedUsers: [external.email] })
    const one = await started(incident)
    expect((await external.get(`/incident/${incident.id}/duties`)).status).toBe(403)
    expect((await file(external, one)).status).toBe(403)
    expect((await clocksOf(incident, reader)).clocks).toHaveLength(3)
    expect((await file(reader, one)).status).toBe(403)
    const stranger = await signedInAs(await anOrganisation())
    expect((await file(stranger, one)).status).toBe(404)
  })
})

describe('the notice of a clock', () => {
  test('comes a quarter before the end and at the end, once, to its holder and who leads', async () => {
    const incident = await declared(ana, { isTabletop: true })
    const [early] = (await dutiesOf()) as [Duty]
    await started(incident, { awareTimestamp: from(-20 * HOUR), dutyIds: [early.id], holder: ben.email })
    await until(async () => expect(await titlesOf(ben)).toContain('EXERCISE: Due to be filed in 4 hours'))
    await until(async () => expect(await titlesOf(ana)).toContain('EXERCISE: Due to be filed in 4 hours'))
    const late = await declared(ana, { isTabletop: true })
    const over = await started(late, {
      awareTimestamp: from(-30 * HOUR),
      dutyIds: [early.id],
      holder: ben.email,
    })
    await until(async () => expect(await titlesOf(ben)).toContain('EXERCISE: Time to file is over'))
    await inside(org, (db) => {
      const when = new Date(clock.now()).toISOString()
      const job = { id: over.id, at: over.dueTimestamp, kind: 'LATE', when }
      return services.jobs.enqueueAt(db, 'duty-clocks', when, job)
    })
    const last = await started(await declared(ana), {
      awareTimestamp: from(-31 * HOUR),
      dutyIds: [early.id],
      holder: ben.email,
    })
    expect(last.state).toBe('RUNNING')
    await until(async () => expect(await titlesOf(ben)).toContain('Time to file is over'))
    const said = (await titlesOf(ben)).filter((title) => title === 'EXERCISE: Time to file is over')
    expect(said).toHaveLength(1)
  })
})
