import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'

import type { OpenedPlaybook, PlaybookDraft } from '#contract/playbooks/schema.ts'
import { clock, DAY, MINUTE } from '#server/kit/core/clock.ts'
import { emptyAll } from '#server/playbooks/bin.flows.ts'
import { remindAll } from '#server/playbooks/reviews.flows.ts'
import { filesFor } from '#tests/support/attachments.ts'
import { PDF } from '#tests/support/files.ts'
import { declared, NEW } from '#tests/support/incidents.ts'
import { HEADING, madePlaybook, PLAYBOOK, PLAYBOOKS, TASK } from '#tests/support/playbooks.ts'
import { type Caller, type Organisation, startTestServer } from '#tests/support/server.ts'
import { later } from '#tests/support/sign-in.ts'

const muster = await startTestServer()
const { anOrganisation, inside, services, signedInAs } = muster
const { upload, listed } = filesFor(muster)
afterEach(() => vi.restoreAllMocks())

const BIN = '/playbook/bin'
const aTeam = async (config: Parameters<typeof anOrganisation>[0] = {}) => {
  const org = await anOrganisation({ playbookMaxTemplates: 20, ...config })
  return {
    org,
    author: await signedInAs(org, 'PLAYBOOK_MANAGER'),
    other: await signedInAs(org, 'ADMIN'),
    user: await signedInAs(org),
  }
}
const path = ({ id }: { id: string }, more = '') => `${PLAYBOOK}/${id}${more}`
const sourceOf = ({ id }: { id: string }) => `${PLAYBOOK}/source/${id}?type=JSON`
const found = async (who: Caller, filter: object = {}, sort?: object): Promise<string[]> => {
  const query = `filter=${encodeURIComponent(JSON.stringify(filter))}`
  const order = sort ? `&sort=${encodeURIComponent(JSON.stringify(sort))}` : ''
  return (await who.get(`${PLAYBOOKS}?range=[0,19]&${query}${order}`)).body.map(
    ({ name }: { name: string }) => name,
  )
}
const draftOf = async (who: Caller, playbook: { id: string }): Promise<PlaybookDraft> =>
  (await who.get(path(playbook, '/draft'))).body
const opened = async (who: Caller, playbook: { id: string }): Promise<OpenedPlaybook> =>
  (await who.get(path(playbook))).body
const save = (who: Caller, { id, name, activities, version }: OpenedPlaybook, changes: object = {}) =>
  who.put(path({ id }), { name, activities, version, ...changes })
const notesOf = async (who: Caller): Promise<string[]> =>
  (await who.get('/notifications')).body.data.map(
    ({ title, details }: Record<string, string>) => `${title}: ${details}`,
  )
const mailsOf = (org: Organisation) =>
  inside(org, (db) => db.selectFrom('messages').select(['recipient', 'subject', 'text']).execute())
const verbsOf = async (org: Organisation): Promise<string[]> => {
  const rows = await inside(org, (db) =>
    db.selectFrom('events').select('verb').where('noun', '=', 'playbooks').orderBy('sequence').execute(),
  )
  return rows.map(({ verb }) => verb)
}

