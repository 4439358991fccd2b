import type { Client } from 'pg'

import { addUsers, inside, makeOrganisation, makePerson, type Organisation } from './fixture.ts'

/** An organisation of one size, with the parameters of its calls. */
export interface Grown {
  readonly size: number
  readonly organisation: Organisation
  readonly person: { readonly id: string; readonly email: string }
  /** A group with everybody, at most `GROUP_MAX`. */
  readonly groupId: string
  /** A folder with half of the files. */
  readonly folderId: number
  /** The newest incident, with 19 attachments. */
  readonly incidentId: string
}

const GROUP_MAX = 10_000
/** Maximum number of the person's rooms. */
const ROOMS_MAX = 50
const EVENTS_AT_ONCE = 5_000
/** A place in an eighth of the rows, and a word in one row, somewhere in the middle. */
export const COMMON = 'lisbon'
export const rareOf = (size: number): string => `zq${Math.floor(size * 0.6)}x`

const PLACES = "(array['Berlin','Lisbon','Oslo','Toronto','Nairobi','Osaka','Madrid','Chicago'])[1 + n % 8]"
const WORDS = `'An alert reported that several workstations in ' || ${PLACES} || ' encrypt their shared folders. The affected
  machines were taken off the network and the file servers are being checked. Reference ' || md5(n::text) || ' zq' || n || 'x'`

/** Adds an organisation with `size` rows of everything that people add, and a tenth of rooms and playbooks. */
export async function addGrown(client: Client, size: number): Promise<Grown> {
  const organisation = await makeOrganisation(client, `grown-${size}`, {
    playbookMaxTemplates: 200_000,
    maxRooms: 200_000,
  })
  await client.query(
    `update organisations set subscription_level = 'ENTERPRISE', max_users = 200000 where id = $1`,
    [organisation.id],
  )
  await addUsers(client, organisation, size)
  const person = await makePerson(client, organisation, 'admin')
  await addEvents(client, organisation, person.id, size)
  return inside(client, organisation, async () => {
    await client.query(INCIDENTS, [size])
    for (const statement of CONTACTS) await client.query(statement.text, statement.takesSize ? [size] : [])
    await client.query(NOTIFICATIONS, [size])
    await client.query(NOTIFIED, [person.id, size])
    await client.query(ATTACHMENTS, [size])
    await client.query(PLAYBOOKS, [Math.ceil(size / 10), organisation.id])
    const groupId = await addGroups(client, size)
    await addChat(client, person.id, size, organisation.id)
    const folderId = await addFiles(client, size, organisation.id)
    const { rows } = await client.query<{ id: string }>(
      'select id from incidents order by create_timestamp desc limit 1',
    )
    return { size, organisation, person, groupId, folderId, incidentId: rows[0]!.id }
  })
}

const INCIDENTS = `insert into incidents (title, full_text, plain_text, preview_text, severity, is_tabletop, is_active,
    is_targeted, created_by, create_timestamp, update_timestamp, resolve_timestamp)
  select 'Incident ' || n || ' in ' || ${PLACES}, text, text, left(text, 200),
    (array['LOW','MEDIUM','HIGH','CRITICAL'])[1 + n % 4], n % 10 = 0, n > $1 - 3, false, 'ana@example.com',
    timestamptz '2026-11-01' - ($1 - n) * interval '20 minutes', timestamptz '2026-11-01',
    case when n <= $1 - 3 then timestamptz '2026-11-02' - ($1 - n) * interval '20 minutes' end
  from (select n, ${WORDS} as text from generate_series(1, $1::bigint) n) incident`

