import { afterEach, describe, expect, test, vi } from 'vitest'

import type { Config } from '#contract/config/catalogue.ts'
import type { PlaybookShare } from '#contract/playbook-shares/schema.ts'
import type { OpenedPlaybook } from '#contract/playbooks/schema.ts'
import { carryOut } from '#server/playbook-shares/copies.flows.ts'
import { filesFor } from '#tests/support/attachments.ts'
import { PDF, PNG } from '#tests/support/files.ts'
import { HEADING, madePlaybook, PLAYBOOK, PLAYBOOKS, TASK } from '#tests/support/playbooks.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'

const muster = await startTestServer()
const { anOrganisation, inside, signedInAs, services } = muster
const { upload, download, listed } = filesFor(muster)
afterEach(() => vi.restoreAllMocks())

const SHARE = '/crossEnterprises/playbook/share'
const CHILDREN = '/crossEnterprises/enterprises'
interface Family {
  readonly parent: Organisation
  readonly planner: Caller
  readonly children: Organisation[]
  readonly theirs: Caller[]
}
/** A parent with children, each of them with a person who reads its playbooks. */
async function aFamily(configs: Partial<Config>[] = [{}]): Promise<Family> {
  const parent = await anOrganisation({ playbooksSharingEnabled: true, playbookMaxTemplates: 50 })
  const children: Organisation[] = []
  for (const config of configs)
    children.push(await anOrganisation({ playbookMaxTemplates: 50, ...config }, { parentId: parent.id }))
  const planner = await signedInAs(parent, 'PLAYBOOK_MANAGER')
  const theirs = await Promise.all(children.map((child) => signedInAs(child, 'PLAYBOOK_MANAGER')))
  return { parent, planner, children, theirs }
}
const share = (planner: Caller, playbooks: { id: string }[], children: { id: string }[]) =>
  planner.post(SHARE, {
    playbookIds: playbooks.map(({ id }) => id),
    childEnterpriseIds: children.map(({ id }) => id),
  })
const playbooksOf = async (who: Caller): Promise<OpenedPlaybook[]> => (await who.get(PLAYBOOKS)).body
const eventsOf = (organisation: Organisation, noun: string) =>
  inside(organisation, (db) =>
    db.selectFrom('events').selectAll().where('noun', '=', noun).orderBy('sequence').execute(),
  )
const settled = (planner: Caller, id: string): Promise<PlaybookShare> =>
  vi.waitFor(
    async () => {
      const { body } = await planner.get(`/crossEnterprises/playbook/shares/${id}`)
      expect(body.state).not.toBe('SHARING')
      return body
    },
    { interval: 100 },
  )

