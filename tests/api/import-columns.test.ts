import { expect, test } from 'vitest'

import { headingsKey } from '#contract/kit/person-table.ts'
import { startTestServer } from '#tests/support/server.ts'

const { anOrganisation, signedInAs } = await startTestServer()

const KEY = headingsKey(['E-mail Address', 'Mobile Phone'])
const USERS = `/useradmin/importColumns/${KEY}`
const CONTACTS = `/contact/importColumns/${KEY}`

test('assigned columns are remembered for the headings, the kind and the organisation', async () => {
  const admin = await signedInAs(await anOrganisation(), 'ADMIN')
  const other = await signedInAs(await anOrganisation(), 'ADMIN')
  expect((await admin.get(CONTACTS)).body).toEqual({ columns: null })
  const columns = { email: 0, phone: 1 }
  expect((await admin.put(CONTACTS, { columns: { email: 1 } })).status).toBe(200)
  expect((await admin.put(CONTACTS, { columns })).body).toEqual({ columns })
  expect((await admin.get(CONTACTS)).body).toEqual({ columns })
  expect((await admin.get(USERS)).body).toEqual({ columns: null })
  expect((await other.get(CONTACTS)).body).toEqual({ columns: null })
})

test('of two hundred files the columns are kept, and the oldest go', async () => {
  const admin = await signedInAs(await anOrganisation(), 'ADMIN')
  const path = (n: number) => `/useradmin/importColumns/${n.toString(16).padStart(16, '0')}`
  for (let n = 0; n <= 200; n += 1) await admin.put(path(n), { columns: { email: n } })
  expect((await admin.get(path(0))).body).toEqual({ columns: null })
  expect((await admin.get(path(1))).body).toEqual({ columns: { email: 1 } })
})

test.each([
  [USERS, { columns: { email: -1 } }, 'columns.email'],
  [USERS, { columns: { email: 1.5 } }, 'columns.email'],
  [USERS, { columns: null }, 'columns'],
])('%s with %j is refused', async (path, body, field) => {
  const admin = await signedInAs(await anOrganisation(), 'ADMIN')
  const { status, body: answer } = await admin.put(path, body)
  expect([status, Object.keys(answer.fields)]).toEqual([400, [field]])
})

test('a key that is too long is refused', async () => {
  const admin = await signedInAs(await anOrganisation(), 'ADMIN')
  expect((await admin.get(`/contact/importColumns/${'a'.repeat(65)}`)).status).toBe(400)
})
