import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'

import { keepBlob } from '#server/kit/blobs/blobs.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { keepDeleted } from '#server/kit/database/deletions.ts'
import { exportStore } from '#server/room-exports/store.ts'
import { sessionLookup } from '#server/sessions/store.ts'

import { startedCall } from '../support/calls.ts'
import { madeRoom, sent } from '../support/chat.ts'
import { type Caller, type Organisation, startTestServer } from '../support/server.ts'

const muster = await startTestServer()
const { database } = muster.services

/** Tables whose rows belong to an incident, with the column of its id. */
const OF_INCIDENTS: { readonly [table: string]: string } = {
  incidents: 'id',
  incident_target_users: 'incident_id',
  incident_target_groups: 'incident_id',
  check_ins: 'incident_id',
  confirmation_requests: 'incident_id',
  confirmations: '(select r.incident_id from confirmation_requests r where r.id = request_id)',
  activities: 'incident_id',
  incident_playbooks: 'incident_id',
  incident_playbook_tasks: 'incident_id',
  incident_conditions: 'incident_id',
  incident_roles: 'incident_id',
  incident_reports: 'incident_id',
  report_requests: 'incident_id',
  notifications: 'incident_id',
  attachments: 'incident_id',
  activity_attachments: '(select a.incident_id from activities a where a.id = activity_id)',
  events: 'coalesce(parent, record)',
}

/** Tables whose rows belong to a room, with the column of its id. */
const OF_ROOMS: { readonly [table: string]: string } = {
  rooms: 'id',
  room_members: 'room_id',
  room_mentions: 'room_id',
  room_messages: 'room_id',
  room_reactions: 'room_id',
  room_threads: 'room_id',
  room_thread_members: 'room_id',
  room_files: 'room_id',
  saved_messages: 'room_id',
  scheduled_messages: 'room_id',
  room_exports: 'room_id',
  calls: 'room_id',
  call_participants: 'room_id',
  call_rings: 'room_id',
}

/** Tables hidden from external people. */
const OF_NOBODY_EXTERNAL = [
  'command_roles',
  'incident_kinds',
  'incident_fields',
  'incident_field_values',
  'incident_labels',
  'communication_test_plans',
  'communication_tests',
  'calendar_feeds',
  'carrier_outage_notices',
  'declaration_calls',
  'declaration_sources',
  'declarations',
  'duties',
  'duty_clocks',
  'file_groups',
  'file_items',
  'file_link_uploads',
  'file_link_visits',
  'file_links',
  'file_marks',
  'file_passages',
  'file_texts',
  'file_upload_parts',
  'file_uploads',
  'file_versions',
  'follow_ups',
  'incident_answers',
  'incident_decisions',
  'incident_numbers',
  'incident_rhythms',
  'mass_notifications',
  'notification_approvals',
  'notification_deputies',
  'notification_escalations',
  'notification_step_skips',
  'notification_steps',
  'nudges',
  'playbook_categories',
  'playbook_drafts',
  'playbook_editors',
  'playbook_exports',
  'playbook_share_copies',
  'playbook_shares',
  'playbook_versions',
  'playbooks',
  'row_counts',
  'situation_reports',
  'stakeholder_links',
  'suppressions',
  'timeline_entries',
  'webhook_deliveries',
  'webhooks',
]

/** Tables in which external people read the rows of what they deleted themselves. */
const OF_THEIR_DELETIONS = ['deleted_rows', 'deletions']

/** Tables in which external people read the rows of their own sessions. */
const OF_SESSIONS = ['file_tickets']

let organisation: Organisation
let admin: Caller
let counsel: Caller
/** Incidents that target the external person by name, through a group, and not at all. */
let named: string
let grouped: string
let hidden: string

/** Opens a transaction like the call of a signed-in person. */
const as = <T>(caller: Caller, work: (db: OrgDb) => Promise<T>): Promise<T> =>
  database.withOrganisation(
    {
      organisationId: caller.organisation.id,
      lookup: sessionLookup(caller.sessionId),
      actor: () => ({ kind: 'person', id: caller.uuid, name: caller.email }),
    },
    work,
  )

