import { beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'

import { apiKeysApi } from '#contract/api-keys/api.ts'
import { contactsApi } from '#contract/contacts/api.ts'
import { usersApi } from '#contract/users/api.ts'

import { change, signedIn } from '#tests/support/client.tsx'
import { createAuthProvider } from './authProvider.ts'
import { signOut } from './send.ts'
import { createDataProvider } from './dataProvider.ts'

const { get: _, ...withoutGet } = usersApi
const apis = {
  withoutGet: () => Promise.resolve(withoutGet),
  users: () => Promise.resolve({ ...usersApi, remove: usersApi.deactivate }),
  'settings/api-keys': () => Promise.resolve(apiKeysApi),
  unpaged: () =>
    Promise.resolve({
      ...contactsApi,
      list: { ...contactsApi.asList, reply: z.array(z.object({ id: z.string() })) },
    }),
}
const provider = createDataProvider(apis)
let asked: string[] = []
let sent: RequestInit[] = []
let reply: () => Response

beforeEach(() => {
  signedIn()
  asked = []
  sent = []
  reply = () => Response.json([])
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push(
      `${init.method} ${decodeURIComponent(url.replaceAll('+', ' '))}${typeof init.body === 'string' ? ` ${init.body}` : ''}`,
    )
    sent.push(init)
    return reply()
  })
})

const page = { pagination: { page: 2, perPage: 50 }, filter: { q: 'ada', active: true } }
const BASE = 'http://muster.test/api'

test('asks for one page of a list in the dialect of simple-rest', async () => {
  reply = () =>
    Response.json([{ uuid: 'a' }, { uuid: 'b' }], { headers: { 'Content-Range': 'users 50-51/52' } })
  const answer = await provider.getList('users', { ...page, sort: { field: 'email', order: 'DESC' } })
  expect(asked).toEqual([
    `GET ${BASE}/useradmin/users?sort=["email","DESC"]&range=[50,99]&filter={"q":"ada","active":true}`,
  ])
  expect(answer).toEqual({
    data: [
      { uuid: 'a', id: 'a' },
      { uuid: 'b', id: 'b' },
    ],
    total: 52,
  })
})

test('leaves the order to the server before anybody chose one, and asks for everything without a range', async () => {
  await provider.getList('settings/api-keys', { sort: { field: 'id', order: 'ASC' }, filter: {} })
  await provider.getMany('users', { ids: ['a', 'b'] })
  expect(asked).toEqual([
    `GET ${BASE}/apiManagement/credentials`,
    `GET ${BASE}/useradmin/users?filter={"id":["a","b"]}`,
  ])
})

test('asks a call that knows no pages by its own query, and counts what it returns', async () => {
  reply = () => Response.json([{ id: 'a' }, { id: 'b' }])
  const answer = await provider.getList('unpaged', { filter: { list: 'R&D' } })
  expect(asked).toEqual([`GET ${BASE}/contact/asList?list=R&D`])
  expect(answer).toEqual({ data: [{ id: 'a' }, { id: 'b' }], total: 2 })
})

test('sorts and pages what a call without pages returns', async () => {
  reply = () => Response.json([{ id: 'b' }, { id: 'c' }, { id: 'a' }].map(({ id }) => ({ id, name: id })))
  const answer = await provider.getList('unpaged', {
    pagination: { page: 1, perPage: 2 },
    sort: { field: 'name', order: 'DESC' },
    filter: {},
  })
  expect(answer).toEqual({ data: ['c', 'b'].map((id) => ({ id, name: id })), total: 3 })
})

test('finds a record in the whole list where no call answers one', async () => {
  reply = () => Response.json([{ uuid: 'a' }, { uuid: 'b' }])
  expect(await provider.getOne('withoutGet', { id: 'b' })).toEqual({ data: { uuid: 'b', id: 'b' } })
  expect(asked).toEqual([`GET ${BASE}/useradmin/users`])
  await expect(provider.getOne('withoutGet', { id: 'c' })).rejects.toMatchObject({ status: 404 })
})

test("finds, makes, changes and removes by the contract's own paths", async () => {
  reply = () => Response.json({ uuid: 'a' })
  expect(await provider.getOne('users', { id: 'a' })).toEqual({ data: { uuid: 'a', id: 'a' } })
  await provider.create('users', { data: { email: 'x' } })
  await provider.update('users', { id: 'a', data: { role: 'USER' }, previousData: { id: 'a' } })
  reply = () => new Response(null, { status: 204 })
  expect(await provider.delete('users', { id: 'a', previousData: { id: 'a' } })).toEqual({
    data: { id: 'a' },
  })
  expect(await provider.deleteMany('users', { ids: ['b', 'c'] })).toEqual({ data: ['b', 'c'] })
  expect(asked).toEqual([
    `GET ${BASE}/useradmin/user/a`,
    `POST ${BASE}/useradmin/user {"email":"x"}`,
    `PUT ${BASE}/useradmin/user/a {"role":"USER"}`,
    `DELETE ${BASE}/useradmin/user/a`,
    `DELETE ${BASE}/useradmin/user/b`,
    `DELETE ${BASE}/useradmin/user/c`,
  ])
})

test('changes with an Idempotency-Key, and hands on what the server refuses by field', async () => {
  const fields = { email: 'Invalid email address.' }
  reply = () => Response.json({ code: 'invalid', message: 'Invalid email address.', fields }, { status: 400 })
  await expect(provider.create('users', { data: { email: 'x' } })).rejects.toMatchObject({
    status: 400,
    body: { errors: fields },
  })
  expect(new Headers(sent[0]?.headers).get('Idempotency-Key')).toMatch(/^[\da-f]{32}$/)
})

test('gives up a question that nobody waits for any more', async () => {
  const { signal } = new AbortController()
  await provider.getList('users', { filter: {}, signal })
  await provider.getOne('settings/api-keys', { id: 'a', signal }).catch(() => undefined)
  expect(provider.supportAbortSignal).toBe(true)
  expect(sent.map((init) => init.signal)).toEqual([signal, signal])
})

test('says plainly what a resource cannot do', async () => {
  const unchangeable = { id: 'a', data: {}, previousData: { id: 'a' } }
  await expect(provider.update('settings/api-keys', unchangeable)).rejects.toThrow(
    'settings/api-keys has no call to update.',
  )
  await expect(async () => provider.getList('nothing', {})).rejects.toThrow('No resource is called nothing.')
})

test('allows a button exactly when the call that it makes is allowed', async () => {
  const auth = createAuthProvider(apis, signOut)
  const may = (resource: string, action: string) => auth.canAccess!({ resource, action })
  expect(await may('users', 'list')).toBe(true)
  expect(await may('users', 'edit')).toBe(true)
  expect(await may('users', 'reactivate')).toBe(true)
  expect(await may('settings/api-keys', 'edit')).toBe(false)
  expect(await may('nothing', 'list')).toBe(false)
  change({ permissions: ['customer-api-admin'] })
  expect(await may('users', 'list')).toBe(false)
  expect(await may('settings/api-keys', 'delete')).toBe(true)
})
