import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { UPLOADS_A_MINUTE } from '#contract/attachments/schema.ts'
import type { Activity } from '#contract/incidents/schema.ts'
import { clock, MINUTE } from '#server/kit/core/clock.ts'
import { filesFor, formWith, sha256 } from '#tests/support/attachments.ts'
import { ageDeletions, dropDeletions } from '#tests/support/deletions.ts'
import { DOCX, EXE, JPEG, PDF, PNG, zipOf } from '#tests/support/files.ts'
import { added, again, declared, resolve, TASK, UPDATE } from '#tests/support/incidents.ts'
import { aHeic } from '#tests/support/samples.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const { anOrganisation, signedInAs, send, services, inside, dataDir } = muster
const { upload, download, listed } = filesFor(muster)

const NOT_SUPPORTED = 'Sorry, this file format is not supported.'
/** Number of files on the disk, finished or not. */
const onDisk = async (): Promise<number> =>
  (await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true }).catch(() => [])).filter(
    (entry) => entry.isFile(),
  ).length
const blobRows = (who: Caller) =>
  inside(who.organisation, (db) => db.selectFrom('blobs').select(['id', 'sha256']).execute())

async function anIncident(config: Parameters<typeof anOrganisation>[0] = {}) {
  const organisation = await anOrganisation({ multiIncident: true, ...config })
  const ana = await signedInAs(organisation)
  return { organisation, ana, incident: await declared(ana) }
}

describe('a file', () => {
  test('comes back as it was, with what it is', async () => {
    const { ana, incident } = await anIncident()
    const bytes = Buffer.concat([PDF, randomBytes(700_000)])
    const { status, body } = await upload(ana, incident.id, bytes, 'Évacuation “B” – 避難.v2.PDF')
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Évacuation “B” – 避難.v2',
      extension: 'PDF',
      type: 'application/pdf',
      size: bytes.length,
      sha256: sha256(bytes),
      createdBy: ana.email,
      createdByName: expect.stringMatching(/^Ana Person/),
      lastUpdated: expect.any(String),
      parentType: 'INCIDENT',
      parentId: incident.id,
    })
    expect(await listed(ana, incident.id)).toEqual([body])

    const file = await download(ana, body.id)
    expect(file.bytes.equals(bytes)).toBe(true)
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'content-disposition': expect.stringMatching(/^attachment; .*filename\*=UTF-8''%C3%89vacuation/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    })
    expect(file.headers.get('content-encoding')).toBeNull()
  })

  test('is shown as WebP where browsers do not show its format, and comes back as it was', async () => {
    const { ana, incident } = await anIncident({ allowedFileExtensions: ['heic', 'pdf'] })
    const photo = (await upload(ana, incident.id, aHeic(), 'photo.heic')).body
    const shown = await download(ana, `${photo.id}?shown=true`)
    expect([shown.status, shown.bytes.toString('latin1', 8, 12)]).toEqual([200, 'WEBP'])
    expect((await download(ana, photo.id)).bytes.equals(aHeic())).toBe(true)
    const cut = (await upload(ana, incident.id, aHeic().subarray(0, 300), 'cut.heic')).body
    expect((await download(ana, `${cut.id}?shown=true`)).status).toBe(415)
    const plan = (await upload(ana, incident.id, PDF, 'plan.pdf')).body
    expect((await download(ana, `${plan.id}?shown=true`)).bytes.equals(PDF)).toBe(true)
  })

  test.each([1, 65_535, 65_536, 65_537, 3_000_001])('of %i bytes is whole', async (size) => {
    const { ana, incident } = await anIncident()
    const bytes = Buffer.alloc(size, 'Müster ')
    const { body } = await upload(ana, incident.id, bytes, 'log.txt')
    expect(body).toMatchObject({ size, sha256: sha256(bytes), type: 'text/plain' })
    expect((await download(ana, body.id)).bytes.equals(bytes)).toBe(true)
  })

  test('can name what it belongs to in the form', async () => {
    const { ana, incident } = await anIncident()
    const task = await added(ana, incident)
    const raw = formWith(PNG, 'photo.png', { parentType: 'ACTIVITY', parentId: task.id })
    const { status, body } = await send('POST', '/fa', { headers: ana.headers, raw })
    expect([status, body.parentType, body.parentId]).toEqual([201, 'ACTIVITY', task.id])
    for (const fields of [{}, { parentType: 'INCIDENT' }, { parentType: 'PERSON', parentId: incident.id }]) {
      const wrong = await send('POST', '/fa', {
        headers: ana.headers,
        raw: formWith(PNG, 'photo.png', fields as Record<string, string>),
      })
      expect(wrong.status).toBe(400)
    }
    expect(await listed(ana, incident.id)).toHaveLength(1)
    expect(await blobRows(ana)).toHaveLength(1)
  })

  test('is shown with the incident, wherever in it it is', async () => {
    const { ana, incident } = await anIncident()
    const task = await added(ana, incident)
    const plan = (await upload(ana, incident.id, PDF, 'plan.pdf')).body
    const photo = (await upload(ana, task.id, JPEG, 'photo.jpg', 'ACTIVITY')).body
    const names = [
      { id: plan.id, name: 'plan', extension: 'pdf' },
      { id: photo.id, name: 'photo', extension: 'jpg' },
    ]
    const whole = await again(ana, incident)
    expect(whole).toMatchObject({ attachments: names, attachmentsFolderId: incident.id })
    expect(whole.activities[0]!.attachedFileIds).toEqual([photo.id])
    expect((await listed(ana, incident.id)).map(({ id }) => id)).toEqual([plan.id, photo.id])
    expect((await listed(ana, task.id, 'ACTIVITY')).map(({ id }) => id)).toEqual([photo.id])

    const list = (query: string) => ana.get(`/incident?page=0&size=20${query}`)
    expect((await list('')).body.data[0]).not.toHaveProperty('attachments')
    const everything = await list('&populateActivitiesAndCheckInsAndTargetedUsers=true')
    expect(everything.body.data[0]).toMatchObject({ attachments: names })
    expect(everything.body.data[0].activities[0].attachedFileIds).toEqual([photo.id])
  })

  test('has a name without a path, and nothing invisible in it', async () => {
    const { ana, incident } = await anIncident()
    for (const [given, name, extension] of [
      ['../../etc/passwd.txt', 'passwd', 'txt'],
      ['C:\\Users\\ana\\notes.txt', 'notes', 'txt'],
      ['report\u202etxt.txt', 'reporttxt', 'txt'],
      ['a\u0000b\u0007.txt', 'ab', 'txt'],
      [`${'n'.repeat(300)}.txt`, 'n'.repeat(251), 'txt'],
      ['42.zip.txt', '42.zip', 'txt'],
      ['a"; filename="b.txt', expect.any(String), 'txt'],
    ] as const) {
      const { status, body } = await upload(ana, incident.id, 'words', given)
      expect([status, body.name, body.extension], given).toEqual([201, name, extension])
      const { headers } = await download(ana, body.id)
      expect(headers.get('content-disposition')).toMatch(
        /^attachment; filename="[^"\\]*"; filename\*=UTF-8''/,
      )
    }
  })
})