const CONTACTS = [
  {
    takesSize: false,
    text: `insert into contact_lists (name, name_key) select 'List ' || n, 'list ' || n from generate_series(1, 10) n`,
  },
  {
    takesSize: true,
    text: `insert into contacts (email, name, phone, phone_country, create_timestamp, update_timestamp)
      select 'contact' || n || '@' || lower(${PLACES}) || '.example', 'Contact ' || md5(n::text) || ' zq' || n || 'x',
        '+4930' || (1000000 + n), 'DE', now(), now() from generate_series(1, $1::bigint) n`,
  },
  {
    takesSize: false,
    text: `insert into contact_list_members (list_id, contact_id)
      select l.id, c.id from (select id, row_number() over (order by id) as n from contacts) c
        join (select id, row_number() over (order by name_key) as n from contact_lists) l on l.n = 1 + c.n % 10`,
  },
]

const NOTIFICATIONS = `insert into mass_notifications (title, email_message, types, level, contact_list_ids, contact_ids,
    group_names, notified_count, created_by, create_timestamp)
  select 'Notice ' || n || ' for ' || ${PLACES}, ${WORDS}, '{EMAIL}', 'NORMAL', '{}', '{}', '{}', 0, 'bench',
    timestamptz '2026-11-01' - n * interval '7 minutes' from generate_series(1, $1::bigint) n`

const NOTIFIED = `insert into notifications (user_id, title, details, create_timestamp, read_timestamp)
  select $1, 'You were mentioned', 'In message ' || n, timestamptz '2026-11-01' - n * interval '3 minutes',
    case when n > 20 then now() end from generate_series(1, $2::bigint) n`

const ATTACHMENTS = `with blob as (
    insert into blobs (id, size, sha256, create_timestamp) values (gen_random_uuid(), 100, '', now()) returning id
  ) insert into attachments (incident_id, blob_id, name, extension, type, created_by, create_timestamp)
  select i.id, blob.id, 'Evidence ' || n, 'txt', 'text/plain', 'bench', now()
  from blob, generate_series(1, $1::bigint) n
    join (select id, row_number() over (order by create_timestamp desc) as place from incidents) i on i.place = 1 + n / 20`

const PLAYBOOKS = `insert into playbooks (name, description, activities, activities_count, words, created_by, create_timestamp,
    updated_by, update_timestamp)
  select 'Playbook ' || n, 'What to do in case ' || n, '[]', 0,
    array_to_tsvector(array['playbook', n::text, 'case', 'zq' || n || 'x', lower(${PLACES}), ':' || $2::uuid]),
    'bench', now(), 'bench', now() - n * interval '1 minute' from generate_series(1, $1::bigint) n`