describe('a draft', () => {
  test('of a published playbook changes nothing for anybody until it is published', async () => {
    const { author, other, user } = await aTeam()
    const playbook = await madePlaybook(author)
    const plan = await upload(author, playbook.id, PDF, 'plan.pdf', 'PLAYBOOK')
    const [heading, task] = playbook.activities
    const activities = [heading, { ...task, title: 'Open the valve', attachedFileIds: [plan.body.id] }]
    const kept = await save(author, playbook, { name: 'High water', activities, asDraft: true })
    expect(kept.body).toMatchObject({
      name: 'Flood',
      version: 1,
      activities: playbook.activities,
      draft: { state: 'DRAFT', savedBy: author.email },
    })
    // Readers learn nothing of it, in any call.
    expect(await opened(user, playbook)).toMatchObject({ name: 'Flood', draft: null })
    expect((await user.get(PLAYBOOKS)).body).toMatchObject([{ name: 'Flood', draft: null }])
    expect((await user.get('/playbook/categories')).body).toEqual([])
    expect(await found(user, { selection: 'DRAFT' })).toEqual([])
    expect(await found(user, { q: 'Open' })).toEqual([])
    expect((await user.get(path(playbook, '/draft'))).status).toBe(403)
    expect(await found(other, { selection: 'DRAFT' })).toEqual(['Flood'])
    const exported = (await muster.send('GET', sourceOf(playbook), { headers: author.headers })).body
    expect(JSON.stringify(exported)).not.toContain('High water')

    const draft = await draftOf(other, playbook)
    expect(draft).toMatchObject({
      baseVersion: 1,
      isOwn: false,
      content: { name: 'High water', activities: [{ id: heading!.id }, { title: 'Open the valve' }] },
      fileNames: { [plan.body.id]: 'plan.pdf' },
      people: [{ email: author.email }],
    })
    const published = await other.post(path(playbook, '/draft/publish'), {
      revision: draft.revision,
      version: 1,
    })
    expect(published.body).toMatchObject({
      name: 'High water',
      version: 2,
      draft: null,
      updatedBy: author.email,
    })
    // Items keep their ids, so that versions compare them.
    expect(published.body.activities[1]).toMatchObject({ id: task!.id, attachedFileIds: [plan.body.id] })
    expect((await user.get(path(playbook, '/versions'))).body).toMatchObject([
      { version: 2, savedBy: author.email, approvedBy: other.email },
      { version: 1, savedBy: author.email, approvedBy: null },
    ])
    expect((await other.get(path(playbook, '/draft'))).status).toBe(404)
  })

  test('of a new playbook is for people who write playbooks only, and counts towards the limit', async () => {
    const { author, user } = await aTeam({ playbookMaxTemplates: 1 })
    const playbook = await madePlaybook(author, { asDraft: true })
    expect(playbook).toMatchObject({
      isPublished: false,
      version: 0,
      name: 'Flood',
      draft: { state: 'DRAFT' },
    })
    for (const call of ['', '/versions', '/use', '/use/tasks'])
      expect((await user.get(path(playbook, call))).status).toBe(404)
    expect((await user.get(`/fa/PLAYBOOK/${playbook.id}`)).status).toBe(404)
    for (const who of [author, user]) {
      expect((await who.get(PLAYBOOKS)).body).toEqual([])
      expect((await who.get(sourceOf(playbook))).status).toBe(404)
      const declaring = { ...NEW, playbookId: playbook.id }
      if (who === author) expect((await who.post('/incident', declaring)).status).toBe(404)
    }
    for (const selection of ['COUNTED', 'NEW', 'DRAFT'])
      expect([await found(author, { selection }), await found(user, { selection })]).toEqual([['Flood'], []])
    expect((await author.post(PLAYBOOK, { name: 'Second', activities: [HEADING] })).status).toBe(403)

    const again = await save(author, playbook, { name: 'Storm', asDraft: true })
    expect(again.body).toMatchObject({ name: 'Storm', isPublished: false, version: 0 })
    expect(
      (await author.delete(path(playbook, `/draft?revision=${again.body.draft.revision}`))).body,
    ).toMatchObject({ message: 'This playbook was never published. Delete it instead.' })
    const published = await save(author, again.body, { draftRevision: again.body.draft.revision })
    expect(published.body).toMatchObject({ name: 'Storm', isPublished: true, version: 1, draft: null })
    expect((await user.get(PLAYBOOKS)).body).toMatchObject([{ name: 'Storm', version: 1 }])
  })

  test('is neither replaced nor published nor discarded unseen', async () => {
    const { author, other } = await aTeam()
    const playbook = await madePlaybook(author)
    const first = (await save(author, playbook, { name: 'One', asDraft: true })).body
    // Whoever opened the playbook before the draft would replace it.
    const blind = await save(other, playbook, { name: 'Two', asDraft: true })
    expect([blind.status, blind.body.code]).toEqual([409, 'draft'])
    const seen = await save(other, playbook, {
      name: 'Two',
      asDraft: true,
      draftRevision: first.draft.revision,
    })
    expect(seen.status).toBe(200)
    const revision = first.draft.revision as string
    for (const reply of [
      await author.post(path(playbook, '/draft/publish'), { revision }),
      await author.post(path(playbook, '/draft/return'), { revision, reason: 'No.' }),
      await author.delete(path(playbook, `/draft?revision=${revision}`)),
      await save(author, playbook, { name: 'Three', draftRevision: revision }),
    ])
      expect([reply.status, reply.body.code]).toEqual([409, 'draft'])
    expect((await draftOf(author, playbook)).content.name).toBe('Two')
    // A save of the published version leaves the draft alone, and the draft is then known to be behind.
    const direct = await save(author, playbook, { name: 'Direct' })
    expect(direct.body).toMatchObject({ version: 2, draft: { state: 'DRAFT' } })
    const draft = await draftOf(author, playbook)
    expect(draft).toMatchObject({ baseVersion: 1, content: { name: 'Two' } })
    const stale = await author.post(path(playbook, '/draft/publish'), {
      revision: draft.revision,
      version: 1,
    })
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
    expect((await author.delete(path(playbook, `/draft?revision=${draft.revision}`))).status).toBe(204)
    expect(await opened(author, playbook)).toMatchObject({ name: 'Direct', draft: null })
  })

  test('moves with its playbook, and loses a category and files that were deleted', async () => {
    const { author } = await aTeam()
    const category = (await author.post('/playbook/category', { name: 'Water' })).body
    const playbook = await madePlaybook(author)
    const plan = (await upload(author, playbook.id, PDF, 'plan.pdf', 'PLAYBOOK')).body
    await save(author, playbook, { activities: [{ ...TASK, attachedFileIds: [plan.id] }], asDraft: true })
    await author.patch(path(playbook, '/category'), { categoryId: category.id })
    const moved = await draftOf(author, playbook)
    expect(moved).toMatchObject({ baseVersion: 2, content: { categoryId: category.id } })
    await author.delete(`/playbook/category/${category.id}`)
    await author.delete(`/fa/${plan.id}`)
    const { body } = await author.post(path(playbook, '/draft/publish'), { revision: moved.revision })
    expect(body).toMatchObject({ categoryId: null, version: 3, activities: [{ attachedFileIds: [] }] })
  })

  test('that is equal to the published version ends without a version', async () => {
    const { org, author } = await aTeam()
    const playbook = await madePlaybook(author)
    const { body } = await save(author, playbook, { asDraft: true })
    const { revision } = body.draft
    const published = await author.post(path(playbook, '/draft/publish'), { revision })
    expect(published.body).toMatchObject({ version: 1, draft: null })
    expect(await verbsOf(org)).toEqual(['created', 'draft saved', 'draft discarded'])
  })
})

