import { describe, expect, test } from 'vitest'

import type { Activity } from '#contract/incidents/schema.ts'
import type { OpenedPlaybook } from '#contract/playbooks/schema.ts'
import { added, again, declared, NEW, TASK as DONE_BY_HAND, UPDATE } from '#tests/support/incidents.ts'
import { HEADING, madePlaybook, PLAYBOOK, PLAYBOOKS, TASK } from '#tests/support/playbooks.ts'
import { type Caller, startTestServer } from '#tests/support/server.ts'

const { anOrganisation, signedInAs } = await startTestServer()

const RICH = {
  html: '<p>Ask <strong>Facility</strong> for:</p><ul><li><p>the <em>red</em> key</p></li></ul><pre><code>valve --close</code></pre>',
  text: 'Ask Facility for:\n- the red key\n\nvalve --close',
}
const OTHER = { html: '<p>Call <strong>Ana</strong></p>', text: 'Call Ana' }
const LONG = 'Maximum length of 24000 characters exceeded.'
const LINK = 'rel="noopener noreferrer nofollow" target="_blank"'

const aTeam = async () => {
  const org = await anOrganisation({ playbookMaxTemplates: 20, multiIncident: true })
  return { org, planner: await signedInAs(org, 'PLAYBOOK_MANAGER'), user: await signedInAs(org) }
}
const opened = async (who: Caller, id: string): Promise<OpenedPlaybook> =>
  (await who.get(`${PLAYBOOK}/${id}`)).body
const formatted = { title: TASK.title, formattedDescription: RICH.html }
const save = (who: Caller, { id, name, version }: OpenedPlaybook, activities: object[]) =>
  who.put(`${PLAYBOOK}/${id}`, { name, version, activities })

describe('formatted text of a playbook', () => {
  test('of a task and a heading is kept, has its words as text, and is found by them', async () => {
    const { planner, user } = await aTeam()
    const { id } = await madePlaybook(planner, {
      activities: [{ ...HEADING, formattedDescription: OTHER.html }, formatted, TASK],
    })
    expect((await opened(user, id)).activities).toMatchObject([
      { description: OTHER.text, formattedDescription: OTHER.html },
      { description: RICH.text, formattedDescription: RICH.html },
      { description: TASK.description, formattedDescription: null },
    ])
    const search = `filter=${encodeURIComponent(JSON.stringify({ q: 'facility' }))}`
    expect((await planner.get(`${PLAYBOOKS}?${search}`)).body).toMatchObject([{ id }])
  })

  test.each([
    [
      'what acts',
      '<p onclick="x()"><b>a</b><img src=x onerror=alert(1)></p><script>alert(1)</script>',
      '<p><strong>a</strong>&lt;img src=x onerror=alert(1)&gt;</p><p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
    ],
    ['odd links', '<a href="javascript:alert(1)"><i>a</i></a>', '<p><em>a</em></p>'],
    [
      'attributes of links',
      '<a href="https://example.org" target="_self" onclick="x()">a</a>',
      `<p><a href="https://example.org" ${LINK}>a</a></p>`,
    ],
    ['lines without formatting', '<p>a</p><p>b</p>', null],
  ])('loses %s', async (_, sent, stored) => {
    const { planner } = await aTeam()
    const { activities } = await madePlaybook(planner, {
      activities: [{ title: 'T', formattedDescription: sent }],
    })
    expect(activities[0]!.formattedDescription).toBe(stored)
    expect(activities[0]!.description.length).toBeGreaterThan(0)
  })

  test('is refused where it is too long, also once it is escaped, and where it says nothing', async () => {
    const { planner } = await aTeam()
    const refusedAt = async (formattedDescription: string) => {
      const { status, body } = await planner.post(PLAYBOOK, {
        name: 'Long',
        activities: [HEADING, { title: 'T', formattedDescription }],
      })
      return [status, body.fields]
    }
    const field = 'activities.1.formattedDescription'
    expect(await refusedAt(`<b>${'x'.repeat(24_000)}</b>`)).toEqual([400, { [field]: LONG }])
    expect(await refusedAt(`<b>a</b>${'&'.repeat(20_000)}`)).toEqual([400, { [field]: LONG }])
    expect(await refusedAt('<p><b> </b></p>')).toEqual([
      400,
      { 'activities.1.description': 'Description cannot be empty.' },
    ])
    expect((await planner.get(PLAYBOOKS)).body).toEqual([])
  })

  test('stays where a program sends the same text, and goes where it sends another', async () => {
    const { planner } = await aTeam()
    const playbook = await madePlaybook(planner, { activities: [formatted, { ...formatted, title: 'B' }] })
    const [a, b] = playbook.activities
    const { formattedDescription: _, ...plain } = a!
    const saved = await save(planner, playbook, [plain, { ...b, description: 'Only the text was changed.' }])
    expect(saved.body.activities).toMatchObject([
      { description: RICH.text, formattedDescription: RICH.html },
      { description: 'Only the text was changed.', formattedDescription: null },
    ])
  })

  test('is a difference of a save, of which the version keeps both, and an old save is refused', async () => {
    const { planner } = await aTeam()
    const playbook = await madePlaybook(planner, { activities: [{ ...TASK, description: OTHER.text }] })
    const [task] = playbook.activities
    const second = await save(planner, playbook, [{ ...task, formattedDescription: OTHER.html }])
    expect(second.body).toMatchObject({ version: 2, activities: [{ description: OTHER.text }] })
    const version = async (n: number) =>
      (await planner.get(`${PLAYBOOK}/${playbook.id}/versions/${n}`)).body.content.activities[0]
    expect((await version(1)).formattedDescription).toBeNull()
    expect((await version(2)).formattedDescription).toBe(OTHER.html)
    const stale = await save(planner, playbook, [{ ...task, formattedDescription: RICH.html }])
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
    const restored = await planner.post(`${PLAYBOOK}/${playbook.id}/versions/1/restore`, { version: 2 })
    expect(restored.body.activities[0].formattedDescription).toBeNull()
  })
})

