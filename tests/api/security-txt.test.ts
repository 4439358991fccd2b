import { afterEach, expect, test, vi } from 'vitest'

import { clock } from '#server/kit/core/clock.ts'
import { readSettings } from '#server/kit/core/settings.ts'
import { startTestServer } from '#tests/support/server.ts'

const PATH = '/.well-known/security.txt'
const DAY = 86_400_000
afterEach(() => void vi.restoreAllMocks())

test('says where to report vulnerabilities, and is valid for less than a year', async () => {
  const contact = 'mailto:security@muster.example'
  const { url } = await startTestServer({
    SECURITY_CONTACT: contact,
    PUBLIC_URL: 'https://muster.example',
    ALLOW_OUTBOX: '1',
  })
  vi.spyOn(clock, 'now').mockReturnValue(Date.UTC(2027, 0, 31, 23, 59, 59))
  const reply = await fetch(url + PATH)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const text = await reply.text()
  expect(text).toBe(
    `Contact: ${contact}\nExpires: 2028-01-30T00:00:00.000Z\nPreferred-Languages: en\n` +
      `Canonical: https://muster.example${PATH}\n`,
  )
  vi.spyOn(clock, 'now').mockReturnValue(Date.UTC(2027, 0, 31))
  expect(await (await fetch(url + PATH)).text()).toBe(text)
  expect(Date.UTC(2028, 0, 30) - Date.UTC(2027, 0, 31)).toBeLessThan(365 * DAY)
})

test('is not there without a contact', async () => {
  const { url } = await startTestServer()
  const reply = await fetch(url + PATH, { headers: { Accept: 'text/html' } })
  expect([reply.status, await reply.json()]).toEqual([
    404,
    { code: 'not_found', message: 'There is nothing here.' },
  ])
})

test.each(['security@muster.example', 'http://muster.example', 'mailto:', 'mailto:a@b.example\nContact: x'])(
  'takes no contact like %j',
  (SECURITY_CONTACT) => {
    expect(() => readSettings({ SECURITY_CONTACT })).toThrow(
      'The setting SECURITY_CONTACT is wrong: must be an email address as mailto: or an https:// URL.',
    )
  },
)
