import { beforeEach, describe, expect, test } from 'vitest'

import type { IncidentLabel } from '#contract/incident-labels/schema.ts'
import { LABEL_REQUIRED, TOO_MANY_LABELS } from '#contract/incidents/schema.ts'
import { again, declared, NEW, resolve } from '#tests/support/incidents.ts'
import { pdfText, READS_PDF } from '#tests/support/pdf.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const { anOrganisation, signedInAs, url } = muster

let org: Organisation
let [admin, anna] = [] as unknown as Caller[] as [Caller, Caller]
beforeEach(async () => {
  org = await anOrganisation({ multiIncident: true })
  admin = await signedInAs(org, 'ADMIN')
  anna = await signedInAs(org)
})

const suggested = async (query: object = {}, who = anna): Promise<IncidentLabel[]> => {
  const { status, body } = await who.get(`/incidentLabels?${new URLSearchParams({ ...query })}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}
const found = async (query: Record<string, string>, who = anna): Promise<string[]> => {
  const { status, body } = await who.get(`/incident?${new URLSearchParams(query)}`)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.total).toBe(body.data.length)
  return body.data.map(({ title }: { title: string }) => title).toSorted()
}
const labelled = (...labels: string[]) => ({ labels: JSON.stringify(labels) })

describe('the labels of an incident', () => {
  test('are set when it is declared, each once, and change with it', async () => {
    expect((await declared(anna)).labels).toEqual([])
    const incident = await declared(anna, { labels: [' Café ', 'Zürich', 'CAFE', 'zurich', 'Audit'] })
    expect(incident.labels).toEqual(['Café', 'Zürich', 'Audit'])
    const changed = await anna.patch(`/incident/${incident.id}`, { labels: ['Audit', 'Zürich', 'New'] })
    expect([changed.status, changed.body.labels]).toEqual([200, ['Audit', 'Zürich', 'New']])
    const other = await anna.patch(`/incident/${incident.id}`, { title: 'Another title' })
    expect(other.body.labels).toEqual(['Audit', 'Zürich', 'New'])
    const spelled = await anna.patch(`/incident/${incident.id}`, { labels: ['AUDIT'] })
    expect(spelled.body.labels).toEqual(['AUDIT'])
    expect((await anna.patch(`/incident/${incident.id}`, { labels: [] })).body.labels).toEqual([])
  })

  test('that stay as they are change nothing', async () => {
    const incident = await declared(anna, { labels: ['A', 'B'] })
    const { body } = await anna.patch(`/incident/${incident.id}`, { labels: ['A', 'B', 'a'] })
    expect(body.version).toBe(incident.version)
  })

  test('are at most ten of at most thirty characters that can be seen', async () => {
    const ten = Array.from({ length: 10 }, (_, n) => `Label ${n}`)
    const incident = await declared(anna, { labels: ten })
    for (const labels of [
      [''],
      [' '],
      ['\u200B\u00AD'],
      ['x'.repeat(31)],
      ['a\u0000b'],
      [...ten, 'One more'],
      'Fire',
      [null],
      [{ label: 'x' }],
      { 0: 'x' },
    ]) {
      const refused = await anna.patch(`/incident/${incident.id}`, { labels })
      expect(refused.status, JSON.stringify(labels)).toBe(400)
      expect((await anna.post('/incident', { ...NEW, labels })).status, JSON.stringify(labels)).toBe(400)
    }
    const blank = await anna.patch(`/incident/${incident.id}`, { labels: ['Fire', ' '] })
    expect(blank.body.fields).toEqual({ 'labels.1': LABEL_REQUIRED })
    const many = await anna.patch(`/incident/${incident.id}`, { labels: [...ten, 'One more'] })
    expect(many.body.fields).toEqual({ labels: TOO_MANY_LABELS })
    expect((await again(anna, incident)).labels).toEqual(ten)
    const odd = ['x'.repeat(30), "'); drop table incidents; --", '<b>', '%', '{"a"}', '\\', 'מסמך', '火事']
    expect((await anna.patch(`/incident/${incident.id}`, { labels: odd })).body.labels).toEqual(odd)
    for (const one of odd) expect(await found(labelled(one))).toHaveLength(1)
  })

  test('are refused after somebody else changed them, and of a resolved incident', async () => {
    const incident = await declared(anna, { labels: ['A'] })
    const { id, version } = incident
    expect((await admin.patch(`/incident/${id}`, { labels: ['B'], version })).status).toBe(200)
    const stale = await anna.patch(`/incident/${id}`, { labels: ['C'], version })
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
    expect(stale.body.message).toContain('labels')
    await resolve(anna, incident)
    expect((await anna.patch(`/incident/${id}`, { labels: ['C'] })).status).toBe(409)
    expect((await again(anna, incident)).labels).toEqual(['B'])
  })

  test('narrow the list to incidents with one of them, in any spelling', async () => {
    await declared(anna, { title: 'One', labels: ['Zürich', 'Audit'] })
    await declared(anna, { title: 'Two', labels: ['ZURICH'] })
    await declared(anna, { title: 'Three', labels: ['Basel'] })
    await declared(anna, { title: 'Four' })
    expect(await found(labelled('zürich'))).toEqual(['One', 'Two'])
    expect(await found(labelled('Basel', 'Audit'))).toEqual(['One', 'Three'])
    expect(await found(labelled('Bern'))).toEqual([])
    expect(await found({ ...labelled('Zürich'), searchWord: 'Two' })).toEqual(['Two'])
    expect(await found(labelled())).toHaveLength(4)
    for (const labels of ['{', '"Basel"', '[1]', JSON.stringify(['x'.repeat(31)])])
      expect((await anna.get(`/incident?${new URLSearchParams({ labels })}`)).status, labels).toBe(400)
  })

  test('are suggested, most used first, and no longer after the last incident lost them', async () => {
    const first = await declared(anna, { labels: ['Basel', 'Rare'] })
    await declared(anna, { labels: ['basel', 'Audit'] })
    await declared(anna, { labels: ['Basel', 'Audit'] })
    expect(await suggested()).toEqual([
      { label: 'Basel', usedCount: 3 },
      { label: 'Audit', usedCount: 2 },
      { label: 'Rare', usedCount: 1 },
    ])
    expect(await suggested({ size: '1' })).toEqual([{ label: 'Basel', usedCount: 3 }])
    expect(await suggested({ search: 'ÁUD' })).toEqual([{ label: 'Audit', usedCount: 2 }])
    expect(await suggested({ search: '%' })).toEqual([])
    expect((await anna.get('/incidentLabels?size=51')).status).toBe(400)
    await anna.patch(`/incident/${first.id}`, { labels: [] })
    expect(await suggested({ search: 'rare' })).toEqual([])
  })

  test('stand in the timeline and in the report', async (context) => {
    const incident = await declared(anna, { labels: ['Basel', 'Audit'] })
    await anna.patch(`/incident/${incident.id}`, { labels: ['Audit'] })
    const timeline = JSON.stringify((await anna.get(`/incident/${incident.id}/timeline`)).body)
    expect(timeline).toContain('Labels: Basel, Audit')
    expect(timeline).toContain('Labels: Basel, Audit → Audit')
    context.skip(!READS_PDF, 'pdftotext is not installed')
    const response = await fetch(`${url}/api/incident/file/${incident.id}`, { headers: anna.headers })
    expect(pdfText(Buffer.from(await response.arrayBuffer()))).toMatch(/Labels\s+Audit/)
  })

  test('are not seen, found or set by external people', async () => {
    const guest = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
    const incident = await declared(anna, { labels: ['Hidden'], targetedUsers: [guest.email] })
    const seen = await guest.get(`/incident/${incident.id}`)
    expect([seen.status, seen.body.labels]).toEqual([200, []])
    expect(JSON.stringify((await guest.get(`/incident/${incident.id}/timeline`)).body)).not.toContain(
      'Hidden',
    )
    expect(await found(labelled('Hidden'), guest)).toEqual([])
    expect((await guest.get('/incidentLabels')).status).toBe(403)
    expect((await guest.patch(`/incident/${incident.id}`, { labels: ['Theirs'] })).status).toBe(403)
    expect((await again(anna, incident)).labels).toEqual(['Hidden'])
  })

  test('of another organisation are neither suggested nor found', async () => {
    const incident = await declared(anna, { labels: ['Ours'] })
    const theirs = await signedInAs(await anOrganisation({ multiIncident: true }), 'ADMIN')
    expect(await suggested({}, theirs)).toEqual([])
    expect(await found(labelled('Ours'), theirs)).toEqual([])
    expect((await theirs.patch(`/incident/${incident.id}`, { labels: [] })).status).toBe(404)
  })
})
