import { describe, expect, test } from 'vitest'

import { filesApi } from '#contract/files/api.ts'
import { needsVerification } from '#contract/kit/access.ts'
import { type Endpoint, isUpload, pathOf } from '#contract/kit/endpoint.ts'
import { clock } from '#server/kit/clock.ts'
import { formWith } from '#tests/support/attachments.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'
import { storageFor } from '#tests/support/storage.ts'

/*
 * Every call about files, asked by somebody whose session is not verified although the organisation wants that: none is
 * answered. The walk has what the contract declares, so that a new call is part of it.
 */
const muster = await startTestServer()
const { anOrganisation, signedInAs, send } = muster
const { upload, fetched, verify, verbs } = storageFor(muster)

const withFactor = await anOrganisation({ sfs2fa: true })
const [ana, other, elsewhere] = [
  await signedInAs(withFactor, 'ADMIN'),
  await signedInAs(withFactor, 'ADMIN'),
  await signedInAs(await anOrganisation({ sfs2fa: true }), 'ADMIN'),
]
const external = await signedInAs(withFactor, 'ADMIN', { type: 'EXTERNAL' })
const expired = await signedInAs(withFactor, 'ADMIN')
await verify(ana)
await verify(elsewhere)
await verify(external)
await verify(expired, clock.now() - 1)
const file = (await upload(ana, 'words', 'note.txt')).body
const ticket = (await ana.post(`/sfs/item/${file.id}/preview`, {})).body

/** A second session of somebody. */
async function anotherSession(who: Caller): Promise<Record<string, string>> {
  const sessionId = crypto.randomUUID()
  await muster.inside(who.organisation, (db) =>
    db
      .insertInto('sessions')
      .values({
        id: sessionId,
        user_id: who.uuid,
        user_agent: 'test',
        address: '127.0.0.1',
        create_timestamp: clock.timestamp(),
        ended_timestamp: null,
        end_reason: null,
      })
      .execute(),
  )
  const { token } = await muster.services.tokens.issueAccess({
    userId: who.uuid,
    organisationId: who.organisation.id,
    sessionId,
  })
  return { Authorization: `Bearer ${token}`, 'Enterprise-Code': who.organisation.code }
}

const BODIES: { readonly [name: string]: unknown } = {
  createFolder: { name: 'Plans' },
  change: { name: 'Maps' },
  move: { ids: [file.id], parentFolderId: 0 },
  hold: { isOnHold: true },
  preview: {},
}
const ask = (name: string, endpoint: Endpoint, headers: Record<string, string>) => {
  const path = pathOf(endpoint, { id: file.id, fileVersion: 1, ticket: 'none' })
  const query = name === 'archive' ? `?ids=${file.id}` : name === 'search' ? '?query=note' : ''
  return send(endpoint.method, path + query, {
    headers,
    ...(endpoint.body && isUpload(endpoint.body)
      ? { raw: formWith('words', 'more.txt') }
      : endpoint.body
        ? { body: BODIES[name] }
        : {}),
  })
}
const calls = Object.entries<Endpoint>(filesApi).filter(([, { access }]) => access.realm !== 'public')

test('every call but that of a ticket asks for a verified session', () => {
  const open = Object.entries<Endpoint>(filesApi).filter(
    ([, { access }]) => !needsVerification(access, { kind: 'person', permissions: ['sfs-2fa'] }),
  )
  expect(open.map(([name]) => name)).toEqual(['content'])
})

const required = [403, 'verification_required']
describe.each(calls)('%s', (name, endpoint) => {
  test.each<[string, () => Promise<Record<string, string>>, unknown[]]>([
    ['somebody else of the organisation, who is not verified', async () => other.headers, required],
    ['another session of the person', () => anotherSession(ana), required],
    ['somebody whose verification has expired', async () => expired.headers, required],
    ['an external person, verified', async () => external.headers, [403, 'forbidden']],
    [
      'another organisation with the session of this one',
      async () => ({ ...ana.headers, 'Enterprise-Code': elsewhere.organisation.code }),
      [401, 'wrong_organization'],
    ],
  ])('is refused to %s', async (_, headersOf, expected) => {
    const { status, body } = await ask(name, endpoint, await headersOf())
    expect([status, body?.code]).toEqual(expected)
  })
})

test('a verified session is let in, and nothing was changed by the others', async () => {
  const { body } = await ana.get('/sfs/folder/0')
  expect(body).toMatchObject([{ id: file.id, name: 'note', isOnHold: false, fileVersion: 1 }])
  expect(body).toHaveLength(1)
  expect(await verbs(ana, file.id)).toEqual(['added'])
  expect((await elsewhere.get(`/sfs/item/${file.id}`)).status).toBe(404)
})

test('without the factor nobody has to verify anything', async () => {
  const who = await signedInAs(await anOrganisation())
  expect((await who.get('/sfs/folder/0')).status).toBe(200)
})

test('a ticket ends with the verification and with the session, and is noted once', async () => {
  const content = () => fetched(ticket.path)
  for (let n = 0; n < 2; n++) expect((await content()).status).toBe(200)
  expect(await verbs(ana, file.id)).toEqual(['added', 'viewed'])
  await verify(ana, clock.now() - 1)
  expect((await content()).status).toBe(403)
  await verify(ana)
  expect((await content()).status).toBe(200)
  await muster.inside(withFactor, (db) =>
    db
      .updateTable('sessions')
      .set({ ended_timestamp: clock.timestamp() })
      .where('id', '=', ana.sessionId)
      .execute(),
  )
  expect((await content()).status).toBe(401)
})
