import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import { PROVIDER_ID } from '#server/kit/database/db.ts'
import { clock } from '#server/kit/core/clock.ts'
import { newSecret } from '#server/second-factors/flows.ts'
import { hasAuthenticator, insertAuthenticator, type Owner } from '#server/second-factors/store.ts'

import { DEMO_PASSWORD, signIn, startProduct } from '../support/product.ts'
import { type Organisation, startTestServer } from '../support/server.ts'
import { signingIn } from '../support/sign-in.ts'
import { tamperWithEvents } from '../support/tampering.ts'

const muster = await startTestServer({ TRUST_PROXY: '1' })
const { services, anOrganisation, aUser, inside, signedInAs } = muster
const { upass, mailsTo, enrol, begin, confirm, eventsOf } = signingIn(muster)
beforeEach(() => void vi.spyOn(clock, 'delay').mockResolvedValue())
afterEach(() => void vi.restoreAllMocks())

/** Runs a command of the operator. */
async function rescueWith(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../server/rescue.ts'), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { status: status as number, stdout, stderr }
}
const rescue = (...args: string[]) =>
  rescueWith({ DATA_DIR: muster.dataDir, DATABASE_URL: services.settings.databaseUrl! }, ...args)
/** Runs an act that is refused. Returns the sentence. */
async function refusalOf(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await rescue(...args)
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).not.toMatch(/\.ts:\d+|at Object|select /)
  return stderr.trim()
}
const OPERATOR = { kind: 'system', id: null, name: 'operator of the server' }
/** Entries of the provider's log about an organisation. */
const providerEvents = (noun: string, parent: string | null) =>
  services.database.withProvider({ kind: 'system', id: null, name: 'test' }, (db) =>
    services.database.enterOrganisation(db, PROVIDER_ID, (own) =>
      own
        .selectFrom('events')
        .select(['verb', 'record', 'actor', 'changes'])
        .where('noun', '=', noun)
        .where('parent', parent === null ? 'is' : '=', parent)
        .execute(),
    ),
  )

describe('help', () => {
  test('is printed for all acts and for each', async () => {
    const all = await rescue('--help')
    expect(all).toMatchObject({ status: 0, stderr: '' })
    const acts = [...all.stdout.matchAll(/^ {2}([a-z-]+) {2}/gm)].map(([, name]) => name!)
    expect(acts).toEqual(
      expect.arrayContaining(['second-factor', 'lockouts', 'event-chain', 'revoke', 'storage']),
    )
    const each = await Promise.all(acts.map((name) => rescue(name, '--help')))
    for (const [n, { status, stdout }] of each.entries())
      expect([status, stdout]).toEqual([0, expect.stringContaining(`npm run rescue -- ${acts[n]}`)])
  })

  test('is where words are missing, too many or unknown', async () => {
    expect(await refusalOf('revoke', 'demo')).toMatch(/^EMAIL is missing\. Usage: /)
    expect(await refusalOf('lockouts', 'one', 'two')).toMatch(/^There are too many words\./)
    expect(await refusalOf('storage', '--xml')).toMatch(/^Unknown option '--xml'\./)
    expect(await refusalOf('__proto__')).toMatch(/^There is no act __proto__\./)
  })
})

