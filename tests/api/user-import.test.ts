import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { startTestServer } from '#tests/support/server.ts'

const { anOrganisation, aUser, inside, signedInAs } = await startTestServer()

const USERS = '/useradmin/users'
const aTeam = async (config: Parameters<typeof anOrganisation>[0] = {}) => {
  const org = await anOrganisation(config)
  return { org, admin: await signedInAs(org, 'ADMIN', { lastName: 'Zz' }) }
}
const row = (email: string, more: object = {}) => ({ firstName: 'Ana', lastName: 'Silva', email, ...more })
const letters = (n: number) => String.fromCharCode(97 + (Math.floor(n / 26) % 26), 97 + (n % 26))
const mailsIn = async (org: { id: string; code: string }) =>
  inside(org, async (db) => {
    const { rows } = await sql<{ recipient: string; text: string }>`
      select recipient, text from messages`.execute(db)
    return rows
  })

describe('an import', () => {
  test('takes no other word for a type, and then adds nobody', async () => {
    const { org, admin } = await aTeam()
    const rows = [row(`one@${org.code}.example`), row(`two@${org.code}.example`, { type: 'JA' as never })]
    const { status, body } = await admin.post(USERS, rows)
    expect([status, body.fields]).toEqual([400, { '1.type': '“JA” is neither INTERNAL nor EXTERNAL.' }])
    const users = (await admin.get(USERS)).body as { email: string }[]
    expect(users.map(({ email }) => email)).toEqual([admin.email])
  })

  test('adds everybody as their row says, and mails each a link of their own', async () => {
    const { org, admin } = await aTeam()
    const answer = await admin.post(USERS, [
      row(` One@${org.code.toUpperCase()}.example `, {
        phoneNumber: '+1 (416) 555-0123',
        role: 'business user',
        type: 'EXTERNAL',
        location: ' Oslo ',
        department: 'Legal',
      }),
      row(`two@${org.code}.example`, { role: 'Boss', phoneNumber: '+1' }),
      row(`three@${org.code}.example`, { role: 'PLAYBOOK_MANAGER', sendWelcomeSetPasswordEmail: false }),
      row(`four@${org.code}.example`, { role: 'admin' }),
    ])
    expect(answer.status).toBe(201)
    expect(answer.body.skipped).toEqual([])
    expect(answer.body.created).toMatchObject([
      {
        email: `one@${org.code}.example`,
        phoneNumber: '+14165550123',
        role: 'BUSINESS_USER',
        type: 'EXTERNAL',
        location: 'Oslo',
        department: 'Legal',
        active: true,
        wasSentActivationEmail: true,
      },
      { role: 'USER', type: 'INTERNAL', phoneNumber: null, location: null, wasSentActivationEmail: true },
      { role: 'USER', wasSentActivationEmail: false },
      { role: 'ADMIN' },
    ])
    const mails = await mailsIn(org)
    expect(mails.map(({ recipient }) => recipient.replace(/@.*/, '')).toSorted()).toEqual([
      'four',
      'one',
      'two',
    ])
    for (const { recipient, text } of mails) {
      const link = new URL(/http\S+\/set-password\S+/.exec(text)![0])
      const user = answer.body.created.find(({ email }: { email: string }) => email === recipient)
      expect(link.searchParams.get('u')).toBe(user.uuid)
    }
    const [one] = answer.body.created
    const { userHistoryEntities } = (await admin.get(`/useradmin/user/${one.uuid}`)).body
    expect(userHistoryEntities).toMatchObject([
      { event: 'ACTIVATION_EMAIL_SENT', actor: admin.email },
      { event: 'CREATED', actor: admin.email },
    ])
  })

  test('leaves whoever is there as they are, and says so', async () => {
    const { org, admin } = await aTeam()
    const archived = await aUser(org, { active: false })
    const answer = await admin.post(USERS, [
      row(admin.email.toUpperCase(), { role: 'USER' }),
      row(archived.email),
      row(`new@${org.code}.example`),
    ])
    expect(answer.body.skipped).toEqual([
      { email: admin.email, reason: 'EXISTS' },
      { email: archived.email, reason: 'ARCHIVED' },
    ])
    expect(answer.body.created).toHaveLength(1)
    const users = (await admin.get(USERS)).body as { email: string; role: string; active: boolean }[]
    expect(users.find(({ email }) => email === admin.email)).toMatchObject({ role: 'ADMIN' })
    expect(users.find(({ email }) => email === archived.email)).toMatchObject({ active: false })
    const again = await admin.post(USERS, [row(`new@${org.code}.example`)])
    expect([again.status, again.body.created, again.body.skipped.length]).toEqual([201, [], 1])
  })

  test('can be told beforehand which addresses are there', async () => {
    const { org, admin } = await aTeam()
    const there = [(await aUser(org)).email, (await aUser(org, { active: false })).email]
    const elsewhere = (await aUser(await anOrganisation())).email
    const ask = (emails: readonly string[]) => admin.post('/useradmin/users/existing', { emails })
    const { status, body } = await ask([...there, ` ${there[0]!.toUpperCase()} `, elsewhere, 'new@x.example'])
    expect([status, body.emails.toSorted()]).toEqual([200, there.toSorted()])
    const many = Array.from({ length: 1_000 }, (_, n) => `new${n}@x.example`)
    expect((await ask(many)).body).toEqual({ emails: [] })
    expect((await ask([...many, 'one@x.example'])).status).toBe(400)
    expect((await ask(['nobody'])).status).toBe(400)
  })

  test('with one wrong row adds nobody, and says what is wrong with which', async () => {
    const { org, admin } = await aTeam()
    const before = (await admin.get(USERS)).body
    const answer = await admin.post(USERS, [
      row(`good@${org.code}.example`),
      row('  '),
      row('a@'),
      row('x@y.example', { firstName: 'An4', lastName: '' }),
      row('p@y.example', { phoneNumber: '020 7946 0960' }),
      row('q@y.example', { phoneNumber: '+11234567890' }),
      row('X@Y.example', { location: 'x'.repeat(256) }),
      row('o@y.example', { lastName: "O'Neil" }),
    ])
    expect(answer.status).toBe(400)
    expect(answer.body.message).toBe('An email address is missing from row 3.')
    expect(answer.body.fields).toEqual({
      '1.email': 'An email address is missing from row 3.',
      '2.email': 'Invalid email address (a@) found in row 4).',
      '3.firstName':
        'First/last name can only include alphabetical characters, periods, and spaces (in row 5).',
      '3.lastName': 'A last name is missing from row 5.',
      '4.phoneNumber': 'Invalid phone number (020 7946 0960) found in row 6: it has too many digits.',
      '5.phoneNumber': 'Invalid phone number (+11234567890) found in row 7.',
      '6.location': 'Maximum length of 255 characters exceeded (in row 8).',
      '6.email': 'Duplicate email address (x@y.example) found in row 8.',
      '7.lastName':
        'First/last name can only include alphabetical characters, periods, and spaces (in row 9).',
    })
    expect((await admin.get(USERS)).body).toEqual(before)
    expect(await mailsIn(org)).toEqual([])
  })

  test('takes hyphens and apostrophes where the organisation does', async () => {
    const { admin } = await aTeam({ nameCharacters: 'EXTENDED' })
    const answer = await admin.post(USERS, [row('o@y.example', { lastName: "O'Neil-Smith" })])
    expect(answer.body.created[0].lastName).toBe("O'Neil-Smith")
  })

  test.each<[string, unknown, object]>([
    ['nothing', [], { '': 'This file is empty.' }],
    [
      '1,001 rows',
      Array.from({ length: 1_001 }, (_, n) => row(`u${n}@y.example`)),
      { '': 'This file exceeds the maximum size of 1000 rows.' },
    ],
    [
      'a NUL',
      [row('a\u0000@y.example')],
      { '0.email': 'This text contains characters that cannot be stored.' },
    ],
  ])('of %s is bad input', async (_, body, fields) => {
    const { admin } = await aTeam()
    const answer = await admin.post(USERS, body)
    expect([answer.status, answer.body.fields]).toEqual([400, fields])
  })

  test.each([
    [[7]],
    [['text']],
    [[null]],
    [[{ email: { $ne: null } }]],
    [[row('a@y.example', { type: 'BOSS' })]],
  ])('of what is no list of users is bad input', async (body) => {
    const { admin } = await aTeam()
    expect((await admin.post(USERS, body)).status).toBe(400)
  })

  test('takes a thousand at once, and each is told of in the stream', async () => {
    const { org, admin } = await aTeam()
    const rows = Array.from({ length: 1_000 }, (_, n) =>
      row(`user${n}@${org.code}.example`, { firstName: `Ana ${letters(n)}`, phoneNumber: '+14165550123' }),
    )
    const answer = await admin.post(USERS, rows)
    expect([answer.status, answer.body.created.length]).toEqual([201, 1_000])
    expect(answer.body.created[999].email).toBe(`user999@${org.code}.example`)
    expect(await mailsIn(org)).toHaveLength(1_000)
    const { count } = await inside(org, (db) =>
      db
        .selectFrom('events')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('noun', '=', 'users')
        .where('verb', '=', 'created')
        .executeTakeFirstOrThrow(),
    )
    expect(count).toBe(1_000)
  })

  test('twice at the same moment adds everybody once', async () => {
    const { org, admin } = await aTeam()
    const rows = [row(`a@${org.code}.example`), row(`b@${org.code}.example`)]
    const answers = await Promise.all([admin.post(USERS, rows), admin.post(USERS, rows.toReversed())])
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers.flatMap(({ body }) => body.created)).toHaveLength(2)
    expect(answers.flatMap(({ body }) => body.skipped)).toHaveLength(2)
  })
})
