import { createServer } from 'node:net'
import { once } from 'node:events'

import { afterAll, describe, expect, test, vi } from 'vitest'

import { PHONE_REQUIRED } from '#contract/instance/schema.ts'
import { listOutbox } from '#server/kit/messages/outbox-messages.ts'

import { startTestServer } from '../support/server.ts'
import { FakeTwilio } from '../support/twilio.ts'

const NUMBER = '+14165550123'
const embedded = await startTestServer()
const staff = await embedded.signedInAsStaff()

/** A mail server that refuses every connection. */
const refusing = createServer((socket) => {
  socket.on('error', () => {})
  // The client ends the connection: closed here, its greeting might be lost.
  socket.write('554 Not from you\r\n')
})
refusing.listen(0, '127.0.0.1')
await once(refusing, 'listening')
const twilio = new FakeTwilio()
const served = await startTestServer({
  SMTP_URL: `smtp://127.0.0.1:${(refusing.address() as { port: number }).port}?ignoreTLS=true`,
  ...(await twilio.start()),
})
const operator = await served.signedInAsStaff()
afterAll(() => {
  twilio.stop()
  refusing.close()
})

describe('the instance', () => {
  test('says what runs and with what', async () => {
    const { status, body } = await staff.get('/instance')
    expect(status).toBe(200)
    expect(body.version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(Date.parse(body.startTimestamp)).toBeLessThanOrEqual(Date.now())
    expect(body.database.bytes).toBeGreaterThan(1_000_000)
    expect(body.disk.freeBytes).toBeGreaterThan(0)
    expect(body.carriers).toEqual([
      { carrier: 'MAIL', service: 'OUTBOX', trouble: null },
      { carrier: 'SMS', service: 'OUTBOX', trouble: null },
      { carrier: 'VOICE_CALL', service: 'OUTBOX', trouble: null },
      { carrier: 'STORAGE', service: 'FOLDER', trouble: null },
    ])
    expect(body.queues.map(({ name }: { name: string }) => name)).toContain('organisation-deletions')
    expect(body.messages).toMatchObject({ waiting: 0, oldestWaitingTimestamp: null })
  })

  test('says why a mail did not go, and not to whom', async () => {
    await operator.post('/staff', { email: 'nobody.gets.this@provider.example' })
    const { body } = await vi.waitFor(async () => {
      const state = await operator.get('/instance')
      expect(state.body.messages.problems).toMatchObject([
        { enterprise: 'The provider', channel: 'EMAIL', reason: expect.stringContaining('554') },
      ])
      // Read by another statement, perhaps before the failure was noted.
      expect(state.body.carriers[0]).toMatchObject({
        carrier: 'MAIL',
        trouble: { waiting: 1, reason: expect.stringContaining('554'), sinceTimestamp: expect.any(String) },
      })
      return state
    })
    expect(body.messages.waiting).toBe(1)
    const ready = await served.send('GET', '/health/ready')
    expect(ready.status).toBe(200)
    expect(ready.body.warnings).toEqual([expect.stringMatching(/^Mail cannot be sent: .*554/)])
    expect(body.messages.oldestWaitingTimestamp).not.toBeNull()
    expect(JSON.stringify(body)).not.toContain('nobody.gets.this')
  })
})

describe('a test of', () => {
  const tested = async (who: typeof staff, carrier: string, body: object = {}) => {
    const reply = await who.post(`/instance/test/${carrier}`, body)
    expect(reply.status, reply.text).toBe(200)
    return reply.body
  }

  test('mail keeps one in the outbox where no server is set', async () => {
    expect(await tested(staff, 'MAIL')).toMatchObject({
      isWorking: true,
      said: expect.stringContaining('outbox'),
    })
    const [mail] = await listOutbox(embedded.services, { to: staff.email })
    expect(mail!.subject).toBe('Muster: a test')
  })

  test('SMS and calls keep one in the outbox, and need a number', async () => {
    for (const carrier of ['SMS', 'VOICE_CALL']) {
      expect(await tested(staff, carrier, { to: '+1 (416) 555-0123' })).toMatchObject({ isWorking: true })
      const [kept] = await listOutbox(embedded.services, { to: NUMBER })
      expect(kept!.channel).toBe(carrier)
      for (const to of [null, '', 'abc', '+1', '123'])
        expect((await staff.post(`/instance/test/${carrier}`, { to })).body.fields).toEqual({
          to: PHONE_REQUIRED,
        })
    }
  })

  test('storage stores, reads and deletes a file', async () => {
    expect(await tested(staff, 'STORAGE')).toMatchObject({ isWorking: true, carrier: 'STORAGE' })
  })

  test('a mail server answers what that said', async () => {
    const result = await tested(operator, 'MAIL')
    expect(result).toMatchObject({ isWorking: false, said: expect.stringContaining('554 Not from you') })
  })

  test('a telephone provider hands the message over', async () => {
    expect((await tested(operator, 'SMS', { to: NUMBER })).isWorking).toBe(true)
    expect(twilio.to(NUMBER)).toMatchObject([{ kind: 'Messages' }])
    twilio.plans.set(NUMBER, [{ status: 400, message: 'Not a mobile number' }])
    expect(await tested(operator, 'VOICE_CALL', { to: NUMBER })).toMatchObject({
      isWorking: false,
      said: expect.stringContaining('Not a mobile number'),
    })
  })

  test('anything else is 400, and ten a minute are enough', async () => {
    expect((await staff.post('/instance/test/PIGEON', {})).status).toBe(400)
    const other = await embedded.signedInAsStaff()
    const statuses: number[] = []
    for (let n = 0; n < 11; n += 1) statuses.push((await other.post('/instance/test/STORAGE', {})).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  })

  test('is in the log of the provider, whose chain holds', async () => {
    await tested(staff, 'STORAGE')
    const { body } = await staff.get('/auditLog')
    expect(body.find(({ noun, verb }: any) => noun === 'instance' && verb === 'tested')).toMatchObject({
      actor: { kind: 'staff', name: staff.email },
      record: expect.any(String),
    })
    expect((await staff.get('/auditLog/choices')).body.nouns).toContain('instance')
    const one = body[0]
    expect((await staff.get(`/auditLog/${one.sequence}`)).body.fingerprint).toBe(one.fingerprint)
    expect((await staff.post('/auditLog/check', {})).body).toMatchObject({ done: true, brokenAt: null })
    const file = await staff.get('/auditLog/export')
    expect(file.text).toContain(staff.email)
    expect(file.headers.get('content-disposition')).toContain('audit-log-provider-')
  })

  test("shows the provider's log nothing of organisations, and theirs nothing of it", async () => {
    const admin = await embedded.signedInAs(await embedded.anOrganisation(), 'ADMIN')
    await admin.post('/useradmin/user', { email: 'new@company.example', firstName: 'New', lastName: 'One' })
    const { body } = await staff.get('/auditLog')
    expect(body.some(({ actor }: any) => actor.name === admin.email)).toBe(false)
    const theirs = await admin.get('/useradmin/auditLog')
    expect(theirs.body.every(({ actor }: any) => actor.kind === 'person')).toBe(true)
  })
})
