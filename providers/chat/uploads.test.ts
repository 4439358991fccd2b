import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { MessageAttachment } from '#contract/chat/schema.ts'
import { change, signedIn } from '#tests/support/client.tsx'
import { uuidOf } from '#tests/support/client-chat.ts'

import { chat } from './chat.ts'
import { attachmentsOf, forgetUploads, uploadsOf } from './uploads.ts'

const ROOM = uuidOf(1)
const attachment = (name: string): MessageAttachment => ({
  id: crypto.randomUUID(),
  type: 'file',
  asset_url: `/fe/${name}`,
  image_url: null,
  thumb_url: null,
  title: `${name}.txt`,
  fallback: `${name}.txt`,
  name,
  extension: 'txt',
  size: 1,
  mimeType: 'text/plain',
  updatedAt: '2026-01-01T00:00:00.000Z',
})

/** Makes an upload wait for the test. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<MessageAttachment>()
  const upload = vi.spyOn(chat.provider, 'upload').mockReturnValue(promise)
  return { upload, resolve, reject }
}
const settled = () => new Promise((resolve) => setTimeout(resolve))

beforeEach(() => {
  signedIn()
})
afterEach(forgetUploads)

test('an upload goes on while another room is shown, and is saved in the draft', async () => {
  const { resolve } = held()
  const save = vi.fn()
  const uploads = uploadsOf(ROOM, [])
  uploads.saveWith(save)
  uploads.add([new File(['x'], 'plan.txt')])
  expect(uploadsOf(uuidOf(2), [])).not.toBe(uploads)
  const plan = attachment('plan')
  resolve(plan)
  await settled()
  expect(attachmentsOf(uploadsOf(ROOM, []).files)).toEqual([plan])
  expect(save).toHaveBeenCalledExactlyOnceWith([plan])
})

test('one that fails stays to be tried again', async () => {
  const { upload, reject } = held()
  const uploads = uploadsOf(ROOM, [])
  uploads.add([new File(['x'], 'plan.txt')])
  reject(new TypeError('Failed to fetch'))
  await settled()
  expect(uploads.files).toMatchObject([{ name: 'plan.txt', state: 'failed' }])
  const plan = attachment('plan')
  upload.mockResolvedValue(plan)
  await uploads.upload(uploads.files[0]!)
  expect(uploads.files).toMatchObject([{ state: 'uploaded', attachment: plan }])
})

test('the next person finds nothing of the one before, and a late answer changes nothing', async () => {
  const { upload, resolve } = held()
  const save = vi.fn()
  const uploads = uploadsOf(ROOM, [])
  uploads.saveWith(save)
  uploads.add([new File(['x'], 'secret.txt')])
  change({ uuid: uuidOf(999) })
  expect(upload.mock.calls[0]![1].signal?.aborted).toBe(true)
  resolve(attachment('secret'))
  await settled()
  expect(uploadsOf(ROOM, []).files).toEqual([])
  expect(save).not.toHaveBeenCalled()
})

test('a file that is taken off while it is sent does not come back with the answer', async () => {
  const { resolve } = held()
  const uploads = uploadsOf(ROOM, [])
  uploads.add([new File(['x'], 'wrong.txt')])
  uploads.remove(uploads.files[0]!)
  resolve(attachment('wrong'))
  await settled()
  expect(uploads.files).toEqual([])
})
