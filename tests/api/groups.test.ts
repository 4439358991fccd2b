import { describe, expect, test } from 'vitest'

import { type Organisation, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, aUser, inside, send, signedInAs } = await startTestServer()

const aTeam = async (config: Parameters<typeof anOrganisation>[0] = {}) => {
  const org = await anOrganisation(config)
  const admin = await signedInAs(org, 'ADMIN', { lastName: 'Aa' })
  const member = await signedInAs(org, 'USER', { lastName: 'Bb' })
  return { org, admin, member }
}
const GROUP = '/useradmin/group'
const GROUPS = '/useradmin/groups'
const eventsOf = (org: Organisation, record: string) =>
  inside(org, (db) =>
    db.selectFrom('events').selectAll().where('record', '=', record).orderBy('sequence').execute(),
  )

describe('making a group', () => {
  test('keeps its words and its people', async () => {
    const { org, admin, member } = await aTeam()
    const userIds = [member.email.toUpperCase(), ` ${admin.email} `, member.email]
    const made = await admin.post(GROUP, { name: ' First aid ', description: ' Trained ', userIds })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: made.body.id,
      name: 'First aid',
      description: 'Trained',
      userIds: [admin.email, member.email],
      userCount: 2,
      isOrdered: false,
      createdBy: admin.email,
      createTimestamp: made.body.createTimestamp,
      updateTimestamp: made.body.createTimestamp,
      version: 1,
    })
    expect((await admin.get(GROUPS)).body).toEqual([made.body])
    expect((await admin.get(`${GROUP}/${made.body.id}`)).body).toEqual(made.body)
    expect(await eventsOf(org, made.body.id)).toMatchObject([
      {
        noun: 'groups',
        verb: 'created',
        actor: { name: admin.email },
        changes: { name: { to: 'First aid' } },
      },
    ])
  })

  test('takes archived and external people', async () => {
    const { org, admin } = await aTeam()
    const others = [
      await aUser(org, { active: false, lastName: 'Cc' }),
      await aUser(org, { type: 'EXTERNAL', lastName: 'Dd' }),
    ].map(({ email }) => email)
    const made = await admin.post(GROUP, { name: 'Others', userIds: others })
    expect(made.body.userIds).toEqual(others)
  })

  test('lists its people by their names as they are shown', async () => {
    const { org, admin } = await aTeam()
    const names = [
      ['Émile', 'Berg'],
      ['Zoe', 'Adler'],
      ['Amara', 'Zola'],
      ['emile', 'Aalto'],
    ] as const
    const people = []
    for (const [firstName, lastName] of names) people.push(await aUser(org, { firstName, lastName }))
    const [berg, adler, zola, aalto] = people.map(({ email }) => email)
    const userIds = [berg, adler, zola, aalto]
    const made = await admin.post(GROUP, { name: 'Mixed', userIds })
    expect(made.body.userIds).toEqual([zola, aalto, berg, adler])
    const { body } = await admin.get('/group')
    expect(body[0].userIds).toEqual([zola, aalto, berg, adler])
  })

  const ana = ['ana@company.example']
  test.each<[string, object, object]>([
    ['no name', { name: '  ', userIds: ana }, { name: 'Group name is required.' }],
    ['a missing name', { userIds: ana }, { name: 'Group name is required.' }],
    [
      'a long name',
      { name: 'x'.repeat(256), userIds: ana },
      { name: 'Maximum length of 255 characters exceeded.' },
    ],
    [
      'a long description',
      { name: 'A', description: 'x'.repeat(1_001), userIds: ana },
      { description: 'Maximum length of 1000 characters exceeded.' },
    ],
    ['nobody', { name: 'A', userIds: [] }, { userIds: 'At least one team member is required.' }],
    ['no list of people', { name: 'A' }, { userIds: 'At least one team member is required.' }],
    ['people in a word', { name: 'A', userIds: 'ana' }, { userIds: 'At least one team member is required.' }],
    ['no address', { name: 'A', userIds: ['ana'] }, { 'userIds.0': 'Please enter a valid email address.' }],
    [
      'a stranger',
      { name: 'A', userIds: ana },
      { userIds: 'Not a user of your organization: ana@company.example.' },
    ],
    [
      'a NUL',
      { name: 'a\u0000', userIds: ana },
      { name: 'This text contains characters that cannot be stored.' },
    ],
  ])('with %s is bad input', async (_, body, fields) => {
    const { admin } = await aTeam()
    const answer = await admin.post(GROUP, body)
    expect([answer.status, answer.body.fields]).toEqual([400, fields])
    expect((await admin.get(GROUPS)).body).toEqual([])
  })

  test('of somebody of another organisation is refused', async () => {
    const { admin } = await aTeam()
    const { admin: theirs } = await aTeam()
    const answer = await admin.post(GROUP, { name: 'Spies', userIds: [admin.email, theirs.email] })
    expect([answer.status, answer.body.fields]).toEqual([
      400,
      { userIds: `Not a user of your organization: ${theirs.email}.` },
    ])
  })

  test('with a name that is in use is 409, whatever its case', async () => {
    const { admin } = await aTeam()
    const userIds = [admin.email]
    await admin.post(GROUP, { name: 'Équipe ЖУК', userIds })
    const again = await admin.post(GROUP, { name: 'équipe жук', userIds })
    expect([again.status, again.body.fields]).toEqual([
      409,
      { name: 'A group with this name already exists.' },
    ])
    const { admin: elsewhere } = await aTeam()
    const body = { name: 'Équipe ЖУК', userIds: [elsewhere.email] }
    expect((await elsewhere.post(GROUP, body)).status).toBe(201)
  })

  test('three times at the same moment makes one', async () => {
    const { admin } = await aTeam()
    const answers = await Promise.all(
      [1, 2, 3].map(() => admin.post(GROUP, { name: 'Twin', userIds: [admin.email] })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
  })
})