async function addGroups(client: Client, size: number): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into user_groups (name, name_key, description, created_by, create_timestamp, update_timestamp)
     select 'Group ' || n, 'group ' || n, '', 'bench', now(), now() from generate_series(1, 20) n returning id`,
  )
  const { id } = rows[0]!
  await client.query(
    `insert into group_members (group_id, user_id) select $1, id from users order by given_key limit $2`,
    [id, Math.min(size, GROUP_MAX)],
  )
  return id
}

/** Rooms, a few of them the person's, and one room with as many messages as there are people. */
async function addChat(
  client: Client,
  personId: string,
  size: number,
  organisationId: string,
): Promise<void> {
  await client.query(
    `insert into rooms (kind, name, name_key, create_timestamp, update_timestamp, last_message_timestamp, change_sequence)
     select 'WAR_ROOM', 'Room ' || n || ' of ' || ${PLACES}, 'room ' || n, now(), now(), now() - n * interval '1 minute', n
     from generate_series(1, $1::bigint) n`,
    [Math.ceil(size / 10)],
  )
  await client.query(
    `insert into room_members (room_id, user_id, role, create_timestamp, change_sequence)
     select id, $1, 'owner', now(), 1 from rooms where not is_headquarters order by name_key limit $2`,
    [personId, ROOMS_MAX],
  )
  await client.query(
    `insert into room_messages (room_id, sequence, user_id, client_id, html, plain, create_timestamp, update_timestamp,
       words, change_sequence)
     select (select id from rooms where name_key = 'room 1'), n, $2, gen_random_uuid(), '<p>Said</p>', 'Said ' || n,
       timestamptz '2026-11-01' - ($1 - n) * interval '1 minute', now(),
       array_to_tsvector(array['said', n::text, 'zq' || n || 'x', lower(${PLACES}), ':' || $3::uuid]), n
     from generate_series(1, $1::bigint) n`,
    [size, personId, organisationId],
  )
  await client.query(`update rooms set last_sequence = $1 where name_key = 'room 1'`, [size])
}

/** A word in an eighth of the texts of files, and one in a single text; no name has them. */
export const COMMON_IN_TEXTS = 'shelter3'
export const rareInTexts = (size: number): string => `tq${Math.floor(size * 0.6)}x`

/** Texts of 40 words that all files have and 22 of their own. */
const FILE_TEXTS = `with numbered as (select id, row_number() over (order by id) as n from file_items where not is_folder)
   insert into file_texts (item_id, file_version, is_read, words)
   select id, 1, true, array_to_tsvector(array['tq' || n || 'x', 'shelter' || n % 8, ':' || $1::uuid]
     || array(select 'word' || k from generate_series(1, 40) k)
     || array(select substr(md5(n || ' ' || k), 1, 8) from generate_series(1, 20) k)) from numbered`
const FILE_PASSAGES = `insert into file_passages (item_id, number, page, text, words)
   select item_id, place, place, 'Page ' || place || ' of ' || repeat('what there is to do ', 40) || word,
     case when place = 3 then words else array_to_tsvector(array['word' || place]) end
     from file_texts, generate_series(1, 5) place,
       lateral (select lexeme as word from unnest(words) where lexeme like 'shelter%') named`

/** Ten root folders, one of which has half of all files. */
async function addFiles(client: Client, size: number, organisationId: string): Promise<number> {
  await client.query(
    `insert into file_items (parent_id, path, root_id, is_folder, name, name_key, created_by, create_timestamp, update_timestamp)
     select 0, '{}', 0, true, 'Folder ' || n, 'folder ' || n, 'bench', now(), now() from generate_series(1, 10) n`,
  )
  await client.query('update file_items set root_id = id')
  await client.query(
    `insert into file_items (parent_id, path, root_id, is_folder, name, extension, name_key, size, type, created_by,
       create_timestamp, update_timestamp)
     select f.id, array[f.id], f.id, false, 'Plan ' || n || ' of ' || ${PLACES} || ' zq' || n || 'x', 'pdf', 'plan ' || n || '.pdf',
       1000, 'application/pdf', 'bench', now(), now() - n * interval '1 minute'
     from generate_series(1, $1::bigint) n
       join (select id, row_number() over (order by id) as place from file_items) f
         on f.place = case when n % 2 = 0 then 1 else 2 + n % 9 end`,
    [size],
  )
  await client.query(FILE_TEXTS, [organisationId])
  await client.query(FILE_PASSAGES)
  const { rows } = await client.query<{ id: string }>('select min(id) as id from file_items')
  return Number(rows[0]!.id)
}

async function addEvents(
  client: Client,
  organisation: Organisation,
  personId: string,
  size: number,
): Promise<void> {
  for (let done = 0; done < size; done += EVENTS_AT_ONCE)
    await inside(client, organisation, () =>
      client.query(
        `select append_events(jsonb_build_object('kind', 'person', 'id', $3::text, 'name', 'admin'), (
           select jsonb_agg(jsonb_build_object('noun', (array['users', 'incidents', 'activities', 'groups'])[1 + n % 4],
             'record', md5((n / 7)::text)::uuid, 'verb', 'changed', 'parent', null,
             'changes', jsonb_build_object('name', jsonb_build_object('from', 'Before', 'to', 'After ' || n)),
             'externals', '[]'::jsonb, 'at', timestamptz '2026-11-01' - ($4::int - n) * interval '5 minutes') order by n)
           from generate_series($1::int, $2::int) n))`,
        [done + 1, Math.min(size, done + EVENTS_AT_ONCE), personId, size],
      ),
    )
}