describe('an approval', () => {
  const approving = { playbookApproval: true }

  test('is given by somebody else than the authors, who are told', async () => {
    const { org, author, other, user } = await aTeam(approving)
    const playbook = await madePlaybook(author)
    expect(playbook).toMatchObject({ isPublished: false, draft: { state: 'WAITING' } })
    expect((await user.get(PLAYBOOKS)).body).toEqual([])
    expect(await notesOf(other)).toEqual(['A playbook waits for your approval: Flood'])
    expect([await notesOf(author), await notesOf(user)]).toEqual([[], []])
    const mails = await mailsOf(org)
    expect(mails).toMatchObject([
      { recipient: other.email, subject: 'A playbook waits for your approval: Flood' },
    ])
    expect(mails[0]!.text).toContain(`/playbooks/${playbook.id}?draft=1`)
    expect(await found(other, { selection: 'WAITING' })).toEqual(['Flood'])

    const { revision } = playbook.draft!
    const own = await author.post(path(playbook, '/draft/publish'), { revision })
    expect([own.status, own.body.message]).toEqual([
      403,
      'Somebody who did not write the draft has to approve it.',
    ])
    expect((await user.post(path(playbook, '/draft/publish'), { revision })).status).toBe(403)
    const approved = await other.post(path(playbook, '/draft/publish'), { revision })
    expect(approved.body).toMatchObject({ isPublished: true, version: 1, draft: null })
    expect((await user.get(path(playbook, '/versions'))).body).toMatchObject([
      { version: 1, savedBy: author.email, approvedBy: other.email },
    ])
    expect(await notesOf(author)).toEqual(['A playbook of yours was approved: Flood'])
    expect(await verbsOf(org)).toEqual(['created', 'approval requested', 'published'])
  })

  test('cannot be had by passing a draft from hand to hand', async () => {
    const { author, other } = await aTeam(approving)
    const playbook = await madePlaybook(author)
    const second = await save(other, playbook, { name: 'Mine', draftRevision: playbook.draft!.revision })
    const { revision } = second.body.draft
    for (const who of [author, other])
      expect((await who.post(path(playbook, '/draft/publish'), { revision })).status).toBe(403)
  })

  test('is asked of the owner alone, who can give it, and once for a draft that goes on waiting', async () => {
    const { org, author, other, user } = await aTeam(approving)
    const owner = await signedInAs(org, 'PLAYBOOK_MANAGER')
    const playbook = await madePlaybook(author, { owner: owner.email })
    await save(author, playbook, { name: 'Again' })
    expect(await notesOf(owner)).toEqual(['A playbook waits for your approval: Flood'])
    expect(await notesOf(other)).toEqual([])
    // Somebody who cannot approve is passed over.
    await madePlaybook(author, { name: 'Storm', owner: user.email })
    expect(await notesOf(user)).toEqual([])
    expect(await notesOf(other)).toEqual(['A playbook waits for your approval: Storm'])
  })

  test('is refused with a reason, which the authors read', async () => {
    const { org, author, other } = await aTeam(approving)
    const playbook = await madePlaybook(author)
    const { revision } = playbook.draft!
    const returning = (who: Caller, reason: string) =>
      who.post(path(playbook, '/draft/return'), { revision, reason })
    expect((await returning(other, '  ')).body.fields).toEqual({ reason: 'Please enter a reason.' })
    expect((await returning(author, 'Mine')).status).toBe(403)
    expect((await returning(other, 'Which valve?')).body.draft).toMatchObject({ state: 'RETURNED' })
    expect(await draftOf(author, playbook)).toMatchObject({
      isOwn: true,
      returnedBy: other.email,
      returnReason: 'Which valve?',
    })
    expect(await notesOf(author)).toEqual(['A playbook was sent back to you: Flood: Which valve?'])
    expect((await mailsOf(org)).at(-1)).toMatchObject({ recipient: author.email })
    expect((await mailsOf(org)).at(-1)!.text).toContain('Which valve?')
    // What was sent back waits no more: it is not approved, and asking again tells again.
    expect((await other.post(path(playbook, '/draft/publish'), { revision })).body.message).toBe(
      'This draft does not ask for approval.',
    )
    const again = await save(author, playbook, { name: 'Valve 3', draftRevision: revision })
    expect(again.body.draft).toMatchObject({ state: 'WAITING' })
    expect((await draftOf(author, playbook)).returnReason).toBe(null)
    expect(await notesOf(other)).toHaveLength(2)
  })

  test('is needed for a clone, an import, and an earlier version that is restored', async () => {
    const { org, author, other } = await aTeam()
    const playbook = await madePlaybook(author)
    await save(author, playbook, { name: 'Second' })
    await services.database.directory
      .updateTable('organisations')
      .set({ config: sql`config || ${JSON.stringify(approving)}::jsonb` })
      .where('id', '=', org.id)
      .execute()
    const restored = await author.post(path(playbook, '/versions/1/restore'), {})
    expect(restored.body).toMatchObject({ name: 'Second', version: 2, draft: { state: 'WAITING' } })
    const clone = { name: 'Copy', activities: [TASK], attachmentsFolderIdForDuplication: playbook.id }
    expect((await author.post(PLAYBOOK, clone)).body.isPublished).toBe(false)
    const approved = await other.post(path(playbook, '/draft/publish'), {
      revision: restored.body.draft.revision,
    })
    expect(approved.body).toMatchObject({ name: 'Flood', version: 3 })
    // A draft that is saved as one asks nobody.
    const quiet = await author.post(PLAYBOOK, { name: 'Quiet', activities: [TASK], asDraft: true })
    expect(quiet.body.draft.state).toBe('DRAFT')
    expect(await found(author, { selection: 'WAITING' })).toEqual(['Copy'])
  })
})