test('a name that is too long ends between two characters', async () => {
  const { ana, incident } = await anIncident()
  for (const character of ['😀', '👩‍🚒', 'e\u0301\u0302', '漢']) {
    const { status, body } = await upload(ana, incident.id, 'words', `a${character.repeat(300)}.txt`)
    expect(status).toBe(201)
    expect(body.name.slice(1).replaceAll(character.normalize('NFC'), '')).toBe('')
  }
})

describe('what is refused leaves nothing behind', () => {
  test.each<[string, Buffer | string, string, number, string]>([
    ['a program', EXE, 'tool.exe', 415, NOT_SUPPORTED],
    ['a program that is called a PDF', EXE, 'invoice.pdf', 415, NOT_SUPPORTED],
    ['one whose name hides its end', EXE, 'invoice\u202efdp.exe', 415, NOT_SUPPORTED],
    ['a zip that is called a document', zipOf({ 'a.exe': 'MZ' }), 'letter.docx', 415, NOT_SUPPORTED],
    ['a document that is called an old one', DOCX, 'letter.doc', 415, NOT_SUPPORTED],
    ['a zip bomb by its name', zipOf({ bomb: '0' }), '42.zip', 415, NOT_SUPPORTED],
    ['a page', '<script>alert(1)</script>', 'page.html', 415, NOT_SUPPORTED],
    ['a name without an extension', 'words', 'README', 415, NOT_SUPPORTED],
    ['nothing but an extension', PDF, '.pdf', 415, NOT_SUPPORTED],
    ['an empty file', '', 'empty.txt', 400, 'Sorry, this file is empty.'],
    [
      'too large a file',
      Buffer.alloc(1_048_577, 'x'),
      'large.txt',
      413,
      'Sorry, this file exceeds the maximum size of 1 MB.',
    ],
  ])('%s', async (_, bytes, name, status, message) => {
    const { ana, incident } = await anIncident({ maxFileSize: 1 })
    const before = await onDisk()
    expect(await upload(ana, incident.id, bytes, name)).toMatchObject({ status, body: { message } })
    expect(await listed(ana, incident.id)).toEqual([])
    await expect.poll(onDisk).toBe(before)
  })

  test('a form without a file', async () => {
    const { ana, incident } = await anIncident()
    const raw = new FormData()
    raw.append('file', 'only words')
    const reply = await send('POST', `/fa/INCIDENT/${incident.id}`, { headers: ana.headers, raw })
    expect(reply).toMatchObject({ status: 400, body: { message: 'Please choose a file.' } })
  })

  test('what the organisation does not take, in whatever case it is written', async () => {
    const { ana, incident } = await anIncident({ allowedFileExtensions: ['pdf', '.Csv'] })
    expect((await upload(ana, incident.id, PDF, 'plan.PDF')).status).toBe(201)
    expect((await upload(ana, incident.id, 'a;b', 'list.CSV')).status).toBe(201)
    expect((await upload(ana, incident.id, PNG, 'photo.png')).status).toBe(415)
  })

  test('a file for which there is no room', async () => {
    const { ana, incident } = await anIncident({ fileQuotaMegabytes: 1 })
    const half = Buffer.alloc(600_000, 'x')
    const replies = await Promise.all([1, 2, 3].map(() => upload(ana, incident.id, half, 'half.txt')))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(2)
    const full = replies.find(({ status }) => status === 409)!
    expect(full.body.message).toMatch(/no room left/)
    const [kept] = await listed(ana, incident.id)
    await ana.delete(`/fa/${kept!.id}`)
    expect((await upload(ana, incident.id, half, 'half.txt')).status).toBe(201)
  })

  test('a file of something that is not there, or not yet', async () => {
    const { ana, organisation } = await anIncident()
    const admin = await signedInAs(organisation, 'ADMIN')
    const before = await onDisk()
    const nobody = crypto.randomUUID()
    for (const type of ['INCIDENT', 'ACTIVITY', 'PLAYBOOK'] as const) {
      expect((await upload(admin, nobody, PDF, 'plan.pdf', type)).status).toBe(404)
      expect((await ana.get(`/fa/${type}/${nobody}`)).status).toBe(404)
    }
    await expect.poll(onDisk).toBe(before)
  })

  test('a file whose record could not be written', async () => {
    const { ana, incident } = await anIncident()
    const before = await onDisk()
    const { pool } = services.database
    await pool.query(`alter table attachments add constraint broken check (name <> 'broken')`)
    try {
      expect((await upload(ana, incident.id, PDF, 'broken.pdf')).status).toBe(500)
    } finally {
      await pool.query('alter table attachments drop constraint broken')
    }
    expect(await blobRows(ana)).toEqual([])
    await expect.poll(onDisk).toBe(before)
  })

  test('more than anybody adds in a minute, refused ones included', async () => {
    const { ana, incident } = await anIncident()
    const ben = await signedInAs(ana.organisation)
    for (let n = 0; n < UPLOADS_A_MINUTE; n += 1)
      expect((await upload(ana, incident.id, 'x', n % 2 ? 'note.txt' : 'note.exe')).status).not.toBe(429)
    const { status, body, headers } = await upload(ana, incident.id, 'x', 'note.txt')
    expect(status).toBe(429)
    expect(body.msUntilNextAttempt).toBeGreaterThan(0)
    expect(body.msUntilNextAttempt).toBeLessThanOrEqual(MINUTE)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await upload(ben, incident.id, 'x', 'note.txt')).status).toBe(201)
    const { now } = clock
    clock.now = () => now() + MINUTE
    try {
      expect((await upload(ana, incident.id, 'x', 'note.txt')).status).toBe(201)
    } finally {
      clock.now = now
    }
  })
})

