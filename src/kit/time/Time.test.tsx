import { act, render } from '@testing-library/react'
import { CoreAdminContext } from 'react-admin'
import { expect, test, vi } from 'vitest'

import { i18nProvider } from '#providers/i18nProvider.ts'

import { shortTime } from './formats.ts'
import { Time } from './Time.tsx'

const NOW = Date.parse('2026-03-12T14:05:00.000Z')
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()
function show(at: string, absolute = false, short = false, clock = false) {
  vi.useFakeTimers({ now: NOW })
  const { container } = render(
    <CoreAdminContext i18nProvider={i18nProvider}>
      <Time at={at} absolute={absolute} short={short} clock={clock} />
    </CoreAdminContext>,
  )
  return container.querySelector('time')!
}

test.each([
  [0, 'just now'],
  [1, '1 minute ago'],
  [59, '59 minutes ago'],
  [60, '1 hour ago'],
  [23 * 60 + 59, '23 hours ago'],
  [-90, 'in 1 hour'],
])('%i minutes ago reads %s', (minutes, text) => {
  expect(show(ago(minutes))).toHaveTextContent(text)
})

test('is absolute from a day on, and always where reports want it', () => {
  expect(show(ago(24 * 60)).textContent).toMatch(/Mar 11, 2026/)
  expect(show(ago(1), true).textContent).toMatch(/Mar 12, 2026.*(UTC|GMT|[A-Z]{3,4})/)
})

test('is short in narrow columns, and breaks only between day and hour', () => {
  expect(show(ago(5), false, true)).toHaveTextContent('5 min. ago')
  const spaces = (at: string) => show(at, false, true).textContent.replace(/[^ ]/g, '')
  expect(show('2026-02-03T09:00:00.000Z', false, true).textContent).toMatch(/^Feb\u00a03, \d/)
  expect(spaces('2026-02-03T09:00:00.000Z')).toBe(' ')
  expect(show('2025-02-03T09:00:00.000Z', false, true).textContent).toMatch(/^Feb\u00a03,\u00a02025, \d/)
})

test('has the hour before the relative time in a log, and once where it is absolute', () => {
  const hour = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit' })
  const inLog = (minutes: number) => show(ago(minutes), false, false, true).textContent
  expect(inLog(5)).toBe(`${hour.format(Date.parse(ago(5)))} · 5 min. ago`)
  expect(inLog(0)).toBe(`${hour.format(NOW)} · just now`)
  expect(inLog(24 * 60)).not.toContain('·')
})

test('has the exact time for machines and on hover, and goes on by itself', () => {
  const time = show(ago(4))
  expect(time).toHaveAttribute('datetime', ago(4))
  expect(time.title).toMatch(/Mar 12, 2026/)
  expect(time).toHaveTextContent('4 minutes ago')
  act(() => {
    vi.advanceTimersByTime(60_000)
  })
  expect(time).toHaveTextContent('5 minutes ago')
})

test.each([
  ['en-US', 'Mar 11, 2026, 09:05 AM'],
  ['en-GB', '11 Mar 2026, 09:05'],
  ['de-DE', '11 Mar 2026, 09:05'],
  ['de', '11 Mar 2026, 09:05'],
  ['en', 'Mar 11, 2026, 09:05 AM'],
])('follows the region of a browser in %s: %s', (language, text) => {
  vi.spyOn(navigator, 'language', 'get').mockReturnValue(language)
  const morning = new Date(2026, 2, 11, 9, 5)
  expect(shortTime('en', morning).replaceAll('\u202f', ' ')).toBe(text)
})
