import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

import pino from 'pino'
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'

import { connect, type Database, type OrgDb } from '#server/kit/database/db.ts'
import { eventSink } from '#server/kit/events/events.ts'
import { type Jobs, makeJobs } from '#server/kit/jobs/jobs.ts'
import { makePost, type Post } from '#server/kit/messages/mailer.ts'
import { type Carrier, deliver } from '#server/kit/messages/messages.ts'
import { listOutbox } from '#server/kit/messages/outbox-messages.ts'
import { makeOwnLinks } from '#server/kit/messages/own-links.ts'
import { fromTemplate } from '#tests/support/database.ts'

interface Delivery {
  readonly to: string
  readonly source: string
}
/** A scripted mail server. */
const mailServer = {
  deliveries: [] as Delivery[],
  /** Responses to RCPT in order; afterwards everything is accepted. */
  answers: [] as string[],
  listener: undefined as Server | undefined,
  async start() {
    this.listener = createServer((socket) => {
      let buffered = ''
      let to = ''
      let inData = false
      const say = (line: string) => socket.write(`${line}\r\n`)
      say('220 test')
      socket.on('error', () => {})
      socket.on('data', (bytes) => {
        buffered += bytes.toString()
        if (inData) {
          const end = buffered.indexOf('\r\n.\r\n')
          if (end < 0) return
          this.deliveries.push({ to, source: buffered.slice(0, end) })
          buffered = buffered.slice(end + 5)
          inData = false
          say(`250 2.0.0 Ok: queued as ${this.deliveries.length}`)
        }
        for (let end = buffered.indexOf('\r\n'); end >= 0 && !inData; end = buffered.indexOf('\r\n')) {
          const line = buffered.slice(0, end)
          buffered = buffered.slice(end + 2)
          if (/^DATA/i.test(line)) {
            inData = true
            say('354 go on')
          } else if (/^RCPT/i.test(line)) {
            to = /<(.*)>/.exec(line)![1]!
            say(this.answers.shift() ?? '250 ok')
          } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
          else say('250 ok')
        }
      })
    })
    this.listener.listen(0, '127.0.0.1')
    await once(this.listener, 'listening')
    return `smtp://127.0.0.1:${(this.listener.address() as AddressInfo).port}?ignoreTLS=true`
  },
}

const ORGANISATION = crypto.randomUUID()
const ownLinks = makeOwnLinks({ hash: () => '0'.repeat(64) })
const log = pino({ level: process.env['TEST_LOG'] ?? 'silent' })
let database: Database
let jobs: Jobs
let post: Post
const calls: { data: object; last: boolean }[] = []
let failures = 0

const inside = <T>(work: (db: OrgDb) => Promise<T>) =>
  database.withOrganisation(
    { organisationId: ORGANISATION, actor: () => ({ kind: 'system', id: null, name: 'test' }) },
    work,
  )
const mailTo = (to: string) => ({ to, subject: `For ${to}`, text: 'The code 1234', html: '<p>1234</p>' })
const messages = () =>
  database.pool
    .query(`select * from messages where organisation_id = $1 order by create_timestamp`, [ORGANISATION])
    .then(({ rows }) => rows as { id: string; recipient: string; state: string; reason: string }[])
/** Queues messages to many people without a job that delivers them. */
async function keptFor(to: readonly string[]): Promise<void> {
  const settings = {
    smtpUrl: null,
    mailFrom: 'muster@localhost',
    twilio: null,
    carriers: null,
    offersSms: true,
    publicUrl: null,
    simulates: false,
  }
  const kept = makePost({ settings, database, jobs, log, ownLinks })
  await inside((db) => kept.spread(db, crypto.randomUUID(), { channel: 'EMAIL', text: 'News', to }).queued)
  await database.pool.query("update messages set state = 'QUEUED'")
}
const stateOf = async (to: string) => (await messages()).find(({ recipient }) => recipient === to)?.state

