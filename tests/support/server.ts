import { join } from 'node:path'

import pino from 'pino'
import { afterAll, inject } from 'vitest'

import type { Config } from '#contract/config/catalogue.ts'
import type { StaffRole } from '#contract/kit/access.ts'
import type { UserRole, UserType } from '#contract/users/schema.ts'
import { clock } from '#server/kit/core/clock.ts'
import { type StartedDatabase, startDatabase } from '#server/kit/database/start-database.ts'
import { hashPassword } from '#server/kit/security/passwords.ts'
import { readSettings } from '#server/kit/core/settings.ts'
import { newToken, tokenHash } from '#server/kit/security/secrets.ts'
import { insertSession } from '#server/sessions/store.ts'
import { insertStaffSession, upsertInvited } from '#server/staff/store.ts'
import { startMuster } from '#server/start.ts'

import { fromTemplate } from './database.ts'

export interface Reply<T = any> {
  readonly status: number
  readonly body: T
  readonly headers: Headers
  readonly text: string
}
export interface Organisation {
  readonly id: string
  readonly code: string
}
/** A caller, whose headers every call carries. */
export interface Caller {
  readonly uuid: string
  readonly email: string
  readonly organisation: Organisation
  readonly sessionId: string
  readonly headers: Record<string, string>
  get(path: string): Promise<Reply>
  post(path: string, body?: unknown): Promise<Reply>
  put(path: string, body?: unknown): Promise<Reply>
  patch(path: string, body?: unknown): Promise<Reply>
  delete(path: string): Promise<Reply>
}
type Person = {
  role?: UserRole
  type?: UserType
  email?: string
  firstName?: string
  lastName?: string
  active?: boolean
  password?: string
}

/** A calling member of the provider's staff; paths are below `/management-api`. */
export type Staff = Pick<Caller, 'email' | 'headers' | 'get' | 'post' | 'put' | 'delete'> & {
  readonly id: string
}

/** Password of all fixtures, hashed once. */
export const PASSWORD = 'Correct-horse-9'
/** Key to the outbox of every test server; `send` adds it to calls of `/outbox`. */
export const OUTBOX_KEY = 'the-outbox-key-of-the-tests'
/** An unused port in place of the chat service, because test servers reach this machine only. */
export const NO_SERVICE = 'http://127.0.0.1:9'
let passwordHash: Promise<string> | undefined

/**
 * Starts the real server on a copy of the migrated database, for one test file.
 * @param reach replaces the connection to the database, such as by a proxy
 */
