import { describe, expect, test } from 'vitest'

import type { OpenedPlaybook } from '#contract/playbooks/schema.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const { anOrganisation, signedInAs } = muster

const PLAYBOOK = '/playbook/template'
const PLAYBOOKS = '/playbook/templates'
const HEADING = { type: 'HEADING', title: 'First hour' }
const TASK = { title: 'Close the valve', description: 'The red one, behind pump 3.' }
const aTeam = async (config: Parameters<typeof anOrganisation>[0] = {}) => {
  const org = await anOrganisation({ playbookMaxTemplates: 20, ...config })
  return { org, planner: await signedInAs(org, 'PLAYBOOK_MANAGER'), user: await signedInAs(org) }
}
async function made(planner: Caller, given: object = {}): Promise<OpenedPlaybook> {
  const { status, body } = await planner.post(PLAYBOOK, {
    name: 'Flood',
    activities: [HEADING, TASK],
    ...given,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

describe('a playbook', () => {
  test('keeps its headings and tasks in their order', async () => {
    const { planner, user } = await aTeam()
    const playbook = await made(planner, { description: 'Water in the hall.' })
    expect(playbook).toMatchObject({
      name: 'Flood',
      categoryId: null,
      description: 'Water in the hall.',
      attachmentsFolderId: playbook.id,
      activitiesCount: 2,
      createdBy: planner.email,
      updatedBy: planner.email,
      owner: null,
      reviewDate: null,
      sharedBy: null,
      version: 1,
      activities: [
        { ...HEADING, description: '', index: 0 },
        { ...TASK, type: 'TASK', priority: 'MEDIUM', idealTitleToExecute: null, index: 1 },
      ],
      people: [{ email: planner.email }],
    })
    expect((await user.get(`${PLAYBOOK}/${playbook.id}`)).body).toEqual(playbook)
    const { people: _, ...listed } = playbook
    expect((await user.get(PLAYBOOKS)).body).toEqual([listed])
  })

  test('counts its saves, and an equal one is none', async () => {
    const { planner } = await aTeam()
    const { id, activities, name } = await made(planner)
    const put = (body: object) => planner.put(`${PLAYBOOK}/${id}`, { name, activities, ...body })
    expect((await put({ version: 1 })).body.version).toBe(1)
    const turned = [activities[1], activities[0]]
    const { body } = await put({ version: 1, activities: turned })
    expect(body).toMatchObject({
      version: 2,
      activities: [{ id: activities[1]!.id }, { id: activities[0]!.id }],
    })
    const late = await put({ version: 1, name: 'Fire' })
    expect([late.status, late.body.code]).toEqual([409, 'stale'])
    expect((await planner.post(`${PLAYBOOK}/${id}/versions/1/restore`, { version: 2 })).body).toMatchObject({
      version: 3,
      activities,
    })
    expect((await planner.get(`${PLAYBOOK}/${id}/versions`)).body).toMatchObject([
      { version: 3, restoredFrom: 1, savedBy: planner.email },
      { version: 2, restoredFrom: null },
      { version: 1, restoredFrom: null },
    ])
  })
})
