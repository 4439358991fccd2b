import { afterEach, describe, expect, test, vi } from 'vitest'

import {
  LINK_GONE,
  LINK_NOT_YOURS,
  LINKS_OFF,
  PASSCODE_TOO_SHORT,
  tooManyDays,
  UP_NEEDS_FOLDER,
  UP_NEEDS_OWN_FOLDER,
  VISIT_OVER_CODE,
  VISITOR_REQUIRED,
  WRONG_PASSCODE,
} from '#contract/file-links/schema.ts'
import { NO_ROOM_FOR_FILE, ON_LEGAL_HOLD } from '#contract/files/schema.ts'
import { FILE_EMPTY, FORMAT_NOT_SUPPORTED } from '#contract/kit/files.ts'
import { changeItem } from '#server/config-items/flows.ts'
import { clock, DAY, HOUR, MINUTE } from '#server/kit/core/clock.ts'
import { sealToken } from '#server/kit/security/secrets.ts'
import { banUser, unbanUser } from '#server/users/flows.ts'
import { EXE, PDF, PNG } from '#tests/support/files.ts'
import { linksFor } from '#tests/support/links.ts'
import { startTestServer } from '#tests/support/server.ts'
import { storageFor } from '#tests/support/storage.ts'

const muster = await startTestServer()
const { anOrganisation, signedInAs, signedInAsStaff, inside, send, services } = muster
const { upload, folder, group, names, verbs, verify } = storageFor(muster)
const { tryLink, link, tryOpen, open, visited, listed } = linksFor(muster)
afterEach(async () => {
  vi.restoreAllMocks()
  // All visitors of this file have one address.
  await services.database.directory.deleteFrom('attempts').execute()
})

async function aWorld(config: Parameters<typeof anOrganisation>[0] = {}) {
  const organisation = await anOrganisation({ groupsEnabled: true, fileLinksEnabled: true, ...config })
  const admin = await signedInAs(organisation, 'ADMIN')
  const [ana, bo] = [await signedInAs(organisation), await signedInAs(organisation)]
  return { organisation, admin, ana, bo }
}
/** A folder of Ana's with a file and a folder with another one. */
async function aFolderOfPlans(config: Parameters<typeof anOrganisation>[0] = {}) {
  const world = await aWorld(config)
  const plans = await folder(world.ana, 'Plans')
  const maps = await folder(world.ana, 'Maps', { parentFolderId: plans.id })
  const plan = (await upload(world.ana, PDF, 'plan.pdf', { parentFolderId: plans.id })).body
  const map = (await upload(world.ana, PNG, 'map.png', { parentFolderId: maps.id })).body
  return { ...world, plans, maps, plan, map }
}
const gone = { status: 404, body: { code: 'link_over', message: LINK_GONE } }
const at = (ms: number) => vi.spyOn(clock, 'now').mockReturnValue(Date.now() + ms)

