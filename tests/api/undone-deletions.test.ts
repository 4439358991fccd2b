import { describe, expect, test, vi } from 'vitest'

import { CONTACT_THERE_AGAIN, LIST_THERE_AGAIN } from '#contract/contacts/schema.ts'
import { DELETED_BY_ANOTHER, UNDO_OVER } from '#contract/kit/undo.ts'
import { keptBytes } from '#server/kit/blobs/blobs.ts'
import { filesFor } from '#tests/support/attachments.ts'
import { madeRoom, sent } from '#tests/support/chat.ts'
import { ageDeletions, dropDeletions } from '#tests/support/deletions.ts'
import { PDF } from '#tests/support/files.ts'
import { added, declared, resolve, TASK } from '#tests/support/incidents.ts'
import { madePlaybook } from '#tests/support/playbooks.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const { anOrganisation, inside, services, signedInAs } = muster
const { upload, download, listed } = filesFor(muster)

const GROUP = '/useradmin/group'
const aTeam = async (config: Parameters<typeof anOrganisation>[0] = {}) => {
  const org = await anOrganisation({
    groupsEnabled: true,
    multiIncident: true,
    playbookMaxTemplates: 10,
    ...config,
  })
  return { org, admin: await signedInAs(org, 'ADMIN'), other: await signedInAs(org, 'ADMIN') }
}
const refused = async (answer: ReturnType<Caller['post']>) => {
  const { status, body } = await answer
  return [status, body.message]
}

test('no table refers to deletable records beyond those that an undo brings back', async () => {
  const { rows } = await services.database.pool.query<{ reference: string }>(`
    select c.confrelid::regclass || ' < ' || c.conrelid::regclass as reference from pg_constraint c
     where c.contype = 'f' and c.confrelid in ('user_groups'::regclass, 'contacts'::regclass, 'contact_lists'::regclass,
       'contact_list_members'::regclass, 'playbook_categories'::regclass, 'attachments'::regclass,
       'room_members'::regclass)
     order by 1`)
  expect(rows.map(({ reference }) => reference)).toEqual([
    'attachments < activity_attachments',
    // Tickets of downloads that have ended.
    'attachments < file_tickets',
    'contact_list_members < contact_sources',
    'contact_lists < contact_list_members',
    'contacts < contact_list_members',
    'playbook_categories < playbooks',
    'user_groups < file_groups',
    'user_groups < group_members',
    'user_groups < incident_target_groups',
  ])
})

