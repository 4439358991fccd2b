import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, test, vi } from 'vitest'

import { MEGABYTE, RESERVE } from '#server/kit/http/disk-space.ts'
import { storageProblem } from '#server/kit/http/storage-problems.ts'

import { signIn, startProduct } from '../support/product.ts'

vi.setConfig({ testTimeout: 120_000 })

const FULL = 'The server has no room left to store anything. Nothing was saved. Please try again later.'

test.each([
  ['the system', 'ENOSPC'],
  ['a quota', 'EDQUOT'],
  ['PostgreSQL', '53100'],
])('a disk that is full for %s is answered with 507', (_who, code) => {
  const problem = storageProblem(Object.assign(new Error('could not extend file'), { code }))
  expect(problem).toMatchObject({ status: 507, message: FULL })
})

/** A file system of a fixed size; null if the user may not mount one. */
function smallDisk(): { folder: string; readonly unmount: () => void } | null {
  const folder = mkdtempSync(join(tmpdir(), 'muster-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${300 * MEGABYTE}`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
  return {
    folder,
    unmount: () => {
      execFileSync('umount', [folder])
      rmSync(folder, { recursive: true })
    },
  }
}

const disk = smallDisk()

/** Fills the disk up to the given number of free bytes. */
async function fill(folder: string, left: number): Promise<void> {
  const file = await open(join(folder, 'filler'), 'a')
  const chunk = Buffer.alloc(MEGABYTE)
  const free = () => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }
  try {
    while (free() > left) await file.write(chunk.subarray(0, Math.min(chunk.length, free() - left)))
  } finally {
    await file.close()
  }
}

describe.runIf(disk)('on a disk that fills up', () => {
  test('nothing acknowledged is lost, reading goes on, and writing goes on when there is room again', async () => {
    const { folder, unmount } = disk!
    const product = await startProduct({}, join(folder, 'data'))
    try {
      const { call, headers } = await signIn(product.url, 'admin@demo.example')
      const first = await call('POST', '/incident', {
        title: 'Before',
        fullText: '<p>Text</p>',
        isTabletop: true,
      })
      expect(first.status).toBe(201)
      const acknowledged = new Set<string>()
      const update = async (description: string) => {
        const answer = await call('POST', `/incident/${first.body.id}/activity`, {
          type: 'UPDATE',
          description,
        })
        if (answer.status === 201) acknowledged.add(answer.body.id as string)
        return answer
      }
      const ready = async () => {
        const response = await fetch(`${product.url}/health/ready`)
        return { status: response.status, body: (await response.json()) as { warnings?: string[] } }
      }
      expect((await update('Before')).status).toBe(201)
      expect((await ready()).body).toEqual({ status: 'ready' })

      const refusedAndReadable = async () => {
        await expect.poll(async () => (await update('Refused')).status).toBe(507)
        expect((await update('Refused')).body).toEqual({ code: 'insufficient_storage', message: FULL })
        expect((await call('GET', `/incident/${first.body.id}`)).body.title).toBe('Before')
        const { status, body } = await ready()
        expect(status).toBe(200)
        expect(body.warnings?.join()).toMatch(/^The disk of the data folder is full: \d+ MB are left/)
      }
      await fill(folder, RESERVE - 20 * MEGABYTE)
      await refusedAndReadable()
      // The reserve is for essential operations, such as signing in.
      await signIn(product.url, 'admin@demo.example')
      await fill(folder, 0)
      await refusedAndReadable()

      await rm(join(folder, 'filler'))
      await expect.poll(async () => (await update('After')).status).toBe(201)
      expect((await ready()).body).toEqual({ status: 'ready' })

      // A file within the size limit, but too large for the disk.
      await fill(folder, RESERVE + 10 * MEGABYTE)
      const form = new FormData()
      form.set('file', new Blob([Buffer.alloc(30 * MEGABYTE, 'text ')]), 'large.txt')
      const { 'Content-Type': _, ...rest } = headers
      const upload = async () => {
        const url = `${product.url}/api/fa/INCIDENT/${first.body.id}`
        return (await fetch(url, { method: 'POST', headers: rest, body: form })).status
      }
      // Free space is measured every half second.
      await expect.poll(upload).toBe(507)
      expect(await readdir(join(folder, 'data', 'files', 'unfinished'))).toEqual([])
      await rm(join(folder, 'filler'))

      // Acknowledged data is on disk: a restart after SIGKILL finds it.
      await product.kill('SIGKILL')
      const again = await startProduct({}, join(folder, 'data'))
      try {
        const second = await signIn(again.url, 'admin@demo.example')
        const { body } = await second.call('GET', `/incident/${first.body.id}`)
        const activities = body.activities as { id: string }[]
        expect(new Set(activities.map(({ id }) => id))).toEqual(acknowledged)
      } finally {
        await again.crash()
      }
    } finally {
      await product.kill('SIGKILL')
      unmount()
    }
  })
})
