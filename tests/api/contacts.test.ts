import { describe, expect, test } from 'vitest'

import type { Contact } from '#contract/contacts/schema.ts'
import { startTestServer } from '#tests/support/server.ts'

const { anOrganisation, inside, send, services, signedInAs } = await startTestServer()

const aTeam = async (config: Parameters<typeof anOrganisation>[0] = {}) => {
  const org = await anOrganisation({ contactsAndMassNotificationsEnabled: true, ...config })
  return { org, admin: await signedInAs(org, 'ADMIN') }
}
const row = (given: object = {}) => ({
  name: 'Ana Costa',
  email: 'ana@example.org',
  phone: '+1 (416) 555-0123',
  list: 'Board',
  ...given,
})
const LIST = '/contact/asList'
const emailsIn = ({ body }: { body: Contact[] }) => body.map(({ email }) => email)

describe('an import', () => {
  test('keeps people and makes the lists that it names', async () => {
    const { admin } = await aTeam()
    const added = await admin.post('/contact', [
      row({ name: ' Ana Costa ', list: ' Board ' }),
      row({ name: 'Bo', email: ' BO@Example.org ', phone: '5550123', list: 'City' }),
      row({ name: null, email: 'cy@example.org', phone: null, list: 'City' }),
      row({ list: 'City' }),
    ])
    expect(added.status).toBe(201)
    const lists = [
      { name: 'Board', count: 1 },
      { name: 'City', count: 3 },
    ]
    const message = 'Invalid phone number (5550123) found in row 3.'
    const warnings = [{ index: 1, field: 'phone', written: '5550123', isKept: true, message }]
    expect(added.body).toEqual({ importId: expect.any(String), created: 3, updated: 0, lists, warnings })
    expect((await admin.get('/contact/lists')).body).toEqual(lists)
    const all = (await admin.get(LIST)).body as Contact[]
    expect(all).toMatchObject([
      {
        id: all[0]!.id,
        name: 'Ana Costa',
        email: 'ana@example.org',
        phone: '+14165550123',
        valid: true,
        phoneCountry: 'CA',
        list: 'Board',
        lists: ['Board', 'City'],
      },
      {
        id: all[1]!.id,
        name: 'Bo',
        email: 'bo@example.org',
        phone: '5550123',
        valid: false,
        phoneCountry: '',
        list: 'City',
        lists: ['City'],
      },
      {
        id: all[2]!.id,
        name: '',
        email: 'cy@example.org',
        phone: null,
        valid: null,
        phoneCountry: null,
        list: 'City',
        lists: ['City'],
      },
    ])
    const [ana, bo, cy] = all
    expect((await admin.get('/contact/asMap')).body).toEqual({
      Board: [ana],
      City: [{ ...ana, list: 'City' }, bo, cy],
    })
  })

  test('brings up to date who is there, and leaves what is not said', async () => {
    const { admin } = await aTeam()
    await admin.post('/contact', [row()])
    const again = await admin.post('/contact', [
      row({ name: 'Ana Lima', email: 'ANA@example.org', phone: null, list: 'City' }),
      row({ name: '', phone: '+1 416 555 0124', list: 'City' }),
    ])
    expect(again.body).toMatchObject({
      created: 0,
      updated: 1,
      lists: [{ name: 'City', count: 1 }],
      warnings: [],
    })
    expect((await admin.get(LIST)).body).toMatchObject([
      { name: 'Ana Lima', phone: '+14165550124', valid: true, lists: ['Board', 'City'] },
    ])
    await admin.post('/contact', [row({ name: '', phone: '' })])
    expect((await admin.get(LIST)).body).toMatchObject([{ name: 'Ana Lima', phone: '+14165550124' }])
  })

  test('takes two spellings of a name for one list, under the first', async () => {
    const { admin } = await aTeam()
    await admin.post('/contact', [
      row({ list: 'Élite' }),
      row({ email: 'bo@example.org', list: 'e\u0301LITE' }),
    ])
    await admin.post('/contact', [row({ email: 'cy@example.org', list: 'ÉLITE' })])
    expect((await admin.get('/contact/lists')).body).toEqual([{ name: 'Élite', count: 3 }])
    expect(emailsIn(await admin.get(`${LIST}?list=${encodeURIComponent('éLITE')}`))).toHaveLength(3)
  })

  test('with anything wrong writes nothing, and says what is wrong where', async () => {
    const { admin } = await aTeam()
    const bad = await admin.post('/contact', [
      row(),
      row({ email: '' }),
      row({ email: 'nobody' }),
      row({ list: '  ' }),
    ])
    expect(bad.status).toBe(400)
    expect(bad.body.message).toBe('A contact is missing an email address from row 3.')
    expect(bad.body.fields).toEqual({
      '1.email': 'A contact is missing an email address from row 3.',
      '2.email': 'Invalid email address nobody found in row 4.',
      '3.list': 'A contact (ana@example.org) was not assigned a contact list (in row 5).',
    })
    expect((await admin.get(LIST)).body).toEqual([])
    expect((await admin.get('/contact/lists')).body).toEqual([])
  })

  test.each<[string, unknown, object]>([
    ['nobody', [], { '': 'This file is empty.' }],
    [
      'a NUL',
      [row({ name: 'a\u0000' })],
      { '0.name': 'This text contains characters that cannot be stored.' },
    ],
    [
      'a long name',
      [row({ name: 'x'.repeat(256) })],
      { '0.name': 'Maximum length of 255 characters exceeded.' },
    ],
    [
      'a long list',
      [row({ list: 'x'.repeat(256) })],
      { '0.list': 'Maximum length of 255 characters exceeded.' },
    ],
  ])('of %s is bad input', async (_, body, fields) => {
    const { admin } = await aTeam()
    const answer = await admin.post('/contact', body)
    expect([answer.status, answer.body.fields]).toEqual([400, fields])
  })

  test('of a hundred is taken, and of more only where the organisation may', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => row({ email: `p${n}@example.org`, phone: null }))
    const { admin } = await aTeam()
    const refused = await admin.post('/contact', many(101))
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'This file exceeds the maximum size of 100 rows.',
    ])
    expect((await admin.get(LIST)).body).toEqual([])
    expect((await admin.post('/contact', many(100))).body).toMatchObject({ created: 100 })
    const { admin: large } = await aTeam({ contactsUploadMaxLimit: 3_000 })
    expect((await large.post('/contact', many(3_000))).body).toMatchObject({ created: 3_000 })
    expect((await large.get('/contact/lists')).body).toEqual([{ name: 'Board', count: 3_000 }])
  })

  test('is for an unsubscribed organisation as well, and for a key', async () => {
    const admin = await signedInAs(await anOrganisation(), 'ADMIN')
    const { body: key } = await admin.post('/apiManagement/credentials', { name: 'Importer' })
    const headers = { 'X-Api-Key': key.key }
    expect((await send('POST', '/contact', { headers, body: [row()] })).status).toBe(201)
    expect((await send('GET', LIST, { headers })).body).toHaveLength(1)
  })

  test('at the same moment as another one of the same people makes each person and list once', async () => {
    const { admin } = await aTeam()
    const people = Array.from({ length: 30 }, (_, n) =>
      row({ email: `p${n}@example.org`, list: `L${n % 3}` }),
    )
    const answers = await Promise.all(
      [people, people.toReversed(), people].map((rows) => admin.post('/contact', rows)),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect((await admin.get(LIST)).body).toHaveLength(30)
    expect((await admin.get('/contact/lists')).body).toHaveLength(3)
  })

  test('is on the record without an address', async () => {
    const { org, admin } = await aTeam()
    await admin.post('/contact', [row()])
    const events = await inside(org, (db) =>
      db.selectFrom('events').selectAll().where('noun', '=', 'contacts').execute(),
    )
    expect(events).toMatchObject([
      {
        verb: 'imported',
        actor: { name: admin.email },
        changes: { created: { to: 1 }, lists: { to: ['Board'] } },
      },
    ])
    expect(JSON.stringify(events[0]!.changes)).not.toContain('@')
  })
})

