import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import { deactivateUser } from '#server/users/flows.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, aUser, inside, send, signedInAs } = await startTestServer()

const NEW = { firstName: 'Ana', lastName: 'Silva', email: 'ana@company.example' }
const aTeam = async () => {
  const org = await anOrganisation()
  return { org, admin: await signedInAs(org, 'ADMIN', { lastName: 'Zz' }) }
}
const mailsTo = (org: Organisation, address: string) =>
  inside(org, async (db) => {
    const { rows } = await sql<{ channel: string; subject: string; text: string; html: string }>`
      select channel, subject, text, html from messages where recipient = ${address}`.execute(db)
    return rows
  })
const eventsOf = (org: Organisation, record: string) =>
  inside(org, (db) =>
    db.selectFrom('events').selectAll().where('record', '=', record).orderBy('sequence').execute(),
  )

describe('adding a user', () => {
  test('mails a link that sets the password', async () => {
    const { org, admin } = await aTeam()
    const email = `new@${org.code}.example`
    const made = await admin.post('/useradmin/user', {
      ...NEW,
      email: ` New@${org.code.toUpperCase()}.example `,
      firstName: ' Ana ',
      phoneNumber: '+1 (416) 555-0123',
      location: ' Toronto ',
      department: '',
      active: true,
      passwordChangeRequired: false,
    })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      email,
      firstName: 'Ana',
      phoneNumber: '+14165550123',
      location: 'Toronto',
      department: null,
      role: 'USER',
      type: 'INTERNAL',
      active: true,
      hasPasswordSet: false,
      wasSentActivationEmail: true,
      version: 1,
    })
    const { uuid } = made.body
    expect((await admin.get(`/useradmin/user/${uuid}`)).body).toMatchObject(made.body)
    expect(await eventsOf(org, uuid)).toMatchObject([
      { verb: 'created', actor: { name: admin.email }, changes: { email: { from: null, to: email } } },
      { verb: 'activation email sent' },
    ])

    const [mail, ...more] = await mailsTo(org, email)
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      channel: 'EMAIL',
      subject: `Set your password for Organisation ${org.code}`,
    })
    const link = new URL(/http\S+/.exec(mail!.text)![0])
    expect(mail!.html.replaceAll('&#38;', '&')).toContain(link.href)
    const body = {
      userId: link.searchParams.get('u'),
      enterpriseCode: link.searchParams.get('e'),
      oneTimePasscode: link.searchParams.get('t'),
      newPassword: 'Correct-horse-9',
    }
    expect((await send('POST', '/authentication/changePassword', { body })).status).toBe(204)
    expect((await admin.get(`/useradmin/user/${uuid}`)).body.hasPasswordSet).toBe(true)
    const signIn = { email, password: body.newPassword, enterpriseCode: org.code }
    expect((await send('POST', '/authentication/upass', { body: signIn })).status).toBe(200)
    expect((await admin.get(`/useradmin/user/${uuid}`)).body.lastLoginTimestamp).not.toBeNull()
  })

  test('mails nothing when told not to, or when it is refused', async () => {
    const { org, admin } = await aTeam()
    const email = `quiet@${org.code}.example`
    const quiet = await admin.post('/useradmin/user', { ...NEW, email, sendWelcomeSetPasswordEmail: false })
    expect(quiet.body.wasSentActivationEmail).toBe(false)
    expect((await admin.post('/useradmin/user', { ...NEW, email })).status).toBe(409)
    expect(await mailsTo(org, email)).toEqual([])
  })

  test('a mail shows what was typed, and no markup comes of it', async () => {
    const { org, admin } = await aTeam()
    const email = `x&y'z@${org.code}.example`
    await admin.post('/useradmin/user', { ...NEW, email })
    const [mail] = await mailsTo(org, email)
    expect(mail!.text).toContain(email)
    expect(mail!.html).toContain(`x&#38;y&#39;z@${org.code}.example`)
  })

  test('with an address that is taken is 409, whatever its case, archived users included', async () => {
    const { org, admin } = await aTeam()
    const archived = await aUser(org, { active: false })
    for (const email of [admin.email, admin.email.toUpperCase(), archived.email]) {
      const again = await admin.post('/useradmin/user', { ...NEW, email })
      expect(again.status).toBe(409)
      expect(again.body.fields).toEqual({ email: 'A user with this email address already exists.' })
    }
    const elsewhere = await signedInAs(await anOrganisation(), 'ADMIN')
    expect((await elsewhere.post('/useradmin/user', { ...NEW, email: admin.email })).status).toBe(201)
  })

  test('twice at the same moment makes one', async () => {
    const { admin } = await aTeam()
    const answers = await Promise.all([1, 2, 3].map(() => admin.post('/useradmin/user', NEW)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
  })

  test.each<[string, object, object]>([
    [
      'nothing',
      { firstName: '', lastName: null, email: 'x' },
      {
        firstName: 'Please enter a first name.',
        lastName: 'Please enter a last name.',
        email: 'Please enter a valid email address.',
      },
    ],
    [
      'a digit in a name',
      { firstName: 'R2D2' },
      { firstName: 'Only alphabetical characters and spaces are allowed.' },
    ],
    [
      'an apostrophe in a name',
      { lastName: "O'Neil" },
      { lastName: 'Only alphabetical characters and spaces are allowed.' },
    ],
    [
      'a phone number of neither its country nor with a dial code',
      { phoneNumber: '020 7946 0960' },
      { phoneNumber: 'Only valid phone numbers are allowed.' },
    ],
    [
      'a phone number of an area that does not exist',
      { phoneNumber: '+11234567890' },
      { phoneNumber: 'Only valid phone numbers are allowed.' },
    ],
    [
      'a phone number of a country that does not exist',
      { phoneNumber: '+9991234567' },
      { phoneNumber: 'Only valid phone numbers are allowed.' },
    ],
    [
      'a role that is not offered',
      { role: 'PLAYBOOK_MANAGER' },
      { role: 'This role cannot be chosen here.' },
    ],
    [
      'a long location',
      { location: 'x'.repeat(256) },
      { location: 'Maximum length of 255 characters exceeded.' },
    ],
    [
      'a department with a NUL',
      { department: 'a\u0000b' },
      { department: 'This text contains characters that cannot be stored.' },
    ],
  ])('%s is bad input', async (_, changes, fields) => {
    const { admin } = await aTeam()
    const answer = await admin.post('/useradmin/user', { ...NEW, ...changes })
    expect(answer.status).toBe(400)
    expect(answer.body.fields).toEqual(fields)
    expect((await admin.get('/useradmin/users')).body).toHaveLength(1)
  })

  test.each(['OWNER', 'admin', '', 7])('the role %j does not exist', async (role) => {
    const { admin } = await aTeam()
    const answer = await admin.post('/useradmin/user', { ...NEW, role })
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ['role']])
  })

  test.each(['OTHER', 'internal', null])('the type %j does not exist', async (type) => {
    const { admin } = await aTeam()
    const answer = await admin.post('/useradmin/user', { ...NEW, type })
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ['type']])
  })

  test('decides itself what nobody may send', async () => {
    const { org, admin } = await aTeam()
    const other = await anOrganisation()
    const made = await admin.post('/useradmin/user', {
      ...NEW,
      uuid: admin.uuid,
      organisation_id: other.id,
      organisationId: other.id,
      password_hash: 'x',
      banned: true,
      active: false,
      hasPasswordSet: true,
      version: 99,
      phoneNumber: '+1',
    })
    expect(made.body).toMatchObject({ active: true, banned: false, hasPasswordSet: false, version: 1 })
    expect(made.body.phoneNumber).toBeNull()
    expect(made.body.uuid).not.toBe(admin.uuid)
    expect(await inside(org, (db) => db.selectFrom('users').select('id').execute())).toHaveLength(2)
  })

  test('goes beyond the allowance of users: that is a matter of the bill', async () => {
    const org = await anOrganisation({}, { maxUsers: 1 })
    const admin = await signedInAs(org, 'ADMIN')
    expect((await admin.post('/useradmin/user', NEW)).status).toBe(201)
  })
})

