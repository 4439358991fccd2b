import { afterAll, describe, expect, test } from 'vitest'

import type { NotificationDetail } from '#contract/mass-notifications/schema.ts'
import type { Suppression } from '#contract/suppressions/schema.ts'
import { BOUNCE_BYTES_MAX, readBounces, watchBounces } from '#server/kit/messages/bounces.ts'
import { fromExchange, fromExim, fromPostfix } from '#tests/support/bounced-mails.ts'
import { FakeImap } from '#tests/support/imap.ts'
import { startTestServer } from '#tests/support/server.ts'
import { startSmtp } from '#tests/support/smtp.ts'

const smtp = await startSmtp()
const imap = new FakeImap()
const bouncesUrl = await imap.start()
const muster = await startTestServer({ SMTP_URL: smtp.url })
afterAll(() => {
  imap.stop()
  return smtp.stop()
})
const { anOrganisation, signedInAs, services } = muster

const parts = {
  settings: { bouncesUrl, mailFrom: services.settings.mailFrom },
  database: services.database,
  post: services.post,
  log: { info: () => {}, error: () => {} } as never,
}
const read = () => readBounces(parts)
const NONE = { failed: 0, passing: 0, foreign: 0, tooLarge: 0, unreadable: 0 }

let counter = 0
/** A mail of a notification to one person that the mail server has accepted. */
async function accepted() {
  const email = `p${(counter += 1)}@out.example`
  const org = await anOrganisation({ contactsAndMassNotificationsEnabled: true })
  const admin = await signedInAs(org, 'ADMIN')
  await admin.post('/contact', [{ email, list: 'All' }])
  const words = { title: 'Gate 2', emailMessage: 'Gate 2 is closed' }
  const { body } = await admin.post('/massNotification', {
    ...words,
    types: ['EMAIL'],
    contactListIds: ['All'],
  })
  const { id } = body as NotificationDetail
  const detail = async () => (await admin.get(`/massNotification/history/${id}`)).body as NotificationDetail
  await expect.poll(async () => (await detail()).sentCount).toBe(1)
  const { source } = smtp.received.find(({ to }) => to === email)!
  const messageId = /^Message-ID: <(\S+)>/im.exec(source.toString())![1]!
  const message = () =>
    muster.inside(org, (db) =>
      db.selectFrom('messages').select(['id', 'state', 'reason']).executeTakeFirstOrThrow(),
    )
  const suppressed = async () =>
    (await admin.post('/suppression/find', { addresses: [email] })).body as Suppression[]
  return { org, admin, email, messageId, detail, message, suppressed }
}

