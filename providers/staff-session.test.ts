import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { staffApi } from '#contract/staff/api.ts'

import { call } from './api.ts'
import { keepSignedIn } from './send.ts'
import { beginStaffSession, callerOf, getSession } from './session.ts'

const staff = { email: 'staff@muster.example', role: 'SUPPORT', baseUrl: '/management-api' } as const
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
let answer: () => Response
const sent: Request[] = []

beforeEach(() => {
  localStorage.clear()
  history.replaceState(null, '', '/management/organizations')
  sent.length = 0
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push(new Request(new URL(url, location.href), { headers: init.headers ?? {} }))
    return answer()
  })
  beginStaffSession(staff, 'staff-token', inMs(3_600_000))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  history.replaceState(null, '', '/')
})

test('calls of the console carry its own token, below its own address', async () => {
  answer = () => Response.json([])
  await call(staffApi.list)
  expect(new URL(sent[0]!.url).pathname).toBe('/management-api/staff')
  expect(sent[0]!.headers.get('Authorization')).toBe('Bearer staff-token')
  expect(callerOf(getSession())).toEqual({ kind: 'staff', role: 'SUPPORT' })
  expect(localStorage.getItem('muster.session')).toBeNull()
})

test.each([401, 403])('%i signs staff out', async (status) => {
  answer = () => Response.json({ code: 'refused', message: 'No.' }, { status })
  await expect(call(staffApi.list)).rejects.toMatchObject({ status })
  expect(getSession().tokens).toBeNull()
  expect(getSession().ending).toBe('expired')
})

test.each([400, 404, 429, 500])('%i leaves staff signed in', async (status) => {
  answer = () => Response.json({ code: 'refused', message: 'No.' }, { status })
  await expect(call(staffApi.list)).rejects.toMatchObject({ status })
  expect(getSession().tokens).not.toBeNull()
})

test('staff are signed out when their token expires', async () => {
  vi.useFakeTimers()
  beginStaffSession(staff, 'staff-token', inMs(60_000))
  const stop = keepSignedIn()
  await vi.advanceTimersByTimeAsync(59_000)
  expect(getSession().tokens).not.toBeNull()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(getSession().tokens).toBeNull()
  stop()
})
