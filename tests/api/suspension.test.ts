import { once } from 'node:events'

import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'

import { ORGANISATION_CLOSED, SIGN_IN_REFUSED } from '#contract/sessions/schema.ts'
import { DAY } from '#server/kit/core/clock.ts'
import { removeDeleted } from '#server/managed-organisations/deletion.flows.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'
import { anAddress, later, signingIn } from '#tests/support/sign-in.ts'

/*
 * An organisation that is suspended, or deleted and not removed yet: it cannot be used, loses nothing, and
 * works as before once it is restored.
 */
const muster = await startTestServer({ TRUST_PROXY: '1', ALLOW_OUTBOX: '1' })
const { mailsTo, upass } = signingIn(muster)
const staff = await muster.signedInAsStaff()

afterEach(() => void vi.restoreAllMocks())

/** An organisation with its own name, its administrator, an API key and a link to set a password. */
async function world() {
  const organisation = await muster.anOrganisation()
  const admin = await muster.signedInAs(organisation, 'ADMIN')
  const key = await admin.post('/apiManagement/credentials', { name: 'Key' })
  return { organisation, admin, key: key.body.key as string }
}
const useKey = (key: string) => muster.send('GET', '/incident', { headers: { 'X-Api-Key': key } })
const forgot = (organisation: Organisation, email: string) =>
  muster.send('POST', '/authentication/forgotPassword', {
    body: { enterpriseCode: organisation.code, userId: email },
    headers: { 'X-Forwarded-For': anAddress() },
  })
async function liveSocket(caller: Pick<Caller, 'post'>, after: number | null = null) {
  const { body } = await caller.post('/live/ticket')
  const socket = new WebSocket(`${muster.url.replace('http', 'ws')}/api/live`)
  await once(socket, 'open')
  const said: string[] = []
  socket.on('message', (data: Buffer) => {
    said.push((JSON.parse(data.toString()) as { type: string }).type)
  })
  socket.send(JSON.stringify({ ticket: body.ticket, after }))
  await vi.waitFor(() => expect(said).toContain('ready'))
  return { said, closed: once(socket, 'close') }
}
const listed = async (id: string) =>
  (await staff.get('/enterprises')).body.find((one: { id: string }) => one.id === id)
const deletionOf = async (id: string) =>
  (await staff.get('/enterprises/deletions')).body.find((one: { id: string }) => one.id === id)

const WAYS = [
  {
    how: 'suspended',
    close: (id: string) => staff.post(`/enterprise/${id}/suspend`),
    reopen: (id: string) => staff.post(`/enterprise/${id}/resume`),
    verbs: ['suspended', 'resumed'],
  },
  {
    how: 'deleted',
    close: (id: string) => staff.delete(`/enterprise/${id}`),
    reopen: (id: string) => staff.post(`/enterprises/deletions/${id}/undo`),
    verbs: ['deleted', 'deletion undone'],
  },
]