describe('changing a user', () => {
  async function aUserToChange(person: Parameters<typeof aUser>[1] = {}) {
    const { org, admin } = await aTeam()
    const { uuid, email } = await aUser(org, person)
    const path = `/useradmin/user/${uuid}`
    const { userHistoryEntities, ...body } = (await admin.get(path)).body
    expect(userHistoryEntities).toEqual([])
    return { org, admin, uuid, email, path, body }
  }

  test('keeps each field that is given', async () => {
    const { admin, path, body } = await aUserToChange()
    const given = {
      firstName: 'Bea',
      lastName: 'Costa',
      phoneNumber: '+442079460000',
      location: 'Porto',
      department: 'Legal',
      role: 'ADMIN',
    }
    expect((await admin.put(path, { ...body, ...given })).status).toBe(200)
    expect((await admin.get(path)).body).toMatchObject(given)
  })

  test('keeps what changed, and who changed it', async () => {
    const { org, admin, uuid, path, body } = await aUserToChange()
    const changed = await admin.put(path, {
      ...body,
      firstName: 'Bea',
      phoneNumber: '+442079460000',
      role: 'ADMIN',
    })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({
      ...body,
      firstName: 'Bea',
      phoneNumber: '+442079460000',
      role: 'ADMIN',
      version: 2,
    })
    expect(await eventsOf(org, uuid)).toMatchObject([
      {
        verb: 'updated',
        actor: { kind: 'person', name: admin.email },
        changes: {
          firstName: { from: 'Ana', to: 'Bea' },
          phoneNumber: { from: null, to: '+442079460000' },
          role: { from: 'USER', to: 'ADMIN' },
        },
      },
    ])
  })

  test('to what it was changes nothing', async () => {
    const { org, admin, uuid, path, body } = await aUserToChange()
    expect((await admin.put(path, { ...body, location: ' ' })).body).toEqual(body)
    expect(await eventsOf(org, uuid)).toEqual([])
  })

  test('is refused when somebody else changed it meanwhile, and says who', async () => {
    const { org, admin, path, body } = await aUserToChange()
    const second = await signedInAs(org, 'ADMIN')
    expect((await second.put(path, { ...body, firstName: 'Bea' })).status).toBe(200)
    const late = await admin.put(path, { ...body, firstName: 'Cleo' })
    expect([late.status, late.body.code]).toEqual([409, 'stale'])
    expect(late.body.message).toContain(second.email)
    const { version, ...withoutVersion } = body
    expect(version).toBe(1)
    expect((await admin.put(path, { ...withoutVersion, firstName: 'Cleo' })).body.version).toBe(3)
  })

  test('keeps the address', async () => {
    const { admin, email, path, body } = await aUserToChange()
    const moved = await admin.put(path, { ...body, email: 'other@company.example' })
    expect([moved.status, Object.keys(moved.body.fields)]).toEqual([400, ['email']])
    expect((await admin.put(path, { ...body, email: email.toUpperCase() })).status).toBe(200)
    const { email: _, ...withoutEmail } = body
    expect((await admin.put(path, withoutEmail)).status).toBe(200)
  })

  test('keeps a playbook manager one, but makes nobody one', async () => {
    const { admin, path, body } = await aUserToChange({ role: 'PLAYBOOK_MANAGER' })
    expect((await admin.put(path, { ...body, firstName: 'Bea' })).body.role).toBe('PLAYBOOK_MANAGER')
    expect((await admin.put(path, { ...body, version: 2, role: 'USER' })).status).toBe(200)
    const back = await admin.put(path, { ...body, version: 3 })
    expect([back.status, Object.keys(back.body.fields)]).toEqual([400, ['role']])
  })

  test('leaves a name and a number alone that would not be taken today', async () => {
    const { org, admin, uuid, path, body } = await aUserToChange()
    await inside(org, (db) =>
      db.updateTable('users').set({ phone_number: '+11234567890' }).where('id', '=', uuid).execute(),
    )
    const changed = await admin.put(path, { ...body, phoneNumber: '+11234567890', location: 'Oslo' })
    expect([changed.status, changed.body.location]).toEqual([200, 'Oslo'])
  })

  test('who is archived is refused', async () => {
    const { admin, path, body } = await aUserToChange({ active: false })
    expect((await admin.put(path, { ...body, firstName: 'Bea' })).status).toBe(409)
  })

  test('mails an activation link only when asked to', async () => {
    const { org, admin, email, path, body } = await aUserToChange()
    await admin.put(path, { ...body, firstName: 'Bea' })
    expect(await mailsTo(org, email)).toHaveLength(0)
    const sent = await admin.put(path, {
      ...body,
      firstName: 'Bea',
      version: 2,
      sendWelcomeSetPasswordEmail: true,
    })
    expect(sent.body.wasSentActivationEmail).toBe(true)
    expect(await mailsTo(org, email)).toHaveLength(1)
  })

  test('administrators cannot give up their own rights', async () => {
    const { admin } = await aUserToChange({ role: 'ADMIN' })
    const path = `/useradmin/user/${admin.uuid}`
    const { body } = await admin.get(path)
    for (const change of [{ role: 'USER' }, { type: 'EXTERNAL' }]) {
      const answer = await admin.put(path, { ...body, ...change })
      expect([answer.status, answer.body.message]).toEqual([
        409,
        'You cannot take away your own administrator rights.',
      ])
    }
    expect((await admin.put(path, { ...body, firstName: 'Bea' })).status).toBe(200)
  })
})