describe('a group', () => {
  const aGroup = async ({ admin, other }: { admin: Caller; other: Caller }) =>
    (await admin.post(GROUP, { name: 'Fleet', description: 'Vans', userIds: [admin.email, other.email] }))
      .body

  test('returns with its members, its access to folders and the incidents that it was told of', async () => {
    const team = await aTeam()
    const { admin } = team
    const group = await aGroup(team)
    const folder = await admin.post('/sfs/folder', {
      name: 'Keys',
      parentFolderId: 0,
      folderType: 'PRIVATE',
      groupIds: [group.id],
    })
    const incident = await declared(admin, { targetedGroupIds: [group.id] })
    await resolve(admin, incident)
    const kept = () =>
      inside(team.org, async (db) => ({
        folders: (await db.selectFrom('file_groups').select('group_id').execute()).length,
        incidents: (await db.selectFrom('incident_target_groups').select('group_id').execute()).length,
      }))
    const before = await kept()
    expect([folder.status, before.incidents]).toEqual([201, 1])
    expect((await admin.delete(`${GROUP}/${group.id}`)).status).toBe(204)
    expect((await admin.get('/useradmin/groups')).body).toEqual([])
    expect(await kept()).toEqual({ folders: 0, incidents: 0 })

    const { userIds: _, ...summary } = group
    const restored = await admin.post(`${GROUP}/${group.id}/restore`)
    expect([restored.status, restored.body]).toEqual([200, summary])
    expect((await admin.get(`${GROUP}/${group.id}`)).body).toEqual(group)
    expect(await kept()).toEqual(before)
    expect((await admin.get(`${GROUP}/${group.id}`)).body.userCount).toBe(2)
  })

  test('is undone twice as if once, also at the same time', async () => {
    const team = await aTeam()
    const group = await aGroup(team)
    await team.admin.delete(`${GROUP}/${group.id}`)
    const undo = () => team.admin.post(`${GROUP}/${group.id}/restore`)
    const both = await Promise.all([undo(), undo()])
    expect([...both, await undo()].map(({ status }) => status)).toEqual([200, 200, 200])
    const events = await inside(team.org, (db) =>
      db.selectFrom('events').select('verb').where('record', '=', group.id).orderBy('sequence').execute(),
    )
    expect(events.map(({ verb }) => verb)).toEqual(['created', 'deleted', 'restored'])
    // Deleted again by somebody else, the old undo brings nothing back.
    await team.other.delete(`${GROUP}/${group.id}`)
    expect((await undo()).status).toBe(404)
  })

  test('stays deleted for others, after its time and where its name was taken', async () => {
    const team = await aTeam()
    const { org, admin, other } = team
    const group = await aGroup(team)
    await admin.delete(`${GROUP}/${group.id}`)
    const path = `${GROUP}/${group.id}/restore`
    expect(await refused(other.post(path))).toEqual([403, DELETED_BY_ANOTHER])
    const again = (await admin.post(GROUP, { name: 'FLEET', userIds: [admin.email] })).body
    const taken = await admin.post(path)
    expect([taken.status, taken.body.fields]).toEqual([
      409,
      { name: 'A group with this name already exists.' },
    ])
    await admin.delete(`${GROUP}/${again.id}`)
    await ageDeletions(muster, org)
    expect(await refused(admin.post(path))).toEqual([409, UNDO_OVER])
    await dropDeletions(muster)
    expect(await refused(admin.post(path))).toEqual([404, UNDO_OVER])
    expect((await admin.get('/useradmin/groups')).body).toEqual([])
  })

  test('of an active incident is refused, and nothing is kept of it', async () => {
    const team = await aTeam()
    const group = await aGroup(team)
    await declared(team.admin, { targetedGroupIds: [group.id] })
    expect((await team.admin.delete(`${GROUP}/${group.id}`)).status).toBe(400)
    expect(await refused(team.admin.post(`${GROUP}/${group.id}/restore`))).toEqual([404, UNDO_OVER])
  })
})

describe('a category', () => {
  test('returns with its playbooks, except those that were moved meanwhile', async () => {
    const { admin } = await aTeam()
    const category = async (name: string) => (await admin.post('/playbook/category', { name })).body
    const [cyber, fire] = [await category('Cyber'), await category('Fire')]
    const inCyber = (name: string) => madePlaybook(admin, { name, categoryId: cyber.id })
    await inCyber('Stays')
    const moves = await inCyber('Moves')
    await admin.delete(`/playbook/category/${cyber.id}`)
    await admin.patch(`/playbook/template/${moves.id}/category`, { categoryId: fire.id })
    const { status, body } = await admin.post(`/playbook/category/${cyber.id}/restore`)
    expect([status, body.name, body.version]).toEqual([200, 'Cyber', cyber.version])
    const { body: categories } = await admin.get('/playbook/categories')
    expect(
      categories.map((one: { name: string; playbooks: { name: string }[] }) => [
        one.name,
        ...one.playbooks.map(({ name }) => name),
      ]),
    ).toEqual([
      ['Cyber', 'Stays'],
      ['Fire', 'Moves'],
    ])
  })
})