describe('a link to a folder', () => {
  test('opens with its passcode, and hands out what lies in the folder and nothing else', async () => {
    const { ana, plans, maps, plan, map } = await aFolderOfPlans()
    const outside = (await upload(ana, PDF, 'secret.pdf')).body
    const issued = await link(ana, plans.id)
    expect(issued.token).toMatch(/^fl_[\w-]{22}_[\w-]{43}$/)
    expect(issued.passcode).toMatch(/^([a-z2-9]{4}-){2}[a-z2-9]{4}$/)
    const door = await send('POST', '/sfs/link', { body: { token: issued.token } })
    expect(door.body).toEqual({ organisation: expect.stringMatching(/^Organisation/), direction: 'DOWN' })
    expect(door.headers.get('x-robots-tag')).toBe('noindex, nofollow')
    expect(door.headers.get('cache-control')).toBe('no-store')

    const { items, ticket, fetched, state } = await open(issued)
    expect(state.item.name).toBe('Plans')
    expect((await items()).body.items.map(({ name }) => name)).toEqual(['Maps', 'plan'])
    expect((await items(maps.id)).body.items.map(({ name }) => name)).toEqual(['map'])
    // Nothing says who works in the organisation.
    expect(JSON.stringify([state, (await items()).body])).not.toContain('@')
    const { path } = (await ticket(plan.id)).body
    expect((await fetched(path)).bytes.equals(PDF)).toBe(true)
    expect((await fetched(path)).status).toBe(410)
    const archive = await fetched((await ticket(plans.id)).body.path)
    expect(archive.bytes.includes('Maps/map.png')).toBe(true)
    const picture = await fetched((await ticket(map.id, 'preview')).body.path)
    expect(picture.bytes.equals(PNG)).toBe(true)

    for (const id of [outside.id, 0, 999_999]) {
      expect((await ticket(id)).status).toBe(404)
      expect((await ticket(id, 'preview')).status).toBe(404)
      expect((await items(id)).status).toBe(404)
    }
  })

  test('is good for visits of four hours, and for as many openings as it was made for', async () => {
    const { ana, plans } = await aFolderOfPlans()
    const issued = await link(ana, plans.id, { openingsMax: 2 })
    const { items } = await open(issued)
    await open(issued)
    expect(await tryOpen(issued)).toMatchObject(gone)
    expect((await items()).status).toBe(200)
    expect(await listed(ana)).toMatchObject([{ openings: 2, state: 'ENDED' }])
    at(4 * HOUR + MINUTE)
    expect(await items()).toMatchObject({ status: 401, body: { code: VISIT_OVER_CODE } })
  })

  test('of a legal hold can be read', async () => {
    const { admin, ana, plans, plan } = await aFolderOfPlans()
    const { ticket, fetched } = await open(await link(ana, plans.id))
    await admin.put(`/sfs/item/${plans.id}/hold`, { isOnHold: true })
    expect((await fetched((await ticket(plan.id)).body.path)).bytes.equals(PDF)).toBe(true)
  })

  test('leaves a record of each use with address and program, in the history and the audit log', async () => {
    const { admin, ana, plans, plan } = await aFolderOfPlans()
    const issued = await link(ana, plans.id)
    await tryOpen({ ...issued, passcode: 'another one' })
    const { ticket, fetched } = await open(issued, 'Bo of the brigade')
    await fetched((await ticket(plan.id)).body.path)
    await ana.delete(`/sfs/links/${issued.id}`)
    expect(await verbs(ana, plans.id)).toEqual([
      'added',
      'link made',
      'link passcode refused',
      'link opened',
      'link withdrawn',
    ])
    const events = (await admin.get(`/sfs/item/${plan.id}/events`)).body
    expect(events[0]).toMatchObject({
      what: 'Downloaded',
      actorName: 'By link (Bo of the brigade, unverified)',
      address: '127.0.0.1',
      userAgent: 'Visitor/1.0',
    })
    const log = (await admin.get('/useradmin/auditLog?range=[0,9]')).body
    const downloaded = log.find(({ verb }: { verb: string }) => verb === 'downloaded')
    expect(downloaded.actor).toMatchObject({ kind: 'link', name: 'By link (Bo of the brigade, unverified)' })
    expect(downloaded.changes).toContainEqual(expect.objectContaining({ field: 'address', to: '127.0.0.1' }))
    // Neither the token nor the passcode is written down.
    const written = await inside(ana.organisation, (db) =>
      db.selectFrom('events').select(['actor', 'changes']).execute(),
    )
    for (const one of [issued.token.slice(-43), issued.passcode])
      expect(JSON.stringify(written)).not.toContain(one)
  })
})

describe('a passcode', () => {
  test('that is wrong is refused, counted and locked out, whatever the next one is', async () => {
    const { ana, plans } = await aFolderOfPlans()
    const issued = await link(ana, plans.id, { passcode: 'long enough' })
    const wrong = { ...issued, passcode: 'not this one' }
    expect(await tryOpen(wrong)).toMatchObject({
      status: 400,
      body: { fields: { passcode: WRONG_PASSCODE } },
    })
    for (let n = 0; n < 4; n += 1) await tryOpen(wrong)
    expect(await tryOpen(issued)).toMatchObject({
      status: 429,
      body: { msUntilNextAttempt: expect.any(Number) },
    })
    at(2 * MINUTE)
    expect((await tryOpen(issued)).status).toBe(201)
    expect((await listed(ana))[0]!.openings).toBe(1)
  })

  test('has eight characters or more', async () => {
    const { ana, plans } = await aFolderOfPlans()
    expect(await tryLink(ana, plans.id, { passcode: ' 1234567 ' })).toMatchObject({
      status: 400,
      body: { fields: { passcode: PASSCODE_TOO_SHORT } },
    })
  })
})

