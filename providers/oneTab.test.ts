import { beforeEach, expect, test, vi } from 'vitest'

import { withLocks } from '#tests/support/client.tsx'

import { oneTabAtATime } from './oneTab.ts'

beforeEach(() => {
  vi.useFakeTimers()
  withLocks(null)
})

/** A task that takes `ms` milliseconds and logs its start and end. */
function aTask(log: string[], name: string, ms = 1_000) {
  return async () => {
    log.push(`${name} begins`)
    await new Promise((resolve) => setTimeout(resolve, ms))
    log.push(`${name} ends`)
    return name
  }
}

test('at a plain http address one tab waits for the other, also when both begin at the same moment', async () => {
  const log: string[] = []
  const done = Promise.all([oneTabAtATime(aTask(log, 'A')), oneTabAtATime(aTask(log, 'B'))])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await done).toEqual(['A', 'B'])
  const first = log[0]!.charAt(0)
  const second = first === 'A' ? 'B' : 'A'
  expect(log).toEqual([`${first} begins`, `${first} ends`, `${second} begins`, `${second} ends`])
  expect(localStorage.getItem('muster.refresh')).toBeNull()
})

test('one that takes long is waited for, and one that died is not, after five seconds', async () => {
  const log: string[] = []
  void oneTabAtATime(aTask(log, 'A', 9_000))
  await vi.advanceTimersByTimeAsync(100)
  void oneTabAtATime(aTask(log, 'B'))
  await vi.advanceTimersByTimeAsync(8_800)
  expect(log).toEqual(['A begins'])
  await vi.advanceTimersByTimeAsync(3_000)
  expect(log).toEqual(['A begins', 'A ends', 'B begins', 'B ends'])
  localStorage.setItem('muster.refresh', `somebody ${Date.now()}`)
  void oneTabAtATime(aTask(log, 'C'))
  await vi.advanceTimersByTimeAsync(4_900)
  expect(log).not.toContain('C begins')
  await vi.advanceTimersByTimeAsync(300)
  expect(log).toContain('C begins')
})

test('what fails lets the next one in', async () => {
  const failed = oneTabAtATime(() => Promise.reject(new Error('No.'))).catch(() => 'failed')
  await vi.advanceTimersByTimeAsync(100)
  expect(await failed).toBe('failed')
  const next = oneTabAtATime(() => Promise.resolve('next'))
  await vi.advanceTimersByTimeAsync(100)
  expect(await next).toBe('next')
})

test('where nothing can be written nobody waits', async () => {
  const work = () => Promise.resolve('done')
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full.', 'QuotaExceededError')
  })
  const done = oneTabAtATime(work)
  await vi.advanceTimersByTimeAsync(50)
  expect(await done).toBe('done')
  vi.restoreAllMocks()
})

test('a browser that refuses locks, as it does where its storage is closed, refuses no work', async () => {
  withLocks({ request: () => Promise.reject(new DOMException('Denied.', 'SecurityError')) })
  const done = oneTabAtATime(() => Promise.resolve('done'))
  await vi.advanceTimersByTimeAsync(50)
  expect(await done).toBe('done')
  withLocks({ request: (_: string, work: () => unknown) => work() })
  const work = vi.fn(() => Promise.reject(new DOMException('Denied.', 'SecurityError')))
  await expect(oneTabAtATime(work)).rejects.toThrow('Denied.')
  expect(work).toHaveBeenCalledOnce()
})

test('one that takes 40 seconds is waited for as long as its tab lives', async () => {
  const log: string[] = []
  void oneTabAtATime(aTask(log, 'A', 40_000))
  await vi.advanceTimersByTimeAsync(100)
  void oneTabAtATime(aTask(log, 'B'))
  await vi.advanceTimersByTimeAsync(39_800)
  expect(log).toEqual(['A begins'])
  await vi.advanceTimersByTimeAsync(3_000)
  expect(log).toEqual(['A begins', 'A ends', 'B begins', 'B ends'])
})

test('where the page is secure the browser does it', async () => {
  const request = vi.fn((_: string, work: () => unknown) => work())
  withLocks({ request })
  expect(await oneTabAtATime(() => Promise.resolve('done'))).toBe('done')
  expect(request).toHaveBeenCalledOnce()
})