describe('the list of groups', () => {
  test('is sorted, searched and paged by the server', async () => {
    const { admin, member } = await aTeam()
    for (const [name, description] of [
      ['zebra', 'Stripes'],
      ['Émile', 'Nobody 100%'],
      ['alpha', null],
    ] as const)
      await admin.post(GROUP, { name, description, userIds: [member.email] })
    const ask = async (query: Record<string, unknown>) => {
      const parts = Object.entries(query).map(([key, value]) => [key, JSON.stringify(value)])
      const answer = await admin.get(`${GROUPS}?${new URLSearchParams(parts)}`)
      return [answer.body.map(({ name }: { name: string }) => name), answer.headers.get('content-range')]
    }
    expect(await ask({})).toEqual([['alpha', 'Émile', 'zebra'], 'items 0-2/3'])
    expect(await ask({ sort: ['name', 'DESC'], range: [0, 1] })).toEqual([['zebra', 'Émile'], 'items 0-1/3'])
    expect(await ask({ range: [9, 10] })).toEqual([[], 'items */3'])
    expect(await ask({ filter: { q: 'emi NOBODY' } })).toEqual([['Émile'], 'items 0-0/1'])
    expect(await ask({ filter: { q: '0%' } })).toEqual([['Émile'], 'items 0-0/1'])
    expect(await ask({ filter: { q: '_' } })).toEqual([[], 'items */0'])
  })
})

