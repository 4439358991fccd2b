import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import {
  BODY_LIMIT,
  BODY_LIMIT_LISTS,
  type Endpoint,
  isRepeatable,
  isJson,
  pathOf,
} from '#contract/kit/endpoint.ts'
import { Problem } from '#contract/kit/refusal.ts'
import { clock } from '#server/kit/core/clock.ts'
import { MANAGEMENT_APIS } from '#server/nouns.ts'
import { insertAuthenticator } from '#server/second-factors/store.ts'
import { newSecret } from '#server/second-factors/flows.ts'

import { startTestServer } from '../support/server.ts'
import { appCode, signingIn } from '../support/sign-in.ts'
import { largestBody, plainValueOf, textFieldsOf, withField } from '../support/text-fields.ts'

/*
 * Rules for every endpoint of the console: malformed input and missing records are refused, bodies are
 * bounded, and a call repeated with its Idempotency-Key takes effect once. A new endpoint is covered
 * automatically, but needs a line in the table of actions.
 */
const muster = await startTestServer({ TRUST_PROXY: '1', ALLOW_OUTBOX: '1' })
const staff = await muster.signedInAsStaff()
const { mailsTo } = signingIn(muster)

const endpoints = Object.entries(MANAGEMENT_APIS).flatMap(([noun, api]) =>
  Object.entries(api).map(([name, endpoint]) => ({ name: `${noun}.${name}`, endpoint })),
)
const NOBODY = '00000000-0000-4000-8000-000000000000'
const anyParams = { id: NOBODY, uuid: NOBODY, carrier: 'STORAGE', sequence: '999999999' }
interface Parts {
  readonly params?: object
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}
let addresses = 0
const ask = (endpoint: Endpoint, { params, query = '', body, headers }: Parts = {}) =>
  muster.send(endpoint.method, `/management-api${pathOf(endpoint, { ...anyParams, ...params })}${query}`, {
    headers: { ...staff.headers, 'X-Forwarded-For': `198.51.100.${(addresses += 1) % 250}`, ...headers },
    ...(body === undefined ? {} : { body }),
  })
function isProblem(reply: { body: unknown; text: string }): void {
  expect(Problem.safeParse(reply.body).success, reply.text).toBe(true)
  expect(reply.text).not.toMatch(/node_modules|\.ts:\d+|at Object|SELECT|select /)
}

const taking = endpoints.filter(({ endpoint }) => endpoint.body ?? endpoint.params)
describe.each(taking)('$name', ({ endpoint }) => {
  const { body } = endpoint
  if (body && isJson(body)) {
    test('has a bound for everything in its body', () => {
      expect(largestBody(body)).not.toBeNaN()
      const limit = endpoint.bodyLimit ?? BODY_LIMIT
      if (limit < BODY_LIMIT_LISTS) expect(largestBody(body)).toBeLessThanOrEqual(limit)
    })

    test('refuses a megabyte in any text, and what cannot be stored', () => {
      const value = plainValueOf(body)
      for (const { path } of textFieldsOf(body))
        for (const text of ['x'.repeat(1_048_576), '<'.repeat(1_048_576), '😀'.repeat(500_000)])
          expect(body.safeParse(withField(value, path, text)).success, path.join('.')).toBe(false)
    })

    test('refuses a body of the wrong shape', async () => {
      for (const wrong of ['text', 7, null, [[]]]) {
        const reply = await ask(endpoint, { body: wrong })
        expect(reply.status, reply.text).toBe(400)
        isProblem(reply)
      }
    })
  }
  if (endpoint.params)
    test('refuses names of the wrong shape', async () => {
      const params = { id: "'; drop", uuid: 'x', carrier: 'PIGEON', sequence: '-1' }
      const reply = await ask(endpoint, { params, body: body ? {} : undefined })
      expect(reply.status, reply.text).toBe(400)
      isProblem(reply)
    })
})