describe('contacts', () => {
  const ROWS = [
    { name: 'Ada', email: 'ada@example.org', phone: '+14155550101', list: 'Board' },
    { name: 'Bo', email: 'bo@example.org', phone: null, list: 'Board' },
    { name: 'Bo', email: 'bo@example.org', phone: null, list: 'Press' },
  ]
  const all = async (who: Caller) => [
    (await who.get('/contact/asList')).body,
    (await who.get('/contact/lists')).body,
  ]

  test('of a list return with it, those in others too', async () => {
    const { admin, other } = await aTeam()
    await admin.post('/contact', ROWS)
    const before = await all(admin)
    await admin.delete('/contact/lists/board')
    expect((await admin.get('/contact/asList')).body).toHaveLength(1)
    expect(await refused(other.post('/contact/lists/Board/restore'))).toEqual([403, DELETED_BY_ANOTHER])
    const { status, body } = await admin.post('/contact/lists/Board/restore')
    expect([status, body]).toEqual([200, { name: 'Board', count: 2 }])
    expect(await all(admin)).toEqual(before)
    expect((await admin.post('/contact/lists/Board/restore')).body).toEqual(body)
  })

  test('that were added again meanwhile join the list, and a list that was is left as it is', async () => {
    const { admin } = await aTeam()
    await admin.post('/contact', ROWS)
    await admin.delete('/contact/lists/Board')
    await admin.post('/contact', [{ ...ROWS[0], name: 'Ada L', list: 'Press' }])
    expect((await admin.post('/contact/lists/Board/restore')).body.count).toBe(2)
    await admin.delete('/contact/lists/Board')
    await admin.post('/contact', [ROWS[1]])
    expect(await refused(admin.post('/contact/lists/Board/restore'))).toEqual([409, LIST_THERE_AGAIN])
    expect((await admin.get('/contact/asList?list=Board')).body).toHaveLength(1)
  })

  test('alone in a list return with it', async () => {
    const { admin } = await aTeam()
    await admin.post('/contact', ROWS.slice(0, 1))
    const before = await all(admin)
    const [{ id }] = before[0]
    await admin.delete(`/contact/${id}`)
    expect((await admin.get('/contact/lists')).body).toEqual([])
    expect((await admin.post(`/contact/${id}/restore`)).body).toEqual(before[0][0])
    expect(await all(admin)).toEqual(before)
    await admin.delete(`/contact/${id}`)
    await admin.post('/contact', ROWS.slice(0, 1))
    expect(await refused(admin.post(`/contact/${id}/restore`))).toEqual([409, CONTACT_THERE_AGAIN])
  })
})

describe('a file of an incident', () => {
  const aFile = async (config: Parameters<typeof anOrganisation>[0] = {}) => {
    const { org, admin, other } = await aTeam(config)
    const incident = await declared(admin)
    const [first, file, last] = [
      (await upload(admin, incident.id, PDF, 'a.pdf')).body,
      (await upload(admin, incident.id, PDF, 'b.pdf')).body,
      (await upload(admin, incident.id, PDF, 'c.pdf')).body,
    ]
    return { org, admin, other, incident, files: [first, file, last], file }
  }

  test('returns to its place, to its task and with its bytes', async () => {
    const { admin, incident, files, file } = await aFile()
    const task = await added(admin, incident, { ...TASK, attachedFileIds: [file.id] })
    await admin.delete(`/fa/${file.id}`)
    expect((await listed(admin, incident.id)).map(({ id }: { id: string }) => id)).toEqual([
      files[0].id,
      files[2].id,
    ])
    const { status, body } = await admin.post(`/fa/${file.id}/restore`)
    expect([status, body]).toEqual([200, file])
    expect(await listed(admin, incident.id)).toEqual(files)
    expect((await admin.get(`/fa/ACTIVITY/${task.id}`)).body).toHaveLength(1)
    expect((await download(admin, file.id)).bytes.equals(PDF)).toBe(true)
  })

  test('loses its bytes after its time, and frees its room at once', async () => {
    const remove = vi.spyOn(services.blobs, 'remove')
    const { org, admin, file } = await aFile()
    await admin.delete(`/fa/${file.id}`)
    const blobs = () => inside(org, (db) => db.selectFrom('blobs').select('id').execute())
    expect(await blobs()).toHaveLength(3)
    expect(await inside(org, keptBytes)).toBe(2 * PDF.length)
    await ageDeletions(muster, org)
    await dropDeletions(muster)
    expect(await blobs()).toHaveLength(2)
    expect(remove).toHaveBeenCalledWith(org.id, expect.any(String))
    remove.mockRestore()
  })

  test('stays deleted once its incident is resolved', async () => {
    const { admin, incident, file } = await aFile()
    await admin.delete(`/fa/${file.id}`)
    await resolve(admin, incident)
    expect((await admin.post(`/fa/${file.id}/restore`)).status).toBe(409)
    expect(await listed(admin, incident.id)).toHaveLength(2)
  })
})

