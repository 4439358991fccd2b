import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { runHook } from '#server/kit/database/hooks.ts'
import { HOOKS, NOUNS } from '#server/nouns.ts'

import { NEW } from '../support/incidents.ts'
import { startTestServer } from '../support/server.ts'

const muster = await startTestServer()

test('nouns handle a hook in their order, in the transaction of the act', async () => {
  const organisation = await muster.anOrganisation()
  const user = await muster.signedInAs(organisation)
  const handled = HOOKS.filter(({ roomDeleted }) => roomDeleted)
  expect(handled).toEqual([NOUNS['calls']!.hooks, NOUNS['room-exports']!.hooks])

  const act = muster.inside(organisation, async (db) => {
    await runHook(db, 'userSignedOut', { userId: user.uuid, reason: 'test' })
    const { rows } = await sql<{ end_reason: string }>`
      select end_reason from sessions where user_id = ${user.uuid}`.execute(db)
    expect(rows).toEqual([{ end_reason: 'test' }])
    throw new Error('The act fails.')
  })
  await expect(act).rejects.toThrow('The act fails.')
  expect((await user.get('/me/sessions')).status).toBe(200)
})

test('an act that a handler refuses leaves nothing', async () => {
  const organisation = await muster.anOrganisation()
  const admin = await muster.signedInAs(organisation, 'ADMIN')
  const declared = await admin.post('/incident', { ...NEW, playbookId: crypto.randomUUID() })
  expect(declared.status).toBe(404)
  const { rows } = await muster.inside(organisation, (db) => sql`select from incidents`.execute(db))
  expect(rows).toEqual([])
})
