import { randomFillSync } from 'node:crypto'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Client } from 'pg'

import { runCommand } from '../support/backups.ts'
import { startProduct } from '../support/product.ts'
import {
  addIncidents,
  addUsers,
  databaseIn,
  inside,
  INCIDENTS,
  makeOrganisation,
  makePerson,
  type Organisation,
  type Person,
  signInAs,
  USERS,
  withClient,
} from './fixture.ts'

const MESSAGES = 100_000
const GIGABYTES = 5
/** Bytes of a file: the default maximum. */
const FILE_SIZE = 100_000_000
/** Seconds within which the product answers on the other machine. */
const BUDGET_SECONDS = 300

/** Adds a room with messages by one person. */
const addMessages = (client: Client, organisation: Organisation, { id }: Pick<Person, 'id'>, count: number) =>
  inside(client, organisation, async () => {
    const { rows } = await client.query<{ id: string }>(
      `insert into rooms (kind, name, name_key, create_timestamp, update_timestamp, last_message_timestamp, change_sequence)
       values ('WAR_ROOM', 'Room', 'room', now(), now(), now(), 1) returning id`,
    )
    await client.query(
      `insert into room_messages (room_id, sequence, user_id, client_id, html, plain, create_timestamp, update_timestamp,
         words, change_sequence)
       select $1, n, $2, gen_random_uuid(), '<p>' || text || '</p>', text, timestamptz '2026-01-01' + n * interval '1 minute',
         now(), search_grams(lower(text), $3), n
       from (select n, 'Said ' || n || ': the machines of site ' || n % 97 || ' are off the network, ' || md5(n::text) as text
               from generate_series(1, $4::bigint) n) said`,
      [rows[0]!.id, id, organisation.id, count],
    )
    await client.query(`update rooms set last_sequence = $1 where id = $2`, [count, rows[0]!.id])
  })

async function addFile(url: string, { headers }: Pick<Person, 'headers'>, name: string): Promise<void> {
  const bytes = randomFillSync(Buffer.alloc(FILE_SIZE))
  bytes.write('%PDF-1.7\n')
  const body = new FormData()
  body.append('file', new File([bytes], name))
  const stored = await fetch(`${url}/api/sfs`, { method: 'POST', headers, body })
  if (!stored.ok) throw new Error(`The file was answered with ${stored.status}: ${await stored.text()}`)
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const began = performance.now()
  const result = await work()
  const seconds = (performance.now() - began) / 1_000
  console.log(`${what}: ${seconds.toFixed(1)} s`)
  return { result, seconds }
}

/** Backs an installation up while it runs, and restores it into an empty folder until it answers. */
export async function backup(args: readonly string[]): Promise<void> {
  const gigabytes = Number(args[0] ?? GIGABYTES)
  const folder = await mkdtemp(join(tmpdir(), 'muster-backup-'))
  const [source, target, file] = ['source', 'target', 'whole.backup'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const product = await startProduct({ DEMO: '0' }, source)
  try {
    await withClient(databaseIn(source), async (client) => {
      const organisation = await makeOrganisation(client, 'backup', { fileQuotaMegabytes: 100_000 })
      const person = await makePerson(client, organisation, 'admin')
      await addUsers(client, organisation, USERS)
      await addIncidents(client, organisation, INCIDENTS)
      await addMessages(client, organisation, person, MESSAGES)
      const admin = await signInAs(product.url, organisation, person)
      for (let n = 0; n < (gigabytes * 1e9) / FILE_SIZE; n++) await addFile(product.url, admin, `${n}.pdf`)
    })
    console.log(`${USERS} people, ${INCIDENTS} incidents, ${MESSAGES} messages, ${gigabytes} GB of files`)
    const run = async (name: 'backup' | 'restore', dataDir: string) => {
      const { code, said } = await runCommand(name, [file], { env: { DATA_DIR: dataDir } })
      if (code !== 0) throw new Error(said)
    }
    await timed('The backup, beside the product', () => run('backup', source))
    console.log(`Its size: ${Math.round((await stat(file)).size / 1e6)} MB`)
    const restored = await timed('The restore', () => run('restore', target))
    const started = await timed('The start until it is ready', () => startProduct({ DEMO: '0' }, target))
    await started.result.stop()
    const seconds = restored.seconds + started.seconds
    console.log(`Restored and ready: ${seconds.toFixed(1)} s of ${BUDGET_SECONDS} s`)
    if (seconds > BUDGET_SECONDS) process.exitCode = 1
  } finally {
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
