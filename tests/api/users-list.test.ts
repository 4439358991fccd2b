import { afterEach, describe, expect, test, vi } from 'vitest'

import { clock } from '#server/kit/core/clock.ts'
import { activityTimestamps } from '#server/users/activity.flows.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, aUser, inside, send, signedInAs } = await startTestServer()
afterEach(() => void vi.restoreAllMocks())

const NEW = { firstName: 'Ana', lastName: 'Silva', email: 'ana@company.example' }
const aTeam = async () => {
  const org = await anOrganisation()
  return { org, admin: await signedInAs(org, 'ADMIN', { lastName: 'Zz' }) }
}

describe('the list', () => {
  const PEOPLE: [string, string, object][] = [
    [
      'Émile',
      'Zola',
      { location: 'Paris', department: 'Press', last_login_timestamp: '2025-01-01T00:00:00.000Z' },
    ],
    ['anna', 'adams', { location: 'Oslo', role: 'BUSINESS_USER' }],
    ['José', 'Álvarez', { location: '50%_off\\', active: false }],
    ['Bo', 'Berg', { department: 'Legal', type: 'EXTERNAL', password_hash: null }],
    ['Cy', 'Berg', { was_sent_activation_email: true, password_hash: null }],
  ]
  async function aDirectory() {
    const { org, admin } = await aTeam()
    for (const [firstName, lastName, more] of PEOPLE) {
      const { uuid } = await aUser(org, {
        firstName,
        lastName,
        email: `${firstName.slice(0, 1)}@corp.example`,
      })
      await inside(org, (db) => db.updateTable('users').set(more).where('id', '=', uuid).execute())
    }
    const names = async (parameters: object) => {
      const query = Object.entries(parameters).map(
        ([k, v]) => `${k}=${encodeURIComponent(JSON.stringify(v))}`,
      )
      const { status, body } = await admin.get(`/useradmin/users?${query.join('&')}`)
      expect(status).toBe(200)
      return body.map((user: { firstName: string }) => user.firstName).join(' ')
    }
    return { org, admin, names }
  }

  test('is narrowed to a display status, each user in one of them', async () => {
    const { names } = await aDirectory()
    const sort = ['firstName', 'ASC']
    for (const [status, expected] of [
      ['Archived', 'José'],
      ['Active', 'Émile'],
      ['Has Set Password', 'Ana anna'],
      ['Sent Activation Email', 'Cy'],
      ['Uninitialized', 'Bo'],
      ['Nonsense', ''],
    ])
      expect(await names({ sort, filter: { status } }), status).toBe(expected)
    expect(await names({ sort, filter: { status: 'Archived', active: true } })).toBe('')
  })

  test('is whole without parameters, by family name, whatever case and accents', async () => {
    const { admin, names } = await aDirectory()
    expect(await names({})).toBe('anna José Bo Cy Émile Ana')
    const { body, headers, text } = await admin.get('/useradmin/users')
    expect(headers.get('content-range')).toBe('items 0-5/6')
    expect(body[3]).toEqual({
      uuid: expect.any(String),
      firstName: 'Cy',
      lastName: 'Berg',
      email: 'C@corp.example',
      phoneNumber: null,
      phoneExtension: null,
      secondPhoneNumber: null,
      secondPhoneExtension: null,
      role: 'USER',
      type: 'INTERNAL',
      active: true,
      banned: false,
      dashboard_user: false,
      profileImageUrl: null,
      location: null,
      department: null,
      deputy: null,
      lastLoginTimestamp: null,
      hasPasswordSet: false,
      passwordChangeRequired: false,
      wasSentActivationEmail: true,
      createTimestamp: expect.any(String),
      version: 1,
      userHistoryEntities: [],
    })
    expect(text).not.toContain('argon2')
  })

  test.each([
    ['firstName', 'ASC', 'Ana anna Bo Cy Émile José'],
    ['lastName', 'DESC', 'Ana Émile Cy Bo José anna'],
    ['role', 'DESC', 'José Bo Cy Émile anna Ana'],
    ['location', 'ASC', 'José anna Émile Bo Cy Ana'],
    ['location', 'DESC', 'Émile anna José Bo Cy Ana'],
    ['lastLoginTimestamp', 'DESC', 'Émile anna José Bo Cy Ana'],
    ['lastLoginTimestamp', 'ASC', 'anna José Bo Cy Ana Émile'],
    ['status', 'ASC', 'Émile anna Ana Cy Bo José'],
    ['status', 'DESC', 'José Bo Cy anna Ana Émile'],
    ['type', 'ASC', 'Bo anna José Cy Émile Ana'],
    ['createTimestamp', 'DESC', 'Cy Bo José anna Émile Ana'],
  ])('is sorted by %s %s', async (field, direction, expected) => {
    const { names } = await aDirectory()
    expect(await names({ sort: [field, direction] })).toBe(expected)
  })

  test.each<[object, string]>([
    [{ q: 'jose' }, 'José'],
    [{ q: 'EMILE' }, 'Émile'],
    [{ q: 'alvarez josé' }, 'José'],
    [{ q: 'corp.example' }, 'anna José Bo Cy Émile'],
    [{ q: 'press' }, 'Émile'],
    [{ q: 'osl' }, 'anna'],
    [{ q: '%' }, 'José'],
    [{ q: '_' }, 'José'],
    [{ q: '\\' }, 'José'],
    [{ q: "' or true --" }, ''],
    [{ q: 'pressoslo' }, ''],
    [{ q: '  ' }, 'anna José Bo Cy Émile Ana'],
    [{ active: false }, 'José'],
    [{ active: true, q: 'berg' }, 'Bo Cy'],
    [{ role: 'BUSINESS_USER' }, 'anna'],
    [{ type: 'EXTERNAL' }, 'Bo'],
    [{ role: 'NO_SUCH_ROLE' }, ''],
    [{ id: [] }, ''],
    [{ unknown: 'x' }, 'anna José Bo Cy Émile Ana'],
  ])('is searched by %j', async (filter, expected) => {
    const { names } = await aDirectory()
    expect(await names({ filter })).toBe(expected)
  })

  test('answers chosen users', async () => {
    const { admin, names } = await aDirectory()
    const { body } = await admin.get('/useradmin/users')
    expect(await names({ filter: { id: [body[4].uuid, body[0].uuid, crypto.randomUUID()] } })).toBe(
      'anna Émile',
    )
  })

  test('comes in pages that together are the whole, with the total', async () => {
    const { org, admin } = await aTeam()
    await Promise.all(Array.from({ length: 24 }, () => aUser(org, { firstName: 'Same', lastName: 'Name' })))
    const seen = new Set<string>()
    for (const from of [0, 10, 20]) {
      const { body, headers } = await admin.get(
        `/useradmin/users?sort=["role","DESC"]&range=[${from},${from + 9}]`,
      )
      expect(headers.get('content-range')).toBe(`items ${from}-${Math.min(from + 9, 24)}/25`)
      for (const { uuid } of body) seen.add(uuid)
    }
    expect(seen.size).toBe(25)
    const behind = await admin.get('/useradmin/users?range=[30,39]')
    expect([behind.body, behind.headers.get('content-range')]).toEqual([[], 'items */25'])
    const searched = await admin.get('/useradmin/users?range=[40,49]&filter={"q":"same"}')
    expect(searched.headers.get('content-range')).toBe('items */24')
    const found = await admin.get('/useradmin/users?range=[0,4]&filter={"q":"same"}')
    expect([found.body.length, found.headers.get('content-range')]).toEqual([5, 'items 0-4/24'])
    const nobody = await admin.get('/useradmin/users?range=[0,4]&filter={"q":"nobody at all"}')
    expect([nobody.body, nobody.headers.get('content-range')]).toEqual([[], 'items */0'])
  })

  test.each(['sort=["password_hash","ASC"]', 'range=[0]', 'filter={"active":"yes"}', 'filter={"id":["x"]}'])(
    'refuses %s',
    async (query) => {
      const { admin } = await aTeam()
      expect((await admin.get(`/useradmin/users?${query}`)).status).toBe(400)
    },
  )
})