beforeAll(async () => {
  const place = await fromTemplate(inject('template'))
  const connection = { connectionString: place.databaseUrl }
  database = connect(
    { ...connection, max: 8 },
    eventSink(() => {}),
    () => {},
  )
  await database.pool.query(
    `insert into organisations (id, code, display_name, create_timestamp) values ($1, 'test', 'Test', now())`,
    [ORGANISATION],
  )
  jobs = makeJobs({
    database,
    connection,
    isAlone: true,
    blobs: { remove: async () => {}, sweep: async () => 0 },
    log,
  })
  jobs.handle('test', async ({ data, last }) => {
    calls.push({ data, last })
    if (failures-- > 0) throw new Error('not yet')
  })
  const settings = {
    smtpUrl: await mailServer.start(),
    mailFrom: 'Muster <muster@muster.example>',
    twilio: null,
    carriers: null,
    offersSms: true,
    publicUrl: null,
    simulates: false,
  }
  post = makePost({ settings, database, jobs, log, ownLinks })
  await jobs.start()
  return async () => {
    await jobs.stop()
    mailServer.listener!.close()
    await database.close()
    await place.remove()
  }
})
beforeEach(async () => {
  failures = 0
  calls.length = 0
  mailServer.deliveries.length = 0
  mailServer.answers.length = 0
  await database.pool.query('delete from messages')
})

const suspend = (at: string | null) =>
  database.pool.query('update organisations set suspended_timestamp = $1 where id = $2', [at, ORGANISATION])

describe('of an organisation that is suspended', () => {
  afterEach(() => suspend(null))

  test('messages wait, and leave once it is resumed', async () => {
    await suspend('2026-01-01')
    await inside((db) => post.mail(db, mailTo('ana@example.com')))
    const waiting = async () => {
      const { rows } = await database.pool.query(
        `select name from pgboss.job where data ->> 'organisationId' = $1 and state = 'created'
          and start_after > now() + interval '30 minutes'`,
        [ORGANISATION],
      )
      return rows.length
    }
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
    expect([mailServer.deliveries, await stateOf('ana@example.com')]).toEqual([[], 'QUEUED'])
    await suspend(null)
    await inside(async (db) => jobs.release(db, ORGANISATION))
    await expect.poll(() => stateOf('ana@example.com'), { timeout: 10_000 }).toBe('SENT')
    expect(mailServer.deliveries.map(({ to }) => to)).toEqual(['ana@example.com'])
  })

  test('the rest of a large send stays behind', async () => {
    const kept = makePost({
      settings: {
        smtpUrl: null,
        mailFrom: 'muster@localhost',
        twilio: null,
        carriers: null,
        offersSms: true,
        publicUrl: null,
        simulates: false,
      },
      database,
      jobs,
      log,
      ownLinks,
    })
    const to = ['a', 'b', 'c'].map((name) => `${name}@example.com`)
    await inside((db) => kept.spread(db, crypto.randomUUID(), { channel: 'EMAIL', text: 'News', to }).queued)
    await database.pool.query("update messages set state = 'QUEUED'")
    const ids = (await messages()).map(({ id }) => id)
    const carrier: Carrier = {
      name: 'Test',
      parallel: 1,
      together: 1,
      async send() {
        await suspend('2026-01-01')
        return { state: 'SENT', providerId: 'ok' }
      },
    }
    const job = { organisationId: ORGANISATION, last: false, isStopping: () => false }
    await expect(deliver(database, carrier, job, { ownLinks, ids })).rejects.toThrow('suspended')
    const states = (await messages()).map(({ state }) => state)
    expect(states.toSorted((a, b) => a.localeCompare(b))).toEqual(['QUEUED', 'QUEUED', 'SENT'])
  })
})

describe('a job', () => {
  test('is done once its transaction has committed, and never when it has not', async () => {
    const undone = inside(async (db) => {
      await jobs.enqueue(db, 'test', { n: 0 })
      throw new Error('rolled back')
    })
    await expect(undone).rejects.toThrow('rolled back')
    await inside((db) => jobs.enqueue(db, 'test', { n: 1 }, { n: 2 }))
    await expect.poll(() => calls.map(({ data }) => data)).toEqual([{ n: 1 }, { n: 2 }])
  })

  test('is tried again when it fails', async () => {
    failures = 1
    await inside((db) => jobs.enqueue(db, 'test', { n: 3 }))
    await expect.poll(() => calls.length).toBe(2)
    expect(calls[1]).toEqual({ data: { n: 3 }, last: false })
  })

  test('shows an organisation nothing of the queue', async () => {
    const look = inside((db) =>
      db
        .selectFrom('pgboss.job_common' as never)
        .selectAll()
        .execute(),
    )
    await expect(look).rejects.toThrow('permission denied')
  })
})

