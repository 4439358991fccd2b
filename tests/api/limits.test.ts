import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { type Endpoint, limitOf } from '#contract/kit/endpoint.ts'
import { LIMIT_REACHED, LIMITS } from '#contract/kit/limits.ts'
import { APIS } from '#server/nouns.ts'
import { clock } from '#server/kit/core/clock.ts'
import { fieldsOf, insideJson } from '#server/kit/openapi/schemas.ts'

import { madeRoom } from '../support/chat.ts'
import { startTestServer } from '../support/server.ts'

/* Limits of calls per person (ASVS 2.4.1): counted calls, uncounted calls, and the refusal. */
const muster = await startTestServer()
const { now } = clock
/** Stops the clock, so that a minute of counting lasts until the test moves it. */
beforeEach(() => {
  const start = now()
  clock.now = () => start
})
afterEach(() => {
  clock.now = now
})

const endpoints: readonly Endpoint[] = Object.values(APIS).flatMap((api) => Object.values(api))
const SEARCH = `/useradmin/users?range=[0,9]&filter=${encodeURIComponent('{"q":"ana"}')}`
const PAGE = '/useradmin/users?range=[0,9]'

/** Calls until a refusal, at most `most` times. */
async function refused(call: () => Promise<{ status: number; body: any; headers: Headers }>, most: number) {
  for (let n = 0; n < most; n += 1) {
    const reply = await call()
    if (reply.status === 429) return { after: n, reply }
  }
  return null
}

test('every list that can be searched has a limit', () => {
  const searches = endpoints.filter(({ query }) => {
    const filter = query && fieldsOf(query)['filter']
    return filter && 'q' in fieldsOf(insideJson(filter).schema)
  })
  const unlimited = searches.filter(({ limit }) => limit === undefined)
  expect(searches.length).toBeGreaterThan(5)
  // An organisation has only a few of these.
  const FEW = [
    '/apiManagement/credentials',
    '/declaration/sources',
    '/duties',
    '/incidentFields',
    '/incidentKinds',
    '/incidentRoles',
    '/massNotification/templates',
    '/webhooks',
  ]
  expect(unlimited.map(({ path }) => path).toSorted()).toEqual(FEW)
})

test('by query, words count as searches and no range as a whole list', () => {
  const list = endpoints.find(({ path }) => path === '/useradmin/users')!
  expect(limitOf(list, { filter: { q: 'a' }, range: [0, 9] })).toBe('searches')
  expect(limitOf(list, {})).toBe('whole lists')
  expect(limitOf(list, { range: [0, 9] })).toBeUndefined()
})

describe('above its limit', () => {
  test('a person is told when to go on, alone, and goes on a minute later', async () => {
    const org = await muster.anOrganisation()
    const [ana, bo] = [await muster.signedInAs(org, 'ADMIN'), await muster.signedInAs(org, 'ADMIN')]
    const found = await refused(() => ana.get('/authentication/users'), LIMITS['whole lists'] + 1)
    expect(found?.after).toBe(LIMITS['whole lists'])
    const { body, headers } = found!.reply
    expect(body).toMatchObject({ code: LIMIT_REACHED, message: expect.stringMatching(/whole lists/) })
    expect(body.msUntilNextAttempt).toBeGreaterThan(0)
    expect(body.msUntilNextAttempt).toBeLessThanOrEqual(60_000)
    expect(Number(headers.get('Retry-After'))).toBe(Math.ceil(body.msUntilNextAttempt / 1_000))
    expect((await ana.get(PAGE)).status).toBe(200)
    expect((await bo.get('/authentication/users')).status).toBe(200)
    const start = clock.now()
    clock.now = () => start + 60_000
    expect((await ana.get('/authentication/users')).status).toBe(200)
  })

  test('so is an API key', async () => {
    const org = await muster.anOrganisation()
    const admin = await muster.signedInAs(org, 'ADMIN')
    const { body } = await admin.post('/apiManagement/credentials', { name: 'Monitoring' })
    const headers = { 'X-Api-Key': body.key as string, 'Enterprise-Code': org.code }
    const search = () => muster.send('GET', '/incident?searchWord=fire', { headers })
    expect((await refused(search, LIMITS.searches + 1))?.after).toBe(LIMITS.searches)
  })

  test('searches are refused, and whoever may not search is told that first', async () => {
    const org = await muster.anOrganisation()
    const [admin, user] = [await muster.signedInAs(org, 'ADMIN'), await muster.signedInAs(org)]
    expect((await refused(() => admin.get(SEARCH), LIMITS.searches + 1))?.after).toBe(LIMITS.searches)
    expect(await refused(() => user.get(SEARCH), LIMITS.searches + 1)).toBeNull()
  })
})

describe('nobody at work meets a limit', () => {
  test('who exports ten reports in a row, types in a search box for a minute, or polls a page', async () => {
    const org = await muster.anOrganisation({ multiIncident: true })
    const ana = await muster.signedInAs(org, 'ADMIN')
    const { id } = (await ana.post('/incident', { title: 'Fire', fullText: '<p>Hall 3</p>' })).body
    for (let n = 0; n < 10; n += 1)
      expect((await ana.post(`/incident/${id}/report`)).status).toBeLessThan(300)
    // The search box waits 300 ms after the last key, so it sends at most four requests a second.
    expect(await refused(() => ana.get(SEARCH), 4 * 60)).toBeNull()
    expect(await refused(() => ana.get(PAGE), LIMITS.searches + 50)).toBeNull()
  })

  test('who writes a message each second for a minute', async () => {
    const ana = await muster.signedInAs(await muster.anOrganisation(), 'ADMIN')
    const { id } = await madeRoom(ana, { userIds: [] })
    const send = () =>
      ana.post(`/chat/rooms/${id}/messages`, { clientId: crypto.randomUUID(), text: '<p>Now</p>' })
    expect(await refused(send, 60)).toBeNull()
  })
})