describe('a share', () => {
  test('copies playbooks with their files, and a later change of the parent does not reach them', async () => {
    const { parent, planner, children, theirs } = await aFamily([{}, {}])
    const { id, version, activities } = await madePlaybook(planner)
    const file = (await upload(planner, id, PDF, 'plan.pdf', 'PLAYBOOK')).body
    const items = [activities[0], { ...activities[1], attachedFileIds: [file.id] }]
    await planner.put(`${PLAYBOOK}/${id}`, { name: 'Flood', activities: items, version })

    const { status, body } = await share(planner, [{ id }], children)
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body).toMatchObject({ state: 'DONE', progress: 100 })
    expect(body.results).toMatchObject(
      children.map((child) => ({
        playbookId: id,
        playbookName: 'Flood',
        enterpriseId: child.id,
        outcome: 'SHARED',
      })),
    )
    await planner.put(`${PLAYBOOK}/${id}`, { name: 'Changed', activities: [TASK] })
    await planner.delete(`/fa/${file.id}`)
    const from = `Organisation ${parent.code}`
    for (const reader of theirs) {
      const [copy, ...more] = await playbooksOf(reader)
      expect(more).toEqual([])
      expect(copy).toMatchObject({ name: 'Flood', sharedBy: from, createdBy: from, version: 1, owner: null })
      expect(copy!.activities).toMatchObject([HEADING, TASK])
      const files = await listed(reader, copy!.id, 'PLAYBOOK')
      expect(copy!.activities[1]!.attachedFileIds).toEqual([files[0]!.id])
      expect(files).toMatchObject([{ name: 'plan', extension: 'pdf', createdBy: from }])
      expect((await download(reader, files[0]!.id)).bytes.equals(PDF)).toBe(true)
    }
  })

  test('is in the logs of both organisations', async () => {
    const { parent, planner, children } = await aFamily()
    const playbook = await madePlaybook(planner)
    await share(planner, [playbook], children)
    expect(await eventsOf(parent, 'playbook-shares')).toMatchObject([
      {
        verb: 'requested',
        actor: { kind: 'person', name: planner.email },
        changes: { playbooks: { to: 'Flood' }, organizations: { to: `Organisation ${children[0]!.code}` } },
      },
      { verb: 'completed', changes: { shared: { to: 1 }, failed: { to: 0 } } },
    ])
    expect(await eventsOf(children[0]!, 'playbooks')).toMatchObject([
      {
        verb: 'received',
        actor: { kind: 'system', name: `Organisation ${parent.code}` },
        changes: { name: { to: 'Flood' }, sharedBy: { to: `Organisation ${parent.code}` } },
      },
    ])
  })

  test('keeps the category where the child has one of that name', async () => {
    const { planner, children, theirs } = await aFamily([{}, {}])
    const category = (await planner.post('/playbook/category', { name: 'Cyber' })).body
    const known = (await theirs[0]!.post('/playbook/category', { name: 'CYBER' })).body
    await share(planner, [await madePlaybook(planner, { categoryId: category.id })], children)
    expect((await playbooksOf(theirs[0]!))[0]!.categoryId).toBe(known.id)
    expect((await playbooksOf(theirs[1]!))[0]!.categoryId).toBeNull()
  })

  test('is refused whole where one organisation has too little room', async () => {
    const { planner, children, theirs } = await aFamily([{}, { playbookMaxTemplates: 1 }])
    const playbooks = [await madePlaybook(planner), await madePlaybook(planner)]
    const { status, body } = await share(planner, playbooks, children)
    const sentence = `The Organisation ${children[1]!.code} organization cannot receive 2 playbooks.`
    expect([status, body.message, body.fields]).toEqual([409, sentence, { childEnterpriseIds: sentence }])
    expect(await Promise.all(theirs.map(playbooksOf))).toEqual([[], []])
  })

  test('does not reach an organisation without playbooks', async () => {
    const { planner, children } = await aFamily([{ playbookEnabled: false }])
    expect((await share(planner, [await madePlaybook(planner)], children)).status).toBe(409)
  })

  test('reaches own children only', async () => {
    const { parent, planner, children } = await aFamily()
    const stranger = await anOrganisation({ playbookMaxTemplates: 50 })
    const grandchild = await anOrganisation({ playbookMaxTemplates: 50 }, { parentId: children[0]!.id })
    const playbook = await madePlaybook(planner)
    for (const other of [stranger, grandchild, parent, { id: crypto.randomUUID() }]) {
      const { status, body } = await share(planner, [playbook], [children[0]!, other])
      expect([status, Object.keys(body.fields)]).toEqual([400, ['childEnterpriseIds.1']])
    }
    const theirs = await madePlaybook(await signedInAs(stranger, 'ADMIN'))
    const { status, body } = await share(planner, [playbook, theirs], children)
    expect([status, body.fields]).toEqual([400, { 'playbookIds.1': 'This playbook does not exist.' }])
    expect(await eventsOf(children[0]!, 'playbooks')).toEqual([])
  })

  test.each([
    ['no playbook', { playbookIds: [] }, 'playbookIds', 'Please select at least one playbook.'],
    [
      'no organisation',
      { childEnterpriseIds: [] },
      'childEnterpriseIds',
      'Please select at least one organization.',
    ],
  ])('needs more than %s', async (_, given, field, sentence) => {
    const { planner, children } = await aFamily()
    const body = { playbookIds: [crypto.randomUUID()], childEnterpriseIds: [children[0]!.id], ...given }
    const reply = await planner.post(SHARE, body)
    expect([reply.status, reply.body.fields]).toEqual([400, { [field]: sentence }])
  })

  test('is for those who may share', async () => {
    const { parent, planner, children } = await aFamily()
    const user = await signedInAs(parent)
    expect((await share(user, [await madePlaybook(planner)], children)).status).toBe(403)
    expect((await user.get(CHILDREN)).status).toBe(403)
    const { id } = (await share(planner, [await madePlaybook(planner)], children)).body
    const childAdmin = await signedInAs(children[0]!, 'ADMIN')
    expect((await childAdmin.get(`/crossEnterprises/playbook/shares/${id}`)).status).toBe(403)
    const other = await aFamily()
    expect((await other.planner.get(`/crossEnterprises/playbook/shares/${id}`)).status).toBe(404)
  })

  test('says what became of each copy, and goes on after one that fails', async () => {
    const { planner, children, theirs } = await aFamily([{ fileQuotaMegabytes: 0 }, {}])
    const [heavy, light] = [await madePlaybook(planner, { name: 'Heavy' }), await madePlaybook(planner)]
    await upload(planner, heavy.id, PNG, 'map.png', 'PLAYBOOK')
    const { status, body } = await share(planner, [heavy, light], children)
    expect([status, body.state, body.progress]).toEqual([201, 'FAILED', 100])
    const outcomes = (body as PlaybookShare).results.map(({ outcome, message }) => [outcome, message])
    expect(outcomes).toEqual([
      [
        'FAILED',
        `The Organisation ${children[0]!.code} organization has no room for the files of this playbook.`,
      ],
      ['SHARED', null],
      ['SHARED', null],
      ['SHARED', null],
    ])
    expect((await Promise.all(theirs.map(playbooksOf))).map(({ length }) => length)).toEqual([1, 2])
  })
})

