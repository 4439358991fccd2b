import { beforeEach, describe, expect, test } from 'vitest'

import type { Activity, Incident } from '#contract/incidents/schema.ts'
import { filesFor } from '#tests/support/attachments.ts'
import { PDF, PNG } from '#tests/support/files.ts'
import { declared, NEW, TASK } from '#tests/support/incidents.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const { anOrganisation, inside, signedInAs } = muster
const { upload, download, listed } = filesFor(muster)

let [planner, user, playbook] = [] as unknown as [Caller, Caller, string]
const TASKS = [{ title: 'Close the valve', description: 'The red one.' }]
const aPlaybook = async (who: Caller): Promise<string> => {
  const { status, body } = await who.post('/playbook/template', { name: 'Flood', activities: TASKS })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}
beforeEach(async () => {
  const organisation = await anOrganisation({ multiIncident: true, fileQuotaMegabytes: 1 })
  planner = await signedInAs(organisation, 'PLAYBOOK_MANAGER')
  user = await signedInAs(organisation)
  playbook = await aPlaybook(planner)
})
const attach = async (bytes: Buffer, name: string) => {
  const { status, body } = await upload(planner, playbook, bytes, name, 'PLAYBOOK')
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

describe('files of a playbook', () => {
  test('are added, listed, fetched and deleted', async () => {
    const plan = await attach(PDF, 'plan.pdf')
    expect(plan).toMatchObject({ parentType: 'PLAYBOOK', parentId: playbook, name: 'plan' })
    expect(await listed(user, playbook, 'PLAYBOOK')).toEqual([plan])
    expect((await download(user, plan.id)).bytes.equals(PDF)).toBe(true)
    expect((await planner.delete(`/fa/${plan.id}`)).status).toBe(204)
    expect(await listed(user, playbook, 'PLAYBOOK')).toEqual([])
    expect((await download(user, plan.id)).status).toBe(404)
    const told = await inside(planner.organisation, (db) =>
      db.selectFrom('events').select(['verb', 'parent']).where('noun', '=', 'attachments').execute(),
    )
    expect(told).toEqual([
      { verb: 'added', parent: playbook },
      { verb: 'removed', parent: playbook },
    ])
  })

  test('are for those who read playbooks, and changed by those who write them', async () => {
    const plan = await attach(PDF, 'plan.pdf')
    const { organisation } = planner
    const [board, guest, admin, stranger] = await Promise.all([
      signedInAs(organisation, 'BUSINESS_USER'),
      signedInAs(organisation, 'USER', { type: 'EXTERNAL' }),
      signedInAs(organisation, 'ADMIN'),
      signedInAs(await anOrganisation(), 'ADMIN'),
    ])
    const statuses = async (who: Caller) => [
      (await who.get(`/fa/PLAYBOOK/${playbook}`)).status,
      (await download(who, plan.id)).status,
      (await upload(who, playbook, PNG, 'photo.png', 'PLAYBOOK')).status,
      (await who.delete(`/fa/${plan.id}`)).status,
    ]
    expect(await statuses(user)).toEqual([200, 200, 403, 403])
    expect(await statuses(board)).toEqual([200, 200, 403, 403])
    // The database hides files of playbooks from external people.
    expect(await statuses(guest)).toEqual([403, 404, 403, 403])
    expect(await statuses(stranger)).toEqual([404, 404, 404, 404])
    expect(await statuses(admin)).toEqual([200, 200, 201, 204])
    expect((await upload(planner, crypto.randomUUID(), PDF, 'plan.pdf', 'PLAYBOOK')).status).toBe(404)
  })
})

describe('an incident that begins with a playbook', () => {
  const begin = (who: Caller, folder: string, tasks: object[] = []): Promise<Incident> =>
    declared(who, { attachmentsFolderIdForDuplication: folder, activityCreateRequests: tasks })

  test('has copies of its files, which its tasks carry', async () => {
    const [plan, photo] = [await attach(PDF, 'plan.pdf'), await attach(PNG, 'photo.png')]
    const incident = await begin(user, playbook, [{ ...TASK, attachedFileIds: [photo.id] }, TASK])
    const copies = await listed(user, incident.id)
    expect(copies.map(({ name }) => name)).toEqual(['plan', 'photo'])
    expect(copies.map(({ id }) => id)).not.toContain(plan.id)
    expect(incident.activities.map(({ attachedFileIds }: Activity) => attachedFileIds)).toEqual([
      [copies[1]!.id],
      [],
    ])

    await planner.delete(`/fa/${plan.id}`)
    expect((await download(user, copies[0]!.id)).bytes.equals(PDF)).toBe(true)
    await user.delete(`/fa/${copies[1]!.id}`)
    expect((await download(user, photo.id)).bytes.equals(PNG)).toBe(true)
    expect(await listed(user, playbook, 'PLAYBOOK')).toHaveLength(1)
    // Another incident starts with the remaining files.
    expect((await begin(user, playbook)).attachments).toHaveLength(1)
    expect((await begin(user, incident.attachmentsFolderId)).attachments).toHaveLength(1)
  })

  test('needs no room for them, and keeps it until the last copy is gone', async () => {
    const large = Buffer.concat([PDF, Buffer.alloc(600_000, '%')])
    const plan = await attach(large, 'plan.pdf')
    const incident = await begin(user, playbook)
    const again = () => upload(user, incident.id, large, 'other.pdf')
    expect((await again()).status).toBe(409)
    await planner.delete(`/fa/${plan.id}`)
    expect((await again()).status).toBe(409)
    await user.delete(`/fa/${incident.attachments[0]!.id}`)
    expect((await again()).status).toBe(201)
  })

  test('is not made with files of a playbook that one may not see', async () => {
    await attach(PDF, 'plan.pdf')
    const stranger = await signedInAs(await anOrganisation(), 'ADMIN')
    for (const folder of [playbook, crypto.randomUUID()]) {
      const reply = await stranger.post('/incident', { ...NEW, attachmentsFolderIdForDuplication: folder })
      expect([reply.status, reply.body.message]).toEqual([404, 'This set of attachments does not exist.'])
    }
    expect((await stranger.get('/incident')).body.total).toBe(0)
  })
})
