import { once } from 'node:events'
import type { Socket } from 'node:net'

import { expect, onTestFinished, test } from 'vitest'

import { openBus } from '#server/kit/events/bus.ts'
import { unitOf } from '#server/kit/database/db.ts'

import { startTestServer } from '../support/server.ts'

const muster = await startTestServer()
const { pool } = muster.services.database

/** The socket of a client, which pg does not expose. */
const socketOf = (client: unknown): Socket => (client as { connection: { stream: Socket } }).connection.stream

/** Uncaught errors during some work, each of which would have ended the product. */
async function unhandledDuring(work: () => Promise<unknown>): Promise<unknown[]> {
  const errors: unknown[] = []
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', (error) => errors.push(error))
  try {
    await work()
  } finally {
    process.removeAllListeners('uncaughtException')
    for (const listener of others) process.on('uncaughtException', listener)
  }
  return errors
}

async function loseConnection(client: unknown): Promise<void> {
  const closed = once(socketOf(client), 'close')
  socketOf(client).destroy()
  await closed
  // The client reports its end in the next tick.
  await new Promise(setImmediate)
}

test('a connection that is lost inside a transaction fails the transaction and not the process', async () => {
  const organisation = await muster.anOrganisation()
  const unhandled = await unhandledDuring(() =>
    expect(
      muster.inside(organisation, async (db) => {
        await loseConnection(unitOf(db).client)
        return db.selectFrom('users').select('id').execute()
      }),
    ).rejects.toThrow(/Connection terminated|not queryable/),
  )
  expect(unhandled).toEqual([])
  expect((await muster.send('GET', '/health/ready')).status).toBe(200)
})

test('after the connection of the bus was lost, streams that grew meanwhile are asked for', async () => {
  const errors: Error[] = []
  const bus = await openBus({ connectionString: muster.services.settings.databaseUrl! }, (error) =>
    errors.push(error),
  )
  onTestFinished(() => bus.close())
  const heard = new Promise<string | null>((resolve) => bus.subscribe('events', resolve))
  await pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'set synchronous_commit%' and datname = current_database()",
  )
  expect(await heard).toBeNull()
  expect(errors).not.toEqual([])
})