describe('who may', () => {
  test('see: whoever sees the incident, and external people only what targets them', async () => {
    const { organisation, ana, incident: open } = await anIncident()
    const guest = await signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
    const board = await signedInAs(organisation, 'BUSINESS_USER')
    const targeted = await declared(ana, { targetedUsers: [guest.email] })
    const [theirs, hidden] = [
      (await upload(ana, targeted.id, PDF)).body,
      (await upload(ana, open.id, PDF)).body,
    ]
    expect((await download(board, hidden.id)).bytes.equals(PDF)).toBe(true)
    expect((await download(guest, theirs.id)).bytes.equals(PDF)).toBe(true)
    expect(await listed(guest, targeted.id)).toHaveLength(1)
    expect((await guest.get(`/fa/INCIDENT/${open.id}`)).status).toBe(404)
    expect((await download(guest, hidden.id)).status).toBe(404)
    for (const who of [guest, board]) {
      expect((await upload(who, targeted.id, PDF)).status).toBe(403)
      expect((await who.delete(`/fa/${theirs.id}`)).status).toBe(403)
    }
  })

  test('reach nothing of another organisation', async () => {
    const { ana, incident } = await anIncident()
    const { ana: eve, incident: own } = await anIncident()
    const { id } = (await upload(ana, incident.id, PDF)).body
    expect((await upload(eve, incident.id, PDF)).status).toBe(404)
    expect((await eve.get(`/fa/INCIDENT/${incident.id}`)).status).toBe(404)
    expect((await download(eve, id)).status).toBe(404)
    expect((await eve.delete(`/fa/${id}`)).status).toBe(404)
    const task = { ...TASK, attachedFileIds: [id] }
    const refused = await eve.post(`/incident/${own.id}/activity`, task)
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ['attachedFileIds.0']])
    const copy = { title: 'Copy', fullText: '<p>x</p>', attachmentsFolderIdForDuplication: incident.id }
    expect((await eve.post('/incident', copy)).status).toBe(404)
    expect(await listed(ana, incident.id)).toHaveLength(1)
  })

  test('delete: who added it, who declared the incident, an administrator, a key', async () => {
    const { organisation, ana, incident } = await anIncident()
    const [ben, cyd] = [await signedInAs(organisation), await signedInAs(organisation)]
    const admin = await signedInAs(organisation, 'ADMIN')
    const { key } = (await admin.post('/apiManagement/credentials', { name: 'Sensor' })).body
    const before = await onDisk()
    const fresh = async () => (await upload(ben, incident.id, PDF)).body.id as string
    const asKey = { headers: { 'X-Api-Key': key as string } }
    const id = await fresh()
    const refused = await cyd.delete(`/fa/${id}`)
    expect(refused).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/^Only the person/) },
    })
    expect((await ben.delete(`/fa/${id}`)).status).toBe(204)
    expect((await ana.delete(`/fa/${await fresh()}`)).status).toBe(204)
    expect((await admin.delete(`/fa/${await fresh()}`)).status).toBe(204)
    expect((await send('DELETE', `/fa/${await fresh()}`, asKey)).status).toBe(204)
    expect((await download(ana, id)).status).toBe(404)
    expect((await ben.delete(`/fa/${id}`)).status).toBe(404)
    expect(await listed(ana, incident.id)).toEqual([])
    await ageDeletions(muster, organisation)
    await dropDeletions(muster)
    await expect.poll(onDisk).toBe(before)

    const raw = formWith(PDF, 'reading.pdf')
    const { body } = await send('POST', `/fa/INCIDENT/${incident.id}`, { ...asKey, raw })
    expect([body.createdBy, body.createdByName]).toEqual(['Sensor', 'Sensor'])
  })

  test('nobody changes the files of a resolved incident, and everybody still reads them', async () => {
    const { organisation, ana, incident } = await anIncident()
    const task = await added(ana, incident)
    const admin = await signedInAs(organisation, 'ADMIN')
    const { id } = (await upload(ana, incident.id, PDF)).body
    await resolve(ana, incident)
    const message = 'This incident is resolved.'
    for (const who of [ana, admin]) {
      expect(await upload(who, incident.id, PDF)).toMatchObject({ status: 409, body: { message } })
      expect(await upload(who, task.id, PDF, 'a.pdf', 'ACTIVITY')).toMatchObject({ status: 409 })
      expect(await who.delete(`/fa/${id}`)).toMatchObject({ status: 409, body: { message } })
    }
    expect(await listed(ana, incident.id)).toHaveLength(1)
    expect((await download(ana, id)).bytes.equals(PDF)).toBe(true)
  })
})