describe('a phone', () => {
  test.each([
    ['+1 902 555 0101', '+19025550101', true],
    ['+1 (416) 555-0123 ', '+14165550123', true],
    // Impossible.
    ['+1 111 111 1111', '+11111111111', false],
    // Without a dial code.
    ['5550123', '5550123', false],
    ['020 7946 0960', '02079460960', false],
    // By the country of the organisation.
    ['416 555 0123', '+14165550123', true],
    ['+44 (0)20 7946 0959', '+442079460959', false],
    ['1.4165E+10', null, null],
    ['call the desk', null, null],
    // Country not allowed.
    ['+49 30 901820', '+4930901820', false],
    ['+1', null, null],
    ['none', null, null],
  ])('%j is kept as %j, and is valid: %j', async (phone, kept, valid) => {
    const { admin } = await aTeam()
    await admin.post('/contact', [row({ phone })])
    expect((await admin.get(LIST)).body).toMatchObject([{ phone: kept, valid }])
  })

  test('is valid where its country is allowed, from the moment on at which it is', async () => {
    const { org, admin } = await aTeam()
    await admin.post('/contact', [row({ phone: '+49 30 901820' })])
    expect((await admin.get(LIST)).body).toMatchObject([{ valid: false }])
    const config = JSON.stringify({ twilioAllowedCountryCodes: ['DE'] }) as unknown as object
    await services.database.directory
      .updateTable('organisations')
      .set({ config })
      .where('id', '=', org.id)
      .execute()
    expect((await admin.get(LIST)).body).toMatchObject([{ phone: '+4930901820', valid: true }])
  })
})