async function incident(title: string, targets: object): Promise<string> {
  const { status, body } = await admin.post('/incident/withActivities', {
    title,
    fullText: `<p>${title}</p>`,
    activityCreateRequests: [{ type: 'TASK', title: 'A task', description: 'Do it.' }],
    ...targets,
  })
  expect(status).toBe(201)
  const { id, activities } = body as { id: string; activities: { id: string }[] }
  await admin.post(`/incident/${id}/checkIn`, {})
  // Rows of files and reports, in all their tables.
  await muster.inside(organisation, async (db) => {
    const blob = { id: crypto.randomUUID(), size: 1, sha256: 'none' }
    await keepBlob(db, blob)
    const attachment = crypto.randomUUID()
    await sql`insert into attachments (id, incident_id, blob_id, name, extension, type, created_by, create_timestamp)
      values (${attachment}, ${id}, ${blob.id}, 'a', 'txt', 'text/plain', 'somebody', now())`.execute(db)
    await sql`insert into activity_attachments (attachment_id, activity_id)
      values (${attachment}, ${activities[0]!.id})`.execute(db)
    const request = crypto.randomUUID()
    await sql`insert into confirmation_requests (id, activity_id, incident_id, create_timestamp)
      values (${request}, ${activities[0]!.id}, ${id}, now())`.execute(db)
    await sql`insert into confirmations (request_id, user_id, confirm_timestamp)
      values (${request}, ${admin.uuid}, now())`.execute(db)
    await sql`insert into incident_reports (incident_id, blob_id, sha256, created_by, create_timestamp)
      values (${id}, ${blob.id}, 'none', 'somebody', now())`.execute(db)
    await sql`insert into report_requests (id, incident_id, state, progress, tries, sequence, create_timestamp,
        update_timestamp, expire_timestamp)
      values (gen_random_uuid(), ${id}, 'MAKING', 0, 0, 0, now(), now(), now() + interval '1 hour')`.execute(
      db,
    )
    const playbook = crypto.randomUUID()
    await sql`insert into incident_playbooks (id, incident_id, name, version, tasks_count, added_by, added_timestamp)
      values (${playbook}, ${id}, 'Flood', 1, 1, 'somebody', now())`.execute(db)
    await sql`insert into incident_playbook_tasks (incident_playbook_id, incident_id, item_id)
      values (${playbook}, ${id}, gen_random_uuid())`.execute(db)
    await sql`insert into incident_conditions (id, incident_id, incident_playbook_id, item_id, title, condition, answer)
      values (gen_random_uuid(), ${id}, ${playbook}, gen_random_uuid(), 'Outside', 'it rains', 'OPEN')`.execute(
      db,
    )
    await sql`insert into incident_roles (incident_id, role_key, title, user_id, from_timestamp, given_by)
      values (${id}, 'warden', 'Warden', ${counsel.uuid}, now(), 'somebody')`.execute(db)
    await sql`insert into notifications (user_id, title, details, incident_id, create_timestamp)
      values (${counsel.uuid}, 'Told', '', ${id}, now())`.execute(db)
  })
  return id
}

beforeAll(async () => {
  organisation = await muster.anOrganisation({ multiIncident: true, groupsEnabled: true })
  admin = await muster.signedInAs(organisation, 'ADMIN')
  counsel = await muster.signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
  const group = crypto.randomUUID()
  await muster.inside(organisation, async (db) => {
    await sql`insert into user_groups (id, name, name_key, created_by, create_timestamp, update_timestamp)
      values (${group}, 'Counsel', 'counsel', 'somebody', now(), now())`.execute(db)
    await sql`insert into group_members (group_id, user_id) values (${group}, ${counsel.uuid})`.execute(db)
  })
  named = await incident('Named', { targetedUsers: [counsel.email] })
  grouped = await incident('Grouped', { targetedGroupIds: [group] })
  hidden = await incident('Hidden', { targetedUsers: [admin.email], targetedGroupIds: [] })
  await muster.inside(organisation, async (db) => {
    const other = crypto.randomUUID()
    await sql`insert into user_groups (id, name, name_key, created_by, create_timestamp, update_timestamp)
      values (${other}, 'Others', 'others', 'somebody', now(), now())`.execute(db)
    await sql`insert into incident_target_groups (incident_id, group_id) values (${hidden}, ${other})`.execute(
      db,
    )
  })
})

const incidentsIn = async (db: OrgDb, table: string): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string | null }>`
    select ${sql.raw(OF_INCIDENTS[table]!)}::text as id from ${sql.table(table)}`.execute(db)
  return new Set(rows.flatMap(({ id }) => id ?? []))
}

test.each(Object.keys(OF_INCIDENTS))(
  'of %s an external person reads what belongs to incidents that target them, whatever the query',
  async (table) => {
    const everything = await as(admin, (db) => incidentsIn(db, table))
    expect([...everything]).toContain(hidden)
    const seen = await as(counsel, (db) => incidentsIn(db, table))
    expect([...seen]).not.toContain(hidden)
    expect(seen.has(named) || seen.has(grouped)).toBe(true)
    if (table !== 'incident_target_users') expect([...seen]).toContain(grouped)
  },
)

