import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'
import { simpleParser } from 'mailparser'
import { afterAll, describe, expect, test, vi } from 'vitest'

import type { Config } from '#contract/config/catalogue.ts'
import { USER_DEFAULTS } from '#contract/users/schema.ts'
import { readWelcomeToken } from '#contract/welcome/rules.ts'
import { lookForOutages } from '#server/carrier-outages/flows.ts'
import { emailMessage, plainTextEmail } from '#server/kit/messages/email-messages.ts'
import { remindAll } from '#server/playbooks/reviews.flows.ts'
import { noteWrongPassword } from '#server/sessions/sign-in.flows.ts'
import { findUserByEmail } from '#server/users/store.ts'

import { mailProblems, readHeader } from '../support/rfc5322.ts'
import { type Caller, type Organisation, PASSWORD, startTestServer } from '../support/server.ts'
import { appCode, signingIn } from '../support/sign-in.ts'
import { startSmtp } from '../support/smtp.ts'

const STAFF = 'staff@provider.example'
const mailServer = await startSmtp()
const muster = await startTestServer({
  SMTP_URL: mailServer.url,
  MAIL_FROM: 'Muster <alerts@mail.bücher.example>',
  STAFF_EMAILS: STAFF,
  TRUST_PROXY: '1',
})
afterAll(mailServer.stop)
const { aUser, inside, send, services } = muster
const { upass, begin, confirm, enrol } = signingIn(muster)
const staff = await muster.signedInAsStaff('ada@provider.example')

/** Longer than a line, in several scripts, with characters special to headers. */
const NAME =
  'Hafen Ō «東京湾» مرفأ "A", B <b@c.example>; 🚒 =?utf-8?Q?no?= des Ministeriums für Verkehr und Häfen'
const REPLY_TO = 'lage@krisenstab.example'
/** Codes by mail, and all features that send mails. */
const CONFIG: Partial<Config> = { auth2fa: true, auth2faType: 'EMAIL', mailReplyTo: REPLY_TO }
const SENDS: Partial<Config> = {
  contactsAndMassNotificationsEnabled: true,
  massNotifsMaxEvents: 3,
  massNotifsQuotaWarnings: [3],
}

interface World {
  readonly org: Organisation
  readonly admin: Caller
  readonly user: { readonly uuid: string; readonly email: string }
  /** An organisation of the same name with authenticator apps. */
  readonly withApp: Organisation
}
const ok = ({ status, text }: { status: number; text: string }) => {
  if (status >= 300) throw new Error(`${status} ${text}`)
}
/** An organisation with its administrator, who was mailed a welcome package. */
async function aPackage() {
  const org = await muster.anOrganisation({ ...CONFIG, nameCharacters: 'EXTENDED' }, { displayName: NAME })
  const admin = await aUser(org, { role: 'ADMIN' })
  ok(await staff.post(`/enterprise/${org.id}/sendWelcomeEmail?feUrl=${services.publicUrl()}`))
  const mail = await inside(org, (db) => db.selectFrom('messages').select('text').executeTakeFirstOrThrow())
  const { uid } = readWelcomeToken(new URL(/http\S+/.exec(mail.text!)![0]).searchParams.get('id')!)!
  return { org, admin, uid }
}

/** A playbook that waits for approval. */
async function aDraft() {
  const config = { ...CONFIG, playbookEnabled: true, playbookApproval: true }
  const org = await muster.anOrganisation(config, { displayName: NAME })
  const approver = await muster.signedInAs(org, 'ADMIN')
  const author = await muster.signedInAs(org, 'PLAYBOOK_MANAGER')
  const playbook = { name: NAME, activities: [{ type: 'HEADING', title: 'Hour 1' }] }
  const created = await author.post('/playbook/template', playbook)
  ok(created)
  return { approver, path: `/playbook/template/${created.body.id}/draft` }
}