describe('formatted text in an incident', () => {
  test('comes along with the tasks of a playbook and the text of their heading', async () => {
    const { planner, user } = await aTeam()
    const { id: playbookId } = await madePlaybook(planner, {
      activities: [
        { ...HEADING, formattedDescription: OTHER.html },
        { type: 'HEADING', title: 'Inside', description: 'a < b\nc', level: 2 },
        formatted,
        TASK,
      ],
    })
    const incident = await declared(user)
    expect((await user.post(`/incident/${incident.id}/playbook`, { playbookId })).status).toBe(201)
    const section = {
      sectionDescription: `${OTHER.text}\n\na < b\nc`,
      formattedSectionDescription: `${OTHER.html}<p>a &lt; b<br />c</p>`,
    }
    expect((await again(user, incident)).activities).toMatchObject([
      { description: RICH.text, formattedDescription: RICH.html, ...section },
      { description: TASK.description, formattedDescription: null, ...section },
    ])
  })

  test('is sanitised where an incident is declared with it, and refused at its task', async () => {
    const { user } = await aTeam()
    const hostile = '<p><b>a</b><svg onload=alert(1)></p>'
    const task = {
      ...DONE_BY_HAND,
      formattedDescription: hostile,
      formattedSectionDescription: hostile,
      section: 'S',
    }
    const { activities } = await declared(user, { activityCreateRequests: [task] })
    const stored = '<p><strong>a</strong>&lt;svg onload=alert(1)&gt;</p>'
    expect(activities).toMatchObject([
      {
        description: 'a<svg onload=alert(1)>',
        formattedDescription: stored,
        formattedSectionDescription: stored,
      },
    ])
    const long = { ...DONE_BY_HAND, formattedDescription: `<b>a</b>${'&'.repeat(20_000)}` }
    const { status, body } = await user.post('/incident', {
      ...NEW,
      activityCreateRequests: [DONE_BY_HAND, long],
    })
    expect([status, body.fields]).toEqual([400, { 'activityCreateRequests.1.formattedDescription': LONG }])
  })

  test('of a task is changed, kept beside other changes, and dropped by another text', async () => {
    const { user } = await aTeam()
    const incident = await declared(user)
    const task = await added(user, incident, { ...DONE_BY_HAND, formattedDescription: RICH.html })
    const after = async (changes: object): Promise<unknown[]> => {
      const { body } = await user.patch(`/incident/activity/${task.id}`, changes)
      return [body.description, body.formattedDescription]
    }
    const before = [RICH.text, RICH.html]
    expect(await after({ progress: 50 })).toEqual(before)
    expect(await after({ description: RICH.text, title: 'New' })).toEqual(before)
    expect(await after({ formattedDescription: OTHER.html })).toEqual([OTHER.text, OTHER.html])
    expect(await after({ description: 'c', formattedDescription: OTHER.html })).toEqual(['c', null])
    expect(await after({ formattedDescription: RICH.html })).toEqual(before)
    expect(await after({ description: 'd' })).toEqual(['d', null])
    const empty = await user.patch(`/incident/activity/${task.id}`, { formattedDescription: '<p> </p>' })
    expect([empty.status, empty.body.fields]).toEqual([
      400,
      { description: 'Description is a required field.' },
    ])
  })

  test('alone is a change: a version, an entry of the history, and a conflict that names it', async () => {
    const { user } = await aTeam()
    const incident = await declared(user)
    const task = await added(user, incident, { ...DONE_BY_HAND, description: OTHER.text })
    const path = `/incident/activity/${task.id}`
    const { body } = await user.patch(path, { formattedDescription: OTHER.html, version: task.version })
    expect(body.version).toBe(task.version + 1)
    expect((await user.get(`${path}/history`)).body).toMatchObject([{ fieldName: 'formatting' }])
    const stale = await user.patch(path, { formattedDescription: RICH.html, version: task.version })
    expect([stale.status, stale.body.message]).toEqual([
      409,
      expect.stringContaining('formatting of the description'),
    ])
    const same = await user.patch(path, { formattedDescription: OTHER.html })
    expect(same.body.version).toBe(task.version + 1)
  })

  test('is none of an update', async () => {
    const { user } = await aTeam()
    const incident = await declared(user)
    const update: Activity = await added(user, incident, { ...UPDATE, formattedDescription: RICH.html })
    expect(update).toMatchObject({ description: UPDATE.description, formattedDescription: null })
    const { body } = await user.patch(`/incident/activity/${update.id}`, { formattedDescription: RICH.html })
    expect(body).toMatchObject({ description: UPDATE.description, formattedDescription: null })
  })
})