describe('the bin', () => {
  test('keeps a deleted playbook for 30 days with everything, out of all lists and the limit', async () => {
    const { org, author, user } = await aTeam({ playbookMaxTemplates: 1 })
    const playbook = await madePlaybook(author)
    await upload(author, playbook.id, PDF, 'plan.pdf', 'PLAYBOOK')
    const incident = await declared(user, { playbookId: playbook.id })
    await author.delete(path(playbook))
    for (const gone of [
      path(playbook),
      path(playbook, '/versions'),
      path(playbook, '/versions/1'),
      sourceOf(playbook),
      path(playbook, '/use'),
      `/fa/PLAYBOOK/${playbook.id}`,
    ])
      expect([gone, (await author.get(gone)).status]).toEqual([gone, 404])
    expect(await found(author, { selection: 'COUNTED' })).toEqual([])
    expect((await save(author, playbook)).status).toBe(404)
    expect((await user.get(`/incident/${incident.id}/playbooks`)).body).toMatchObject([
      { name: 'Flood', playbookId: null },
    ])
    const { body } = await author.get(`${BIN}?range=[0,9]`)
    expect(body).toMatchObject([{ id: playbook.id, name: 'Flood', deletedBy: author.email }])
    expect(Date.parse(body[0].expireTimestamp) - Date.parse(body[0].deleteTimestamp)).toBe(30 * DAY)
    expect((await user.get(BIN)).status).toBe(403)

    // Its place was taken meanwhile.
    const second = await madePlaybook(author, { name: 'Second' })
    const full = await author.post(`${BIN}/${playbook.id}/recover`)
    expect([full.status, full.body.message]).toEqual([403, 'Maximum playbooks created.'])
    await author.delete(path(second))
    const recovered = await author.post(`${BIN}/${playbook.id}/recover`)
    expect(recovered.body).toMatchObject({ name: 'Flood', version: 1, activities: playbook.activities })
    expect(await listed(author, playbook.id, 'PLAYBOOK')).toHaveLength(1)
    expect((await user.get(`/incident/${incident.id}/playbooks`)).body).toMatchObject([
      { playbookId: playbook.id, currentVersion: 1 },
    ])
    expect((await author.post(`${BIN}/${playbook.id}/recover`)).status).toBe(404)
    expect((await verbsOf(org)).slice(-3)).toEqual(['created', 'deleted', 'taken from bin'])
  })

  test('is emptied after 30 days, and by hand', async () => {
    const { org, author } = await aTeam()
    const [old, fresh, kept, purged] = [
      await madePlaybook(author, { name: 'Old' }),
      await madePlaybook(author, { name: 'Fresh' }),
      await madePlaybook(author, { name: 'Kept' }),
      await madePlaybook(author, { name: 'Purged', asDraft: true }),
    ] as const
    await upload(author, old.id, PDF, 'plan.pdf', 'PLAYBOOK')
    // Deleted a day before the others.
    vi.spyOn(clock, 'timestamp').mockReturnValue(new Date(Date.now() - DAY).toISOString())
    await author.delete(path(old))
    vi.restoreAllMocks()
    await author.delete(path(fresh))
    await author.delete(path(purged))
    expect((await author.delete(`${BIN}/${kept.id}`)).status).toBe(404)
    expect((await author.delete(`${BIN}/${purged.id}`)).status).toBe(204)
    later(29 * DAY + MINUTE)
    expect(await emptyAll(services)).toBe(1)
    vi.restoreAllMocks()
    expect((await author.get(BIN)).body).toMatchObject([{ name: 'Fresh' }])
    expect(await found(author)).toEqual(['Kept'])
    const left = await inside(org, async (db) => [
      (await db.selectFrom('attachments').select('id').execute()).length,
      (await db.selectFrom('blobs').select('id').execute()).length,
    ])
    expect(left).toEqual([0, 0])
    expect((await verbsOf(org)).at(-1)).toBe('deleted for good')
  })

  test('and the archive keep their playbooks from being reviewed, shared and counted by a parent', async () => {
    const { org, author, other, user } = await aTeam({ playbooksSharingEnabled: true })
    const child = await anOrganisation({ playbookMaxTemplates: 2 }, { parentId: org.id })
    const today = new Date(Date.now() - DAY).toISOString().slice(0, 10)
    const due = { owner: user.email, reviewDate: today }
    const binned = await madePlaybook(author, { ...due, name: 'Binned' })
    const archived = await madePlaybook(author, { ...due, name: 'Archived' })
    const draft = await madePlaybook(author, { ...due, name: 'Draft', asDraft: true })
    await author.delete(path(binned))
    await author.post(path(archived, '/archive'))
    await remindAll(services)
    expect(await notesOf(user)).toEqual([])
    for (const { id } of [binned, archived, draft]) {
      const share = { playbookIds: [id], childEnterpriseIds: [child.id] }
      const { status, body } = await other.post('/crossEnterprises/playbook/share', share)
      expect([status, body.fields]).toEqual([400, { 'playbookIds.0': 'This playbook does not exist.' }])
    }
    const local = await signedInAs(child, 'PLAYBOOK_MANAGER')
    const theirs = [await madePlaybook(local), await madePlaybook(local)] as const
    await local.post(path(theirs[0], '/archive'))
    await local.delete(path(theirs[1]))
    const { body } = await other.get('/crossEnterprises/enterprises')
    expect(body).toMatchObject([{ enterpriseId: child.id, currentTemplates: 0, maxTemplates: 2 }])
  })
})

