import { describe, expect, test } from 'vitest'

import {
  countToMend,
  isWorkingTime,
  linesOf,
  monthOf,
  nextTestMoment,
  nextWorkingMoment,
  testWords,
} from './rules.ts'
import type { Readiness } from './schema.ts'

const READY: Readiness = {
  timestamp: '2026-11-28T12:00:00.000Z',
  people: 40,
  proved: 40,
  addressed: 0,
  lacking: 0,
  bounced: 0,
  withoutNumber: 0,
  numbers: 41,
  numbersUnproved: 0,
  neverSignedIn: 0,
  invitable: 0,
  secondFactor: 'TOTP',
  withoutSecondFactor: 0,
  playbooks: { count: 3, due: 0 },
  lastExerciseTimestamp: '2026-08-30T12:00:00.000Z',
  lastTestTimestamp: '2026-11-20T12:00:00.000Z',
  testProblem: null,
  canTest: true,
  exerciseDays: 90,
  proofDays: 90,
}
const toMend = (changes: Partial<Readiness>) =>
  linesOf({ ...READY, ...changes })
    .filter(({ isToMend }) => isToMend)
    .map(({ name }) => name)

describe('the lines of the board', () => {
  test('mend nothing where nothing lacks, on the last day of the exercise too', () => {
    expect(countToMend(READY)).toBe(0)
    expect(linesOf(READY).find(({ name }) => name === 'EXERCISE')).toMatchObject({ count: 90 })
  })
  test('name what lacks, gravest first', () => {
    expect(
      toMend({
        playbooks: { count: 3, due: 1 },
        bounced: 1,
        lastExerciseTimestamp: '2026-08-29T12:00:00.000Z',
        lastTestTimestamp: null,
        neverSignedIn: 2,
      }),
    ).toEqual(['BOUNCED', 'NEVER_SIGNED_IN', 'TEST', 'EXERCISE', 'PLAYBOOKS'])
    expect(toMend({ testProblem: 'Nobody approved it.' })).toEqual(['TEST'])
  })
  test('leave out what means nothing here', () => {
    const names = linesOf({
      ...READY,
      secondFactor: 'EMAIL',
      playbooks: null,
      canTest: false,
      numbers: 0,
    }).map(({ name }) => name)
    expect(names).toEqual(['BOUNCED', 'NO_NUMBER', 'NEVER_SIGNED_IN', 'EXERCISE'])
  })
})

describe('the words of a test', () => {
  test('begin with its mark, whatever an SMS may hold', () => {
    for (const limit of [1, 3, 4, 20, 100]) {
      const { title, emailMessage, smsMessage } = testWords('Acme', limit)
      expect([title, emailMessage].every((text) => text.startsWith('TEST: '))).toBe(true)
      expect(smsMessage.length).toBeLessThanOrEqual(limit)
      expect('TEST: nothing has happened.'.startsWith(smsMessage.slice(0, 4))).toBe(true)
    }
  })
})

describe('the moment of a planned test', () => {
  const ZONES = [
    '',
    'America/Toronto',
    'Europe/Zurich',
    'Asia/Kolkata',
    'Pacific/Auckland',
    'America/St_Johns',
  ]
  const first = () => 0
  const last = (limit: number) => limit - 1
  test('is in the working hours of the zone, through a year with its changes of the clock', () => {
    for (const zone of ZONES)
      for (let day = 0; day < 366; day += 5) {
        const now = Date.UTC(2026, 0, 1, 5) + day * 86_400_000
        for (const random of [first, last])
          for (const at of [
            nextTestMoment(now, zone, { random, thisMonth: true }),
            nextTestMoment(now, zone, { random, thisMonth: false }),
            nextWorkingMoment(now, zone, random),
          ]) {
            expect([zone, new Date(at).toISOString(), isWorkingTime(at, zone)]).toEqual([
              zone,
              expect.any(String),
              true,
            ])
            expect(at).toBeGreaterThan(now)
          }
      }
  })
  test('is in this month where enough of it is left, and otherwise in the next', () => {
    const monthFrom = (now: string, thisMonth: boolean) =>
      monthOf(nextTestMoment(Date.parse(now), 'Europe/Zurich', { random: last, thisMonth }), 'Europe/Zurich')
    expect(monthFrom('2026-11-02T12:00:00Z', true)).toBe('2026-11')
    expect(monthFrom('2026-11-27T12:00:00Z', true)).toBe('2026-12')
    expect(monthFrom('2026-11-02T12:00:00Z', false)).toBe('2026-12')
    expect(monthFrom('2026-12-31T23:30:00Z', false)).toBe('2027-02')
    expect(monthFrom('2026-12-01T12:00:00Z', false)).toBe('2027-01')
  })
  test('reaches each minute of the hours', () => {
    const at = (random: (limit: number) => number) =>
      new Date(
        nextTestMoment(Date.parse('2026-11-02T12:00:00Z'), '', { random, thisMonth: true }),
      ).toISOString()
    expect([at(first), at(last)]).toEqual(['2026-11-03T09:00:00.000Z', '2026-11-30T16:59:00.000Z'])
  })
})
