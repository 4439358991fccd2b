import { describe, expect, test } from 'vitest'

import { microsecondsOf, RoomNumbers } from './numbers.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
/** Messages one second apart. */
const some = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => ({ id: `m${from + n}`, created_at: at(from + n) }))
const numbersIn = (room: RoomNumbers, from: number, to: number) =>
  some(from, to).map(({ id }) => room.numberOf(id)!)
const isAscending = (numbers: readonly number[]) =>
  numbers.every((number, n) => n === 0 || number > numbers[n - 1]!)
const hasNoGaps = (numbers: readonly number[]) =>
  numbers.every((number, n) => n === 0 || number === numbers[n - 1]! + 1)

test('a time has six digits after its seconds', () => {
  expect(microsecondsOf('2026-01-01T00:00:00.123456Z') - microsecondsOf('2026-01-01T00:00:00Z')).toBe(123_456)
  expect(microsecondsOf('2026-01-01T00:00:01.5Z') - microsecondsOf('2026-01-01T00:00:00Z')).toBe(1_500_000)
})

describe('messages of a room', () => {
  test('are numbered without gaps, through older pages and those that come', () => {
    const room = new RoomNumbers()
    room.newest(some(41, 60))
    room.page(some(21, 40), { before: room.numberOf('m41')! })
    room.arrived(some(61, 61)[0]!)
    room.arrived(some(62, 62)[0]!)
    expect(hasNoGaps(numbersIn(room, 21, 62))).toBe(true)
    expect(room.last).toBe(room.numberOf('m62'))
  })

  test('begin with 1 in a room that was seen empty', () => {
    const room = new RoomNumbers()
    room.newest([])
    expect(some(1, 2).map((message) => room.arrived(message))).toEqual([1, 2])
  })

  test('keep their numbers, and stay in order around one that was met alone', () => {
    const room = new RoomNumbers()
    room.newest(some(81, 100))
    const alone = room.one(some(30, 30)[0]!)
    room.page(some(25, 35))
    room.page(some(36, 50), { after: room.numberOf('m35')! })
    room.page(some(61, 80), { before: room.numberOf('m81')! })
    room.page(some(41, 60), { before: room.numberOf('m61')! })
    expect(room.numberOf('m30')).toBe(alone)
    expect(isAscending(numbersIn(room, 25, 100))).toBe(true)
    expect(room.idOf(alone)).toBe('m30')
  })

  test('are found by a time', () => {
    const room = new RoomNumbers()
    room.newest(some(10, 20))
    expect(room.at(at(15))).toBe(room.numberOf('m15'))
    expect(room.at(at(99))).toBe(room.last)
    expect(room.at(at(1))).toBe(0)
  })
})
