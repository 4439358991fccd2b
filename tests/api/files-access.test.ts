import { describe, expect, test } from 'vitest'

import { UPLOADS_A_MINUTE } from '#contract/attachments/schema.ts'
import { filesApi } from '#contract/files/api.ts'
import { needsVerification } from '#contract/kit/access.ts'
import { type Endpoint, isUpload, pathOf } from '#contract/kit/endpoint.ts'
import { clock, MINUTE } from '#server/kit/core/clock.ts'
import { formWith } from '#tests/support/attachments.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'
import { storageFor } from '#tests/support/storage.ts'
import { beginning, tusFor } from '#tests/support/tus.ts'

/*
 * Every file endpoint, called in an unverified session of an organisation that requires verification: all are
 * refused. The endpoints come from the contract, so that new ones are covered.
 */
const muster = await startTestServer()
const { anOrganisation, signedInAs, send } = muster
const { upload, fetched, verify, verbs, folder, group } = storageFor(muster)

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

/** A second session of a person. */
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
        token_generation: 0,
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
  downloadTicket: {},
  archiveTicket: { ids: [file.id] },
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

const guarded = await anOrganisation({ sfs2fa: true, groupsEnabled: true })
const [owner, outsider] = [await signedInAs(guarded, 'ADMIN'), await signedInAs(guarded)]
await verify(owner)
await verify(outsider)
const secret = await folder(owner, 'Secret', {
  folderType: 'PRIVATE',
  groupIds: [await group(owner, 'Crew', [owner])],
})
const inSecret = { parentFolderId: secret.id }
const secretFile = (await upload(owner, 'words', 'secret plan.txt', inSecret)).body
const secretTrashed = (await upload(owner, 'words', 'secret draft.txt', inSecret)).body
await owner.delete(`/sfs/${secretTrashed.id}`)
const secretUpload = await tusFor(`${muster.url}/api`, owner.headers).begin('secret film.txt', 10, {
  parentFolderId: String(secret.id),
})

const LISTS = new Set(['tree', 'search', 'uploads', 'trash', 'recent', 'starred'])
const FOR_ADMINS = new Set(['events', 'hold', 'purge'])
const secretIdOf = (name: string) => {
  if (name === 'folder' || name === 'conflicts') return secret.id
  if (name === 'restore' || name === 'purge') return secretTrashed.id
  return ['uploadState', 'continueUpload', 'endUpload'].includes(name) ? secretUpload : secretFile.id
}
const SECRET_BODIES: { readonly [name: string]: unknown } = {
  ...BODIES,
  createFolder: { name: 'Plans', ...inSecret },
  move: { ids: [secretFile.id], parentFolderId: 0 },
  copy: { ids: [secretFile.id], parentFolderId: 0 },
  star: { isStarred: true },
  archiveTicket: { ids: [secretFile.id] },
  conflicts: { folders: [{ path: [], names: ['secret plan.txt'] }] },
}
const tusHeaders: { readonly [name: string]: Record<string, string> } = {
  beginUpload: beginning('more.txt', 5, { parentFolderId: String(secret.id) }),
  continueUpload: {
    'Tus-Resumable': '1.0.0',
    'Upload-Offset': '0',
    'Content-Type': 'application/offset+octet-stream',
  },
  endUpload: { 'Tus-Resumable': '1.0.0' },
  uploadState: { 'Tus-Resumable': '1.0.0' },
}
const askForSecret = (name: string, endpoint: Endpoint, who: Caller) => {
  const path = pathOf(endpoint, { id: secretIdOf(name), fileVersion: 1 })
  const query = name === 'archive' ? `?ids=${secretFile.id}` : name === 'search' ? '?query=secret' : ''
  const headers = { ...who.headers, ...tusHeaders[name] }
  if (name === 'upload')
    return send('POST', path, {
      headers,
      raw: formWith('words', 'more.txt', { parentFolderId: String(secret.id) }),
    })
  if (name === 'continueUpload') return send(endpoint.method, path, { headers, raw: 'words' })
  const body = endpoint.body ? { body: SECRET_BODIES[name] } : {}
  return send(endpoint.method, path + query, { headers, ...body })
}

describe.each(calls)('a private folder and %s', (name, endpoint) => {
  test.each<[string, Caller, number]>([
    ['a verified member outside its group', outsider, FOR_ADMINS.has(name) ? 403 : 404],
    ['a verified administrator of another organisation', elsewhere, 404],
  ])('%s', async (_, who, refusal) => {
    const { status, text } = await askForSecret(name, endpoint, who)
    expect(status).toBe(LISTS.has(name) ? 200 : refusal)
    expect(text.toLowerCase()).not.toContain('secret')
  })
})

test('nothing of the private folder was changed by those who were refused', async () => {
  expect((await owner.get(`/sfs/folder/${secret.id}`)).body).toMatchObject([
    { id: secretFile.id, name: 'secret plan', fileVersion: 1, isOnHold: false },
  ])
  expect((await owner.get('/sfs/folder/0')).body).toHaveLength(1)
  expect(await verbs(owner, secretFile.id)).toEqual(['added'])
  expect(await verbs(owner, secretTrashed.id)).toEqual(['added', 'deleted'])
  expect((await owner.get('/sfs/uploads')).body).toMatchObject([{ id: secretUpload, offset: 0 }])
})

test('more uploads than anybody makes in a minute are refused, in forms and in parts', async () => {
  const organisation = await anOrganisation()
  const [eager, calm] = [await signedInAs(organisation), await signedInAs(organisation)]
  // Refused uploads count as well.
  for (let n = 0; n < UPLOADS_A_MINUTE; n += 1)
    expect((await upload(eager, 'x', n % 2 ? `note ${n}.txt` : 'note.exe')).status).not.toBe(429)
  const { status, body, headers } = await send('POST', '/sfs', {
    headers: eager.headers,
    raw: formWith('x', 'note.txt'),
  })
  expect(status).toBe(429)
  expect(body.msUntilNextAttempt).toBeGreaterThan(0)
  expect(body.msUntilNextAttempt).toBeLessThanOrEqual(MINUTE)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  const inParts = await tusFor(`${muster.url}/api`, eager.headers).tryBegin('film.txt', 5)
  expect(inParts.status).toBe(429)
  expect((await upload(calm, 'x', 'calm.txt')).status).toBe(201)
})