describe('who may', () => {
  const CALLS = (uuid: string): [string, string, object?][] => [
    ['GET', '/useradmin/users'],
    ['GET', '/useradmin/roles'],
    ['GET', `/useradmin/user/${uuid}`],
    ['POST', '/useradmin/user', {}],
    ['PUT', `/useradmin/user/${uuid}`, {}],
    ['DELETE', `/useradmin/user/${uuid}`],
    ['POST', `/useradmin/user/${uuid}`],
  ]
  test('administer users: administrators, in their own organisation', async () => {
    const { org, admin } = await aTeam()
    const { uuid } = await aUser(org)
    const user = await signedInAs(org, 'USER')
    const external = await signedInAs(org, 'ADMIN', { type: 'EXTERNAL' })
    const elsewhere = await signedInAs(await anOrganisation(), 'ADMIN')
    for (const [method, path, body] of CALLS(uuid)) {
      const as = (headers: Record<string, string>) =>
        send(method, path, { headers, ...(body ? { body } : {}) })
      expect((await as({})).status, `${method} ${path}`).toBe(401)
      expect((await as(user.headers)).status, `${method} ${path}`).toBe(403)
      expect((await as(external.headers)).status, `${method} ${path}`).toBe(403)
    }
    for (const id of [uuid, crypto.randomUUID()]) {
      const path = `/useradmin/user/${id}`
      const answers = [
        await elsewhere.get(path),
        await elsewhere.put(path, NEW),
        await elsewhere.delete(path),
        await elsewhere.post(path),
      ]
      expect(answers.map(({ status, body }) => [status, body.message])).toEqual(
        answers.map(() => [404, 'This user does not exist.']),
      )
    }
    expect((await elsewhere.get('/useradmin/users')).body).toHaveLength(1)
    expect((await admin.get('/useradmin/user/not-an-id')).status).toBe(400)
    expect((await admin.get(`/useradmin/user/${uuid}`)).body.active).toBe(true)
  })

  test('roles are offered in words', async () => {
    const { admin } = await aTeam()
    const { body } = await admin.get('/useradmin/roles')
    expect(body.map((option: { role: string }) => option.role)).toEqual(['USER', 'ADMIN', 'BUSINESS_USER'])
    expect(body[1].visibleName).toBe('Admin')
  })
})