describe('a link ends', () => {
  /** Ways in which a link ends while somebody visits it. */
  const ENDS: readonly [how: string, end: (world: Awaited<ReturnType<typeof aFolderOfPlans>>) => unknown][] =
    [
      [
        'when an administrator archives its maker',
        ({ admin, ana }) => admin.delete(`/useradmin/user/${ana.uuid}`),
      ],
      [
        'when its maker is banned',
        ({ organisation, ana }) => inside(organisation, (db) => banUser(db, ana.uuid)),
      ],
      ['when the folder is deleted', ({ ana, plans }) => ana.delete(`/sfs/${plans.id}`)],
      [
        'when the folder is moved to where its maker cannot go',
        async ({ admin, plans }) => {
          const closed = await folder(admin, 'Closed', { folderType: 'ADMIN' })
          return admin.post('/sfs/move', { ids: [plans.id], parentFolderId: closed.id })
        },
      ],
      [
        'when links are switched off',
        ({ organisation }) =>
          inside(organisation, (db) =>
            changeItem(db, { databaseKey: 'fileLinksEnabled', valueJson: 'false' }, () => true),
          ),
      ],
      [
        'when the organisation is suspended',
        async ({ organisation }) => (await signedInAsStaff()).post(`/enterprise/${organisation.id}/suspend`),
      ],
      ['when its time is over', () => at(3 * DAY + MINUTE)],
    ]
  test.each(ENDS)('%s', async (_, end) => {
    const world = await aFolderOfPlans()
    const issued = await link(world.ana, world.plans.id)
    const { items, ticket, fetched } = await open(issued)
    const { path } = (await ticket(world.plan.id)).body
    expect((await items()).status).toBe(200)
    await end(world)
    expect(await tryOpen(issued)).toMatchObject(gone)
    expect(await send('POST', '/sfs/link', { body: { token: issued.token } })).toMatchObject(gone)
    expect([401, 404]).toContain((await items()).status)
    expect((await fetched(path)).status).toBe(404)
  })

  test('when it is withdrawn: by its maker or an administrator, and by nobody else', async () => {
    const { admin, ana, bo, plans } = await aFolderOfPlans()
    const [one, two] = [await link(ana, plans.id), await link(ana, plans.id)]
    expect((await bo.delete(`/sfs/links/${one.id}`)).status).toBe(404)
    expect(await listed(bo)).toEqual([])
    expect((await listed(ana, { itemId: plans.id })).map(({ id }) => id)).toEqual([two.id, one.id])
    expect((await ana.delete(`/sfs/links/${one.id}`)).status).toBe(204)
    expect((await admin.delete(`/sfs/links/${two.id}`)).status).toBe(204)
    expect((await admin.delete(`/sfs/links/${two.id}`)).status).toBe(204)
    for (const issued of [one, two]) expect(await tryOpen(issued)).toMatchObject(gone)
    expect((await listed(admin)).map(({ state }) => state)).toEqual(['WITHDRAWN', 'WITHDRAWN'])
    expect(await verbs(ana, plans.id)).toEqual([
      'added',
      'link made',
      'link made',
      'link withdrawn',
      'link withdrawn',
    ])
  })

  test('for good where its maker was banned or its folder deleted', async () => {
    const { organisation, ana, plans } = await aFolderOfPlans()
    const issued = await link(ana, plans.id)
    await ana.delete(`/sfs/${plans.id}`)
    await ana.post(`/sfs/trash/${plans.id}/restore`)
    expect(await tryOpen(issued)).toMatchObject(gone)
    const again = await link(ana, plans.id)
    await inside(organisation, (db) => banUser(db, ana.uuid))
    await inside(organisation, (db) => unbanUser(db, ana.uuid))
    expect(await tryOpen(again)).toMatchObject(gone)
  })

  test('for a file that is moved out of the linked folder', async () => {
    const { ana, plans, plan } = await aFolderOfPlans()
    const { ticket, fetched } = await open(await link(ana, plans.id))
    const { path } = (await ticket(plan.id)).body
    await ana.post('/sfs/move', { ids: [plan.id], parentFolderId: 0 })
    expect((await fetched(path)).status).toBe(404)
    expect((await ticket(plan.id)).status).toBe(404)
  })
})

