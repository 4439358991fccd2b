import { describe, expect, test } from 'vitest'

import { type DateOrder, readDate, readMoment } from './moments.ts'

/** Saturday. */
const NOW = new Date(2026, 10, 28, 10, 0).getTime()
const habits = (order: DateOrder = 'DMY') => ({ order, now: NOW })

describe('a date', () => {
  test.each([
    ['28.11.2026', 'DMY'],
    ['28/11/2026', 'DMY'],
    ['28-11-2026', 'DMY'],
    ['28. 11. 2026', 'DMY'],
    ['28/11/26', 'DMY'],
    ['28.11.', 'DMY'],
    ['11/28/2026', 'MDY'],
    ['11/28', 'MDY'],
    ['26/11/28', 'YMD'],
    ['2026. 11. 28.', 'YMD'],
    ['2026/11/28', 'DMY'],
    ['2026-11-28', 'MDY'],
    ['20261128', 'DMY'],
    // Impossible in the region's own order.
    ['11/28/2026', 'DMY'],
    ['28.11.2026', 'MDY'],
    ['28 Nov 2026', 'MDY'],
    ['28th November', 'DMY'],
    ['Nov 28, 2026', 'DMY'],
    ['Saturday, 28 November 2026', 'DMY'],
    ['Sat 28/11/2026', 'DMY'],
    ['today', 'DMY'],
    [' \u200e28.11.2026\u00a0', 'DMY'],
    ['2026-11-28T09:30', 'DMY'],
    ['28/11/2026, 14:05', 'DMY'],
  ] as const)('reads “%s” with %s', (typed, order) => {
    expect(readDate(typed, habits(order))).toBe('2026-11-28')
  })

  test('that can be read in two ways follows the region', () => {
    expect(readDate('05/11/2026', habits('DMY'))).toBe('2026-11-05')
    expect(readDate('05/11/2026', habits('MDY'))).toBe('2026-05-11')
  })

  test('counts from today', () => {
    expect(readDate('tomorrow', habits())).toBe('2026-11-29')
    expect(readDate('yesterday', habits())).toBe('2026-11-27')
    expect(readDate('Monday', habits())).toBe('2026-11-30')
    expect(readDate('sat', habits())).toBe('2026-12-05')
  })

  test.each([
    '', '5', '31.2.2026', '13/13/2026', '0.0.0', 'Nov', 'Nov 31', '28 Foo 2026', '2026', '28.11.20261', '28//11/2026',
    'constructor', '1 2 3 4', '<b>28.11.2026</b>', '2026-11-28-01', `28.11.2026${' '.repeat(200)}`, '９'.repeat(90),
  ])('refuses “%s”', (typed) => {
    expect(readDate(typed, habits())).toBeNull()
  }) // prettier-ignore
})

describe('a date and time', () => {
  test.each([
    '2026-11-28T14:05',
    '2026-11-28 14:05',
    '2026-11-28 14:05:59',
    '28.11.2026 14:05',
    '28.11.2026, 14.05',
    '28/11/2026 2:05 pm',
    '28 Nov 2026 2:05 PM',
    '28 Nov 2026, 14:05',
    '28 November 2026 at 14:05',
    'Nov 28, 2026, 2:05\u202fp.m.',
    '28.11. 14h05',
    'today 14:05',
    '14:05',
  ])('reads “%s”', (typed) => {
    expect(readMoment(typed, habits())).toBe('2026-11-28T14:05')
  })

  test('counts from today, and knows midnight and noon', () => {
    expect(readMoment('tomorrow 9:00', habits())).toBe('2026-11-29T09:00')
    expect(readMoment('Monday at 2 pm', habits())).toBe('2026-11-30T14:00')
    expect(readMoment('12 am', habits())).toBe('2026-11-28T00:00')
    expect(readMoment('12:30 pm', habits())).toBe('2026-11-28T12:30')
    expect(readMoment('now', habits())).toBe('2026-11-28T10:00')
  })

  test('is converted from the zone that it names', () => {
    const at = new Date('2026-11-28T14:05:00Z')
    for (const typed of [
      '2026-11-28T14:05:00.000Z',
      '2026-11-28T15:05+01:00',
      '2026-11-28 14:05 UTC',
      '28 Nov 2026, 15:05 GMT+1',
      '28 Nov 2026 08:35 UTC-5:30',
    ])
      expect(new Date(readMoment(typed, habits())!), typed).toEqual(at)
    const own = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' })
      .formatToParts(NOW)
      .find(({ type }) => type === 'timeZoneName')!.value
    expect(readMoment(`28 Nov 2026, 14:05 ${own}`, habits())).toMatch(/^2026-11-28T/)
    expect(readMoment('28 Nov 2026, 14:05 XYZ', habits())).toBeNull()
  })

  test('without its time is read only where a day means one', () => {
    expect(readMoment('28.11.2026', habits())).toBeNull()
    expect(readMoment('28.11.2026', { ...habits(), dayMeans: 'start' })).toBe('2026-11-28T00:00')
    expect(readMoment('28.11.2026', { ...habits(), dayMeans: 'end' })).toBe('2026-11-28T23:59')
  })

  test.each([
    '',
    '25:00',
    '14:60',
    '13 pm',
    '0 am',
    '9',
    '28.11.2026 99',
    '2026-13-01T10:00',
    '2026-11-31T10:00:00Z',
    'tomorrow tomorrow 9:00',
  ])('refuses “%s”', (typed) => {
    expect(readMoment(typed, habits())).toBeNull()
  })
})