describe('the directory', () => {
  const namesFor = async (caller: Caller) => {
    const { body } = await caller.get('/authentication/users')
    return body.users.map((user: { firstName: string }) => user.firstName).sort()
  }

  test('is in the order of the names as they are shown', async () => {
    const { org } = await aTeam()
    await aUser(org, { firstName: 'Émile', lastName: 'Berg' })
    await aUser(org, { firstName: 'Zoe', lastName: 'Aalto' })
    const me = await signedInAs(org, 'USER', { firstName: 'emile', lastName: 'Adler' })
    const { body } = await me.get('/authentication/users')
    expect(body.users.map((user: { lastName: string }) => user.lastName).slice(1)).toEqual([
      'Adler',
      'Berg',
      'Aalto',
    ])
  })

  test('names everybody to people inside, archived ones too, with what the entry of a directory has', async () => {
    const { org } = await aTeam()
    await aUser(org, { firstName: 'Gone', active: false })
    const me = await signedInAs(org, 'BUSINESS_USER', { firstName: 'Me' })
    expect(await namesFor(me)).toEqual(['Ana', 'Gone', 'Me'])
    const { body } = await me.get('/authentication/users')
    expect(Object.keys(body.users[0]).sort()).toEqual([
      'active',
      'banned',
      'dashboard_user',
      'department',
      'email',
      'firstName',
      'hasPasswordSet',
      'lastLoginTimestamp',
      'lastName',
      'location',
      'phoneExtension',
      'phoneNumber',
      'profileImageUrl',
      'role',
      'secondPhoneExtension',
      'secondPhoneNumber',
      'type',
      'uuid',
      'wasSentActivationEmail',
    ])
    expect(body.users[0]).toMatchObject({ hasPasswordSet: true, lastLoginTimestamp: null })
  })

  test('names to external people whom they work with', async () => {
    const { org, admin } = await aTeam()
    const counsel = await signedInAs(org, 'USER', { type: 'EXTERNAL', firstName: 'Counsel' })
    const other = await signedInAs(org, 'USER', { type: 'EXTERNAL', firstName: 'Other' })
    const [creator, assignee, targeted] = await Promise.all(
      ['Creator', 'Assignee', 'Targeted'].map((firstName) => signedInAs(org, 'USER', { firstName })),
    )
    await aUser(org, { firstName: 'Stranger' })
    expect(await namesFor(counsel)).toEqual(['Counsel'])
    const made = await creator!.post('/incident/withActivities', {
      title: 'Leak',
      fullText: '<p>Water in the archive.</p>',
      targetedUsers: [counsel.email, targeted!.email],
      activityCreateRequests: [
        {
          type: 'TASK',
          title: 'Close the valve',
          description: 'In the cellar.',
          assignedTo: assignee!.email,
        },
      ],
    })
    expect(made.status).toBe(201)
    expect(await namesFor(counsel)).toEqual(['Assignee', 'Counsel', 'Creator', 'Targeted'])
    expect(await namesFor(other)).toEqual(['Other'])
    expect(await namesFor(admin)).toHaveLength(7)
  })
})

test('being active is remembered at once', async () => {
  const { org, admin } = await aTeam()
  const idle = await aUser(org)
  const at = '2031-05-01T08:00:00.000Z'
  vi.spyOn(clock, 'now').mockReturnValue(Date.parse(at))
  const me = await signedInAs(org)
  expect((await me.get('/me')).status).toBe(200)
  vi.restoreAllMocks()
  await admin.get('/me')
  const seen = new Map(
    (await inside(org, (db) => activityTimestamps(db))).map(({ userId, timestamp }) => [userId, timestamp]),
  )
  expect(seen.get(me.uuid)).toBe(at)
  expect(seen.has(admin.uuid)).toBe(true)
  expect(seen.has(idle.uuid)).toBe(false)
})