describe('a lost second factor', () => {
  const withApp = { auth2fa: true, auth2faType: 'TOTP' } as const

  test('is deleted with its recovery codes, and the session goes on', async () => {
    const org = await anOrganisation(withApp)
    const user = await aUser(org)
    const { recoveryCodes, session } = await enrol(org, user.email)
    const { status, stdout } = await rescue('second-factor', org.code, ` ${user.email.toUpperCase()}`)
    expect([status, stdout]).toEqual([0, expect.stringContaining(`of ${user.email} are deleted`)])
    expect((await confirm(await begin(org, user.email), recoveryCodes[0]!)).status).toBe(401)
    const headers = {
      Authorization: `Bearer ${session.authenticationToken}`,
      'Enterprise-Code': org.code,
    }
    expect((await muster.send('GET', '/me', { headers })).status).toBe(200)
    const [mail] = await mailsTo(user.email)
    expect(mail!.subject).toContain('Your authenticator app was removed')
    expect(mail!.text).toContain('The operator of the server removed your authenticator app')
    expect((await eventsOf(org, 'second-factors')).at(-2)).toMatchObject({
      verb: 'removed',
      record: user.uuid,
      actor: OPERATOR,
    })
    expect(await providerEvents('second-factors', org.id)).toMatchObject([
      { verb: 'removed', record: user.uuid, actor: OPERATOR, changes: {} },
    ])
    await enrol(org, user.email)
  })

  test('is of nobody else: unknown organisations and addresses, and those of another organisation, are refused', async () => {
    const [org, other] = [await anOrganisation(withApp), await anOrganisation(withApp)]
    const theirs = await aUser(other)
    await enrol(other, theirs.email)
    expect(await refusalOf('second-factor', org.code, theirs.email)).toBe(
      `Nobody in the organization ${org.code} has the address ${theirs.email}.`,
    )
    expect(await refusalOf('second-factor', "x' or 1=1 --", theirs.email)).toMatch(
      /^There is no organization/,
    )
    expect(await refusalOf('second-factor', other.code, "' or ''='")).toMatch(/is not an email address\.$/)
    expect(await refusalOf('second-factor', org.code, (await aUser(org)).email)).toMatch(/has not enrolled/)
    const owner = { kind: 'person', id: theirs.uuid } as const
    expect(await inside(other, (db) => hasAuthenticator(db, owner))).toBe(true)
  })

  test('of staff is deleted, they are signed out, and it is in the log of the provider', async () => {
    const staff = await muster.signedInAsStaff()
    const owner: Owner = { kind: 'staff', id: staff.id }
    const app = {
      secret: newSecret(services, staff.id),
      lastStep: 0,
      createTimestamp: clock.timestamp(),
    }
    const has = () =>
      services.database.withProvider({ kind: 'system', id: null, name: 'test' }, (db) =>
        hasAuthenticator(db, owner),
      )
    await services.database.withProvider({ kind: 'system', id: null, name: 'test' }, (db) =>
      insertAuthenticator(db, owner, app),
    )
    expect(await has()).toBe(true)
    expect(await refusalOf('staff-second-factor', 'nobody@provider.example')).toMatch(/^No member of staff/)
    expect((await rescue('staff-second-factor', staff.email)).status).toBe(0)
    expect(await has()).toBe(false)
    expect((await staff.get('/enterprises')).status).toBe(401)
    expect((await mailsTo(staff.email))[0]!.subject).toContain('was reset')
    expect(await providerEvents('second-factors', null)).toMatchObject([
      { verb: 'removed', record: staff.id, actor: OPERATOR },
    ])
    expect(await refusalOf('staff-second-factor', staff.email)).toBe('No authenticator app is enrolled.')
  })
})

describe('lockouts', () => {
  const address = '203.0.113.9'
  async function lockedOut(org: Organisation) {
    const { email } = await aUser(org, { password: 'Correct-horse-9' })
    for (let n = 0; n < 10; n += 1) await upass(org, email, { password: 'Wrong-horse-9', address })
    const trying = () => upass(org, email, { address })
    expect((await trying()).status).toBe(429)
    return trying
  }

  test('of one organisation end without those of another, and then all do', async () => {
    const [org, other] = [await anOrganisation(), await anOrganisation()]
    const [here, there] = [await lockedOut(org), await lockedOut(other)]
    expect(await rescue('lockouts', org.code)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^1 lockout ended\./),
    })
    expect([(await here()).status, (await there()).status]).toEqual([200, 429])
    expect(await eventsOf(org, 'sign-ins')).toContainEqual(
      expect.objectContaining({
        verb: 'lockouts ended',
        actor: OPERATOR,
        changes: { count: { from: null, to: 1 } },
      }),
    )
    expect((await rescue('lockouts')).stdout).toMatch(/^1 lockout ended\./)
    expect((await there()).status).toBe(200)
    expect(await refusalOf('lockouts', 'nowhere')).toMatch(
      /^There is no organization with the code nowhere\./,
    )
  })

  test('after wrong codes end too', async () => {
    const org = await anOrganisation({ auth2fa: true, auth2faType: 'EMAIL' })
    const { email } = await aUser(org)
    const token = await begin(org, email)
    for (let n = 0; n < 5; n += 1) await confirm(token, '12345')
    expect((await confirm(token, '12345')).status).toBe(429)
    expect((await rescue('lockouts', org.code)).stdout).toMatch(/^1 lockout ended\./)
    expect((await confirm(token, '12345')).status).toBe(401)
  })
})

test('a broken chain of events is named, and whole ones are said to be whole', async () => {
  const [org, other] = [await anOrganisation(), await anOrganisation()]
  for (const one of [org, other]) {
    const { email } = await aUser(one, { password: 'Correct-horse-9' })
    for (let n = 0; n < 3; n += 1) await upass(one, email)
  }
  const whole = await rescue('event-chain', org.code)
  expect([whole.status, whole.stdout]).toEqual([
    0,
    expect.stringMatching(new RegExp(`^${org.code}: whole, \\d+ events\\.`)),
  ])
  await tamperWithEvents(
    services.database.pool,
    `update events set verb = 'forged' where organisation_id = '${org.id}' and sequence = 2`,
  )
  const all = await rescue('event-chain')
  expect(all.status).toBe(1)
  expect(all.stdout).toContain(`${org.code}: broken. Event 2 is the first`)
  expect(all.stdout).toMatch(new RegExp(`^${other.code}: whole`, 'm'))
  expect(all.stdout).toMatch(/^\(provider\): whole/m)
  expect((await rescue('event-chain', other.code)).status).toBe(0)
})

