import { randomBytes } from 'node:crypto'

import { expect, test, vi } from 'vitest'

import { chores } from '#server/kit/jobs/housekeeping.ts'
import { startTestServer } from '#tests/support/server.ts'

const server = await startTestServer()
const all = () => {
  const { database } = server.services
  const sweep = vi.fn(async () => 3)
  const parts = { database, blobs: { ...server.services.blobs, sweep } }
  return { sweep, run: (name: string) => chores(parts).get(name)?.run() }
}
const sql = (text: string, values: unknown[] = []) => server.services.database.pool.query(text, values)

test('drops tokens a day after nobody can use them, used or not', async () => {
  const organisation = await server.anOrganisation()
  const user = await server.aUser(organisation)
  const add = (age: string, used: boolean) =>
    sql(
      `insert into one_time_tokens (organisation_id, hash, user_id, purpose, expires_timestamp, used_timestamp)
       values ($1, $2, $3, 'test', now() + $4::interval, $5)`,
      [organisation.id, randomBytes(32), user.uuid, age, used ? new Date() : null],
    )
  for (const age of ['-2 days', '-1 hour', '1 hour']) for (const used of [true, false]) await add(age, used)
  await all().run('tokens')
  const { rows } = await sql('select 1 from one_time_tokens where organisation_id = $1', [organisation.id])
  expect(rows).toHaveLength(4)
})

test('gives up on messages that nobody sends any more', async () => {
  const organisation = await server.anOrganisation()
  const add = (state: string, age: string) =>
    sql(
      `insert into messages (organisation_id, channel, recipient, text, state, create_timestamp)
       values ($1, 'EMAIL', $2, 'text', $2, now() - $3::interval)`,
      [organisation.id, state, age],
    )
  for (const state of ['QUEUED', 'SENDING', 'SENT', 'KEPT']) await add(state, '2 days')
  await add('QUEUED', '1 hour')
  await all().run('messages')
  const { rows } = await sql('select recipient, state from messages where organisation_id = $1', [
    organisation.id,
  ])
  expect(rows.map(({ recipient, state }) => `${recipient} is ${state}`).toSorted()).toEqual([
    'KEPT is KEPT',
    'QUEUED is FAILED',
    'QUEUED is QUEUED',
    'SENDING is FAILED',
    'SENT is SENT',
  ])
})

test('sweeps the files', async () => {
  const { run, sweep } = all()
  expect(await run('files')).toBe(3)
  expect(sweep).toHaveBeenCalledOnce()
})