describe('a link is made', () => {
  test('only where the organisation has links, and for no longer than it allows', async () => {
    const off = await aFolderOfPlans({ fileLinksEnabled: false })
    expect(await tryLink(off.ana, off.plans.id)).toMatchObject({ status: 403, body: { message: LINKS_OFF } })
    const { ana, plans } = await aFolderOfPlans({ fileLinkMaxDays: 2 })
    expect(await tryLink(ana, plans.id)).toMatchObject({
      status: 400,
      body: { fields: { days: tooManyDays(2) } },
    })
    expect((await tryLink(ana, plans.id, { days: 2 })).status).toBe(201)
    expect((await tryLink(ana, plans.id, { days: 0 })).status).toBe(400)
    expect((await tryLink(ana, 0)).status).toBe(400)
  })

  test('for a restricted folder by those who may change who opens it', async () => {
    const { admin, ana, bo } = await aWorld()
    const crew = await group(admin, 'Crew', [ana, bo])
    const ours = await folder(ana, 'Ours', { folderType: 'PRIVATE', groupIds: [crew] })
    const inner = (await upload(bo, PDF, 'plan.pdf', { parentFolderId: ours.id })).body
    const closed = await folder(admin, 'Closed', { folderType: 'ADMIN' })
    expect(await tryLink(bo, inner.id)).toMatchObject({ status: 403, body: { message: LINK_NOT_YOURS } })
    expect((await tryLink(ana, inner.id)).status).toBe(201)
    expect((await tryLink(admin, closed.id)).status).toBe(201)
    expect((await tryLink(ana, closed.id)).status).toBe(404)
    // A link that was made before the folder was restricted ends with it.
    const plain = await folder(ana, 'Plain')
    const theirs = await link(bo, plain.id)
    await ana.patch(`/sfs/${plain.id}`, { folderType: 'PRIVATE', groupIds: [crew] })
    expect(await tryOpen(theirs)).toMatchObject(gone)
  })

  test('for taking in files by those who may change the folder', async () => {
    const { ana, bo, plans, plan } = await aFolderOfPlans()
    expect(await tryLink(bo, plans.id, { direction: 'UP' })).toMatchObject({
      status: 403,
      body: { message: UP_NEEDS_OWN_FOLDER },
    })
    expect(await tryLink(ana, plan.id, { direction: 'UP' })).toMatchObject({
      status: 400,
      body: { fields: { direction: UP_NEEDS_FOLDER } },
    })
  })

  test('with the second factor that secure files ask for', async () => {
    const { ana } = await aWorld({ sfs2fa: true })
    await verify(ana)
    const plans = await folder(ana, 'Plans')
    const issued = await link(ana, plans.id)
    await verify(ana, Date.now() - MINUTE)
    expect((await tryLink(ana, plans.id)).body).toMatchObject({ code: 'verification_required' })
    expect((await tryOpen(issued)).status).toBe(201)
  })
})

describe('a link that takes files in', () => {
  async function aDropBox(config: Parameters<typeof anOrganisation>[0] = {}) {
    const world = await aFolderOfPlans(config)
    const issued = await link(world.ana, world.plans.id, { direction: 'UP' })
    const box = await open(issued, 'Bo')
    return { ...world, issued, box }
  }

  test('adds files beside those that are there, and shows each visitor their own', async () => {
    const { ana, admin, plans, plan, issued, box } = await aDropBox()
    expect(await tryOpen(issued)).toMatchObject({
      status: 400,
      body: { fields: { visitor: VISITOR_REQUIRED } },
    })
    expect(await box.upload('plan.pdf', PDF)).toMatchObject({ status: 201, body: { name: 'plan.pdf' } })
    expect((await names(ana, plans.id)).toSorted()).toEqual(['Maps', 'plan', 'plan (2)'])
    const items = (await ana.get(`/sfs/folder/${plans.id}`)).body as { id: number; name: string }[]
    const added = items.find(({ name }) => name === 'plan (2)')!
    expect(added).toMatchObject({
      createdBy: 'By link (Bo, unverified)',
      createdByName: 'By link (Bo, unverified)',
      isEditable: false,
    })
    const other = await open(issued, 'Cy')
    await other.upload('Été.png', PNG)
    expect((await box.uploads()).body.map(({ name }) => name)).toEqual(['plan.pdf'])
    expect((await other.uploads()).body.map(({ name }) => name)).toEqual(['Été.png'])
    // It hands out nothing, neither what was there nor what was sent.
    expect((await box.items()).status).toBe(404)
    for (const { id } of [plan, added]) expect((await box.ticket(id)).status).toBe(404)
    const events = (await admin.get(`/sfs/item/${added.id}/events`)).body
    expect(events).toMatchObject([
      { what: 'Added', actorName: 'By link (Bo, unverified)', address: '127.0.0.1' },
    ])
  })

  test('takes a file once that is sent again after a lost answer', async () => {
    const { ana, plans, box } = await aDropBox()
    const [one, two] = await Promise.all([box.upload('a.pdf', PDF), box.upload('a.pdf', PDF)])
    expect([one.status, two.status, (await box.upload('a.pdf', PDF)).status]).toEqual([201, 201, 201])
    expect((await names(ana, plans.id)).toSorted()).toEqual(['Maps', 'a', 'plan'])
    expect((await box.uploads()).body).toHaveLength(1)
  })

  test('checks files as every upload does', async () => {
    const { box, ana, plans } = await aDropBox({ maxFileSize: 1, fileQuotaMegabytes: 1 })
    const refused = async (name: string, bytes: Buffer) => {
      const { status, body } = await box.upload(name, bytes)
      return [status, body.message]
    }
    expect(await refused('tool.exe', EXE)).toEqual([415, FORMAT_NOT_SUPPORTED])
    expect(await refused('tool.pdf', EXE)).toEqual([415, FORMAT_NOT_SUPPORTED])
    expect(await refused('nothing.pdf', Buffer.alloc(0))).toEqual([400, FILE_EMPTY])
    expect((await box.upload('large.txt', Buffer.alloc(1024 * 1024 + 1, 'x'))).status).toBe(413)
    expect(await refused('whole.txt', Buffer.alloc(1024 * 1024, 'x'))).toEqual([409, NO_ROOM_FOR_FILE])
    expect((await box.upload('', PDF)).status).toBe(400)
    expect((await box.upload('../../up.pdf', PDF)).body.name).toBe('up.pdf')
    expect((await names(ana, plans.id)).toSorted()).toEqual(['Maps', 'plan', 'up'])
    expect(
      await inside(ana.organisation, (db) => db.selectFrom('blobs').select('id').execute()),
    ).toHaveLength(3)
  })

  test('takes nothing into a folder on legal hold', async () => {
    const { admin, plans, box } = await aDropBox()
    await admin.put(`/sfs/item/${plans.id}/hold`, { isOnHold: true })
    expect(await box.upload('a.pdf', PDF)).toMatchObject({ status: 409, body: { message: ON_LEGAL_HOLD } })
  })

  test('takes sixty files a minute', async () => {
    const { box } = await aDropBox()
    const sent = []
    for (let n = 0; n < 61; n += 1) sent.push((await box.upload(`${n}.txt`, `file ${n}`)).status)
    expect(sent.filter((status) => status === 201)).toHaveLength(60)
    expect(sent.at(-1)).toBe(429)
  })
})