/** Every kind of mail: the file that sends it, and an action that causes it. */
const KINDS: readonly { file: string; name: string; cause: (world: World) => Promise<unknown> }[] = [
  {
    file: 'users/flows.ts',
    name: 'an activation',
    cause: async ({ admin, user }) => ok(await admin.get(`/useradmin/user/sendWelcomeEmail/${user.uuid}`)),
  },
  {
    file: 'users/flows.ts',
    name: 'a new password that an administrator asks for',
    cause: async ({ admin, user }) => ok(await admin.get(`/useradmin/user/forgotPassword/${user.uuid}`)),
  },
  {
    file: 'users/flows.ts',
    name: 'an authenticator that was removed',
    cause: async ({ withApp }) => {
      const person = await aUser(withApp)
      await enrol(withApp, person.email)
      const admin = await muster.signedInAs(withApp, 'ADMIN')
      ok(await admin.delete(`/useradmin/user/removeAuthenticatorInitialization/${person.uuid}`))
    },
  },
  {
    file: 'second-factors/flows.ts',
    name: 'a code',
    cause: async ({ org, user }) => ok(await upass(org, user.email)),
  },
  {
    file: 'second-factors/flows.ts',
    name: 'a recovery code that was used',
    cause: async ({ withApp }) => {
      const person = await aUser(withApp)
      const { recoveryCodes } = await enrol(withApp, person.email)
      ok(await confirm(await begin(withApp, person.email), recoveryCodes[0]!))
    },
  },
  {
    file: 'second-factors/flows.ts',
    name: 'an authenticator that was set up',
    cause: async ({ withApp }) => enrol(withApp, (await aUser(withApp)).email),
  },
  {
    file: 'account/flows.ts',
    name: 'a password that was changed',
    cause: async ({ admin }) =>
      ok(
        await admin.patch('/me/changePassword', {
          password: 'Another-horse-99',
          currentPassword: PASSWORD,
        }),
      ),
  },
  {
    file: 'features/flows.ts',
    name: 'a feature that is asked for',
    cause: async ({ admin }) => ok(await admin.post('/feature/upgrade?name=DIAL_IN')),
  },
  {
    file: 'organisation-access/flows.ts',
    name: 'staff who look',
    cause: async ({ org }) => ok(await staff.post(`/enterprise/${org.id}/access`, { reason: 'Überlast ☂' })),
  },
  {
    file: 'staff/sign-in.flows.ts',
    name: 'a link to the console',
    cause: async () =>
      ok(
        await send('POST', '/management-api/management/login', {
          body: { email: STAFF, feUrl: services.publicUrl() },
        }),
      ),
  },
  {
    file: 'staff/flows.ts',
    name: 'an invitation to the console',
    cause: async () => ok(await staff.post('/staff', { email: 'newcomer@provider.example' })),
  },
  {
    file: 'staff/flows.ts',
    name: 'an authenticator of the console that was reset',
    cause: async () => {
      const member = await muster.signedInAsStaff('eva@provider.example')
      const { secret } = (await member.post('/management/authenticator', {})).body
      ok(await member.post('/management/authenticator/confirm', { confirmationCode: appCode(secret) }))
      ok(await staff.delete(`/staff/${member.id}/authenticator`))
    },
  },
  {
    file: 'instance/flows.ts',
    name: 'a test',
    cause: async () => ok(await staff.post('/instance/test/MAIL', {})),
  },
  {
    file: 'sessions/sign-in.flows.ts',
    name: 'many wrong passwords',
    cause: async ({ org, user }) => {
      const row = await inside(org, (db) => findUserByEmail(db, user.email))
      await noteWrongPassword(services, org.id, row, { locks: false, slows: true })
    },
  },
  {
    file: 'sessions/passwords.flows.ts',
    name: 'a forgotten password',
    cause: async ({ org, user }) =>
      ok(
        await send('POST', '/authentication/forgotPassword', {
          body: { enterpriseCode: org.code, userId: user.email },
        }),
      ),
  },
  {
    file: 'sessions/passwords.flows.ts',
    name: 'a forgotten organisation',
    cause: async ({ user }) => ok(await send('POST', `/authentication/remindOrgCode?email=${user.email}`)),
  },
  {
    file: 'playbooks/reviews.flows.ts',
    name: 'a review that is due',
    cause: async ({ admin }) => {
      const playbook = {
        name: NAME,
        owner: admin.email,
        reviewDate: '2020-01-01',
        activities: [{ type: 'HEADING', title: 'Hour 1' }],
      }
      ok(await admin.post('/playbook/template', playbook))
      await remindAll(services)
    },
  },
  {
    file: 'playbooks/drafts.flows.ts',
    name: 'a playbook that waits for approval',
    cause: async () => aDraft(),
  },
  {
    file: 'playbooks/drafts.flows.ts',
    name: 'a playbook that is sent back',
    cause: async () => {
      const { approver, path } = await aDraft()
      const { revision } = (await approver.get(path)).body
      ok(await approver.post(`${path}/return`, { revision, reason: `Not yet: ${NAME}` }))
    },
  },
  { file: 'welcome/flows.ts', name: 'a welcome package', cause: aPackage },
  {
    file: 'welcome/population.flows.ts',
    name: 'a welcome package that failed',
    cause: async () => {
      const { org, uid } = await aPackage()
      const { lastUpdateTimestamp, users, warRooms, fileFolders } = (await send('GET', `/welcome/${uid}`))
        .body
      // The organisation disallows such names before the package is processed.
      const enqueue = vi.spyOn(services.jobs, 'enqueue').mockResolvedValue()
      const added = { ...USER_DEFAULTS, firstName: 'Anne-Marie', lastName: 'Roy', email: 'am@out.example' }
      const body = {
        lastUpdateTimestamp,
        users: [...users, added],
        warRooms,
        fileFolders,
        status: 'SUBMITTED',
      }
      ok(await send('POST', `/welcome/${uid}`, { body }))
      enqueue.mockRestore()
      const change = { databaseKey: 'nameCharacters', valueJson: '"STANDARD"' }
      ok(await staff.put(`/config/enterpriseConfigDetails/${org.id}`, change))
      await inside(org, (db) => services.jobs.enqueue(db, 'welcome-packages', {}))
      await expect.poll(async () => (await send('GET', `/welcome/${uid}`)).body.status).toBe('ERROR')
    },
  },
  {
    // Both mails: the notification itself, and the warning about the quota.
    file: 'mass-notifications/sending.flows.ts',
    name: 'a notification',
    cause: async () => {
      const org = await muster.anOrganisation({ ...CONFIG, ...SENDS }, { displayName: NAME })
      const admin = await muster.signedInAs(org, 'ADMIN')
      ok(await admin.post('/contact', [{ name: 'Bo', email: 'bo@out.example', phone: null, list: 'All' }]))
      const words = { title: `${NAME}\r\nBcc: eve@out.example`, emailMessage: `${'x'.repeat(2_000)}\n漏水` }
      ok(
        await admin.post('/massNotification', {
          ...words,
          types: ['EMAIL'],
          level: 'CRITICAL',
          contactListIds: ['All'],
        }),
      )
    },
  },
  {
    file: 'notification-approvals/flows.ts',
    name: 'a notification that waits for approval',
    cause: async () => {
      const org = await muster.anOrganisation({ ...CONFIG, ...SENDS }, { displayName: NAME })
      const admin = await muster.signedInAs(org, 'ADMIN')
      await aUser(org, { role: 'ADMIN' })
      ok(await admin.post('/contact', [{ name: 'Bo', email: 'bo@out.example', phone: null, list: 'All' }]))
      ok(
        await admin.post('/massNotification/approval', {
          title: `${NAME}\r\nBcc: eve@out.example`,
          emailMessage: 'Stay home',
          types: ['EMAIL'],
          contactListIds: ['All'],
        }),
      )
    },
  },
  {
    file: 'carrier-outages/flows.ts',
    name: 'a carrier that serves nobody',
    cause: async ({ org }) => {
      const id = crypto.randomUUID()
      const at = new Date(Date.now() - 600_000).toISOString()
      const times = { create_timestamp: at, update_timestamp: at }
      await inside(org, async (db) => {
        await sql`insert into messages (id, channel, recipient, text, state, carrier_trouble, create_timestamp)
          values (${id}, 'SMS', '+14165550123', 'Stay home', 'QUEUED', true, ${at})`.execute(db)
        const attempt = {
          message_id: id,
          number: 1,
          carrier: 'Twilio',
          provider_id: null,
          code: '503',
          tries: 1,
        }
        await db
          .insertInto('message_attempts')
          .values({ ...attempt, state: 'UNKNOWN', reason: 'Down', ...times })
          .execute()
      })
      await lookForOutages(services)
      await inside(org, (db) => db.deleteFrom('messages').where('id', '=', id).execute())
    },
  },
  {
    file: 'incident-nudges/flows.ts',
    name: 'a nudge to check in',
    cause: async ({ admin }) => {
      const { body } = await admin.post('/incident', { title: NAME, fullText: '<p>Water</p>' })
      ok(await admin.post(`/incident/${body.id}/nudge`, { channel: 'MESSAGE' }))
    },
  },
]
/** Calls that send mails. */
const CALLS = /\bpost\.(mail|sendNow|spread)\(/g

test('every place that makes a mail is among the kinds', async () => {
  const folder = join(import.meta.dirname, '../../server')
  const files = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('kit/'),
  )
  const made = new Map<string, number>()
  for (const name of files) {
    const count = [...(await readFile(join(folder, name), 'utf8')).matchAll(CALLS)].length
    if (count > 0) made.set(name, count)
  }
  const known = new Map([...Map.groupBy(KINDS, ({ file }) => file)].map(([file, all]) => [file, all.length]))
  // One action causes both.
  known.set('mass-notifications/sending.flows.ts', 2)
  // A step sends the mail of its notification again.
  known.set('mass-notifications/escalation-steps.flows.ts', 1)
  expect(Object.fromEntries(made)).toEqual(Object.fromEntries(known))
})