describe('the archive', () => {
  test('keeps a playbook for reference only', async () => {
    const { author, user } = await aTeam({ playbookMaxTemplates: 1 })
    const category = (await author.post('/playbook/category', { name: 'Water' })).body
    const playbook = await madePlaybook(author, { categoryId: category.id })
    expect((await author.post(path(playbook, '/archive'))).body.archiveTimestamp).not.toBe(null)
    expect(await found(user)).toEqual([])
    expect(await found(user, { selection: 'ARCHIVED' })).toEqual(['Flood'])
    expect((await user.get('/playbook/categories')).body).toMatchObject([
      { playbooksCount: 0, playbooks: [] },
    ])
    // Still read and exported.
    expect((await opened(user, playbook)).activities).toEqual(playbook.activities)
    expect((await user.get(sourceOf(playbook))).status).toBe(200)
    // Neither changed nor used.
    const incident = await declared(user)
    for (const reply of [
      await save(author, playbook, { name: 'Other' }),
      await save(author, playbook, { asDraft: true }),
      await author.patch(path(playbook, '/category'), { categoryId: null }),
      await author.post(path(playbook, '/versions/1/restore'), {}),
      await upload(author, playbook.id, PDF, 'plan.pdf', 'PLAYBOOK'),
      await user.post(`/incident/${incident.id}/playbook`, { playbookId: playbook.id }),
    ])
      expect([reply.status, reply.body.message]).toEqual([409, 'This playbook is archived.'])
    // It leaves room for another one, and needs it to come back.
    const second = await madePlaybook(author, { name: 'Second' })
    expect((await author.delete(path(playbook, '/archive'))).status).toBe(403)
    await author.delete(path(second))
    expect((await author.delete(path(playbook, '/archive'))).body.archiveTimestamp).toBe(null)
    expect(await found(user)).toEqual(['Flood'])
    // One that was archived comes out of the bin as such, and needs no room.
    await author.post(path(playbook, '/archive'))
    await author.delete(path(playbook))
    await author.post(`${BIN}/${second.id}/recover`)
    expect((await author.post(`${BIN}/${playbook.id}/recover`)).status).toBe(200)
    expect(await found(user, { selection: 'ARCHIVED' })).toEqual(['Flood'])
  })
})