describe('a group without its members', () => {
  const aGroup = async () => {
    const { org, admin, member } = await aTeam()
    const gone = await aUser(org, { firstName: 'Zoe', active: false })
    const { body: group } = await admin.post(GROUP, {
      name: 'Crew',
      userIds: [gone.email, member.email, admin.email],
    })
    return { admin, member, group, path: `${GROUP}/${group.id as string}` }
  }

  test('is what a page of the list and its summary have; the members are counted', async () => {
    const { admin, group, path } = await aGroup()
    const { userIds: _, ...summary } = group
    expect(summary.userCount).toBe(3)
    expect((await admin.get(`${path}/summary`)).body).toEqual(summary)
    expect((await admin.get(`${GROUPS}?range=[0,9]`)).body).toEqual([summary])
    expect((await admin.get(GROUPS)).body).toEqual([group])
  })

  test('tells its members page by page, by name, archived ones too', async () => {
    const { admin, group, path } = await aGroup()
    const whole = await admin.get(`${path}/members`)
    const emails = (body: { email: string }[]) => body.map(({ email }) => email)
    expect(emails(whole.body)).toEqual(group.userIds)
    expect(whole.body[2]).toMatchObject({ firstName: 'Zoe', active: false })
    const page = await admin.get(`${path}/members?range=[1,1]`)
    expect([emails(page.body), page.headers.get('content-range')]).toEqual([
      [group.userIds[1]],
      'items 1-1/3',
    ])
    expect((await admin.get(`${GROUP}/${crypto.randomUUID()}/members`)).status).toBe(404)
  })
})

describe('changing a group', () => {
  async function aGroup() {
    const team = await aTeam()
    const { body } = await team.admin.post(GROUP, { name: 'Crew', userIds: [team.admin.email] })
    return { ...team, body, path: `${GROUP}/${body.id as string}` }
  }

  test('keeps what changed, and who changed it', async () => {
    const { org, admin, member, body, path } = await aGroup()
    const userIds = [member.email]
    const changed = await admin.put(path, { ...body, name: 'crew', description: 'Of two ships', userIds })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({ name: 'crew', description: 'Of two ships', userIds, version: 2 })
    const [, event] = await eventsOf(org, body.id)
    expect(event).toMatchObject({
      verb: 'updated',
      actor: { name: admin.email },
      changes: {
        name: { from: 'Crew', to: 'crew' },
        userIds: { from: [admin.email], to: [member.email] },
      },
    })
  })

  test('to what it was changes nothing', async () => {
    const { org, admin, body, path } = await aGroup()
    expect((await admin.put(path, body)).body).toEqual(body)
    expect(await eventsOf(org, body.id)).toHaveLength(1)
  })

  test('that somebody changed meanwhile is refused, and says who', async () => {
    const { org, admin, body, path } = await aGroup()
    const other = await signedInAs(org, 'ADMIN')
    expect((await other.put(path, { ...body, description: 'Theirs' })).status).toBe(200)
    const late = await admin.put(path, { ...body, name: 'Mine' })
    expect([late.status, late.body.code]).toEqual([409, 'stale'])
    expect(late.body.message).toContain(other.email)
    expect((await admin.get(path)).body).toMatchObject({ name: 'Crew', description: 'Theirs', version: 2 })
  })

  test('to a name that is in use is 409, and to its own is not', async () => {
    const { admin, body, path } = await aGroup()
    await admin.post(GROUP, { name: 'Deck', userIds: [admin.email] })
    expect((await admin.put(path, { ...body, name: 'DECK' })).body.fields).toEqual({
      name: 'A group with this name already exists.',
    })
    expect((await admin.put(path, { ...body, name: 'CREW' })).status).toBe(200)
  })

  test('to nobody, or to a stranger, leaves it as it is', async () => {
    const { admin, body, path } = await aGroup()
    expect((await admin.put(path, { ...body, userIds: [] })).status).toBe(400)
    expect((await admin.put(path, { ...body, userIds: ['x@y.example'] })).status).toBe(400)
    expect((await admin.get(path)).body).toEqual(body)
  })
})