describe('a search', () => {
  test('finds words wherever they stand, in any case and without accents', async () => {
    const { admin } = await aTeam()
    await admin.post('/contact', [
      row({ name: 'Chloé Dubois', email: 'cd@harbour.example' }),
      row({ name: 'Dörte 100% Lund', email: 'lund@city.example', phone: '+1 902 555 0142', list: 'City' }),
    ])
    const found = async (q: string, more = '') =>
      emailsIn(await admin.get(`${LIST}?q=${encodeURIComponent(q)}${more}`))
    expect(await found('chloe')).toEqual(['cd@harbour.example'])
    expect(await found('DUBOIS chl')).toEqual(['cd@harbour.example'])
    expect(await found('dorte CITY')).toEqual(['lund@city.example'])
    expect(await found('(902) 555-0142')).toEqual(['lund@city.example'])
    expect(await found('100%')).toEqual(['lund@city.example'])
    expect(await found('%')).toEqual(['lund@city.example'])
    expect(await found('_')).toEqual([])
    expect(await found("' or 1=1")).toEqual([])
    expect(await found('lund', '&list=Board')).toEqual([])
    expect(await found('lund', '&list=city')).toEqual(['lund@city.example'])
  })
})

describe('a page', () => {
  const ask = (query: object) =>
    `${LIST}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, JSON.stringify(value)]))}`

  test('of contacts is sorted and filtered as a whole, and says how many there are', async () => {
    const { admin } = await aTeam()
    const people = ['Ana', 'bo', 'Élan', 'Cy', 'Dee'].map((name, n) =>
      row({
        name,
        email: `${9 - n}@example.org`,
        phone: n < 2 ? null : `+1416555010${n}`,
        list: n < 4 ? 'City' : 'Board',
      }),
    )
    await admin.post('/contact', [...people, row({ ...people[0], list: 'Board' })])
    const page = await admin.get(ask({ range: [1, 2], filter: { list: 'city' } }))
    expect(page.headers.get('content-range')).toBe('items 1-2/4')
    expect(page.body).toMatchObject([
      { name: 'bo', list: 'City', lists: ['City'] },
      { name: 'Cy', list: 'City' },
    ])
    const named = async (query: object) =>
      (await admin.get(ask({ range: [0, 9], ...query }))).body.map(({ name }: Contact) => name)
    expect(await named({})).toEqual(['Ana', 'bo', 'Cy', 'Dee', 'Élan'])
    expect(await named({ sort: ['name', 'DESC'] })).toEqual(['Élan', 'Dee', 'Cy', 'bo', 'Ana'])
    expect(await named({ sort: ['email', 'ASC'] })).toEqual(['Dee', 'Cy', 'Élan', 'bo', 'Ana'])
    expect(await named({ sort: ['phone', 'DESC'] })).toEqual(['Dee', 'Cy', 'Élan', 'Ana', 'bo'])
    expect(await named({ filter: { q: '5550102' } })).toEqual(['Élan'])
    expect((await admin.get(ask({ range: [0, 0] }))).body).toMatchObject([
      { list: 'Board', lists: ['Board', 'City'] },
    ])
  })
})