describe('a mail', () => {
  test('is sent, with what identifies it', async () => {
    await inside((db) => post.mail(db, mailTo('ada@example.com')))
    // The SMTP client loads with the first mail.
    await expect.poll(() => stateOf('ada@example.com')).toBe('SENT')
    const [row] = await messages()
    const [delivery] = mailServer.deliveries
    expect(delivery!.to).toBe('ada@example.com')
    expect(delivery!.source).toContain(`Message-ID: <${row!.id}@muster.example>`)
    expect(delivery!.source).toContain('The code 1234')
    expect(row).toMatchObject({ provider_id: '250 2.0.0 Ok: queued as 1', reason: null })
  })

  test('is tried again when the server cannot take it now', async () => {
    mailServer.answers.push('451 later please')
    await inside((db) => post.mail(db, mailTo('bo@example.com')))
    await expect.poll(() => stateOf('bo@example.com')).toBe('SENT')
    expect(mailServer.deliveries).toHaveLength(1)
  })

  test.each(['530 5.7.0 Authentication required', '535 5.7.8 Authentication failed', '421 Too busy'])(
    'is tried again when the server answers %s, which is no fault of the recipient',
    async (answer) => {
      mailServer.answers.push(answer)
      await inside((db) => post.mail(db, mailTo('bo@example.com')))
      await expect.poll(() => stateOf('bo@example.com')).toBe('SENT')
      expect(mailServer.deliveries).toHaveLength(1)
    },
  )

  test('waits for a server that is away, and neither its address nor the recipient is at fault', async () => {
    const away = makePost({
      settings: {
        smtpUrl: 'smtp://127.0.0.1:9',
        mailFrom: 'muster@localhost',
        twilio: null,
        carriers: null,
        offersSms: true,
        publicUrl: null,
        simulates: false,
      },
      database,
      jobs: { ...jobs, handle: () => {} },
      log,
      ownLinks,
    })
    const message = { channel: 'EMAIL' as const, subject: 'For Di', text: 'News', to: 'di@example.com' }
    const reason = 'The mail server cannot be reached: ECONNREFUSED'
    expect(await away.sendNow(message)).toEqual({ state: 'QUEUED', reason, trouble: 'ALL' })
    expect(away.warnings()).toEqual([`Mail cannot be sent: ${reason}`])
  })

  test('fails for good when the server will not have it', async () => {
    mailServer.answers.push('550 no such person')
    await inside((db) => post.mail(db, mailTo('cy@example.com')))
    await expect.poll(() => stateOf('cy@example.com')).toBe('FAILED')
    expect((await messages())[0]!.reason).toContain('no such person')
    expect(mailServer.deliveries).toHaveLength(0)
  })

  test('is sent under the same name after a crash, and not at all once it is noted as sent', async () => {
    const mail = (id: string, state: string) =>
      database.pool.query(
        `insert into messages (organisation_id, id, channel, recipient, text, state, create_timestamp)
         values ($1, $2, 'EMAIL', $3, 'text', $3, now())`,
        [ORGANISATION, id, state],
      )
    const [sending, sent] = [crypto.randomUUID(), crypto.randomUUID()]
    await mail(sending, 'SENDING')
    await mail(sent, 'SENT')
    await inside((db) => jobs.enqueue(db, 'mail', { id: sent }, { id: sending }))
    await expect.poll(() => stateOf('SENDING')).toBe('SENT')
    expect(mailServer.deliveries).toHaveLength(1)
    expect(mailServer.deliveries[0]!.source).toContain(`Message-ID: <${sending}@muster.example>`)
  })

  test('goes to one address, whatever that looks like', async () => {
    const odd = 'eve@example.com, mallory@example.com'
    await inside((db) => post.mail(db, mailTo(odd)))
    await expect.poll(async () => (await messages())[0]!.state).toMatch(/SENT|FAILED/)
    expect(mailServer.deliveries.filter(({ to }) => to === 'mallory@example.com')).toEqual([])
  })

  test('to many people reaches each of them once, with the same words', async () => {
    const to = Array.from({ length: 230 }, (_, n) => `reader${n}@example.com`)
    // Some are refused temporarily, one permanently.
    mailServer.answers.push('250 ok', '451 later please', '250 ok', '550 no such person', '451 later please')
    const words = {
      channel: 'EMAIL' as const,
      subject: 'News',
      text: 'One\nTwo',
      html: '<p>One<br>\nTwo</p>',
    }
    await inside((db) => post.spread(db, crypto.randomUUID(), { ...words, to }).queued)
    const states = async () => Map.groupBy(await messages(), ({ state }) => state)
    await expect.poll(async () => (await states()).get('SENT')?.length).toBe(229)
    expect((await states()).get('FAILED')).toMatchObject([{ reason: expect.stringContaining('no such') }])
    const refused = (await states()).get('FAILED')![0]!.recipient
    const reached = mailServer.deliveries.map((delivery) => delivery.to)
    expect(reached).toHaveLength(229)
    expect(new Set(reached)).toEqual(new Set(to.filter((one) => one !== refused)))
    for (const { source } of mailServer.deliveries) expect(source).toContain('Subject: News')
  }, 40_000)

  test('to many people waits with its reason where the carrier serves nobody, and goes out once it does', async () => {
    const to = Array.from({ length: 7 }, (_, n) => `waiting${n}@example.com`)
    await keptFor(to)
    const ids = (await messages()).map(({ id }) => id)
    const reason = 'Sign-in refused'
    let trouble: 'ALL' | 'ONE' | undefined = 'ALL'
    const sent: string[] = []
    const carrier: Carrier = {
      name: 'Test',
      parallel: 1,
      together: 2,
      async send({ recipient }) {
        sent.push(recipient)
        return trouble ? { state: 'QUEUED', reason, trouble } : { state: 'SENT', providerId: 'ok' }
      },
    }
    const job = { organisationId: ORGANISATION, last: false, isStopping: () => false }
    await expect(deliver(database, carrier, job, { ownLinks, ids })).rejects.toThrow(reason)
    expect(sent).toHaveLength(1)
    const waiting = { state: 'QUEUED', reason, carrier_trouble: true }
    expect(await messages()).toMatchObject(to.map(() => waiting))
    // Messages to others may still succeed.
    trouble = 'ONE'
    await expect(deliver(database, carrier, job, { ownLinks, ids })).rejects.toThrow(reason)
    expect(sent).toHaveLength(8)
    trouble = undefined
    await deliver(database, carrier, job, { ownLinks, ids })
    expect(await messages()).toMatchObject(
      to.map(() => ({ state: 'SENT', reason: null, carrier_trouble: false })),
    )
    expect(sent).toHaveLength(15)
  })

  test('to many people is left for the next start where the server stops, and none is in doubt', async () => {
    const to = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.com`)
    await keptFor(to)
    const ids = (await messages()).map(({ id }) => id)
    let isStopping = false
    const sent: string[] = []
    const carrier: Carrier = {
      name: 'Test',
      parallel: 2,
      together: 2,
      async send({ recipient }) {
        sent.push(recipient)
        isStopping = true
        return { state: 'SENT', providerId: 'ok' }
      },
    }
    const job = { organisationId: ORGANISATION, last: false, isStopping: () => isStopping }
    await expect(deliver(database, carrier, job, { ownLinks, ids })).rejects.toThrow('The server stops.')
    expect(sent).toHaveLength(2)
    const states = (await messages()).map(({ state }) => state)
    expect(states.filter((state) => state === 'SENT')).toHaveLength(2)
    expect(states.filter((state) => state === 'QUEUED')).toHaveLength(3)
    isStopping = false
    await deliver(database, { ...carrier, together: 5 }, job, { ownLinks, ids })
    expect(sent.length).toBe(5)
    expect(new Set(sent)).toEqual(new Set(to))
  })

  test('stays in the outbox where there is no mail server', async () => {
    const settings = {
      smtpUrl: null,
      mailFrom: 'muster@localhost',
      twilio: null,
      carriers: null,
      offersSms: true,
      publicUrl: null,
      simulates: false,
    }
    const kept = makePost({ settings, database, jobs, log, ownLinks })
    await inside((db) => kept.mail(db, mailTo('first@example.com')))
    await new Promise((resolve) => setTimeout(resolve, 5))
    await inside((db) => kept.mail(db, mailTo('second@example.com')))
    const outbox = await listOutbox({ database, ownLinks })
    expect(outbox.map(({ to }) => to)).toEqual(['second@example.com', 'first@example.com'])
    expect(outbox[0]).toMatchObject({
      channel: 'EMAIL',
      to: 'second@example.com',
      subject: 'For second@example.com',
      text: 'The code 1234',
      html: '<p>1234</p>',
      createTimestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    })
  })
})