describe('tasks and updates', () => {
  const history = async (who: Caller, id: string) => (await who.get(`/incident/activity/${id}/history`)).body

  test('carry files of their incident', async () => {
    const { ana, incident } = await anIncident()
    const [plan, photo, note] = await Promise.all(
      (
        [
          [PDF, 'plan.pdf'],
          [PNG, 'photo.png'],
          ['words', 'note.txt'],
        ] as const
      ).map(async ([bytes, name]) => (await upload(ana, incident.id, bytes, name)).body.id as string),
    )
    const task = await added(ana, incident, { ...TASK, attachedFileIds: [photo, plan, photo] })
    expect(new Set(task.attachedFileIds)).toEqual(new Set([plan, photo]))
    const own = (await upload(ana, task.id, JPEG, 'own.jpg', 'ACTIVITY')).body.id as string

    const change = (changes: object) => ana.patch(`/incident/activity/${task.id}`, changes)
    const { status, body } = await change({ attachedFileIds: [note] })
    expect([status, new Set(body.attachedFileIds)]).toEqual([200, new Set([note, own])])
    expect(body.version).toBe(task.version + 1)
    const [entry] = await history(ana, task.id)
    expect(entry).toMatchObject({
      fieldName: 'attachedFileIds',
      oldValue: expect.stringContaining('photo.png'),
      newValue: expect.stringContaining('note.txt'),
    })
    expect((await change({ attachedFileIds: [note, own] })).body.version).toBe(body.version)
    expect((await change({ priority: 'HIGH' })).body.attachedFileIds).toHaveLength(2)
    expect((await change({ attachedFileIds: [] })).body.attachedFileIds).toEqual([own])

    const update = await added(ana, incident, { ...UPDATE, attachedFileIds: [plan] })
    const below = { type: 'UPDATE', description: 'See there.', parentActivityId: task.id }
    const child = await added(ana, incident, { ...below, attachedFileIds: [plan, own] })
    expect(child.attachedFileIds).toHaveLength(2)
    const all = (await listed(ana, incident.id)).map(({ id }) => id)
    expect(new Set(all)).toEqual(new Set([plan, photo, note, own]))
    await ana.delete(`/fa/${plan}`)
    const { activities } = await again(ana, incident)
    expect(activities.find(({ id }) => id === update.id)!.attachedFileIds).toEqual([])
    expect(activities.find(({ id }) => id === task.id)!.childActivities[0]!.attachedFileIds).toEqual([own])
  })

  test('carry none of another incident', async () => {
    const { ana, incident } = await anIncident()
    const other = await declared(ana)
    const { id } = (await upload(ana, other.id, PDF)).body
    const task = await added(ana, incident)
    for (const attachedFileIds of [[id], [crypto.randomUUID()]]) {
      const reply = await ana.patch(`/incident/activity/${task.id}`, { attachedFileIds })
      expect([reply.status, reply.body.fields]).toEqual([
        400,
        { 'attachedFileIds.0': 'This file does not exist.' },
      ])
      const first = {
        title: 'New',
        fullText: '<p>x</p>',
        activityCreateRequests: [{ ...TASK, attachedFileIds }],
      }
      const refused = await ana.post('/incident', first)
      expect(Object.keys(refused.body.fields)).toEqual(['activityCreateRequests.0.attachedFileIds.0'])
    }
    expect((await ana.patch(`/incident/activity/${task.id}`, { attachedFileIds: ['x'] })).status).toBe(400)
  })

  test('take their own files with them, and leave those of the incident', async () => {
    const { ana, incident } = await anIncident()
    const before = await onDisk()
    const plan = (await upload(ana, incident.id, PDF)).body.id as string
    const task = await added(ana, incident, { ...TASK, attachedFileIds: [plan] })
    const child: Activity = await added(ana, incident, { ...UPDATE, parentActivityId: task.id })
    await upload(ana, task.id, JPEG, 'task.jpg', 'ACTIVITY')
    await upload(ana, child.id, PNG, 'child.png', 'ACTIVITY')
    expect(await listed(ana, incident.id)).toHaveLength(3)
    expect((await ana.delete(`/incident/activity/${task.id}`)).status).toBe(204)
    expect((await listed(ana, incident.id)).map(({ id }) => id)).toEqual([plan])
    await expect.poll(onDisk).toBe(before + 1)
  })
})