async function aWorld(): Promise<World> {
  const org = await muster.anOrganisation(CONFIG, { displayName: NAME })
  const withApp = await muster.anOrganisation({ ...CONFIG, auth2faType: 'TOTP' }, { displayName: NAME })
  const admin = await muster.signedInAs(org, 'ADMIN', { firstName: 'Žofie' })
  return { org, withApp, admin, user: await aUser(org, { firstName: 'Željko' }) }
}

describe('every kind of mail', () => {
  test('is one that strict readers take, with both parts, from the sender and with the address for answers', async () => {
    const world = await aWorld()
    for (const { cause } of KINDS) await cause(world)
    await expect.poll(() => waitingMails()).toBe(0)
    const mails = await Promise.all(
      mailServer.received.map(async ({ to, source }) => ({ to, source, mail: await simpleParser(source) })),
    )
    expect(mails.length).toBeGreaterThan(KINDS.length)
    const rows = new Map((await sentRows()).map((row) => [row.id, row]))
    for (const { to, source, mail } of mails) {
      expect(mailProblems(source), source.toString()).toEqual([])
      const [, id = '', domain] = /^<(.+)@(.+)>$/.exec(mail.messageId!)!
      expect(domain).toBe('mail.xn--bcher-kva.example')
      expect(mail.from!.value).toMatchObject([{ address: 'alerts@mail.xn--bcher-kva.example' }])
      expect(mail.to).toMatchObject({ value: [{ address: to }] })
      expect(mail.headers.get('auto-submitted')).toBe('auto-generated')
      expect(mail.text?.trim()).toBeTruthy()
      expect(mail.html).toMatch(/<p/)
      const row = rows.get(id)
      // Test mails of the carrier leave no record.
      if (!row) {
        expect(mail.subject).toBe('Muster: a test')
        continue
      }
      expect(mail.subject).toBe(row.subject!.replace(/\s+/g, ' '))
      expect(mail.date!.getTime()).toBe(Math.floor(Date.parse(row.create_timestamp) / 1_000) * 1_000)
      const answers = row.isProviders ? undefined : REPLY_TO
      expect(mail.replyTo?.value[0]?.address).toBe(answers)
    }
    const subjects = mails.map(({ mail }) => mail.subject!)
    expect(subjects).toEqual(expect.arrayContaining([expect.stringContaining(NAME)]))
    const notified = mails.find(({ to }) => to === 'bo@out.example')!
    expect(notified.mail.from!.value[0]!.name).toBe(NAME)
    expect(readHeader(notified.source).fields.has('bcc')).toBe(false)
  })
})

