import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { server } from '#tests/support/client.tsx'

import { loadOnline } from './lazy.ts'

/** The connection as the browser knows it, and as it is. */
const line = { isOnline: true, isUp: true }
beforeEach(() => {
  Object.assign(line, { isOnline: true, isUp: true })
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => line.isOnline)
  server.use(http.head('*', () => (line.isUp ? new HttpResponse() : HttpResponse.error())))
})
afterEach(() => {
  vi.useRealTimers()
})
const comesBack = () => {
  Object.assign(line, { isOnline: true, isUp: true })
  window.dispatchEvent(new Event('online'))
}
const failing = new TypeError('Failed to fetch dynamically imported module')
const load = vi.fn(async () => {
  if (!line.isUp) throw failing
  return 'loaded'
})

test('a part is not requested while the browser is offline, and loads once it is online', async () => {
  Object.assign(line, { isOnline: false, isUp: false })
  load.mockClear()
  const loading = loadOnline(load)
  await Promise.resolve()
  expect(load).not.toHaveBeenCalled()
  comesBack()
  expect(await loading).toBe('loaded')
})

test('a part that fails for want of a connection is tried again when there is one', async () => {
  line.isUp = false
  load.mockClear()
  const loading = loadOnline(load)
  await vi.waitFor(() => expect(load).toHaveBeenCalled())
  comesBack()
  expect(await loading).toBe('loaded')
})

test('a connection that the browser knows nothing of is looked for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  line.isUp = false
  const loading = loadOnline(load)
  // The request of the real network stack settles between the timers.
  line.isUp = false
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
  line.isUp = true
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await loading).toBe('loaded')
})

test('a part that the server no longer has fails', async () => {
  const gone = vi.fn(() => Promise.reject(failing))
  await expect(loadOnline(gone)).rejects.toBe(failing)
  expect(gone).toHaveBeenCalledTimes(2)
})
