import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { Writable } from 'node:stream'
import { promisify } from 'node:util'

import { afterEach, describe, expect, test, vi } from 'vitest'

import { severityOf } from '#contract/declarations/rules.ts'
import { clock, MINUTE } from '#server/kit/core/clock.ts'
import { sealToken } from '#server/kit/security/secrets.ts'
import { type Organisation, startTestServer } from '#tests/support/server.ts'
import { later } from '#tests/support/sign-in.ts'

const logged: string[] = []
const muster = await startTestServer(
  { LOG_LEVEL: 'warn', TRUST_PROXY: '1' },
  new Writable({ write: (line, _encoding, done) => (logged.push(String(line)), done()) }),
)
const { anOrganisation, inside, signedInAs, url } = muster
afterEach(() => void vi.restoreAllMocks())

const PATH = '/declaration/source'
const TIME = () => Math.floor(clock.now() / 1_000)
const signed = (secret: string, body: string, time = TIME()) =>
  `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`

let visitors = 0
/** A source with ways to call it, from an address of its own. */
async function aSource(given: object = {}, config: object = { multiIncident: true }) {
  const org = await anOrganisation(config)
  const admin = await signedInAs(org, 'ADMIN')
  const made = await admin.post(PATH, { name: 'Prometheus', form: 'JSON', ...given })
  expect(made.status).toBe(201)
  const { secret, addressId, id } = made.body as { secret: string; addressId: string; id: string }
  const from = `192.0.2.${(visitors += 1)}`
  async function call(body: unknown, headers: Record<string, string> = {}, address = addressId) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(`${url}/webhooks/declare/${address}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Forwarded-For': from,
        'X-Muster-Signature': signed(secret, text),
        ...headers,
      },
      body: text,
    })
    const answered = await response.text()
    return { status: response.status, body: answered === '' ? null : JSON.parse(answered), text: answered }
  }
  const calls = async () => (await admin.get(`${PATH}/${id}/calls`)).body
  const incidents = async () => (await admin.get('/incident')).body.data as { id: string; title: string }[]
  const incident = async (incidentId: string) => (await admin.get(`/incident/${incidentId}`)).body
  return { org, admin, made, id, secret, addressId, call, calls, incidents, incident }
}
const eventsOf = (org: Organisation) => inside(org, (db) => db.selectFrom('events').selectAll().execute())

const JSON_CALL = { id: 'pump-7', title: 'Pump 7', text: 'No <b>pressure</b>\nsince 4:12', severity: 'HIGH' }
const anAlert = (changes: object = {}) => ({
  status: 'firing',
  labels: { alertname: 'DiskFull', severity: 'critical', instance: 'db-1' },
  annotations: { summary: 'The disk is full' },
  startsAt: '2031-05-07T04:12:00Z',
  endsAt: '0001-01-01T00:00:00Z',
  ...changes,
})
const alerts = (changes: object = {}) => ({
  version: '4',
  groupKey: '{}:{alertname="DiskFull"}',
  status: 'firing',
  receiver: 'muster',
  commonLabels: { alertname: 'DiskFull' },
  commonAnnotations: { summary: 'The disk is full' },
  alerts: [anAlert()],
  ...changes,
})
const OVER = { endsAt: '2031-05-07T05:00:00Z', status: 'resolved' }
const monitoring = (config?: object) =>
  aSource({ form: 'ALERTMANAGER', criticalWords: 'critical, page' }, config)

describe('a source', () => {
  test('has a secret that is told once and stored sealed', async () => {
    const { org, admin, made, secret } = await aSource()
    const list = await admin.get(`${PATH}s`)
    expect(list.body).toHaveLength(1)
    expect(list.text).not.toContain(secret)
    const rows = await inside(org, (db) => db.selectFrom('declaration_sources').selectAll().execute())
    expect(rows[0]!.secret.toString('latin1')).not.toContain(secret)
    expect(JSON.stringify(await eventsOf(org))).not.toContain(secret)
    expect((await admin.post(PATH, { name: 'PROMETHEUS', form: 'JSON' })).body.fields).toHaveProperty('name')
    const changed = { name: 'Grafana', form: 'JSON', version: made.body.version }
    expect((await admin.put(`${PATH}/${made.body.id}`, { ...changed, form: 'ALERTMANAGER' })).status).toBe(
      400,
    )
    expect((await admin.put(`${PATH}/${made.body.id}`, changed)).body).toMatchObject({
      name: 'Grafana',
      version: 2,
    })
    const late = await admin.put(`${PATH}/${made.body.id}`, { ...changed, name: 'Zabbix' })
    expect([late.status, late.body.code]).toEqual([409, 'stale'])
  })

  test('names severities in its own words, and the most severe counts', () => {
    const words = {
      criticalWords: 'critical, page',
      highWords: 'page',
      mediumWords: '',
      lowWords: 'info',
      defaultSeverity: 'MEDIUM',
    } as const
    expect([' Page ', 'INFO', 'other', '', undefined].map((word) => severityOf(words, word))).toEqual([
      'CRITICAL',
      'LOW',
      'MEDIUM',
      'MEDIUM',
      'MEDIUM',
    ])
  })
})

describe('a call that is not proven', () => {
  test('is answered alike for every reason, logged, and writes nothing', async () => {
    const { org, call, secret, calls, addressId } = await aSource()
    const before = await eventsOf(org)
    const body = JSON.stringify(JSON_CALL)
    const old = signed(secret, body, TIME() - 301)
    const wrong: [Record<string, string>, string?][] = [
      [{ 'X-Muster-Signature': signed('another', body) }],
      [{ 'X-Muster-Signature': old }],
      [{ 'X-Muster-Signature': signed(secret, body, TIME() + 302) }],
      [{ 'X-Muster-Signature': old.replace(/t=\d+/, `t=${TIME()}`) }],
      [{ 'X-Muster-Signature': signed(secret, `${body} `) }],
      [{ 'X-Muster-Signature': 't=,v1=' }],
      [{ 'X-Muster-Signature': '' }],
      // Only Alertmanager may send the secret itself.
      [{ 'X-Muster-Signature': '', Authorization: `Bearer ${secret}` }],
      [{}, 'nonsense'],
      [{}, sealToken('wd', org.id).token],
      [{}, `${addressId.slice(0, -1)}${addressId.endsWith('A') ? 'B' : 'A'}`],
      [{}, sealToken('wd', crypto.randomUUID()).token],
    ]
    logged.length = 0
    const answers = []
    for (const [headers, address] of wrong) answers.push(await call(body, headers, address))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]!.status).toBe(401)
    expect(logged.filter((line) => line.includes('unknown source or signature'))).toHaveLength(wrong.length)
    expect(await eventsOf(org)).toEqual(before)
    expect(await calls()).toEqual({ data: [], total: 0 })
    expect((await call(body)).status).toBe(201)
  })

  test('of a deleted source is one', async () => {
    const { admin, id, call } = await aSource()
    expect((await call(JSON_CALL)).status).toBe(201)
    expect((await admin.delete(`${PATH}/${id}`)).status).toBe(204)
    expect((await call(JSON_CALL)).status).toBe(401)
  })

  test('within five minutes is not', async () => {
    const { call, secret } = await aSource()
    const body = JSON.stringify(JSON_CALL)
    expect((await call(body, { 'X-Muster-Signature': signed(secret, body, TIME() - 290) })).status).toBe(201)
    expect((await call(body, { 'X-Muster-Signature': signed(secret, body, TIME() + 290) })).status).toBe(200)
  })
})

describe('generic JSON', () => {
  test('declares an incident in the name of the source, and once', async () => {
    const { org, call, calls, incident, incidents } = await aSource()
    const first = await call(JSON_CALL)
    expect([first.status, first.body.result]).toEqual([201, 'DECLARED'])
    expect(await incident(first.body.incidentId)).toMatchObject({
      title: 'Pump 7',
      severity: 'HIGH',
      isTabletop: false,
      createdBy: 'Prometheus',
      fullText: '<p>No &lt;b&gt;pressure&lt;/b&gt;</p><p>since 4:12</p>',
    })
    const events = await eventsOf(org)
    expect(events.at(-1)).toMatchObject({
      noun: 'incidents',
      verb: 'created',
      actor: { kind: 'key', name: 'Prometheus' },
    })
    const again = await call({ ...JSON_CALL, title: 'Another title' })
    expect(again).toMatchObject({
      status: 200,
      body: { result: 'UNCHANGED', incidentId: first.body.incidentId },
    })
    expect(await eventsOf(org)).toEqual(events)
    expect(await incidents()).toHaveLength(1)
    expect((await calls()).data).toMatchObject([
      { result: 'UNCHANGED', incidentId: first.body.incidentId, incidentTitle: 'Pump 7' },
      { result: 'DECLARED', sentence: 'Declared the incident.' },
    ])
  })

  test('of two calls at once declares one incident', async () => {
    const { call, incidents } = await aSource()
    const answers = await Promise.all([1, 2, 3, 4].map(() => call(JSON_CALL)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.incidentId)).size).toBe(1)
    expect(await incidents()).toHaveLength(1)
  })

  test('is refused with the existing sentence while another incident is active, and kept as a call', async () => {
    const { call, calls } = await aSource({}, { multiIncident: false })
    expect((await call(JSON_CALL)).status).toBe(201)
    const second = await call({ ...JSON_CALL, id: 'pump-8' })
    expect(second).toMatchObject({
      status: 409,
      body: { message: 'Error: multiple incidents are not enabled.' },
    })
    expect((await calls()).data[0]).toMatchObject({
      result: 'REFUSED',
      sentence: second.body.message,
      incidentId: null,
    })
    // An exercise may stand beside it.
    expect((await call({ ...JSON_CALL, id: 'drill', isTabletop: true })).status).toBe(201)
  })

  test('of a source of exercises declares nothing else', async () => {
    const { call, incident } = await aSource({ isTabletop: true })
    const { body } = await call({ ...JSON_CALL, isTabletop: false })
    expect(await incident(body.incidentId)).toMatchObject({ isTabletop: true })
  })

  test.each([
    ['no JSON', 'pump'],
    ['nothing', ''],
    ['a list', []],
    ['no id', { ...JSON_CALL, id: undefined }],
    ['an id of spaces', { ...JSON_CALL, id: '  ' }],
    ['a number as a title', { ...JSON_CALL, title: 7 }],
    ['a long title', { ...JSON_CALL, title: 'x'.repeat(256) }],
    ['a huge text', { ...JSON_CALL, text: 'x'.repeat(200_000) }],
    ['a text that is too long once it is escaped', { ...JSON_CALL, text: '&'.repeat(19_000) }],
    ['what cannot be stored', { ...JSON_CALL, text: 'a\u0000b' }],
    ['a misspelt field', { ...JSON_CALL, isTableTop: true }],
    ['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    [
      'deep nesting in a field',
      `{"id":"a","title":"b","text":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
    ],
  ])('with %s is refused, and nothing is declared', async (_name, body) => {
    const { call, calls, incidents } = await aSource()
    const answer = await call(body)
    expect(answer.status).toBe(400)
    expect(answer.body.message).not.toBe('')
    expect(await incidents()).toEqual([])
    expect((await calls()).data).toMatchObject([{ result: 'REFUSED', sentence: answer.body.message }])
  })

  test('of more than 256 KB, or of another type, is not read', async () => {
    const { call, calls } = await aSource()
    expect((await call({ ...JSON_CALL, text: 'x'.repeat(262_144) })).status).toBe(413)
    expect((await call(JSON_CALL, { 'Content-Type': 'text/plain' })).status).toBe(415)
    expect((await calls()).total).toBe(0)
  })
})

