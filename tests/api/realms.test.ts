import { describe, expect, test } from 'vitest'

import { type Endpoint, isJson, pathOf } from '#contract/kit/endpoint.ts'
import { APIS, MANAGEMENT_APIS } from '#server/nouns.ts'

import { startTestServer } from '../support/server.ts'

/*
 * Two separate realms, checked on every endpoint of both: the console refuses an organisation's tokens and
 * API keys, and organisations refuse console tokens.
 */
const muster = await startTestServer()
const organisation = await muster.anOrganisation({ contactsAndMassNotificationsEnabled: true })
const admin = await muster.signedInAs(organisation, 'ADMIN')
const issued = await admin.post('/apiManagement/credentials', { name: 'Realms' })
const staff = await muster.signedInAsStaff()
const former = await muster.signedInAsStaff()
await staff.delete(`/staff/${former.id}`)

const params = {
  id: organisation.id,
  uuid: admin.uuid,
  code: 'none',
  name: 'Nobody',
  sequence: '1',
  token: 'none',
  carrier: 'MAIL',
  databaseKey: 'maxFileSize',
  parentType: 'INCIDENT',
  parentId: organisation.id,
}
const endpointsOf = (apis: typeof APIS) =>
  Object.entries(apis).flatMap(([noun, api]) =>
    Object.entries(api).map(([name, endpoint]) => [`${noun}.${name}`, endpoint] as const),
  )
const ask = async (endpoint: Endpoint, base: string, headers: Record<string, string>) => {
  const { status } = await muster.send(endpoint.method, base + pathOf(endpoint, params), {
    headers,
    ...(endpoint.body && isJson(endpoint.body) ? { body: {} } : {}),
  })
  return status
}
const isGuarded = ([, { access }]: readonly [string, Endpoint]) => access.realm !== 'public'
const withCode = { 'Enterprise-Code': organisation.code }

describe.each(endpointsOf(MANAGEMENT_APIS).filter(isGuarded))('the console: %s', (_, endpoint) => {
  test('is for staff alone', () => expect(endpoint.access.realm).toBe('provider'))

  test.each<[string, Record<string, string>]>([
    ['a stranger', {}],
    ['an administrator', admin.headers],
    ['an API key', { 'X-Api-Key': issued.body.key }],
    ['an API key as a bearer token', { Authorization: `Bearer ${issued.body.key}` }],
    ['a former member of staff', former.headers],
    ['a made-up console token', { Authorization: `Bearer mc_${'A'.repeat(43)}` }],
  ])('is closed to %s', async (_who, headers) => {
    expect(await ask(endpoint, '/management-api', headers)).toBe(401)
  })
})

describe.each(endpointsOf(APIS).filter(isGuarded))('an organisation: %s', (_, endpoint) => {
  test('is closed to staff of the provider', async () => {
    expect(await ask(endpoint, '', { ...staff.headers, ...withCode })).toBe(401)
    expect(
      await ask(endpoint, '', { 'X-Api-Key': staff.headers['Authorization']!.slice(7), ...withCode }),
    ).toBe(401)
  })
})

test('nothing of either happened', async () => {
  const { status, body } = await admin.get('/me')
  expect([status, body.user.uuid]).toEqual([200, admin.uuid])
  expect((await staff.get('/management/me')).body.email).toBe(staff.email)
})

test('the console has a document of its own, and is not in that of organisations', async () => {
  const of = async (path: string) => {
    const { body } = await muster.send('GET', path)
    return [
      body.servers[0].url,
      Object.values<object>(body.paths).flatMap((methods) =>
        Object.values<{ operationId: string }>(methods as never).map(({ operationId }) => operationId),
      ),
    ]
  }
  const names = (apis: typeof APIS) => endpointsOf(apis).map(([name]) => name)
  const sorted = (all: readonly string[]) => all.toSorted((a, b) => a.localeCompare(b))
  const [url, calls] = await of('/management-api/openapi.json')
  expect([url, sorted(calls)]).toEqual(['/management-api', sorted(names(MANAGEMENT_APIS))])
  const [, theirs] = await of('/openapi.json')
  expect(sorted(theirs)).toEqual(sorted(names(APIS)))
})

test('the provider is no organisation that anybody can find or open', async () => {
  expect((await muster.send('GET', '/registry/~provider')).status).toBe(404)
  const { status } = await muster.send('POST', '/authentication/upass', {
    body: { email: admin.email, password: 'Correct-horse-9', enterpriseCode: '~provider' },
  })
  expect(status).toBe(401)
})