test('every table that refers to an incident, or to what belongs to one, has the policy', async () => {
  const { rows } = await database.pool.query<{ table: string }>(`
    with recursive belonging (oid) as (
      select 'incidents'::regclass::oid
      union
      select c.conrelid from pg_constraint c join belonging b on b.oid = c.confrelid where c.contype = 'f'
    )
    select distinct t.relname as table
      from pg_class t
     where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace
       and (t.oid in (select oid from belonging)
         or exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'incident_id'))
       and not exists (
         select from pg_policy p
          where p.polrelid = t.oid and p.polname = 'viewer' and not p.polpermissive and p.polcmd = '*')`)
  expect(rows).toEqual([])
})

test('the tables of this test are all that have the policy', async () => {
  const { rows } = await database.pool.query<{ table: string }>(
    "select tablename as table from pg_policies where policyname = 'viewer' order by 1",
  )
  expect(rows.map(({ table }) => table)).toEqual(
    [
      ...Object.keys({ ...OF_INCIDENTS, ...OF_ROOMS }),
      ...OF_NOBODY_EXTERNAL,
      ...OF_THEIR_DELETIONS,
      ...OF_SESSIONS,
    ].toSorted((a, b) => (a < b ? -1 : 1)),
  )
})

test('of rooms an external person reads those that they are in, whatever the query', async () => {
  const filled = async (userIds: string[]) => {
    const room = await madeRoom(admin, { userIds })
    const form = new FormData()
    form.append('file', new File(['Plan'], 'plan.txt'))
    const { body } = await muster.send('POST', '/fe', { headers: admin.headers, raw: form })
    const { id } = await sent(admin, room.id, 'With a file', { fileIds: [body.id] })
    // A room without other members mentions nobody.
    await muster.inside(organisation, (db) =>
      sql`insert into room_mentions (message_id, user_id, room_id, sequence, create_timestamp)
        values (${id}, ${admin.uuid}, ${room.id}, 1, now())`.execute(db),
    )
    await admin.put(`/chat/messages/${id}/saved`, {})
    await sent(admin, room.id, 'An answer', { threadId: id })
    await admin.put(`/chat/messages/${id}/reactions/${encodeURIComponent('👍')}`)
    const { callId } = (
      await startedCall(admin, room.id, userIds.length > 0 ? { ringing: { who: 'EVERYBODY' } } : {})
    ).call
    // A room without other members rings nobody, so the row is inserted.
    await muster.inside(organisation, (db) =>
      sql`insert into call_rings (call_id, room_id, user_id, rung_by, until_timestamp, state)
        values (${callId}, ${room.id}, ${admin.uuid}, ${admin.uuid}, now(), 'MISSED')`.execute(db),
    )
    const now = new Date().toISOString()
    const requestedBy = userIds[0] ?? admin.uuid
    await muster.inside(organisation, (db) =>
      sql`insert into scheduled_messages (id, user_id, room_id, html, send_timestamp, create_timestamp)
        values (gen_random_uuid(), ${requestedBy}, ${room.id}, 'Later', now(), now())`.execute(db),
    )
    await muster.inside(organisation, (db) =>
      exportStore.insert(db, {
        id: crypto.randomUUID(),
        roomId: room.id,
        requestedBy,
        sinceTimestamp: now,
        untilTimestamp: now,
        state: 'READY',
        progress: 100,
        tries: 1,
        fileName: 'chat.zip',
        blobId: null,
        createTimestamp: now,
        updateTimestamp: now,
        expireTimestamp: now,
      }),
    )
    return room.id
  }
  const [shared, foreign] = [await filled([counsel.uuid]), await filled([])]
  for (const [table, column] of Object.entries(OF_ROOMS)) {
    const idsIn = async (db: OrgDb) => {
      const { rows } = await sql<{ id: string }>`
        select distinct ${sql.raw(column)} as id from ${sql.table(table)}`.execute(db)
      return rows.map(({ id }) => id)
    }
    expect(await as(admin, idsIn), table).toEqual(expect.arrayContaining([shared, foreign]))
    expect(await as(counsel, idsIn), table).toEqual([shared])
  }
  const changed = await as(counsel, (db) =>
    sql`update rooms set description = 'Mine' where id = ${foreign}`.execute(db),
  )
  expect(changed.numAffectedRows).toBe(0n)
})