describe('deleting a group', () => {
  test('takes it away, and its name can be used again', async () => {
    const { org, admin } = await aTeam()
    const given = { name: 'Brief', userIds: [admin.email] }
    const { body } = await admin.post(GROUP, given)
    const path = `${GROUP}/${body.id as string}`
    expect((await admin.delete(path)).status).toBe(204)
    for (const answer of [await admin.get(path), await admin.delete(path), await admin.put(path, given)])
      expect([answer.status, answer.body.message]).toEqual([404, 'This group does not exist.'])
    expect((await eventsOf(org, body.id)).at(-1)).toMatchObject({
      verb: 'deleted',
      changes: { name: { from: 'Brief', to: null } },
    })
    expect((await admin.post(GROUP, given)).status).toBe(201)
  })

  test('that an active incident targets is refused until it is resolved', async () => {
    const { org, admin } = await aTeam()
    const { body: group } = await admin.post(GROUP, { name: 'Needed', userIds: [admin.email] })
    const { body: incident } = await admin.post('/incident', { title: 'Fire', fullText: '<p>Smoke</p>' })
    await inside(org, (db) =>
      db
        .insertInto('incident_target_groups')
        .values({ incident_id: incident.id, group_id: group.id })
        .execute(),
    )
    const refused = await admin.delete(`${GROUP}/${group.id}`)
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'This group is targeted in an incident and cannot be deleted.',
    ])
    expect((await admin.get(GROUPS)).body).toHaveLength(1)
    await admin.patch(`/incident/${incident.id}`, { isActive: false })
    expect((await admin.delete(`${GROUP}/${group.id}`)).status).toBe(204)
  })
})

describe('groups to choose from', () => {
  test('say which ones the caller is in', async () => {
    const { admin, member } = await aTeam()
    const mine = await admin.post(GROUP, { name: 'Mine', userIds: [member.email, admin.email] })
    const theirs = await admin.post(GROUP, { name: 'Admins', userIds: [admin.email] })
    const options = [
      { id: theirs.body.id, name: 'Admins', canAccess: false, userCount: 1, userIds: [admin.email] },
      {
        id: mine.body.id,
        name: 'Mine',
        canAccess: true,
        userCount: 2,
        userIds: [admin.email, member.email],
      },
    ]
    for (const path of ['/group', '/group/all']) expect((await member.get(path)).body).toEqual(options)
    const bare = options.map(({ id, name, canAccess, userCount }) => ({ id, name, canAccess, userCount }))
    expect((await member.get('/group?withMembers=false')).body).toEqual(bare)
    expect((await member.get('/group/me')).body).toEqual([options[1]])
    expect(((await admin.get('/group/me')).body as unknown[]).length).toBe(2)
    const other = await signedInAs(await anOrganisation(), 'USER')
    expect((await other.get('/group/all')).body).toEqual([])

    const { key } = (await admin.post('/apiManagement/credentials', { name: 'Reader' })).body
    const headers = { 'X-Api-Key': key as string }
    const read = await send('GET', '/group/all', { headers })
    expect(read.body.map(({ canAccess }: { canAccess: boolean }) => canAccess)).toEqual([true, true])
    expect((await send('GET', '/group/me', { headers })).body).toEqual([])
    expect((await send('GET', GROUPS, { headers })).status).toBe(403)
  })

  test('are for nobody where groups are switched off, and never for people from outside', async () => {
    const { org, admin, member } = await aTeam({ groupsEnabled: false })
    for (const path of ['/group', '/group/all', '/group/me'])
      expect((await member.get(path)).status).toBe(403)
    expect((await admin.get(GROUPS)).status).toBe(403)
    const outside = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
    expect((await outside.get('/group/all')).status).toBe(403)
  })

  test('keep an archived member', async () => {
    const { admin, member } = await aTeam()
    const { body } = await admin.post(GROUP, { name: 'Old hands', userIds: [member.email] })
    await admin.delete(`/useradmin/user/${member.uuid}`)
    expect((await admin.get(`${GROUP}/${body.id as string}`)).body.userIds).toEqual([member.email])
  })
})