describe('removing', () => {
  test('a contact takes them out of every list, and the lists that nobody else is in', async () => {
    const { org, admin } = await aTeam()
    await admin.post('/contact', [
      row(),
      row({ list: 'Alone' }),
      row({ name: 'Bo', email: 'bo@example.org' }),
    ])
    const [ana] = (await admin.get(LIST)).body
    expect((await admin.delete(`/contact/${ana.id}`)).status).toBe(204)
    expect((await admin.get('/contact/lists')).body).toEqual([{ name: 'Board', count: 1 }])
    expect((await admin.delete(`/contact/${ana.id}`)).status).toBe(404)
    const [event] = await inside(org, (db) =>
      db.selectFrom('events').selectAll().where('record', '=', ana.id).execute(),
    )
    expect(event).toMatchObject({ verb: 'deleted', changes: { name: { from: 'Ana Costa' } } })
    // A new list with the deleted list's name is empty.
    await admin.post('/contact', [row({ list: 'ALONE' })])
    expect((await admin.get('/contact/lists')).body).toEqual([
      { name: 'ALONE', count: 1 },
      { name: 'Board', count: 1 },
    ])
  })

  test('a list keeps who is in another one, whatever its name holds', async () => {
    const { admin } = await aTeam()
    const name = `50% "élite" / ${'ü'.repeat(200)}?#&`
    await admin.post('/contact', [
      row({ list: name }),
      row({ list: 'Board' }),
      row({ email: 'bo@example.org', list: name }),
    ])
    const path = `/contact/lists/${encodeURIComponent(name.toUpperCase())}`
    expect((await admin.delete(path)).status).toBe(204)
    expect((await admin.get('/contact/lists')).body).toEqual([{ name: 'Board', count: 1 }])
    expect(emailsIn(await admin.get(LIST))).toEqual(['ana@example.org'])
    expect((await admin.delete(path)).status).toBe(404)
  })

  test('does not reach another organisation', async () => {
    const { admin } = await aTeam()
    const { admin: theirs } = await aTeam()
    await theirs.post('/contact', [row()])
    const [contact] = (await theirs.get(LIST)).body
    expect((await admin.delete(`/contact/${contact.id}`)).status).toBe(404)
    expect((await admin.delete('/contact/lists/Board')).status).toBe(404)
    expect((await theirs.get(LIST)).body).toHaveLength(1)
  })
})

test('people who may not notify do not see contacts', async () => {
  const { org } = await aTeam()
  for (const role of ['USER', 'PLAYBOOK_MANAGER', 'BUSINESS_USER'] as const) {
    const somebody = await signedInAs(org, role)
    expect((await somebody.get(LIST)).status).toBe(403)
    expect((await somebody.post('/contact', [row()])).status).toBe(403)
  }
})