describe('archiving a user', () => {
  test('keeps the record, and reactivating brings it back', async () => {
    const { org, admin } = await aTeam()
    const person = await signedInAs(org)
    const path = `/useradmin/user/${person.uuid}`
    expect(await admin.delete(path)).toMatchObject({ status: 204, text: '' })
    expect((await admin.delete(path)).status).toBe(204)
    expect((await person.get('/me')).status).toBe(401)
    const { body } = await admin.get(path)
    expect(body.active).toBe(false)
    expect((await admin.get('/useradmin/users?filter={"active":false}')).body).toEqual([body])
    const back = await admin.post(path)
    const { userHistoryEntities, ...user } = body
    expect(userHistoryEntities).toHaveLength(1)
    expect([back.status, back.body]).toEqual([200, { ...user, active: true, version: 3 }])
    expect((await admin.post(path)).body).toEqual(back.body)
    expect((await eventsOf(org, person.uuid)).map(({ verb }) => verb)).toEqual(['deactivated', 'reactivated'])
    expect((await eventsOf(org, person.sessionId)).map(({ verb }) => verb)).toEqual(['ended'])
  })

  test('oneself is refused', async () => {
    const { org, admin } = await aTeam()
    await signedInAs(org, 'ADMIN')
    const answer = await admin.delete(`/useradmin/user/${admin.uuid}`)
    expect([answer.status, answer.body.message]).toEqual([409, 'You cannot deactivate yourself.'])
  })

  test('the last administrator is refused, where whoever asks has lost the rights meanwhile', async () => {
    const { org, admin } = await aTeam()
    const demoted = await signedInAs(org, 'USER')
    const archived = inside(org, (db) => deactivateUser(db, { id: demoted.uuid }, admin.uuid))
    await expect(archived).rejects.toThrow('The organization needs at least one active administrator.')
    expect((await admin.get(`/useradmin/user/${admin.uuid}`)).body.active).toBe(true)
  })

  test('and demoting at the same moment never leave an organisation without administrators', async () => {
    const demote = async (by: Caller, whom: Caller) => {
      const path = `/useradmin/user/${whom.uuid}`
      const { body } = await by.get(path)
      return by.put(path, { ...body, role: 'USER' })
    }
    const archive = (by: Caller, whom: Caller) => by.delete(`/useradmin/user/${whom.uuid}`)
    for (const [one, two] of [
      [demote, demote],
      [archive, archive],
      [demote, archive],
    ] as const) {
      const org = await anOrganisation()
      const [a, b] = [await signedInAs(org, 'ADMIN'), await signedInAs(org, 'ADMIN')]
      await Promise.all([one(a, b), two(b, a)])
      const { body } = await inside(org, async (db) => ({
        body: await db
          .selectFrom('users')
          .select('id')
          .where('role', '=', 'ADMIN')
          .where('active', '=', true)
          .execute(),
      }))
      expect(body.length).toBeGreaterThanOrEqual(1)
    }
  })
})