describe('tokens that are none', () => {
  const HOSTILE = ['', 'fl_', 'x'.repeat(200), "fl_' or 1=1", `fl_${'A'.repeat(22)}_${'A'.repeat(43)}`]
  test.each(HOSTILE)('“%s” opens nothing', async (token) => {
    expect(await send('POST', '/sfs/link', { body: { token } })).toMatchObject(gone)
    expect(await tryOpen({ token, passcode: 'whatever it is' })).toMatchObject(gone)
    const { items, ticket, fetched, uploads, upload: sendFile } = visited(token || 'none')
    expect((await items()).status).toBe(401)
    expect((await ticket(1)).status).toBe(401)
    expect((await uploads()).status).toBe(401)
    expect((await sendFile('a.pdf', PDF)).status).toBe(401)
    expect((await fetched(`/sfs/link/content/${encodeURIComponent(token || 'none')}`)).status).toBe(404)
  })

  test('of one organisation say nothing in another, and those of links, visits and tickets are three', async () => {
    const { ana, plans, plan } = await aFolderOfPlans()
    const other = await aFolderOfPlans()
    const issued = await link(ana, plans.id)
    const random = issued.token.slice(-43)
    const moved = sealToken('fl', other.organisation.id, random).token
    expect(await tryOpen({ ...issued, token: moved })).toMatchObject(gone)
    const { state, ticket } = await open(issued)
    expect((await visited(issued.token).items()).status).toBe(401)
    expect(await tryOpen({ ...issued, token: state.visit })).toMatchObject(gone)
    const { path } = (await ticket(plan.id)).body
    // A ticket of a visit is none of a session, and the other way round.
    const bare = path.split('/').at(-1)
    expect((await ana.get(`/sfs/content/${bare}`)).status).toBe(404)
    const own = (await ana.post(`/sfs/item/${plan.id}/download`, {})).body.path.split('/').at(-1)
    expect((await send('GET', `/sfs/link/content/${own}`)).status).toBe(404)
    expect((await other.admin.delete(`/sfs/links/${issued.id}`)).status).toBe(404)
    expect((await tryLink(other.admin, plans.id)).status).toBe(404)
  })

  test('are not looked for: an address may look sixty times a minute', async () => {
    const statuses = []
    for (let n = 0; n < 61; n += 1)
      statuses.push((await send('POST', '/sfs/link', { body: { token: `fl_${n}` } })).status)
    expect(statuses.at(-1)).toBe(429)
  })
})
