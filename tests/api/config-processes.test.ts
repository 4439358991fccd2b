import { afterAll, describe, expect, inject, test } from 'vitest'
import pino from 'pino'
import { WebSocket } from 'ws'

import { readSettings } from '#server/kit/settings.ts'
import { type Muster, startMuster } from '#server/start.ts'

import { type Caller, startTestServer } from '../support/server.ts'

/** Two processes need a server: the embedded database has one. */
const onServer = inject('template').serverUrl !== null
const IN_FORCE = { timeout: 2_000, interval: 50 }

const muster = await startTestServer({ SECRET_KEY: 'one secret of two processes, long enough' })

/** Another process on the database of the first. */
async function startSecond(): Promise<Muster> {
  const { settings } = muster.services
  const second = await startMuster(
    readSettings({
      PORT: '0',
      DEMO: '0',
      DATA_DIR: settings.dataDir,
      LOG_LEVEL: 'fatal',
      DATABASE_URL: settings.databaseUrl!,
      SECRET_KEY: 'one secret of two processes, long enough',
    }),
    { log: pino({ level: 'fatal' }), siteDir: 'none' },
  )
  afterAll(() => second.stop())
  return second
}

describe.runIf(onServer)('two processes on one database', async () => {
  const second = onServer ? await startSecond() : null
  const onSecond = async ({ headers }: Caller, path: string, method = 'GET') =>
    (await fetch(`${second!.url}/api${path}`, { method, headers })).json()
  /** Resolves with the code by which the second process closes the socket of somebody who is connected to it. */
  async function socketOnSecond(caller: Caller): Promise<{ closed: Promise<number> }> {
    const { ticket } = await onSecond(caller, '/live/ticket', 'POST')
    const socket = new WebSocket(`${second!.url.replace('http', 'ws')}/api/live`)
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    await new Promise<void>((resolve) => {
      socket.on('open', () => socket.send(JSON.stringify({ ticket, after: null })))
      socket.on('message', () => resolve())
    })
    return { closed }
  }

  test('a change of one organisation on the first is in force on the second, and nobody else has it', async () => {
    const [ours, theirs] = [await muster.anOrganisation(), await muster.anOrganisation()]
    const [admin, other] = [await muster.signedInAs(ours, 'ADMIN'), await muster.signedInAs(theirs)]
    const { closed } = await socketOnSecond(admin)
    const change = { databaseKey: 'nameCharacters', valueJson: '"EXTENDED"' }
    expect((await admin.put('/config/enterpriseConfigDetails', change)).status).toBe(200)
    await expect
      .poll(async () => (await onSecond(admin, '/config')).nameCharacters, IN_FORCE)
      .toBe('EXTENDED')
    expect((await onSecond(other, '/config')).nameCharacters).toBe('STANDARD')
    expect(await closed).toBe(4002)
  })

  test('a change for all organisations is in force on the second too, and reconnects its browsers', async () => {
    const ana = await muster.signedInAs(await muster.anOrganisation())
    const { closed } = await socketOnSecond(ana)
    const staff = await muster.signedInAsStaff()
    const path = '/config/globalOverriddenConfigDetails'
    expect((await staff.put(path, { databaseKey: 'maxFileSize', valueJson: '20' })).status).toBe(200)
    await expect.poll(async () => (await onSecond(ana, '/config')).maxFileSize, IN_FORCE).toBe(20)
    expect(await closed).toBe(4002)
    expect((await staff.delete(`${path}/maxFileSize`)).status).toBe(200)
    await expect.poll(async () => (await onSecond(ana, '/config')).maxFileSize, IN_FORCE).toBe(100)
  })
})