const sentRows = async () => {
  const { rows } = await services.database.pool.query<{
    id: string
    subject: string | null
    create_timestamp: string
    isProviders: boolean
  }>(
    `select m.id, coalesce(m.subject, c.subject) as subject, m.create_timestamp,
       m.organisation_id not in (select id from organisations where display_name = $1) as "isProviders"
     from messages m left join message_contents c on c.id = m.content_id`,
    [NAME],
  )
  return rows
}
const waitingMails = async () => {
  const { rows } = await services.database.pool.query<{ count: number }>(
    `select count(*)::integer as count from messages where state in ('QUEUED', 'SENDING')`,
  )
  return rows[0]!.count
}

const SCRIPTS = [
  'Port of Halifax',
  'Ελληνική Ακτοφυλακή και Λιμενικό Σώμα, Κεντρικό Λιμεναρχείο Πειραιά, Επιχειρησιακό Κέντρο',
  'منظمة إدارة الأزمات في الميناء الكبير',
  '東京湾港湾緊急対策本部および関係機関連絡調整会議',
  '🚒🚒🚒👩🏽‍🚒👨‍👩‍👧‍👦 Feuerwehr',
  'Zürich "Süd" (Nord), <x@y.example>',
  'e\u0301'.repeat(60),
  'x'.repeat(255),
  `${'한국'.repeat(60)}\tTab`,
  '=?utf-8?B?4pyT?= ✓',
]
test('a thousand mails of all kinds arrive, and strict readers refuse none', async ({ annotate }) => {
  const org = await muster.anOrganisation({ mailReplyTo: REPLY_TO })
  const kinds = (await sentRows()).filter(({ subject }) => subject !== null)
  await expect.poll(() => waitingMails()).toBe(0)
  const before = mailServer.received.length
  const subjectOf = (n: number) =>
    `${kinds[n % kinds.length]!.subject!.replaceAll(NAME, '')} ${SCRIPTS[n % SCRIPTS.length]!}`.slice(0, 255)
  const start = performance.now()
  await inside(org, async (db) => {
    const singles = Array.from({ length: 600 }, (_, n) => ({
      to: `reader${n}@out.example`,
      ...emailMessage({
        subject: subjectOf(n),
        before: [`${SCRIPTS[n % SCRIPTS.length]!} `.repeat(1 + (n % 40))],
        link: { href: `https://muster.example/${'a'.repeat(n)}`, label: SCRIPTS[(n + 1) % SCRIPTS.length]! },
      }),
    }))
    await services.post.mail(db, ...singles)
    const spreads = Array.from({ length: 40 }, (_, n) => ({
      channel: 'EMAIL' as const,
      sender: SCRIPTS[n % SCRIPTS.length]!,
      priority: (['high', 'normal', 'low'] as const)[n % 3]!,
      ...plainTextEmail(subjectOf(n), `${SCRIPTS[(n + 3) % SCRIPTS.length]!}\n`.repeat(30), 'Sent by Ada.'),
      to: Array.from({ length: 10 }, (_, k) => `crowd${n * 10 + k}@out.example`),
    }))
    await services.post.spread(db, crypto.randomUUID(), ...spreads).queued
  })
  await expect.poll(() => mailServer.received.length - before, { timeout: 120_000 }).toBe(1_000)
  const seconds = (performance.now() - start) / 1_000
  const mails = mailServer.received.slice(before)
  const refused = mails.flatMap(({ source }) => mailProblems(source))
  const read = await Promise.all(mails.map(({ source }) => simpleParser(source)))
  const whole = read.filter(({ date, subject, text, html }) => date && subject && text && html)
  const lengths = mails.flatMap(({ source }) =>
    source
      .toString('latin1')
      .split('\r\n')
      .map(({ length }) => length),
  )
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0)
  await annotate(
    `${mails.length} mails in ${seconds.toFixed(1)} s: ${refused.length} refusals, ${whole.length} read whole, longest line ${longest} octets`,
  )
  expect(refused).toEqual([])
  expect(whole).toHaveLength(1_000)
  expect(new Set(read.map(({ messageId }) => messageId)).size).toBe(1_000)
}, 180_000)
