import { afterAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'

import { startProduct } from '../support/product.ts'
import { type Caller, type Staff, startTestServer } from '../support/server.ts'

const SECRET_KEY = 'one secret of all processes, long enough'
const ENTERPRISE = '/config/enterpriseConfigDetails'
const GLOBAL = '/config/globalOverriddenConfigDetails'
/** Close code of the socket after a change of the configuration. */
const CONFIGURED = 4002

/** Creates the organisations; the tests use processes of their own. */
const muster = await startTestServer({ SECRET_KEY })

async function startProcess() {
  const { databaseUrl, dataDir } = muster.services.settings
  const product = await startProduct({ DATABASE_URL: databaseUrl!, DEMO: '0', SECRET_KEY }, dataDir)
  afterAll(() => product.stop())
  const call = async ({ headers }: Caller | Staff, method: string, path: string, body?: object) => {
    const response = await fetch(`${product.url}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
    })
    return { status: response.status, body: await response.json() }
  }
  /** Opens a live socket; `closed` resolves with the close code and the time. */
  async function socketOf(caller: Caller) {
    const { ticket } = (await call(caller, 'POST', '/api/live/ticket')).body
    const socket = new WebSocket(`${product.url.replace('http', 'ws')}/api/live`)
    const closed = new Promise<{ code: number; at: number }>((resolve) =>
      socket.on('close', (code) => resolve({ code, at: performance.now() })),
    )
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject)
      socket.on('open', () => socket.send(JSON.stringify({ ticket, after: null })))
      socket.on('message', () => resolve())
    })
    return { closed }
  }
  const configOf = async (caller: Caller) => (await call(caller, 'GET', '/api/config')).body
  return { pid: product.pid, call, socketOf, configOf }
}

describe('two processes on one database', async () => {
  const [first, second] = [await startProcess(), await startProcess()]

  /** Awaits the push to a browser of the second process. Logs the delay, which depends on the machine. */
  async function pushed(
    { closed }: { closed: Promise<{ code: number; at: number }> },
    answered: number,
    annotate: (note: string) => Promise<unknown>,
  ) {
    const { code, at } = await closed
    expect(code).toBe(CONFIGURED)
    const ms = Math.round(at - answered)
    await annotate(
      `The push reached the other process ${ms} ms after the change was answered (bound: 2,000 ms).`,
    )
  }

  test('are processes of their own', () => {
    expect(new Set([process.pid, first.pid, second.pid]).size).toBe(3)
  })

  test('a change of one organisation on the first is in force with the next call on the second, for nobody else', async ({
    annotate,
  }) => {
    const admin = await muster.signedInAs(await muster.anOrganisation(), 'ADMIN')
    const other = await muster.signedInAs(await muster.anOrganisation())
    const socket = await second.socketOf(admin)
    expect((await second.configOf(admin)).nameCharacters).toBe('STANDARD')
    const change = { databaseKey: 'nameCharacters', valueJson: '"EXTENDED"' }
    expect((await first.call(admin, 'PUT', `/api${ENTERPRISE}`, change)).status).toBe(200)
    const answered = performance.now()
    expect((await second.configOf(admin)).nameCharacters).toBe('EXTENDED')
    expect((await second.configOf(other)).nameCharacters).toBe('STANDARD')
    await pushed(socket, answered, annotate)
  })

  test('a change for all organisations is too, and back again', async ({ annotate }) => {
    const ana = await muster.signedInAs(await muster.anOrganisation())
    const own = await muster.signedInAs(await muster.anOrganisation({ maxFileSize: 7 }))
    const staff = await muster.signedInAsStaff()
    const socket = await second.socketOf(ana)
    const change = { databaseKey: 'maxFileSize', valueJson: '20' }
    expect((await first.call(staff, 'PUT', `/management-api${GLOBAL}`, change)).status).toBe(200)
    const answered = performance.now()
    expect((await second.configOf(ana)).maxFileSize).toBe(20)
    expect((await second.configOf(own)).maxFileSize).toBe(7)
    await pushed(socket, answered, annotate)
    const again = await second.socketOf(ana)
    expect((await first.call(staff, 'DELETE', `/management-api${GLOBAL}/maxFileSize`)).status).toBe(200)
    const reverted = performance.now()
    expect((await second.configOf(ana)).maxFileSize).toBe(100)
    await pushed(again, reverted, annotate)
  })
})