const user = (email: string) => ({ email, firstName: 'Bo', lastName: 'Lee' })
const anOrganisation = async () => {
  const organisation = await muster.anOrganisation()
  await muster.signedInAs(organisation, 'ADMIN')
  await staff.post(`/enterprise/${organisation.id}/access`, { reason: 'Tests' })
  return organisation
}
const withUser = async (person: object = {}) => {
  const organisation = await anOrganisation()
  const { uuid } = await muster.aUser(organisation, person)
  return { params: { id: organisation.id, uuid }, organisation }
}
/** Enrols an authenticator app for a member of staff. Returns its secret. */
async function withApp(id: string): Promise<string> {
  const secret = newSecret(muster.services, id)
  await muster.services.database.withProvider({ kind: 'system', id: null, name: 'test' }, (db) =>
    insertAuthenticator(
      db,
      { kind: 'staff', id },
      { secret, lastStep: 0, createTimestamp: clock.timestamp() },
    ),
  )
  return muster.services.secrets.open(secret, id)
}
const FROM_CONSOLE = () => `?feUrl=${encodeURIComponent(muster.url)}`
let counter = 0
const newOrganisation = () => ({
  enterpriseName: `Once ${(counter += 1)}`,
  enterpriseDomain: `once${counter}.example`,
  adminFirstName: 'Ana',
  adminLastName: 'Silva',
  adminEmail: `ana@once${counter}.example`,
  subscriptionMaxUsers: 10,
  subscriptionLevel: 'BASIC',
})

/** Endpoints that change or send something, with valid input. */
const ACTS: { readonly [name: string]: () => Promise<Parts> } = {
  'staff.login': async () => ({ body: { email: staff.email, feUrl: muster.url } }),
  'staff.session': async () => {
    await ask(MANAGEMENT_APIS['staff']!['login']!, { body: { email: staff.email, feUrl: muster.url } })
    const [mail] = await mailsTo(staff.email)
    return { body: { id: new URL(/https?:\S+/.exec(mail!.text)![0]).searchParams.get('id') } }
  },
  'staff.confirm': async () => {
    const { id, email } = await muster.signedInAsStaff()
    const secret = await withApp(id)
    await ask(MANAGEMENT_APIS['staff']!['login']!, { body: { email, feUrl: muster.url } })
    const [mail] = await mailsTo(email)
    const link = new URL(/https?:\S+/.exec(mail!.text)![0]).searchParams.get('id')
    const { body } = await ask(MANAGEMENT_APIS['staff']!['session']!, { body: { id: link } })
    const { temporaryAuthenticationToken } = body
    return { body: { temporaryAuthenticationToken, confirmationCode: appCode(secret) } }
  },
  'staff.confirmEnrolment': async () => {
    const { body } = await staff.post('/management/authenticator')
    return { body: { confirmationCode: appCode(body.secret) } }
  },
  'staff.update': async () => ({
    params: { id: (await muster.signedInAsStaff()).id },
    body: { role: 'LOOK' },
  }),
  'staff.resetAuthenticator': async () => {
    const { id } = await muster.signedInAsStaff()
    await withApp(id)
    return { params: { id } }
  },
  'staff.invite': async () => ({ body: { email: 'once@provider.example' } }),
  'staff.remove': async () => ({ params: { id: (await muster.signedInAsStaff()).id } }),
  'managed-organisations.create': async () => ({ body: newOrganisation() }),
  'managed-organisations.update': async () => ({
    params: { id: (await anOrganisation()).id },
    body: { contractNumber: 'C-1', level: 'BASIC', maxUser: 7 },
  }),
  'managed-organisations.remove': async () => ({ params: { id: (await anOrganisation()).id } }),
  'managed-organisations.undoDeletion': async () => {
    const { id } = await anOrganisation()
    await staff.delete(`/enterprise/${id}`)
    return { params: { id } }
  },
  'managed-organisations.clear': async () => ({ params: { id: (await anOrganisation()).id } }),
  'managed-organisations.addCredentials': async () => ({
    body: [{ publicKey: 'once', secretKey: 'secret' }],
  }),
  'organisation-access.grant': async () => ({
    params: { id: (await anOrganisation()).id },
    body: { reason: 'Help' },
  }),
  'managed-users.create': async () => ({
    params: { id: (await anOrganisation()).id },
    body: user('once@company.example'),
  }),
  'managed-users.import': async () => ({
    params: { id: (await anOrganisation()).id },
    body: [user('once@company.example')],
  }),
  'managed-users.update': async () => ({
    params: (await withUser()).params,
    body: { firstName: 'Cy', lastName: 'Lee', version: 1 },
  }),
  'managed-users.deactivate': () => withUser(),
  'managed-users.reactivate': () => withUser({ active: false }),
  'managed-users.ban': () => withUser(),
  'managed-users.unban': async () => {
    const { params } = await withUser()
    await staff.post(`/enterprise/${params.id}/user/${params.uuid}/ban`)
    return { params }
  },
  'managed-users.endSessions': () => withUser(),
  'managed-users.sendPasswordReset': () => withUser(),
  'managed-users.sendActivation': () => withUser(),
  'managed-users.resetAuthenticator': async () => {
    const { params, organisation } = await withUser()
    await muster.inside(organisation, (db) =>
      insertAuthenticator(
        db,
        { kind: 'person', id: params.uuid },
        {
          secret: newSecret(muster.services, params.uuid),
          lastStep: 0,
          createTimestamp: clock.timestamp(),
        },
      ),
    )
    return { params }
  },
  'instance.test': async () => ({ params: { carrier: 'MAIL' }, body: {} }),
  'welcome.send': async () => ({ params: { id: (await anOrganisation()).id }, query: FROM_CONSOLE() }),
  'welcome.retry': async () => {
    const { id } = await anOrganisation()
    await ask(MANAGEMENT_APIS['welcome']!['send']!, { params: { id }, query: FROM_CONSOLE() })
    await muster.services.database.withProvider({ kind: 'system', id: null, name: 'test' }, (db) =>
      sql`update welcome_packages set status = 'ERROR' where organisation_id = ${id}`.execute(db),
    )
    return { params: { id } }
  },
}
/** Valid bodies for repeatable calls that refuse an empty body before they look up the record. */
const BODIES: { readonly [name: string]: object } = {
  'managed-users.existing': { emails: [] },
  'config-items.updateEnterprise': { databaseKey: 'groupsEnabled', valueJson: 'true' },
}
const acts = endpoints.filter(({ endpoint }) => !isRepeatable(endpoint))