describe('a copy of a set of files', () => {
  test('is a set of its own, and neither loses its bytes with the other', async () => {
    const { ana, incident } = await anIncident()
    const before = await onDisk()
    const plan = (await upload(ana, incident.id, PDF, 'plan.pdf')).body
    const photo = (await upload(ana, incident.id, PNG, 'photo.png')).body
    const copy = await declared(ana, {
      attachmentsFolderIdForDuplication: incident.attachmentsFolderId,
      activityCreateRequests: [{ ...TASK, attachedFileIds: [photo.id] }],
    })
    const copies = await listed(ana, copy.id)
    expect(copies.map(({ name, sha256: hash }) => [name, hash])).toEqual([
      ['plan', plan.sha256],
      ['photo', photo.sha256],
    ])
    expect(copies.map(({ id }) => id)).not.toContain(plan.id)
    expect(copy.activities[0]!.attachedFileIds).toEqual([copies[1]!.id])
    expect(await onDisk()).toBe(before + 2)

    await ana.delete(`/fa/${plan.id}`)
    expect((await download(ana, copies[0]!.id)).bytes.equals(PDF)).toBe(true)
    const twins = await Promise.all([photo.id, copies[1]!.id].map((id) => ana.delete(`/fa/${id}`)))
    expect(twins.map(({ status }) => status)).toEqual([204, 204])
    await ana.delete(`/fa/${copies[0]!.id}`)
    await ageDeletions(muster, ana.organisation)
    await dropDeletions(muster)
    await expect.poll(onDisk).toBe(before)
    expect(await blobRows(ana)).toEqual([])
  })
})