export async function startTestServer(
  env: Record<string, string> = {},
  logTo?: NodeJS.WritableStream,
  reach?: (database: StartedDatabase) => Promise<StartedDatabase>,
) {
  const place = await fromTemplate(inject('template'))
  const settings = readSettings({
    PORT: '0',
    DEMO: '0',
    DATA_DIR: place.dataDir,
    OUTBOX_KEY,
    STREAM_BASE_URL: NO_SERVICE,
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'fatal',
    DATABASE_URL: place.databaseUrl,
    ...env,
  })
  const log = logTo ? pino({ level: settings.logLevel }, logTo) : pino({ level: settings.logLevel })
  const muster = await startMuster(settings, {
    log,
    siteDir: join(import.meta.dirname, '../../dist'),
    ...(reach && { starting: startDatabase(settings).then(reach) }),
  })
  afterAll(async () => {
    await muster.stop()
    await place.remove()
  })
  const { services, url } = muster
  let counter = 0

  async function send(
    method: string,
    path: string,
    options: { headers?: Record<string, string>; body?: unknown; raw?: BodyInit } = {},
  ): Promise<Reply> {
    const base = /^\/(registry|health|meta|docs|openapi|metrics|outbox|management-api)/.test(path)
      ? url
      : `${url}/api`
    const hasBody = options.body !== undefined
    const response = await fetch(base + path, {
      method,
      headers: {
        ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
        ...(path.startsWith('/outbox') ? { Authorization: `Bearer ${OUTBOX_KEY}` } : {}),
        ...options.headers,
      },
      ...(hasBody
        ? { body: JSON.stringify(options.body) }
        : options.raw === undefined
          ? {}
          : { body: options.raw }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : undefined,
    }
  }

  async function anOrganisation(
    config: Partial<Config> = {},
    more: { code?: string; parentId?: string; maxUsers?: number; displayName?: string } = {},
  ): Promise<Organisation> {
    const code = more.code ?? `org-${(counter += 1)}-${crypto.randomUUID().slice(0, 8)}`
    const row = await services.database.directory
      .insertInto('organisations')
      .values({
        id: crypto.randomUUID(),
        code,
        display_name: more.displayName ?? `Organisation ${code}`,
        enterprise_domain: null,
        parent_id: more.parentId ?? null,
        subscription_level: 'BASIC',
        max_users: more.maxUsers ?? 50,
        config: JSON.stringify(config) as unknown as Partial<Config>,
        create_timestamp: clock.timestamp(),
      })
      .returning(['id', 'code'])
      .executeTakeFirstOrThrow()
    return row
  }

  const inside = <T>(
    organisation: Organisation,
    work: Parameters<typeof services.database.withOrganisation<T>>[1],
  ) =>
    services.database.withOrganisation<T>(
      { organisationId: organisation.id, actor: () => ({ kind: 'system', id: null, name: 'test' }) },
      work,
    )

  async function aUser(
    organisation: Organisation,
    person: Person = {},
  ): Promise<{ uuid: string; email: string }> {
    const n = (counter += 1)
    const now = clock.timestamp()
    passwordHash ??= hashPassword(PASSWORD)
    const hash = person.password ? await hashPassword(person.password) : await passwordHash
    const row = {
      id: crypto.randomUUID(),
      email: person.email ?? `person${n}@${organisation.code}.example`,
      first_name: person.firstName ?? 'Ana',
      last_name: person.lastName ?? `Person${String.fromCharCode(64 + (n % 26 || 26))}`,
      phone_number: null,
      location: null,
      department: null,
      role: person.role ?? 'USER',
      type: person.type ?? 'INTERNAL',
      active: person.active ?? true,
      banned: false,
      dashboard_user: false,
      profile_image_url: null,
      password_hash: hash,
      accepted_terms: true,
      was_sent_activation_email: false,
      last_login_timestamp: null,
      create_timestamp: now,
      update_timestamp: now,
      version: 1,
    }
    await inside(organisation, (db) => db.insertInto('users').values(row).execute())
    return { uuid: row.id, email: row.email }
  }

  function caller(
    headers: Record<string, string>,
    who: Pick<Caller, 'uuid' | 'email' | 'organisation' | 'sessionId'>,
  ): Caller {
    return {
      ...who,
      headers,
      get: (path) => send('GET', path, { headers }),
      post: (path, body) => send('POST', path, { headers, body }),
      put: (path, body) => send('PUT', path, { headers, body }),
      patch: (path, body) => send('PATCH', path, { headers, body }),
      delete: (path) => send('DELETE', path, { headers }),
    }
  }

  /** Signs a person in with a real session, without the cost of hashing. */
  async function signedInAs(
    organisation: Organisation,
    role: UserRole = 'USER',
    person: Omit<Person, 'role'> = {},
  ): Promise<Caller> {
    const user = await aUser(organisation, { ...person, role })
    const sessionId = await inside(organisation, (db) =>
      insertSession(db, {
        userId: user.uuid,
        userAgent: 'test',
        address: '127.0.0.1',
        createTimestamp: clock.timestamp(),
      }),
    )
    const { token } = await services.tokens.issueAccess({
      userId: user.uuid,
      organisationId: organisation.id,
      sessionId,
    })
    const headers = {
      Authorization: `Bearer ${token}`,
      'Enterprise-Code': organisation.code,
      'Web-App-Version': '1.14.10',
    }
    return caller(headers, { ...user, organisation, sessionId })
  }

  /** Signs a member of staff in. */
  async function signedInAsStaff(
    email = `staff${(counter += 1)}@provider.example`,
    role: StaffRole = 'ADMINISTER',
  ): Promise<Staff> {
    const token = `mc_${newToken()}`
    const now = clock.timestamp()
    const system = { kind: 'system', id: null, name: 'test' } as const
    const id = await services.database.withProvider(system, async (db) => {
      const memberId = await upsertInvited(db, { email, role }, 'test', now)
      await insertStaffSession(db, {
        hash: tokenHash(token),
        staff_id: memberId,
        create_timestamp: now,
        expires_timestamp: new Date(Date.parse(now) + 3_600_000).toISOString(),
        has_second_factor: true,
      })
      return memberId
    })
    const headers = { Authorization: `Bearer ${token}` }
    const call = (method: string) => (path: string, body?: unknown) =>
      send(method, `/management-api${path}`, { headers, body })
    return {
      id,
      email,
      headers,
      get: call('GET'),
      post: call('POST'),
      put: call('PUT'),
      delete: call('DELETE'),
    }
  }

  return {
    ...muster,
    services,
    url,
    dataDir: place.dataDir,
    send,
    anOrganisation,
    aUser,
    signedInAs,
    signedInAsStaff,
    inside,
  }
}
export type TestServer = Awaited<ReturnType<typeof startTestServer>>