/** Numbers of events, messages and organisations. */
const counts = () =>
  muster.services.database.withProvider({ kind: 'system', id: null, name: 'test' }, async (db) => {
    const { rows } =
      await sql`select (select count(*) from events) as events, (select count(*) from messages) as messages,
      (select count(*) from organisations where deleted_timestamp is null) as organisations,
      (select count(*) from staff_sessions) as sessions`.execute(db)
    return rows[0]
  })

test('every call that changes or sends something is tried', () => {
  expect(Object.keys(ACTS).toSorted()).toEqual(acts.map(({ name }) => name).toSorted())
})

describe.each(acts)('$name', ({ name, endpoint }) => {
  test('is done once under one Idempotency-Key', async () => {
    const { params, query, body } = await ACTS[name]!()
    const before = await counts()
    const parts = { params, query, body, headers: { 'Idempotency-Key': crypto.randomUUID() } } as Parts
    const first = await ask(endpoint, parts)
    expect(first.status, first.text).toBe(endpoint.status ?? 200)
    const after = await counts()
    if (name !== 'staff.login') expect(after).not.toEqual(before)
    const again = await ask(endpoint, parts)
    expect([again.status, again.body]).toEqual([first.status, first.body])
    // The started job goes on meanwhile, and records its own events.
    if (name !== 'welcome.retry') expect(await counts()).toEqual(after)
  })

  if (/:id/.test(endpoint.path))
    test('does not find what does not exist', async () => {
      const { query, body } = await ACTS[name]!()
      const reply = await ask(endpoint, { query: query ?? '', body })
      expect(reply.status, reply.text).toBe(404)
      isProblem(reply)
    })
})

describe.each(
  endpoints.filter(({ name, endpoint }) => /:id|:sequence/.test(endpoint.path) && !(name in ACTS)),
)('$name', ({ name, endpoint }) => {
  test('does not find what does not exist', async () => {
    const reply = await ask(endpoint, { body: BODIES[name] })
    expect(reply.status, reply.text).toBe(404)
    isProblem(reply)
  })
})
