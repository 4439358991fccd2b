import { createReadStream } from 'node:fs'

import { afterEach, describe, expect, test, vi } from 'vitest'

import { inProcess } from './processes.ts'

const EXCESS = 'This is too much.'
const work = (task: string) => ({
  kind: 'reading' as const,
  module: new URL('../../../tests/support/process-tasks.ts', import.meta.url),
  task,
  excess: EXCESS,
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

describe('work in a process', () => {
  test('returns its result', async () => {
    expect((await inProcess<string, Buffer>(work('short'))).toString()).toBe('done')
  })

  test('is ended and refused in words when it does not end, and further work goes on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const endless = Promise.allSettled([inProcess(work('endless')), inProcess(work('endless'))])
    const further = inProcess<string, Buffer>(work('short'))
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(2))
    vi.advanceTimersByTime(30_000)
    for (const one of await endless)
      expect(one).toMatchObject({ status: 'rejected', reason: { status: 413, message: EXCESS } })
    expect((await further).toString()).toBe('done')
  })

  test('is refused in words when it takes too much memory, and the server lives', async () => {
    await expect(inProcess(work('too large'))).rejects.toMatchObject({ status: 413, message: EXCESS })
  })

  test('is refused in words when it takes too much memory in buffers', async () => {
    const outside = { ...work('too large outside of the heap'), kind: 'indexing' as const }
    await expect(inProcess(outside)).rejects.toMatchObject({ status: 413, message: EXCESS })
  })

  test('keeps the words of its own refusals', async () => {
    await expect(inProcess(work('refuse'))).rejects.toMatchObject({
      status: 400,
      message: 'Line 3 is wrong.',
      details: { fields: { content: 'Line 3' } },
    })
  })

  test('fails where it fails', async () => {
    await expect(inProcess(work('fail'))).rejects.toThrow('A fault of ours.')
  })

  test('is given none of the secrets of the server', async () => {
    vi.stubEnv('SECRET_KEY', 'a'.repeat(32))
    expect(await inProcess<string, string | null>(work('secrets'))).toBeNull()
  })

  test('reads its input, which is opened when its turn comes', async () => {
    let opened = 0
    const input = async () => {
      opened += 1
      return Buffer.alloc(5_000_000)
    }
    const all = Array.from({ length: 4 }, () => inProcess<string, number>({ ...work('read'), input }))
    await vi.waitFor(() => expect(opened).toBeGreaterThan(0))
    expect(opened).toBeLessThanOrEqual(2)
    expect(await Promise.all(all)).toEqual([5_000_000, 5_000_000, 5_000_000, 5_000_000])
  })

  test('fails where its input cannot be read', async () => {
    const input = async () => createReadStream('/nowhere/at/all')
    await expect(inProcess({ ...work('read'), input })).rejects.toThrow('ENOENT')
  })
})