describe.each(WAYS)('an organisation that is $how', ({ close, reopen, verbs }) => {
  test('ends its sessions at once, with their live sockets, for good', async () => {
    const { organisation, admin } = await world()
    const session = await upass(organisation, admin.email)
    const socket = await liveSocket(admin)
    expect((await close(organisation.id)).status).toBeLessThan(300)
    expect((await admin.get('/me')).status).toBe(401)
    await socket.closed
    expect(socket.said.at(-1)).toBe('ended')
    const refresh = () =>
      muster.send('POST', '/authentication/refreshToken', {
        body: { refreshToken: session.body.cueRefreshToken },
      })
    expect((await refresh()).status).toBe(401)
    expect((await reopen(organisation.id)).status).toBeLessThan(300)
    expect((await refresh()).status).toBe(401)
    expect((await admin.get('/me')).status).toBe(401)
  })

  test('lets nobody sign in, says so only to its people, and lets them in again', async () => {
    const { organisation, admin } = await world()
    await close(organisation.id)
    const refused = await upass(organisation, admin.email)
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      403,
      'organization_closed',
      ORGANISATION_CLOSED,
    ])
    const stranger = await upass(organisation, admin.email, { password: 'Another-horse-9' })
    expect([stranger.status, stranger.body.message]).toEqual([401, SIGN_IN_REFUSED])
    await reopen(organisation.id)
    const { status, body } = await upass(organisation, admin.email)
    expect(status).toBe(200)
    // The page of the earlier session reconnects and receives all missed events.
    const headers = { Authorization: `Bearer ${body.authenticationToken}` }
    const post = (path: string) =>
      muster.send('POST', path, { headers: { ...headers, 'Enterprise-Code': organisation.code } })
    const { said } = await liveSocket({ post }, 0)
    expect(said).not.toContain('ended')
  })

  test('refuses its API keys, and mails no links', async () => {
    const { organisation, admin, key } = await world()
    expect((await useKey(key)).status).toBe(200)
    await close(organisation.id)
    expect((await useKey(key)).status).toBe(401)
    expect((await forgot(organisation, admin.email)).status).toBe(204)
    const reminded = await muster.send('POST', `/authentication/remindOrgCode?email=${admin.email}`, {
      headers: { 'X-Forwarded-For': anAddress() },
    })
    expect(reminded.status).toBe(204)
    expect(await mailsTo(admin.email)).toEqual([])
    await reopen(organisation.id)
    expect((await useKey(key)).status).toBe(200)
    await forgot(organisation, admin.email)
    expect(await mailsTo(admin.email)).toHaveLength(1)
  })

  test('is in both audit logs, under the name of who did it', async () => {
    const { organisation, admin } = await world()
    await close(organisation.id)
    await reopen(organisation.id)
    const by = ({
      body,
    }: {
      body: { noun: string; verb: string; record: string; actor: { name: string } }[]
    }) =>
      body
        .filter(({ noun, record }) => noun === 'organisations' && record === organisation.id)
        .map(({ verb, actor }) => `${verb} by ${actor.name}`)
        .toReversed()
    const expected = verbs.map((verb) => `${verb} by ${staff.email}`)
    expect(by(await staff.get('/auditLog'))).toEqual(expected)
    const again = await muster.signedInAs(organisation, 'ADMIN', { email: `again-${admin.email}` })
    expect(by(await again.get('/useradmin/auditLog'))).toEqual(expected)
  })
})

describe('a suspended organisation', () => {
  test('is listed as such, can be narrowed to, and is looked after by staff', async () => {
    const { organisation } = await world()
    const path = `/enterprise/${organisation.id}`
    expect(await listed(organisation.id)).toMatchObject({ suspendedTimestamp: null })
    const { body } = await staff.post(`${path}/suspend`)
    expect(body.suspendedTimestamp).toEqual(expect.any(String))
    expect(await listed(organisation.id)).toEqual(body)
    expect((await staff.post(`${path}/suspend`)).body).toEqual(body)
    const filtered = async (status: string) => {
      const filter = encodeURIComponent(JSON.stringify({ status }))
      const found = await staff.get(`/enterprises?filter=${filter}`)
      return found.body.some((one: { id: string }) => one.id === organisation.id)
    }
    expect([await filtered('SUSPENDED'), await filtered('ACTIVE')]).toEqual([true, false])
    expect((await staff.get(path)).body).toMatchObject({ suspendedTimestamp: body.suspendedTimestamp })
    await staff.post(`${path}/access`, { reason: 'A look' })
    expect((await staff.get(`${path}/users`)).body).toHaveLength(1)
    const item = { databaseKey: 'groupsEnabled', valueJson: 'false' }
    expect((await staff.put(`/config/enterpriseConfigDetails/${organisation.id}`, item)).status).toBe(200)
    const resumed = await staff.post(`${path}/resume`)
    expect(resumed.body.suspendedTimestamp).toBeNull()
    expect((await staff.post(`${path}/resume`)).body).toEqual(resumed.body)
  })

  test('has a code that is still found', async () => {
    const { organisation } = await world()
    await staff.post(`/enterprise/${organisation.id}/suspend`)
    expect((await muster.send('GET', `/registry/${organisation.code}`)).status).toBe(200)
  })

  test('is closed to those who only look or support', async () => {
    const { organisation } = await world()
    for (const role of ['LOOK', 'SUPPORT'] as const) {
      const other = await muster.signedInAsStaff(undefined, role)
      expect((await other.post(`/enterprise/${organisation.id}/suspend`)).status).toBe(403)
      expect((await other.delete(`/enterprise/${organisation.id}`)).status).toBe(403)
    }
    expect(await listed(organisation.id)).toMatchObject({ suspendedTimestamp: null })
  })
})