describe('a room', () => {
  test('is entered again with role, settings, read mark and mentions, and ownership returns', async () => {
    const { admin, other } = await aTeam()
    const room = await madeRoom(admin, { userIds: [other.uuid] })
    await admin.patch(`/chat/rooms/${room.id}/members/${other.uuid}`, { role: 'channel_moderator' })
    await admin.patch(`/chat/rooms/${room.id}/membership`, { isFavourite: true, isMuted: true })
    const first = await sent(other, room.id, 'One')
    await admin.post(`/chat/rooms/${room.id}/read`, { sequence: first.sequence })
    await sent(other, room.id, 'Two')
    const before = (await admin.get(`/chat/rooms/${room.id}`)).body
    expect(before.membership).toMatchObject({ role: 'owner', isFavourite: true, isMuted: true, unread: 1 })
    await admin.post(`/chat/rooms/${room.id}/leave`)
    expect((await admin.get(`/chat/rooms/${room.id}`)).status).toBe(404)
    expect((await other.get(`/chat/rooms/${room.id}`)).body.membership.role).toBe('owner')
    const { status, body } = await admin.post(`/chat/rooms/${room.id}/return`)
    expect([status, body.membership]).toEqual([200, before.membership])
    expect((await other.get(`/chat/rooms/${room.id}`)).body.membership.role).toBe('channel_moderator')
    expect((await admin.post(`/chat/rooms/${room.id}/return`)).status).toBe(200)
  })

  test('with another owner by now takes its former one as an admin', async () => {
    const { admin, other, org } = await aTeam()
    const third = await signedInAs(org)
    const room = await madeRoom(admin, { userIds: [other.uuid, third.uuid] })
    const promote = ({ uuid }: Caller) =>
      admin.patch(`/chat/rooms/${room.id}/members/${uuid}`, { role: 'channel_moderator' })
    await promote(other)
    await promote(third)
    await admin.post(`/chat/rooms/${room.id}/leave`)
    const heirs = [other, third]
    const roles = await Promise.all(heirs.map((one) => one.get(`/chat/rooms/${room.id}`)))
    const heir = heirs[roles.findIndex(({ body }) => body.membership.role === 'owner')]!
    await heir.post(`/chat/rooms/${room.id}/leave`)
    expect((await admin.post(`/chat/rooms/${room.id}/return`)).body.membership.role).toBe('channel_admin')
  })

  test('stays closed to external people, to the removed and after its time', async () => {
    const { admin, other, org } = await aTeam()
    const counsel = await signedInAs(org, 'USER', { type: 'EXTERNAL' })
    const room = await madeRoom(admin, { userIds: [other.uuid, counsel.uuid] })
    const back = (who: Caller) => who.post(`/chat/rooms/${room.id}/return`)
    await counsel.post(`/chat/rooms/${room.id}/leave`)
    expect((await back(counsel)).status).toBe(404)
    await admin.delete(`/chat/rooms/${room.id}/members/${other.uuid}`)
    expect((await back(other)).status).not.toBe(200)
    await admin.post(`/chat/rooms/${room.id}/members`, { userIds: [other.uuid] })
    await other.post(`/chat/rooms/${room.id}/leave`)
    await ageDeletions(muster, org)
    expect(await refused(back(other))).toEqual([409, UNDO_OVER])
  })
})
