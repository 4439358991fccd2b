import { beforeEach, describe, expect, test } from 'vitest'

import type { Definitions, IncidentField } from '#contract/incident-fields/schema.ts'
import type { IncidentKind } from '#contract/incident-kinds/schema.ts'
import { again, declared, NEW, resolve } from '#tests/support/incidents.ts'
import { pdfText, READS_PDF } from '#tests/support/pdf.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const { anOrganisation, inside, send, signedInAs, url } = muster

let org: Organisation
let [admin, anna] = [] as unknown as Caller[] as [Caller, Caller]
beforeEach(async () => {
  org = await anOrganisation({ multiIncident: true })
  admin = await signedInAs(org, 'ADMIN')
  anna = await signedInAs(org)
})

async function aKind(name = 'Fire', more: object = {}): Promise<IncidentKind> {
  const { status, body } = await admin.post('/incidentKind', { name, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
async function aField(label: string, more: object = {}): Promise<IncidentField> {
  const { status, body } = await admin.post('/incidentField', { label, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const kindBody = ({ name, icon, severity, playbookId, roleIds, isRetired, version }: IncidentKind) => ({
  name,
  icon,
  severity,
  playbookId,
  roleIds,
  isRetired,
  version,
})
const fieldBody = (field: IncidentField) => {
  const { id: _id, usedCount: _used, updateTimestamp: _at, ...body } = field
  return body
}
const definitions = async (who = anna): Promise<Definitions> => (await who.get('/incidentDefinitions')).body
const declare = (who: Caller, more: object) => who.post('/incident', { ...NEW, ...more })
const found = async (query: object, who = anna): Promise<string[]> => {
  const { status, body } = await who.get(`/incident?${new URLSearchParams({ ...query })}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.map(({ title }: { title: string }) => title).toSorted()
}
async function aPlaybook(name = 'Evacuate'): Promise<{ id: string }> {
  const made = await admin.post('/playbook/template', {
    name,
    activities: [{ type: 'HEADING', title: 'First' }],
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}

describe('the kinds of incidents', () => {
  test('are none at first, are kept by administrators, and have a name once', async () => {
    expect(await definitions()).toEqual({ kinds: [], fields: [] })
    const kind = await aKind(' Fire ', { icon: 'FIRE', severity: 'CRITICAL' })
    expect(kind).toMatchObject({ name: 'Fire', icon: 'FIRE', severity: 'CRITICAL', usedCount: 0 })
    const double = await admin.post('/incidentKind', { name: 'FIRE' })
    expect([double.status, double.body.fields]).toEqual([409, { name: 'This name is in use.' }])
    for (const body of [
      { name: ' ' },
      { name: 'x'.repeat(61) },
      { name: 'A', icon: 'SKULL' },
      { name: 'A', roleIds: ['x'] },
    ])
      expect((await admin.post('/incidentKind', body)).status, JSON.stringify(body)).toBe(400)
    expect((await anna.post('/incidentKind', { name: 'Flood' })).status).toBe(403)
    expect((await anna.get('/incidentKinds')).status).toBe(403)
  })

  test('change by one person at a time', async () => {
    const kind = await aKind()
    const first = await admin.put(`/incidentKind/${kind.id}`, { ...kindBody(kind), name: 'Blaze' })
    expect([first.status, first.body.name]).toEqual([200, 'Blaze'])
    const second = await admin.put(`/incidentKind/${kind.id}`, { ...kindBody(kind), name: 'Arson' })
    expect([second.status, second.body.code]).toEqual([409, 'stale'])
  })

  test('are at most fifty', async () => {
    for (let n = 0; n < 50; n += 1) await aKind(`Kind ${n}`)
    const refused = await admin.post('/incidentKind', { name: 'One more' })
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'An organization keeps at most 50 kinds. Please delete one that is not used.',
    ])
  })

  test('name the roles that they want, and a role that is deleted is wanted no longer', async () => {
    const roles = (await admin.get('/incidentRoles')).body as { id: string; name: string }[]
    const legal = roles.find(({ name }) => name === 'Legal')!
    const scribe = roles.find(({ name }) => name === 'Scribe')!
    const kind = await aKind('Breach', { roleIds: [legal.id, scribe.id, legal.id] })
    expect((await definitions()).kinds[0]!.roles).toEqual(['Scribe', 'Legal'])
    await admin.delete(`/incidentRole/${legal.id}`)
    expect((await definitions()).kinds[0]!.roles).toEqual(['Scribe'])
    // The form sends what it has read, with the role that is gone.
    expect((await admin.put(`/incidentKind/${kind.id}`, { ...kindBody(kind), name: 'Leak' })).status).toBe(
      200,
    )
    const unknown = await admin.post('/incidentKind', { name: 'Flood', roleIds: [legal.id] })
    expect([unknown.status, Object.keys(unknown.body.fields)]).toEqual([400, ['roleIds']])
  })

  test('propose a playbook, and say that it was deleted', async () => {
    const { id } = await aPlaybook()
    const kind = await aKind('Fire', { playbookId: id })
    expect(kind).toMatchObject({ playbookName: 'Evacuate', isPlaybookUsable: true })
    await admin.delete(`/playbook/template/${id}`)
    const [gone] = (await definitions()).kinds
    expect(gone).toMatchObject({ playbookId: id, playbookName: 'Evacuate', isPlaybookUsable: false })
    // The kind works on, and can be saved without another playbook.
    expect((await declared(anna, { kindId: kind.id })).kind?.name).toBe('Fire')
    expect((await admin.put(`/incidentKind/${kind.id}`, { ...kindBody(kind), name: 'Blaze' })).status).toBe(
      200,
    )
    const refused = await admin.post('/incidentKind', { name: 'Flood', playbookId: id })
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ['playbookId']])
  })

  test('are not deleted while incidents or fields need them, and can be retired', async () => {
    const kind = await aKind()
    const other = await aKind('Flood')
    const incident = await declared(anna, { kindId: kind.id })
    await declared(anna, { kindId: kind.id })
    await aField('Depth', { kindIds: [other.id] })
    const refused = await admin.delete(`/incidentKind/${kind.id}`)
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Fire is the kind of 2 incidents. Please retire it instead.',
    ])
    const limited = await admin.delete(`/incidentKind/${other.id}`)
    expect([limited.status, limited.body.message]).toMatchObject([409, expect.stringContaining('Depth')])
    await admin.put(`/incidentKind/${kind.id}`, { ...kindBody(kind), isRetired: true })
    expect(await again(anna, incident)).toMatchObject({ kindId: kind.id, kind: { name: 'Fire' } })
    const retired = await declare(anna, { kindId: kind.id })
    expect([retired.status, retired.body.fields]).toEqual([
      400,
      { kindId: 'This kind is retired. Please choose another one.' },
    ])
    // An incident that has it can be changed otherwise.
    expect((await anna.patch(`/incident/${incident.id}`, { kindId: kind.id, title: 'Other' })).status).toBe(
      200,
    )
  })

  test('of nobody are deleted', async () => {
    const kind = await aKind()
    expect((await admin.delete(`/incidentKind/${kind.id}`)).status).toBe(204)
    const unknown = await declare(anna, { kindId: kind.id })
    expect([unknown.status, Object.keys(unknown.body.fields)]).toEqual([400, ['kindId']])
  })
})

describe('the fields of incidents', () => {
  test('have a label once, a type that stays, and choices only where they are chosen', async () => {
    const field = await aField('Customer', { choices: ['No'] })
    expect(field).toMatchObject({ type: 'TEXT', choices: [], usedCount: 0, kindIds: [] })
    const double = await admin.post('/incidentField', { label: 'CUSTOMER' })
    expect([double.status, double.body.fields]).toEqual([409, { label: 'This label is in use.' }])
    const other = await admin.put(`/incidentField/${field.id}`, { ...fieldBody(field), type: 'DATE' })
    expect([other.status, Object.keys(other.body.fields)]).toEqual([400, ['type']])
    const choice = { label: 'Site', type: 'CHOICE' }
    for (const choices of [[], ['A', 'A'], [' '], Array.from({ length: 31 }, (_, n) => `${n}`)])
      expect((await admin.post('/incidentField', { ...choice, choices })).status, choices.join()).toBe(400)
    const unknown = await admin.post('/incidentField', { label: 'B', kindIds: [crypto.randomUUID()] })
    expect([unknown.status, Object.keys(unknown.body.fields)]).toEqual([400, ['kindIds']])
    const stale = await admin.put(`/incidentField/${field.id}`, { ...fieldBody(field), version: 7 })
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
  })

  test('are at most twenty, and a retired one makes room', async () => {
    const fields: IncidentField[] = []
    for (let n = 0; n < 20; n += 1) fields.push(await aField(`Field ${n}`))
    const refused = await admin.post('/incidentField', { label: 'One more' })
    const sentence = 'At most 20 fields are asked for. Please retire one first.'
    expect([refused.status, refused.body.message]).toEqual([400, sentence])
    const [first] = fields as [IncidentField]
    const retired = await admin.put(`/incidentField/${first.id}`, { ...fieldBody(first), isRetired: true })
    expect(retired.status).toBe(200)
    await aField('One more')
    const back = await admin.put(`/incidentField/${first.id}`, {
      ...fieldBody(retired.body),
      isRetired: false,
    })
    expect([back.status, back.body.message]).toEqual([400, sentence])
    // One that is asked for can be changed while there are twenty.
    const last = fields.at(-1)!
    expect((await admin.put(`/incidentField/${last.id}`, { ...fieldBody(last), label: 'New' })).status).toBe(
      200,
    )
  })

  test('are not deleted while incidents have a value of them', async () => {
    const field = await aField('Customer')
    const incident = await declared(anna, { fieldValues: { [field.id]: 'Acme' } })
    const refused = await admin.delete(`/incidentField/${field.id}`)
    expect([refused.status, refused.body.message]).toEqual([
      409,
      '1 incident has a value of Customer. Please retire it instead.',
    ])
    await admin.put(`/incidentField/${field.id}`, { ...fieldBody(field), isRetired: true })
    expect((await again(anna, incident)).fieldValues).toEqual({ [field.id]: 'Acme' })
    const given = await declare(anna, { fieldValues: { [field.id]: 'Beta' } })
    expect([given.status, Object.keys(given.body.fields)]).toEqual([400, [`fieldValues.${field.id}`]])
    const emptied = await anna.patch(`/incident/${incident.id}`, { fieldValues: { [field.id]: null } })
    expect([emptied.status, emptied.body.fieldValues]).toEqual([200, {}])
    expect((await admin.delete(`/incidentField/${field.id}`)).status).toBe(204)
  })
})

describe('a value', () => {
  const business = () => signedInAs(org, 'BUSINESS_USER')
  const TYPES: {
    readonly type: string
    readonly right: readonly (readonly [sent: unknown, stored: unknown])[]
    readonly wrong: readonly unknown[]
  }[] = [
    {
      type: 'TEXT',
      right: [
        [' Acme & <b>Söhne</b> ', 'Acme & <b>Söhne</b>'],
        ["'; drop table incidents; --", "'; drop table incidents; --"],
        ['x'.repeat(500), 'x'.repeat(500)],
      ],
      wrong: ['x'.repeat(501), 'a\u0000b', 7, true, {}, ['a']],
    },
    {
      type: 'NUMBER',
      right: [
        [0, 0],
        [-12.5, -12.5],
        [1e15, 1e15],
      ],
      wrong: ['7', 1e16, -1e300, [], 'NaN'],
    },
    {
      type: 'DATE',
      right: [['2028-02-29', '2028-02-29']],
      wrong: ['2026-02-30', '31.03.2026', '2026-3-1', '20260301', '0001-01-01', 'tomorrow', 20_260_301],
    },
    { type: 'CHOICE', right: [['North', 'North']], wrong: ['north', 'West', '__proto__', 1] },
    {
      type: 'LINK',
      right: [['https://status.example/a?b=c#d', 'https://status.example/a?b=c#d']],
      wrong: [
        'javascript:alert(1)',
        'data:text/html,x',
        'status.example',
        'https://',
        'https://a:b@evil.example/',
        'ftp://a.example',
      ],
    },
  ]

  test.each(TYPES)('of the type $type is checked', async ({ type, right, wrong }) => {
    const choices = type === 'CHOICE' ? ['North', 'South'] : []
    const field = await aField('Own', { type, choices })
    for (const [sent, stored] of right) {
      const made = await declared(anna, { fieldValues: { [field.id]: sent } })
      expect(made.fieldValues).toEqual({ [field.id]: stored })
    }
    const before = await found({})
    for (const value of wrong) {
      const { status, body } = await declare(anna, { fieldValues: { [field.id]: value } })
      expect([status, Object.keys(body.fields ?? {})], String(value)).toEqual([
        400,
        [`fieldValues.${field.id}`],
      ])
    }
    expect(await found({})).toEqual(before)
  })

  test('of a person is an active colleague', async () => {
    const field = await aField('Owner', { type: 'PERSON' })
    const made = await declared(anna, { fieldValues: { [field.id]: admin.email.toUpperCase() } })
    expect(made.fieldValues).toEqual({ [field.id]: admin.email })
    const guest = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
    for (const email of ['nobody@demo.example', 'no address', guest.email, (await business()).email]) {
      const { status, body } = await declare(anna, { fieldValues: { [field.id]: email } })
      expect([status, Object.keys(body.fields)], email).toEqual([400, [`fieldValues.${field.id}`]])
    }
  })

  test('of an unknown field, and too many of them, are refused', async () => {
    const one = await declare(anna, { fieldValues: { [crypto.randomUUID()]: 'x' } })
    expect(one.status).toBe(400)
    for (const fieldValues of [{ nonsense: 'x' }, [], 'x', { __proto__: 'x', constructor: 'y' }])
      expect((await declare(anna, { fieldValues })).status, JSON.stringify(fieldValues)).toBe(400)
    const many = Object.fromEntries(Array.from({ length: 101 }, () => [crypto.randomUUID(), 'x']))
    expect((await declare(anna, { fieldValues: many })).status).toBe(400)
  })

  test('is asked for its kinds alone', async () => {
    const [fire, flood] = [await aKind(), await aKind('Flood')]
    const field = await aField('Depth', { type: 'NUMBER', kindIds: [flood.id], isRequired: true })
    const other = await declare(anna, { kindId: fire.id, fieldValues: { [field.id]: 3 } })
    expect([other.status, Object.keys(other.body.fields)]).toEqual([400, [`fieldValues.${field.id}`]])
    expect((await declare(anna, { kindId: fire.id })).status).toBe(201)
    const missing = await declare(anna, { kindId: flood.id })
    expect([missing.status, missing.body]).toMatchObject([
      400,
      {
        message: 'Depth: Please fill in this field.',
        fields: { [`fieldValues.${field.id}`]: 'Please fill in this field.' },
      },
    ])
    expect((await declare(anna, { kindId: flood.id, fieldValues: { [field.id]: 3 } })).status).toBe(201)
  })

  test('that is required is demanded of people, and of programs that know of fields', async () => {
    const before = await declared(anna)
    const field = await aField('Customer', { isRequired: true })
    expect((await declare(anna, {})).status).toBe(400)
    const { body } = await admin.post('/apiManagement/credentials', { name: 'Monitoring' })
    const program = (given: object) =>
      send('POST', '/incident', { headers: { 'X-Api-Key': body.key }, body: { ...NEW, ...given } })
    expect((await program({})).status).toBe(201)
    expect((await program({ kindId: null })).status).toBe(400)
    const filled = await program({ fieldValues: { [field.id]: 'Acme' } })
    expect([filled.status, filled.body.fieldValues]).toEqual([201, { [field.id]: 'Acme' }])
    // An older incident can be changed without it, and nobody empties it where it is there.
    const title = await anna.patch(`/incident/${before.id}`, { title: 'Other', fieldValues: {} })
    expect(title.status).toBe(200)
    const emptied = await anna.patch(`/incident/${filled.body.id}`, { fieldValues: { [field.id]: ' ' } })
    expect([emptied.status, Object.keys(emptied.body.fields)]).toEqual([400, [`fieldValues.${field.id}`]])
  })

  test('that is no longer among the choices stays, and cannot be chosen anew', async () => {
    const field = await aField('Site', { type: 'CHOICE', choices: ['North', 'South'] })
    const incident = await declared(anna, { fieldValues: { [field.id]: 'North' } })
    await admin.put(`/incidentField/${field.id}`, { ...fieldBody(field), choices: ['South'] })
    const kept = await anna.patch(`/incident/${incident.id}`, {
      title: 'B',
      fieldValues: { [field.id]: 'North' },
    })
    expect([kept.status, kept.body.fieldValues]).toEqual([200, { [field.id]: 'North' }])
    expect((await declare(anna, { fieldValues: { [field.id]: 'North' } })).status).toBe(400)
  })
})

describe('an incident', () => {
  test('changes its kind with a reason, which the timeline tells, and two people do not overwrite each other', async () => {
    const [fire, flood] = [await aKind(), await aKind('Flood')]
    const field = await aField('Owner', { type: 'PERSON' })
    const incident = await declared(anna, { kindId: fire.id, fieldValues: { [field.id]: anna.email } })
    const changed = await anna.patch(`/incident/${incident.id}`, {
      kindId: flood.id,
      fieldValues: { [field.id]: admin.email },
      reason: 'It was water.',
      version: incident.version,
    })
    expect([changed.status, changed.body.kind.name]).toEqual([200, 'Flood'])
    const stale = await admin.patch(`/incident/${incident.id}`, { kindId: null, version: incident.version })
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
    expect(stale.body.message).toContain('kind')
    expect(stale.body.message).toContain('Owner')
    const { body } = await anna.get(`/incident/${incident.id}/timeline`)
    const lines = body.data.flatMap(({ lines: all }: { lines: { text: string }[] }) =>
      all.map(({ text }) => text),
    )
    expect(lines).toEqual(
      expect.arrayContaining(['Kind: Fire → Flood', 'Reason: It was water.', 'Kind: Fire']),
    )
    expect(lines.some((line: string) => line.startsWith('Owner: ') && !line.includes('@'))).toBe(true)
    await resolve(anna, incident)
    const late = await anna.patch(`/incident/${incident.id}`, { kindId: fire.id })
    expect(late.status).toBe(409)
    expect((await again(anna, incident)).kind?.name).toBe('Flood')
  })

  test('is found by kind and values, together with words', async () => {
    const [fire, flood] = [await aKind(), await aKind('Flood')]
    const site = await aField('Site', { type: 'CHOICE', choices: ['North', 'South'] })
    const owner = await aField('Owner', { type: 'PERSON' })
    const of = (place: string) => ({ [site.id]: place, [owner.id]: anna.email })
    await declared(anna, { title: 'Alpha hall', kindId: fire.id, fieldValues: of('North') })
    await declared(anna, { title: 'Beta hall', kindId: fire.id, fieldValues: of('South') })
    await declared(anna, { title: 'Gamma hall', kindId: flood.id })
    const values = (given: object) => JSON.stringify(given)
    expect(await found({ kindId: fire.id })).toEqual(['Alpha hall', 'Beta hall'])
    expect(await found({ fieldValues: values(of('North')) })).toEqual(['Alpha hall'])
    expect(await found({ fieldValues: values({ [owner.id]: anna.email }) })).toHaveLength(2)
    expect(await found({ kindId: flood.id, fieldValues: values(of('North')) })).toEqual([])
    expect(await found({ kindId: fire.id, searchWord: 'beta' })).toEqual(['Beta hall'])
    expect(await found({ searchWord: 'hall', fieldValues: values(of('South')) })).toEqual(['Beta hall'])
    const { body } = await anna.get(`/incident?kindId=${fire.id}&size=1`)
    expect([body.data.length, body.total]).toEqual([1, 2])
    for (const query of ['kindId=fire', 'fieldValues=x', `fieldValues=${encodeURIComponent('{"a":"b"}')}`])
      expect((await anna.get(`/incident?${query}`)).status, query).toBe(400)
  })

  test('shows external people neither its kind nor its fields', async (context) => {
    const kind = await aKind('Secret kind')
    const field = await aField('Secret field')
    const guest = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
    const incident = await declared(anna, {
      targetedUsers: [guest.email],
      kindId: kind.id,
      fieldValues: { [field.id]: 'Hidden' },
    })
    await anna.patch(`/incident/${incident.id}`, { fieldValues: { [field.id]: 'Hidden still' } })
    const seen = await guest.get(`/incident/${incident.id}`)
    expect([seen.status, seen.body.kindId, seen.body.kind, seen.body.fieldValues]).toEqual([
      200,
      null,
      null,
      {},
    ])
    const { body } = await guest.get('/incident')
    expect(body.data).toHaveLength(1)
    expect(JSON.stringify([body, seen.body])).not.toMatch(/Secret|Hidden|kind-id/)
    expect(await found({ kindId: kind.id }, guest)).toEqual([])
    expect(await found({ fieldValues: JSON.stringify({ [field.id]: 'Hidden still' }) }, guest)).toEqual([])
    expect((await guest.get('/incidentDefinitions')).status).toBe(403)
    context.skip(!READS_PDF, 'pdftotext is not installed')
    const words = async (who: Caller) => {
      const response = await fetch(`${url}/api/incident/file/${incident.id}`, { headers: who.headers })
      return pdfText(Buffer.from(await response.arrayBuffer()))
    }
    expect(await words(guest)).not.toMatch(/Secret|Hidden/)
    const ours = await words(anna)
    for (const said of ['Secret kind', 'Secret field', 'Hidden still']) expect(ours).toContain(said)
  })

  test('of another organisation has neither our kinds nor our fields', async () => {
    const [kind, field] = [await aKind(), await aField('Customer')]
    const theirs = await signedInAs(await anOrganisation({ multiIncident: true }), 'ADMIN')
    expect((await declare(theirs, { kindId: kind.id })).status).toBe(400)
    expect((await declare(theirs, { fieldValues: { [field.id]: 'x' } })).status).toBe(400)
    expect(await definitions(theirs)).toEqual({ kinds: [], fields: [] })
    expect(
      (await inside(org, (db) => db.selectFrom('incident_field_values').selectAll().execute())).length,
    ).toBe(0)
  })
})