describe('phone numbers and names as people write them', () => {
  test('a number is stored apart from its extension, beside a second one, and found in any form', async () => {
    const { org, admin } = await aTeam()
    const email = `ute@${org.code}.example`
    const added = await admin.post('/useradmin/user', {
      firstName: 'Ute',
      lastName: 'Berg',
      email,
      phoneNumber: '+49 (0)30 901820 DW 12 / 0049 151 23456789',
      sendWelcomeSetPasswordEmail: false,
    })
    const phones = {
      phoneNumber: '+4930901820',
      phoneExtension: '12',
      secondPhoneNumber: '+4915123456789',
      secondPhoneExtension: null,
    }
    expect(added.body).toMatchObject(phones)
    // Who knows one number only takes neither the extension nor the other number away.
    const { uuid, firstName, lastName } = added.body
    const same = { firstName, lastName, phoneNumber: phones.phoneNumber, location: 'Bonn' }
    expect((await admin.put(`/useradmin/user/${uuid}`, same)).body).toMatchObject({
      ...phones,
      location: 'Bonn',
    })
    for (const q of ['0151 23456789', '+49 151 2345 6789', '2345 6789', '(030) 9018-20', '3090']) {
      const filter = encodeURIComponent(JSON.stringify({ q }))
      const found = await admin.get(`/useradmin/users?filter=${filter}&range=[0,9]`)
      expect(
        found.body.map((one: { email: string }) => one.email),
        q,
      ).toEqual([email])
      const picked = await admin.get(`/authentication/users/search?searchString=${encodeURIComponent(q)}`)
      expect(JSON.stringify(picked.body), q).toContain(email)
    }
  })

  test('people with one name come in and sort by it where the organisation allows it', async () => {
    const { org, admin } = await aTeam()
    const bjork = { firstName: 'Björk', lastName: '', email: `b@${org.code}.example` }
    expect((await admin.post('/useradmin/user', bjork)).body.fields).toEqual({
      lastName: 'Please enter a last name.',
    })
    await admin.put('/config/enterpriseConfigDetails', {
      databaseKey: 'nameCharacters',
      valueJson: '"EXTENDED"',
    })
    expect((await admin.post('/useradmin/user', bjork)).status).toBe(201)
    const ana = { firstName: 'Zoë', lastName: 'Ab, Jr.', email: `a@${org.code}.example` }
    expect((await admin.post('/useradmin/user', ana)).status).toBe(201)
    const names = (await admin.get('/useradmin/users')).body.map(
      (one: { firstName: string }) => one.firstName,
    )
    expect(names.indexOf('Zoë')).toBeLessThan(names.indexOf('Björk'))
  })
})