describe('a deleted organisation', () => {
  test('needs no parameter, leaves the lists, and keeps its code for seven days', async () => {
    const { organisation } = await world()
    const { id, code } = organisation
    const path = `/enterprise/${id}`
    expect((await staff.delete(`${path}?name=anything`)).status).toBe(204)
    expect(await listed(id)).toBeUndefined()
    expect((await staff.get(path)).status).toBe(404)
    expect((await staff.delete(path)).status).toBe(404)
    expect((await staff.post(`${path}/suspend`)).status).toBe(404)
    expect((await staff.get(`/config/enterpriseConfigDetails/${id}`)).status).toBe(404)
    expect((await muster.send('GET', `/registry/${code}`)).status).toBe(404)
    const deletion = await deletionOf(id)
    expect(deletion).toMatchObject({ state: 'WAITING', progress: 0, failure: null })
    const left = Date.parse(deletion.removalTimestamp) - Date.now()
    expect(left).toBeGreaterThan(7 * DAY - 60_000)
    expect(left).toBeLessThanOrEqual(7 * DAY)
    const another = await staff.post('/enterprise', {
      enterpriseName: code,
      enterpriseDomain: `${crypto.randomUUID()}.example`,
      adminFirstName: 'Ana',
      adminLastName: 'Silva',
      adminEmail: 'ana@another.example',
      subscriptionMaxUsers: 5,
      subscriptionLevel: 'BASIC',
    })
    expect([another.status, another.body.enterprise.code]).toEqual([201, `${code}-2`])
  })

  test('is removed after seven days and not before, which cannot be undone', async () => {
    const { organisation } = await world()
    const { id } = organisation
    await staff.delete(`/enterprise/${id}`)
    later(7 * DAY - 60_000)
    await removeDeleted(muster.services)
    vi.restoreAllMocks()
    expect((await deletionOf(id)).state).toBe('WAITING')
    later(7 * DAY + 60_000)
    await removeDeleted(muster.services)
    vi.restoreAllMocks()
    const undone = await staff.post(`/enterprises/deletions/${id}/undo`)
    expect([404, 409]).toContain(undone.status)
    await vi.waitFor(async () => expect(await deletionOf(id)).toBeUndefined(), 20_000)
    expect((await staff.post(`/enterprises/deletions/${id}/undo`)).status).toBe(404)
  })

  test('that was suspended before is suspended again once its deletion is undone', async () => {
    const { organisation, admin } = await world()
    const { id } = organisation
    await staff.post(`/enterprise/${id}/suspend`)
    await staff.delete(`/enterprise/${id}`)
    expect((await staff.post(`/enterprises/deletions/${id}/undo`)).status).toBe(204)
    expect(await listed(id)).toMatchObject({ suspendedTimestamp: expect.any(String) })
    expect((await upass(organisation, admin.email)).status).toBe(403)
  })

  test.each(['00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-00000000c0de'])(
    'is not %s',
    async (id) => {
      expect((await staff.post(`/enterprises/deletions/${id}/undo`)).status).toBe(404)
      expect((await staff.post(`/enterprise/${id}/suspend`)).status).toBe(404)
    },
  )
})
