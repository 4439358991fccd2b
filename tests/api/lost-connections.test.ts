import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'

import { postgresBus } from '#server/kit/events/bus.ts'
import { unitOf } from '#server/kit/database/db.ts'
import { Wire } from '#server/kit/database/embedded-wire.ts'
import { oneSession } from '#server/kit/jobs/jobs-database.ts'

import { startTestServer } from '../support/server.ts'

const muster = await startTestServer()
const { pool } = muster.services.database

/** The socket below a client, which pg does not show. */
const socketOf = (client: unknown): Socket => (client as { connection: { stream: Socket } }).connection.stream

/** What no listener took while something happened: each of these would have ended the product. */
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
  // The client tells of its end with the next tick.
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

test('a connection that is lost under a statement of the jobs fails the statement and not the process', async () => {
  const client = await pool.connect()
  const connect = vi.spyOn(pool, 'connect').mockImplementationOnce(async () => client)
  onTestFinished(() => connect.mockRestore())
  const unhandled = await unhandledDuring(async () => {
    const refused = expect(oneSession(pool).executeSql('select pg_sleep(1)', [])).rejects.toThrow(
      /Connection terminated/,
    )
    await loseConnection(client)
    await refused
  })
  expect(unhandled).toEqual([])
  expect((await muster.send('GET', '/health/ready')).status).toBe(200)
})

test.runIf(muster.services.settings.databaseUrl)(
  'after the connection to a server was lost, streams that grew meanwhile are asked for',
  async () => {
    const errors: Error[] = []
    const bus = await postgresBus({ connectionString: muster.services.settings.databaseUrl! }, (error) =>
      errors.push(error),
    )
    onTestFinished(() => bus.close())
    const heard = new Promise<string | null>((resolve) => bus.subscribe('events', resolve))
    await pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen muster_%' and datname = current_database()",
    )
    expect(await heard).toBeNull()
    expect(errors).not.toEqual([])
  },
)

test('time in which the process was stopped ends no transaction of the embedded database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  let isOpen = false
  const messageOf = (type: string, body: string) => {
    const head = Buffer.alloc(5)
    head.write(type)
    head.writeInt32BE(4 + body.length, 1)
    return Buffer.concat([head, Buffer.from(body, 'latin1')])
  }
  const answer = (tag: string, state: 'I' | 'T') =>
    Buffer.concat([messageOf('C', `${tag}\0`), messageOf('Z', state)])
  const wire = new Wire(
    {
      welcome: Buffer.concat([messageOf('R', '\0\0\0\0'), messageOf('Z', 'I')]),
      run: (messages, reply) => {
        const text = messages.toString()
        if (text.includes('begin')) isOpen = true
        if (/commit|ROLLBACK/.test(text)) isOpen = false
        reply(answer('DONE', isOpen ? 'T' : 'I'))
      },
      inTransaction: () => isOpen,
      atRest: () => {},
    },
    { password: undefined, idleInTransactionMs: 10_000 },
  )
  await wire.listen(join(folder, '.s.PGSQL.5432'))
  onTestFinished(() => wire.close())
  const connected = async () => {
    const client = new Client({ host: folder })
    client.on('error', () => {})
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }
  const [owner, other] = [await connected(), await connected()]
  /** Another client is let in only after the wire has read what was sent before. */
  const whileWaiting = async (work: () => Promise<unknown> | void) => {
    await owner.query('begin')
    const answered = other.query('select 1')
    await connected()
    await work()
    await answered
  }

  const later = performance.now() + 3_600_000
  await whileWaiting(async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later)
    // After a stop each timer fires once, regardless of how many times it was due.
    vi.advanceTimersByTime(1_000)
    clock.mockRestore()
    await owner.query('commit')
  })
  const ended = once(owner, 'error')
  await whileWaiting(() => void vi.advanceTimersByTime(11_000))
  expect((await ended)[0]).toMatchObject({ code: '25P03' })
})