describe('Alertmanager', () => {
  test('may send the secret, and declares one incident for a group while it is active', async () => {
    const { admin, call, secret, incident, incidents } = await monitoring()
    const bearer = { 'X-Muster-Signature': '', Authorization: `Bearer ${secret}` }
    expect((await call(alerts(), { ...bearer, Authorization: 'Bearer wrong' })).status).toBe(401)
    const first = await call(alerts(), bearer)
    expect(first).toMatchObject({ status: 201, body: { result: 'DECLARED' } })
    const { incidentId } = first.body
    const declared = await incident(incidentId)
    expect(declared).toMatchObject({ title: 'The disk is full', severity: 'CRITICAL' })
    expect(declared.fullText).toContain('alertname=DiskFull, severity=critical, instance=db-1')

    // Repeated unchanged: nothing is written.
    expect((await call(alerts(), bearer)).body).toEqual({ result: 'UNCHANGED', incidentId })
    const more = alerts({
      alerts: [anAlert(), anAlert({ labels: { alertname: 'DiskFull', instance: 'db-2' } })],
    })
    expect((await call(more)).body).toEqual({ result: 'UPDATED', incidentId })
    expect((await call(more)).body).toEqual({ result: 'UNCHANGED', incidentId })
    const over = alerts({ status: 'resolved', alerts: [anAlert(OVER)] })
    expect((await call(over)).body).toEqual({ result: 'UPDATED', incidentId })
    expect((await call(over)).body).toEqual({ result: 'UNCHANGED', incidentId })
    // An answer that was lost, repeated late, still writes nothing.
    expect((await call(alerts())).body).toEqual({ result: 'UNCHANGED', incidentId })

    const { isActive, activities } = await incident(incidentId)
    expect(isActive).toBe(true)
    const texts = (activities as { description: string }[]).map(({ description }) => description)
    expect(texts).toHaveLength(2)
    expect(
      texts.filter((text) => text.startsWith('Resolved by the monitoring: The disk is full')),
    ).toHaveLength(1)
    expect(texts.filter((text) => text.includes('instance=db-2'))).toHaveLength(1)

    // People resolve it. What was taken stays taken; a new state is another incident.
    expect((await admin.patch(`/incident/${incidentId}`, { isActive: false })).status).toBe(200)
    expect((await call(alerts())).body).toEqual({ result: 'UNCHANGED', incidentId })
    const anew = await call(alerts({ alerts: [anAlert({ startsAt: '2031-05-08T00:00:00Z' })] }))
    expect(anew.status).toBe(201)
    expect(await incidents()).toHaveLength(2)
  })

  test('that resolves what was never declared writes nothing', async () => {
    const { call, incidents } = await monitoring()
    const over = alerts({ status: 'resolved', alerts: [anAlert(OVER)] })
    expect(await call(over)).toMatchObject({ status: 200, body: { result: 'UNCHANGED', incidentId: null } })
    expect(await incidents()).toEqual([])
  })

  test('of two calls at once declares one incident', async () => {
    const { call, incidents } = await monitoring()
    const answers = await Promise.all([1, 2, 3].map(() => call(alerts())))
    expect(answers.map(({ status }) => status === 201 || status === 200)).toEqual([true, true, true])
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(await incidents()).toHaveLength(1)
  })

  test('may send an alert twice, thousands of them, huge labels, markup and what cannot be stored', async () => {
    const { call, incident } = await monitoring()
    const doubled = await call(alerts({ groupKey: 'a', alerts: [anAlert(), anAlert()] }))
    expect((await incident(doubled.body.incidentId)).fullText.match(/instance=db-1/g)).toHaveLength(1)
    const one = await call(alerts({ groupKey: 'a', alerts: [anAlert()] }))
    expect(one.body.result).toBe('UNCHANGED')

    const many = Array.from({ length: 1_800 }, (_, n) =>
      anAlert({ labels: { n: String(n) }, annotations: {} }),
    )
    const all = await call(alerts({ groupKey: 'b', alerts: many }))
    expect(all.status).toBe(201)
    expect((await incident(all.body.incidentId)).fullText).toMatch(/And \d+ more alerts\./)

    const huge = { alertname: '<img src=x onerror=alert(1)>\u0000\ud800', big: '&'.repeat(100_000) }
    const odd = await call(
      JSON.stringify(
        alerts({
          groupKey: 'c',
          commonAnnotations: {},
          alerts: [anAlert({ labels: huge, annotations: {} })],
        }),
      ).replace('"commonLabels":{', '"commonLabels":{"__proto__":"polluted","constructor":"x",'),
    )
    expect(odd.status).toBe(201)
    const { title, fullText } = await incident(odd.body.incidentId)
    expect([title, fullText].join(' ')).not.toContain('\u0000')
    expect(fullText).not.toContain('<img')
    expect(fullText).toContain('&lt;img')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test.each([
    ['another version', { version: '3' }],
    ['no group', { groupKey: '' }],
    ['no alerts', { alerts: [] }],
    ['alerts that are texts', { alerts: ['firing'] }],
    ['labels that are nested', { alerts: [anAlert({ labels: { a: { b: 'c' } } })] }],
  ])('with %s is refused', async (_name, changes) => {
    const { call, incidents } = await monitoring()
    expect((await call(alerts(changes))).status).toBe(400)
    expect(await incidents()).toEqual([])
  })
})

test('the last hundred calls are kept, in pages', async () => {
  const { admin, id, call, org } = await aSource()
  for (let n = 0; n < 104; n += 1) await call('no JSON')
  await call(JSON_CALL)
  const page = (await admin.get(`${PATH}/${id}/calls?offset=90&size=25`)).body
  expect(page.total).toBe(100)
  expect(page.data).toHaveLength(10)
  expect((await admin.get(`${PATH}/${id}/calls?size=1`)).body.data).toMatchObject([{ result: 'DECLARED' }])
  expect(await inside(org, (db) => db.selectFrom('declaration_calls').selectAll().execute())).toHaveLength(
    100,
  )
})

test('many wrong calls from an address are slowed down, and others are not', async () => {
  const { call } = await aSource()
  const other = await aSource()
  const wrong = { 'X-Muster-Signature': 't=1,v1=0' }
  let status = 401
  for (let n = 0; n < 200 && status === 401; n += 1) ({ status } = await call(JSON_CALL, wrong))
  expect(status).toBe(429)
  expect((await other.call(JSON_CALL)).status).toBe(201)
  later(30 * MINUTE)
  expect((await call(JSON_CALL)).status).toBe(201)
})

describe('the examples of docs/webhooks.md', () => {
  const docs = readFileSync('docs/webhooks.md', 'utf8')
  const blockOf = (language: string) => new RegExp(`\`\`\`${language}\\n([^\`]+)\`\`\``).exec(docs)![1]!

  test('sign a call of generic JSON with openssl, and send it with curl', async () => {
    const { addressId, secret, incident } = await aSource()
    const env = { ...process.env, SECRET: secret, ADDRESS: `${url}/webhooks/declare/${addressId}` }
    const { stdout } = await promisify(execFile)('sh', ['-ec', blockOf('sh')], { env })
    const { result, incidentId } = JSON.parse(stdout)
    expect(result).toBe('DECLARED')
    expect(await incident(incidentId)).toMatchObject({ title: 'Pump 7 has stopped', severity: 'CRITICAL' })
  })

  test('are a call of Alertmanager with the credentials of its configuration', async () => {
    const { addressId, secret, incident } = await monitoring()
    const config = blockOf('yaml').replace('ADDRESS', addressId).replace('SECRET', secret)
    const [, path] = /url: https:\/\/muster\.example(\S+)/.exec(config)!
    const [, type] = /type: (\S+)/.exec(config)!
    const [, credentials] = /credentials: (\S+)/.exec(config)!
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `${type} ${credentials}` },
      body: blockOf('json'),
    })
    expect(response.status).toBe(201)
    const { incidentId } = (await response.json()) as { incidentId: string }
    expect(await incident(incidentId)).toMatchObject({
      title: 'The disk of db-1 is full',
      severity: 'CRITICAL',
    })
  })
})
