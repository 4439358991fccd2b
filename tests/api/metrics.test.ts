import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'

import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'

import { PROVIDER_ID } from '#server/kit/database/db.ts'

import { ChatPage } from '../support/chat.ts'
import { startTestServer } from '../support/server.ts'

const DEPLOY = join(import.meta.dirname, '../../deploy')
const SYSTEM = { kind: 'system', id: null, name: 'test' } as const

const lines: string[] = []
const log = new PassThrough()
log.on('data', (line: Buffer) => lines.push(line.toString()))
const muster = await startTestServer({ SLOW_CALL_MS: '1', SLOW_STATEMENT_MS: '50', LOG_LEVEL: 'warn' }, log)
const read = async () => (await muster.send('GET', '/metrics')).text

test('every metric of the dashboard and the alerts is measured', async () => {
  // Requests are counted once they are answered.
  await read()
  const measured = await read()
  const used = ['grafana/muster.json', 'prometheus/muster.rules.yml'].flatMap(
    (file) =>
      readFileSync(join(DEPLOY, file), 'utf8').match(/\b(?:muster|nodejs|process)_\w+\b(?=[{[) ]|\\?")/g) ??
      [],
  )
  // Without messages and planned backups there is nothing to measure of them.
  const absent = new Set(['muster_messages_last_hour', 'muster_backup_age_seconds'])
  const names = [...new Set(used)].filter((name) => !absent.has(name))
  expect(names.length).toBeGreaterThan(15)
  expect(names.filter((name) => !new RegExp(`^${name}[{ ]`, 'm').test(measured))).toEqual([])
})

test('messages that wait are measured by channel, with the age of the oldest', async () => {
  expect(await read()).toContain('muster_messages_waiting{channel="SMS"} 0')
  await muster.services.database.withProvider(SYSTEM, (db) =>
    sql`insert into messages (organisation_id, channel, recipient, text, state, carrier_trouble, reason, create_timestamp)
      select ${PROVIDER_ID}, 'SMS', '+14165550100', 'Hello', 'QUEUED', number = 1, 'away', now() - interval '10 minutes'
      from generate_series(1, 3) number`.execute(db),
  )
  const metrics = await read()
  expect(metrics).toContain('muster_messages_waiting{channel="SMS"} 3')
  expect(metrics).toContain('muster_messages_refused_by_carrier{channel="SMS"} 1')
  expect(metrics).toContain('muster_messages_last_hour{channel="SMS",state="QUEUED"} 3')
  const [, seconds] = /muster_messages_oldest_waiting_seconds\{channel="SMS"\} (\S+)/.exec(metrics)!
  expect(Number(seconds)).toBeGreaterThanOrEqual(599)
  expect(metrics).toContain('muster_messages_waiting{channel="EMAIL"} 0')
})

test('open sockets are counted', async () => {
  expect(await read()).toContain('muster_sockets{application="people"} 0')
  const person = await muster.signedInAs(await muster.anOrganisation())
  const { body } = await person.post('/live/ticket')
  const page = new ChatPage(muster.url, { ticket: body.ticket, after: null })
  await page.frame(({ type }) => type === 'ready')
  expect(await read()).toContain('muster_sockets{application="people"} 1')
  page.socket.close()
  await vi.waitFor(async () => expect(await read()).toContain('muster_sockets{application="people"} 0'))
})

test('slow calls and statements are in the log, without values', async () => {
  await muster.services.database.withProvider(SYSTEM, (db) =>
    sql`select pg_sleep(${0.06}), ${'a secret value'}::text`.execute(db),
  )
  await read()
  const logged = lines.map((line) => JSON.parse(line) as { msg: string; path?: string; statement?: string })
  const statements = logged.filter(({ msg }) => msg === 'slow statement').map(({ statement }) => statement)
  expect(statements).toContainEqual(expect.stringMatching(/^select pg_sleep\(\$1\)/))
  expect(logged.find(({ msg, path }) => msg === 'slow call' && path === '/metrics')).toMatchObject({
    method: 'GET',
    status: 200,
    ms: expect.any(Number),
  })
  expect(lines.join('')).not.toContain('a secret value')
})