describe('a mail that comes back', () => {
  test.each([
    ['Postfix', fromPostfix, '5.1.1', 'This mailbox does not exist. (5.1.1)'],
    ['Exim', fromExim, '5.1.1', 'This mailbox does not exist. (5.1.1)'],
    ['Exchange', fromExchange, '5.1.10', 'The domain of this address takes no mail. (5.1.10)'],
  ])('from %s fails its message and suppresses the address', async (_, made, code, reason) => {
    const sent = await accepted()
    imap.deliver(made({ messageId: sent.messageId, recipient: sent.email }))
    expect(await read()).toEqual({ ...NONE, failed: 1 })
    expect(await sent.message()).toMatchObject({ state: 'FAILED', reason })
    expect(await sent.suppressed()).toMatchObject([{ reason: 'BOUNCED', code, said: reason }])
    await expect.poll(async () => (await sent.detail()).notReachedCount).toBe(1)
  })

  test('is taken once, also by a second look and where the mailbox was made anew', async () => {
    const sent = await accepted()
    imap.deliver(fromPostfix({ messageId: sent.messageId, recipient: sent.email }))
    expect(await read()).toEqual({ ...NONE, failed: 1 })
    const fetched = imap.fetched.length
    expect(await read()).toEqual(NONE)
    expect(imap.fetched).toHaveLength(fetched)
    const [first] = await sent.suppressed()
    await sent.admin.post(`/suppression/${first!.id}/lift`, { reason: 'Mended' })
    imap.uidValidity += 1
    expect(await read()).toMatchObject({ failed: 0 })
    expect(imap.fetched.length).toBeGreaterThan(fetched)
    expect(await sent.suppressed()).toEqual([])
  })

  test('for a full mailbox, or by a rule, fails the message and leaves the address', async () => {
    for (const [status, reason] of [
      ['5.2.2', 'The mailbox is full. (5.2.2)'],
      ['5.7.1', "The recipient's mail server refuses such messages by its rules. (5.7.1)"],
      ['4.4.1', "The recipient's mail server could not be reached in time. (4.4.1)"],
    ] as const) {
      const sent = await accepted()
      imap.deliver(fromPostfix({ messageId: sent.messageId, recipient: sent.email, status, diagnostic: 'x' }))
      expect(await read()).toEqual({ ...NONE, failed: 1 })
      expect(await sent.message()).toMatchObject({ state: 'FAILED', reason })
      expect(await sent.suppressed()).toEqual([])
    }
  })

  test.each([
    ['delayed', '4.4.1'],
    ['delivered', '2.0.0'],
    ['relayed', '2.0.0'],
  ])('as %s ends nothing', async (action, status) => {
    const sent = await accepted()
    imap.deliver(fromPostfix({ messageId: sent.messageId, recipient: sent.email, action, status }))
    expect(await read()).toEqual({ ...NONE, passing: 1 })
    expect(await sent.message()).toMatchObject({ state: 'SENT' })
  })

  test('that is forged, foreign, broken or huge changes nothing', async () => {
    const sent = await accepted()
    const { messageId, email: recipient } = sent
    const [id] = messageId.split('@')
    const forged = [
      fromPostfix({ messageId: `${crypto.randomUUID()}@localhost`, recipient }),
      fromPostfix({ messageId: `${id}@elsewhere.example`, recipient }),
      fromPostfix({ messageId, recipient: 'somebody-else@out.example' }),
      fromPostfix({ messageId: `' or 1=1 --@localhost`, recipient }),
      `From: a@b.example\n\nAction: failed\nFinal-Recipient: rfc822; ${recipient}\n<${messageId}>\n`,
      'Subject: hello',
      '',
      Buffer.from([0, 1, 2, 255, 254]),
      fromPostfix({ messageId, recipient }).replace(/Final-Recipient.*\n/, ''),
    ]
    for (const mail of forged) imap.deliver(mail)
    const fetched = imap.fetched.length
    imap.deliver(fromPostfix({ messageId, recipient }).replace('is closed', 'x'.repeat(BOUNCE_BYTES_MAX)))
    const counts = (await read())!
    expect(counts).toMatchObject({ failed: 0, tooLarge: 1 })
    expect(counts.foreign + counts.unreadable).toBe(forged.length)
    expect(imap.fetched.length - fetched).toBe(forged.length)
    expect(await sent.message()).toMatchObject({ state: 'SENT' })
    expect(await sent.suppressed()).toEqual([])
  })

  test('built to be slow is read within its limit, and those behind it are, too', async () => {
    const sent = await accepted()
    const boundary = (n: number) => `--b${n}\nContent-Type: multipart/mixed; boundary="b${n + 1}"\n\n`
    const nested = `Content-Type: multipart/report; boundary="b0"\n\n${Array.from({ length: 3_000 }, (_, n) => boundary(n)).join('')}`
    const folded = fromPostfix({ messageId: sent.messageId, recipient: sent.email }).replace(
      'Diagnostic-Code:',
      `X-Long: ${'a\n '.repeat(60_000)}\nDiagnostic-Code:`,
    )
    imap.deliver(nested)
    imap.deliver(folded)
    imap.deliver(fromPostfix({ messageId: sent.messageId, recipient: sent.email }))
    const began = performance.now()
    const counts = (await read())!
    expect(counts.failed).toBeGreaterThanOrEqual(1)
    expect(performance.now() - began).toBeLessThan(20_000)
    expect(await sent.suppressed()).toHaveLength(1)
  })

  test('is read by one process at a time', async () => {
    const counts = await Promise.all([read(), read()])
    expect(counts.filter((one) => one === null)).toHaveLength(1)
  })
})

describe('a server with a mailbox', () => {
  test('reads it by itself, and says in the log what it has read, without an address', async () => {
    const sent = await accepted()
    imap.deliver(fromPostfix({ messageId: sent.messageId, recipient: sent.email }))
    const logged: string[] = []
    const log = { info: (...said: unknown[]) => logged.push(JSON.stringify(said)), error: () => {} }
    const watching = watchBounces({ ...parts, log: log as never })
    await expect.poll(() => logged).toHaveLength(1)
    await watching.stop()
    expect(logged[0]).toContain('"failed":1')
    expect(logged[0]).not.toContain(sent.email)
    expect(await sent.suppressed()).toHaveLength(1)
  })

  test('that cannot be opened says so once, without the password', async () => {
    const errors: string[] = []
    const log = { info: () => {}, error: (...said: unknown[]) => errors.push(JSON.stringify(said)) }
    const wrong = bouncesUrl.replace('not%20a%20real', 'secret')
    const watching = watchBounces({
      ...parts,
      settings: { ...parts.settings, bouncesUrl: wrong },
      log: log as never,
    })
    await expect.poll(() => errors).toHaveLength(1)
    await watching.stop()
    expect(errors[0]).not.toContain('secret')
  })
})