describe('everything of a person', () => {
  test('ends, for them alone; their API keys on demand', async () => {
    const org = await anOrganisation({ auth2fa: false })
    const [person, neighbour] = [await signedInAs(org, 'ADMIN'), await signedInAs(org, 'ADMIN')]
    const made = async (who: typeof person, name: string) =>
      (
        await who.post('/apiManagement/credentials', {
          name,
          ipAddressRestricted: false,
          allowedIpAddresses: [],
        })
      ).status
    expect([await made(person, 'Pager'), await made(neighbour, 'Theirs')]).toEqual([201, 201])
    const feed = await person.post('/calendarFeed')
    expect(feed.status).toBeLessThan(300)
    const { pathname } = new URL(feed.body.address)
    const calendar = async () => (await fetch(`${muster.url}${pathname}`)).status
    expect(await calendar()).toBe(200)
    await neighbour.get(`/useradmin/user/forgotPassword/${person.uuid}`)
    const link = /\/set-password\?(\S+)/.exec((await mailsTo(person.email))[0]!.text)
    expect(link).not.toBeNull()
    const unused = () =>
      inside(org, (db) =>
        db.selectFrom('one_time_tokens').select('hash').where('used_timestamp', 'is', null).execute(),
      )
    expect(await unused()).toHaveLength(1)

    const { status, stdout } = await rescue('revoke', org.code, person.email)
    expect(status).toBe(0)
    expect(stdout).toContain('API keys that they made, which go on.')
    expect(stdout).toContain('  Pager')
    expect(stdout).not.toContain('Theirs')
    expect([(await person.get('/me')).status, (await neighbour.get('/me')).status]).toEqual([401, 200])
    expect([await calendar(), await unused()]).toEqual([404, []])
    const keys = async () =>
      (await neighbour.get('/apiManagement/credentials')).body.map(({ name }: any) => name)
    expect(await keys()).toHaveLength(2)
    expect(await eventsOf(org, 'users')).toContainEqual(
      expect.objectContaining({ verb: 'access revoked', record: person.uuid, actor: OPERATOR }),
    )
    expect(await providerEvents('users', org.id)).toMatchObject([{ verb: 'access revoked' }])

    expect((await rescue('revoke', org.code, person.email, '--api-keys')).stdout).toContain('are deleted:')
    expect(await keys()).toEqual(['Theirs'])
  })

  test('stays where the address is of another organisation', async () => {
    const [org, other] = [await anOrganisation(), await anOrganisation()]
    const theirs = await signedInAs(other, 'USER')
    expect(await refusalOf('revoke', org.code, theirs.email)).toMatch(/^Nobody in the organization/)
    expect((await theirs.get('/me')).status).toBe(200)
  })
})

test('an organisation stores what is counted, as a table and as JSON', async () => {
  const org = await anOrganisation()
  await signedInAs(org, 'ADMIN')
  await aUser(org)
  const { status, stdout } = await rescue('storage', org.code, '--json')
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject([
    { organisation: org.code, people: 2, incidents: 0, rooms: 1, messages: 0, files: 0, bytes: 0 },
  ])
  const table = (await rescue('storage')).stdout.split('\n')
  expect(table[0]).toMatch(/^Organization +People +Incidents +Rooms +Messages +Files +Bytes +Events/)
  expect(table.find((line) => line.startsWith(`${org.code} `))).toMatch(/^\S+ +2 +0 /)
})

test(
  'the acts work beside the product on its own database, and when it is stopped',
  { timeout: 120_000 },
  async () => {
    const product = await startProduct()
    onTestFinished(() => product.stop())
    const env = { DATA_DIR: product.dataDir, DATABASE_URL: '' }
    const { call } = await signIn(product.url, 'admin@demo.example', DEMO_PASSWORD)
    expect((await call('GET', '/me')).status).toBe(200)
    expect((await rescueWith(env, 'revoke', 'demo', 'admin@demo.example')).status).toBe(0)
    expect((await call('GET', '/me')).status).toBe(401)
    await product.kill('SIGTERM')
    const chain = await rescueWith(env, 'event-chain', 'demo')
    expect(chain).toMatchObject({ status: 0, stdout: expect.stringMatching(/^demo: whole/) })
    const nowhere = await rescueWith({ ...env, DATA_DIR: `${product.dataDir}-none` }, 'storage')
    expect(nowhere).toMatchObject({ status: 1, stderr: expect.stringMatching(/^There is no database in/) })
  },
)