test('of twenty files that are sent at once none is lost', async () => {
  const { ana, incident } = await anIncident()
  const sent = Array.from({ length: 20 }, (_, n) => Buffer.concat([PDF, randomBytes(50_000 + n)]))
  const replies = await Promise.all(sent.map((bytes, n) => upload(ana, incident.id, bytes, `file ${n}.pdf`)))
  expect(replies.map(({ status }) => status)).toEqual(sent.map(() => 201))
  const files = await listed(ana, incident.id)
  expect(files.map(({ sha256: hash }) => hash).toSorted()).toEqual(sent.map(sha256).toSorted())
  for (const { id, sha256: hash } of files) expect(sha256((await download(ana, id)).bytes)).toBe(hash)
})

test('while an incident is being resolved, a file is either in it or refused', async () => {
  const { ana, incident } = await anIncident()
  const [first, ...rest] = await Promise.all([
    resolve(ana, incident),
    ...Array.from({ length: 6 }, () => upload(ana, incident.id, PDF)),
  ])
  expect(first.status).toBe(200)
  const taken = rest.filter(({ status }) => status === 201)
  expect(rest.every(({ status }) => status === 201 || status === 409)).toBe(true)
  expect(await listed(ana, incident.id)).toHaveLength(taken.length)
  expect(await blobRows(ana)).toHaveLength(taken.length)
})

test('what happens to files is in the stream, for whoever may hear of it, and in the report', async () => {
  const { organisation, ana } = await anIncident()
  const guest = await signedInAs(organisation, 'USER', { type: 'EXTERNAL' })
  const incident = await declared(ana, { targetedUsers: [guest.email] })
  const { id } = (await upload(ana, incident.id, PDF, 'plan.pdf')).body
  await ana.delete(`/fa/${id}`)
  await upload(ana, incident.id, PNG, 'photo.png')
  const events = await inside(organisation, (db) =>
    db
      .selectFrom('events')
      .select(['verb', 'record', 'parent', 'changes', 'externals'])
      .where('noun', '=', 'attachments')
      .orderBy('sequence')
      .execute(),
  )
  expect(events.map(({ verb }) => verb)).toEqual(['added', 'removed', 'added'])
  expect(events[1]).toMatchObject({
    record: id,
    parent: incident.id,
    externals: [guest.uuid],
    changes: { name: { from: 'plan', to: null }, sha256: { from: sha256(PDF), to: null } },
  })
  const report = await fetch(`${muster.url}/api/incident/file/${incident.id}?type=PDF`, {
    headers: ana.headers,
  })
  expect(report.status).toBe(200)
  expect(Buffer.from(await report.arrayBuffer()).toString('latin1', 0, 5)).toBe('%PDF-')
})
