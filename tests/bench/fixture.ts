import { Client, type ClientConfig } from 'pg'

import { hashPassword } from '#server/kit/security/passwords.ts'

import { signIn } from '../support/product.ts'

/** An organisation created for benchmarks. */
export interface Organisation {
  readonly id: string
  readonly code: string
}
export interface Person {
  readonly id: string
  readonly email: string
  readonly headers: Readonly<Record<string, string>>
}

export const USERS = 10_000
export const INCIDENTS = 10_000
export const ACTIVITIES = 1_000
/** Password of every person. */
export const PASSWORD = 'Measure-twice-7'

/** Connection to the database of a product, as a superuser; its socket is open to processes of the same user. */
export const databaseIn = (dataDir: string): ClientConfig => ({
  host: `${dataDir}/socket`,
  port: 5432,
  user: 'postgres',
  database: 'postgres',
})

export async function withClient<T>(config: ClientConfig, work: (client: Client) => Promise<T>) {
  const client = new Client(config)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Opens a transaction of one organisation like the product does. */
export const opening = ({ id }: Pick<Organisation, 'id'>): string =>
  `begin; set local role muster_member; set local app.organisation = '${id}'`

export async function inside<T>(
  client: Client,
  organisation: Organisation,
  work: () => Promise<T>,
): Promise<T> {
  await client.query(opening(organisation))
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Adds an organisation with configuration items of its own. */
export async function makeOrganisation(
  client: Client,
  code: string,
  config: object = {},
): Promise<Organisation> {
  const id = crypto.randomUUID()
  await client.query('begin; set local role muster_provider')
  await client.query(
    `insert into organisations (id, code, display_name, max_users, config, create_timestamp)
     values ($1, $2, $3, 20000, $4, now())`,
    [id, code, `Organisation ${code}`, JSON.stringify({ multiIncident: true, ...config })],
  )
  await client.query('commit')
  return { id, code }
}

let hash: Promise<string> | undefined
/** Adds a person who can sign in. */
export async function makePerson(
  client: Client,
  organisation: Organisation,
  name: string,
): Promise<Omit<Person, 'headers'>> {
  hash ??= hashPassword(PASSWORD)
  const [id, email] = [crypto.randomUUID(), `${name}@${organisation.code}.example`]
  const values = [id, email, await hash]
  await inside(client, organisation, () =>
    client.query(
      `insert into users (id, email, first_name, last_name, role, type, password_hash, accepted_terms,
         create_timestamp, update_timestamp)
       values ($1, $2, 'Bench', 'Person', 'ADMIN', 'INTERNAL', $3, true, now(), now())`,
      values,
    ),
  )
  return { id, email }
}

export async function signInAs(
  url: string,
  organisation: Organisation,
  { id, email }: Omit<Person, 'headers'>,
): Promise<Person> {
  const { headers } = await signIn(url, email, PASSWORD, organisation.code)
  // A call without a body has no content type.
  const { 'Content-Type': _, ...rest } = headers
  return { id, email, headers: rest }
}

const list = (words: string): string =>
  `array[${words
    .split(' ')
    .map((word) => `'${word}'`)
    .join(',')}]`
const GIVEN = list(
  'Ana Ben Carla David Elif Farid Grace Henrik Ines Jonas Kaya Liam Maya Noah Olga Pedro Qiara Rosa Samir Tove Uma Victor Wanda Xenia Yusuf Zoe André Bjørn Chloé Dörte',
)
const FAMILY = list(
  'Adler Brandt Costa Dubois Eriksen Fischer García Hansen Ivanova Jensen Kowalski Lindqvist Müller Novak Okafor Petrov Quist Rossi Schmidt Tanaka Usman Varga Weber Xu Yılmaz Zimmermann Moreau Nakamura Silva Keller Berg Haas Lund Marin Otero Pires Rahman Sato Thorn Vega',
)
const PLACES = list('Berlin Lisbon Oslo Toronto Nairobi Osaka Madrid Chicago')
const DEPARTMENTS = list('Security Legal Finance Operations Communications Engineering People')
const one = (of: string, by: string): string => `(${of})[1 + (${by})::int % array_length(${of}, 1)]`

export async function addUsers(client: Client, organisation: Organisation, count: number): Promise<void> {
  await inside(client, organisation, () =>
    client.query(
      `insert into users (email, first_name, last_name, phone_number, location, department, role, type, active,
         password_hash, accepted_terms, was_sent_activation_email, last_login_timestamp, create_timestamp, update_timestamp)
       select lower(fold(given || '.' || family)) || '.' || n || '@${organisation.code}.example', given, family,
         case when n % 3 > 0 then '+4930' || (1000000 + n * 37) end,
         case when n % 5 > 0 then ${one(PLACES, 'n * 31 / 7')} end,
         case when n % 4 > 0 then ${one(DEPARTMENTS, 'n * 17 / 3')} end,
         case when n % 20 = 0 then 'ADMIN' when n % 9 = 0 then 'BUSINESS_USER' else 'USER' end,
         case when n % 25 = 3 then 'EXTERNAL' else 'INTERNAL' end, n % 12 > 0,
         case when n % 7 > 0 then 'no password fits this' end, n % 7 > 0, true,
         case when n % 8 > 1 then timestamptz '2026-11-01' - n * interval '17 minutes' end,
         timestamptz '2026-01-01' + n * interval '11 minutes', timestamptz '2026-06-01'
       from (select n, ${one(GIVEN, 'n * 7919 / 13')} as given, ${one(FAMILY, 'n * 104729 / 31')} as family
             from generate_series(1, $1::bigint) n) people`,
      [count],
    ),
  )
}

const TEXT = `An alert reported that several workstations encrypt their shared folders. The affected machines were taken
off the network and the file servers are being checked. Backups of the night exist and were verified. Next: inform the
board, keep a record of every decision, and prepare a statement for customers.`

/** Adds incidents without contents, newest last. */
export async function addIncidentTexts(client: Client, organisation: Organisation, count: number) {
  await inside(client, organisation, () => insertIncidents(client, count))
}
const insertIncidents = (client: Client, count: number) =>
  client.query(
    `insert into incidents (title, full_text, plain_text, preview_text, severity, is_tabletop, is_active, is_targeted,
         estimated_time_to_recovery, estimated_time_to_recovery_time_unit, created_by, create_timestamp, update_timestamp, resolved_by, resolve_timestamp)
       select 'Incident ' || n || ' in ' || ${one(PLACES, 'n')}, '<p>' || $2 || '</p>', $2, left($2, 200),
         ${one(list('LOW MEDIUM HIGH CRITICAL'), 'n')}, n % 10 = 0, n > $1 - 8, false,
         case when n % 2 = 0 then 4 end, case when n % 2 = 0 then 'HOURS' end, 'ana@example.com',
         timestamptz '2026-01-01' + n * interval '20 minutes', timestamptz '2026-01-01' + n * interval '21 minutes',
         case when n <= $1 - 8 then 'ana@example.com' end,
         case when n <= $1 - 8 then timestamptz '2026-01-02' + n * interval '20 minutes' end
       from generate_series(1, $1::bigint) n`,
    [count, TEXT],
  )

/** Adds incidents, newest last, each with three tasks, two updates and three check-ins. */
export async function addIncidents(client: Client, organisation: Organisation, count: number) {
  await inside(client, organisation, async () => {
    await insertIncidents(client, count)
    await client.query(
      `insert into activities (incident_id, type, title, description, status, priority, progress, assigned_to,
         created_by, create_timestamp, update_timestamp)
       select i.id, case when n > 3 then 'UPDATE' else 'TASK' end, 'Step ' || n, 'Call the provider and note the answer.',
         case when n = 1 then 'COMPLETE' else 'TO_DO' end, 'MEDIUM', case when n = 1 then 100 else 0 end, null,
         'ana@example.com', i.create_timestamp, i.create_timestamp
       from incidents i cross join generate_series(1, 5) n order by i.create_timestamp, n`,
    )
    await client.query(
      `insert into check_ins (incident_id, user_id, timestamp)
       select i.id, u.id, i.create_timestamp + interval '5 minutes'
       from incidents i cross join (select id from users order by id limit 3) u`,
    )
  })
}

/** Fills one incident of middle age: tasks, updates, updates below tasks, targets and check-ins. */
export async function addActivities(
  client: Client,
  organisation: Organisation,
  count: number,
): Promise<string> {
  return inside(client, organisation, async () => {
    const found = await client.query<{ id: string }>(
      'select id from incidents order by create_timestamp limit 1 offset (select count(*) / 2 from incidents)',
    )
    const id = found.rows[0]!.id
    await client.query('delete from activities where incident_id = $1', [id])
    await client.query('delete from check_ins where incident_id = $1', [id])
    await client.query(
      `insert into activities (incident_id, parent_activity_id, type, title, description, status, priority, progress,
         assigned_to, ideal_title_to_execute, expected_time_to_complete, created_by, create_timestamp, update_timestamp)
       select $1, null, case when n % 4 = 0 then 'UPDATE' else 'TASK' end, 'Activity ' || n, $3,
         case when n % 3 = 0 then 'COMPLETE' else 'TO_DO' end, ${one(list('LOW MEDIUM HIGH'), 'n')},
         case when n % 3 = 0 then 100 else 0 end,
         case when n % 4 in (1, 2) then (select id from users where id > md5(n::text)::uuid order by id limit 1) end,
         case when n % 5 = 0 then 'Chief of staff' end, case when n % 2 = 0 then 30 end, 'ana@example.com',
         timestamptz '2026-03-01' + n * interval '1 minute', timestamptz '2026-03-01' + n * interval '2 minutes'
       from generate_series(1, $2::bigint * 4 / 5) n`,
      [id, count, TEXT.slice(0, 180)],
    )
    await client.query(
      `insert into activities (incident_id, parent_activity_id, type, title, description, status, priority, progress,
         created_by, create_timestamp, update_timestamp)
       select incident_id, id, 'UPDATE', '', 'Done, and confirmed by telephone.', 'TO_DO', 'MEDIUM', 0, created_by,
         update_timestamp, update_timestamp
       from activities where incident_id = $1 and type = 'TASK' order by position limit $2::bigint / 5`,
      [id, count],
    )
    await client.query(
      `insert into check_ins (incident_id, user_id, timestamp)
       select $1, id, timestamptz '2026-03-01' from users where active order by id limit 100`,
      [id],
    )
    await client.query(
      `insert into incident_target_users (incident_id, user_id) select $1, id from users where active order by id limit 30`,
      [id],
    )
    await client.query('update incidents set is_targeted = true where id = $1', [id])
    return id
  })
}
