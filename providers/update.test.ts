import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { server } from '#tests/support/client.tsx'

import { update } from './update.ts'

/** Literal values, so that a change does not go unnoticed (decisions §3). */
const [CHECK_MINUTES, PROMPT_AFTER_MINUTES, RELOAD_AFTER_MINUTES] = [5, 1, 30]

let stop: () => void = () => undefined
let asked = 0
const bring = vi.spyOn(update, 'bring')

beforeEach(() => {
  vi.useFakeTimers()
  asked = 0
  bring.mockReset().mockResolvedValue()
})
afterEach(() => stop())

function serving(version: () => Response) {
  server.use(
    http.get('*/meta.json', () => {
      asked++
      return version()
    }),
  )
  stop = update.start()
}
const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000)
/** The response of the server comes in real time. */
const answered = (times: number) => vi.waitFor(() => expect(asked).toBe(times))

test('the same version asks nothing of anybody', async () => {
  serving(() => HttpResponse.json({ version: import.meta.env.VITE_APP_VERSION }))
  await minutes(CHECK_MINUTES - 1)
  expect(asked).toBe(0)
  await minutes(1)
  await answered(1)
  await minutes(CHECK_MINUTES)
  await answered(2)
  expect(update.state()).toBe('current')
})

test('another version is told after a while, and after Dismiss comes by itself', async () => {
  serving(() => HttpResponse.json({ version: '9.9.9' }))
  await minutes(CHECK_MINUTES)
  await vi.waitFor(() => expect(update.state()).toBe('found'))
  await minutes(PROMPT_AFTER_MINUTES - 0.1)
  expect(update.state()).toBe('found')
  await minutes(0.1)
  expect(update.state()).toBe('prompted')
  update.dismiss()
  expect(update.state()).toBe('dismissed')
  await minutes(RELOAD_AFTER_MINUTES - 1)
  expect(bring).not.toHaveBeenCalled()
  await minutes(1)
  expect(bring).toHaveBeenCalledOnce()
})

test('what is typed and not saved is waited for', async () => {
  const unsaved = (event: Event) => event.preventDefault()
  window.addEventListener('beforeunload', unsaved)
  serving(() => HttpResponse.json({ version: '9.9.9' }))
  update.dismiss()
  await minutes(RELOAD_AFTER_MINUTES + 10)
  expect(bring).not.toHaveBeenCalled()
  window.removeEventListener('beforeunload', unsaved)
  await minutes(1)
  expect(bring).toHaveBeenCalledOnce()
})

test.each([
  ['an error', () => HttpResponse.json({}, { status: 500 })],
  ['a page', () => HttpResponse.html('<!doctype html>')],
  ['no version', () => HttpResponse.json({ name: 'something else' })],
])('%s is no newer version', async (_, reply) => {
  serving(reply)
  await minutes(CHECK_MINUTES)
  await answered(1)
  await minutes(PROMPT_AFTER_MINUTES)
  expect(update.state()).toBe('current')
})