test('of deletions an external person reads their own, and none of their rows otherwise', async () => {
  const deleted = (who: Caller, record: string) => (db: OrgDb) =>
    keepDeleted(db, { noun: 'rooms', record, by: { id: who.uuid } }, [
      { table: 'room_members', where: sql`t.user_id = ${who.uuid}` },
    ])
  await as(admin, deleted(admin, 'theirs'))
  await madeRoom(admin, { userIds: [counsel.uuid] })
  await as(counsel, deleted(counsel, 'own'))
  const read = async (db: OrgDb) => {
    const { rows } = await sql<{ record: string; user: string }>`
      select d.record, r.content->>'user_id' as user from deletions d join deleted_rows r on r.deletion_id = d.id`.execute(
      db,
    )
    return new Set(rows.map(({ record, user }) => `${record} ${user}`))
  }
  expect(await as(admin, read)).toEqual(new Set([`theirs ${admin.uuid}`, `own ${counsel.uuid}`]))
  expect(await as(counsel, read)).toEqual(new Set([`own ${counsel.uuid}`]))
})

test('of tickets an external person reads and writes those of their sessions, and none of secure files', async () => {
  const tickets = async (db: OrgDb) => {
    const { rows } = await sql<{ session: string }>`select session_id as session from file_tickets`.execute(
      db,
    )
    return rows.map(({ session }) => session)
  }
  const attachment = await muster.inside(organisation, async (db) => {
    const { rows } = await sql<{ id: string }>`
      select id from attachments where incident_id = ${named}`.execute(db)
    return rows[0]!.id
  })
  const insert = (sessionId: string, id: string | null) => (db: OrgDb) =>
    sql`insert into file_tickets (hash, session_id, purpose, attachment_id, item_ids, expires_timestamp)
      values (${Buffer.from(crypto.randomUUID())}, ${sessionId}, ${id ? 'attachment' : 'archive'}, ${id},
        ${id ? null : [0]}, now())`.execute(db)
  await as(admin, insert(admin.sessionId, attachment))
  await as(admin, insert(counsel.sessionId, null))
  await as(counsel, insert(counsel.sessionId, attachment))
  for (const forbidden of [insert(admin.sessionId, attachment), insert(counsel.sessionId, null)])
    await expect(as(counsel, forbidden)).rejects.toThrow(/row-level security/)
  expect(await as(admin, tickets)).toHaveLength(3)
  expect(await as(counsel, tickets)).toEqual([counsel.sessionId])
})

test.each([
  [
    'a check-in',
    (id: string) => sql`insert into check_ins (incident_id, user_id, timestamp)
    values (${id}, ${counsel.uuid}, now())`,
  ],
  [
    'a target',
    (id: string) => sql`insert into incident_target_users (incident_id, user_id)
    values (${id}, ${counsel.uuid})`,
  ],
  [
    'an update',
    (id: string) => sql`insert into activities (incident_id, type, title, description, status, priority,
      progress, created_by, create_timestamp, update_timestamp)
    values (${id}, 'UPDATE', '', 'Mine', 'TO_DO', 'LOW', 0, 'me', now(), now())`,
  ],
])('%s of an incident that does not target them cannot be written', async (_what, statement) => {
  await expect(as(counsel, (db) => statement(hidden).execute(db))).rejects.toThrow(/row-level security/)
})

test('an incident that does not target them is neither changed nor deleted', async () => {
  const counted = await as(counsel, async (db) => {
    const changed = await sql`update incidents set title = 'Taken' where id = ${hidden}`.execute(db)
    const deleted = await sql`delete from activities where incident_id = ${hidden}`.execute(db)
    return [Number(changed.numAffectedRows), Number(deleted.numAffectedRows)]
  })
  expect(counted).toEqual([0, 0])
})

test('external people still check in where they are targeted, and it is recorded', async () => {
  expect((await counsel.post(`/incident/${named}/checkIn`, {})).status).toBe(200)
  const events = await as(counsel, (db) =>
    db
      .selectFrom('events')
      .select('verb')
      .where('parent', '=', named)
      .where('verb', '=', 'checked in')
      .execute(),
  )
  expect(events).toHaveLength(2)
})

test('who comes next on the same connection is not narrowed', async () => {
  for (let n = 0; n < 20; n += 1) {
    expect((await as(counsel, (db) => incidentsIn(db, 'incidents'))).size).toBe(2)
    expect((await as(admin, (db) => incidentsIn(db, 'incidents'))).size).toBe(3)
  }
})

test('an external transaction without a viewer fails instead of showing all', async () => {
  const client = await database.pool.connect()
  try {
    await client.query(
      `begin; set local role muster_external; set local app.organisation = '${organisation.id}'`,
    )
    await expect(client.query('select * from incidents')).rejects.toThrow(/app\.viewer|uuid/)
  } finally {
    await client.query('rollback')
    client.release()
  }
})