describe('a share in the background', () => {
  /** Eleven playbooks, the first of them with a file. */
  const manyPlaybooks = async (planner: Caller) => {
    const playbooks = []
    for (let n = 0; n < 11; n += 1) playbooks.push(await madePlaybook(planner, { name: `Plan ${n}` }))
    await upload(planner, playbooks[0]!.id, PDF, 'plan.pdf', 'PLAYBOOK')
    return playbooks
  }

  test('copies everything, with progress', async () => {
    const { planner, children, theirs } = await aFamily([{}, {}])
    const { body } = await share(planner, await manyPlaybooks(planner), children)
    const done = await settled(planner, body.id)
    expect(done).toMatchObject({ state: 'DONE', progress: 100 })
    expect(done.results).toHaveLength(22)
    for (const reader of theirs) expect(await playbooksOf(reader)).toHaveLength(11)
  })

  test('goes on where it was interrupted, and makes no copy twice', async () => {
    const { parent, planner, children, theirs } = await aFamily([{}, {}])
    const playbooks = await manyPlaybooks(planner)
    // The process loses the database after some copies, as if it were killed.
    const withProvider = services.database.withProvider.bind(services.database)
    let copies = 0
    const lost = vi.spyOn(services.database, 'withProvider').mockImplementation(async (by, work) => {
      if ((copies += 1) > 9) throw new Error('The process ended.')
      return withProvider(by, work)
    })
    const { body } = await share(planner, playbooks, children)
    await vi.waitFor(() => expect(copies).toBeGreaterThan(9))
    expect((await playbooksOf(theirs[0]!)).length).toBeLessThan(11)
    lost.mockRestore()
    const again = { organisationId: parent.id, id: body.id as string }
    // The interrupted attempt ends before the next one starts.
    await carryOut(services, again).catch(() => {})
    await carryOut(services, again)
    expect((await settled(planner, body.id)).state).toBe('DONE')
    for (const reader of theirs) {
      const names = (await playbooksOf(reader)).map(({ name }) => name)
      expect(new Set(names).size).toBe(11)
      expect(names).toHaveLength(11)
    }
  })

  test('counts the room of the child again with each copy', async () => {
    const { planner, children, theirs } = await aFamily([{ playbookMaxTemplates: 11 }])
    const playbooks = await manyPlaybooks(planner)
    const withProvider = services.database.withProvider.bind(services.database)
    const { promise: ownIsAdded, resolve: goOn } = Promise.withResolvers<void>()
    vi.spyOn(services.database, 'withProvider').mockImplementation(async (by, work) => {
      await ownIsAdded
      return withProvider(by, work)
    })
    const { body } = await share(planner, playbooks, children)
    const own = await madePlaybook(theirs[0]!, { name: 'Ours' })
    goOn()
    const { state, results } = await settled(planner, body.id)
    expect(state).toBe('FAILED')
    expect(results.filter(({ outcome }) => outcome === 'FAILED')).toMatchObject([
      { message: `The Organisation ${children[0]!.code} organization cannot receive 1 playbooks.` },
    ])
    const kept = await playbooksOf(theirs[0]!)
    expect(kept.map(({ id }) => id)).toContain(own.id)
    expect(kept).toHaveLength(11)
  })
})

test('children are listed with what they can still receive', async () => {
  const { planner, children, theirs } = await aFamily([{ playbookMaxTemplates: 4 }])
  await madePlaybook(theirs[0]!)
  expect((await planner.get(CHILDREN)).body).toEqual([
    {
      enterpriseId: children[0]!.id,
      enterpriseCode: children[0]!.code,
      displayName: `Organisation ${children[0]!.code}`,
      maxTemplates: 4,
      currentTemplates: 1,
      playbookEnabled: true,
    },
  ])
})
