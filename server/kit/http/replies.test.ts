import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'

import { type Endpoint, list, type Reply } from '#contract/kit/endpoint.ts'

import { cutterOf } from './replies.ts'

const answers = (reply: Reply) =>
  cutterOf({ method: 'GET', path: '/', access: { realm: 'public' }, summary: '', reply } satisfies Endpoint)
/** Three equal rows, because the first one takes another code path. */
const thrice = (row: unknown) => [row, row, row]

const Person = z.object({ name: z.string(), phone: z.nullable(z.string()), note: z.optional(z.string()) })
const ANA = { name: 'Ana', phone: null }
const LEAK = { ...ANA, passwordHash: 'secret' }

describe('an undeclared field does not leave', () => {
  test.each([
    ['in a list', list(Person), thrice(LEAK), thrice(ANA)],
    ['in a record', Person, LEAK, ANA],
    [
      'in an array of a record',
      z.object({ people: z.array(Person) }),
      { people: thrice(LEAK) },
      { people: thrice(ANA) },
    ],
    ['in a record of a row', list(z.object({ by: Person })), thrice({ by: LEAK }), thrice({ by: ANA })],
    [
      'in an array of a row',
      list(z.object({ by: z.array(Person) })),
      thrice({ by: [LEAK, LEAK] }),
      thrice({ by: [ANA, ANA] }),
    ],
    ['in an array of arrays', list(z.array(Person)), thrice([LEAK, LEAK]), thrice([ANA, ANA])],
    ['below nullable', list(z.object({ by: z.nullable(Person) })), thrice({ by: LEAK }), thrice({ by: ANA })],
    ['below optional', list(z.object({ by: z.optional(Person) })), thrice({ by: LEAK }), thrice({ by: ANA })],
    ['in an optional array', z.optional(z.array(Person)), thrice(LEAK), thrice(ANA)],
    ['in a nullable array', z.nullable(z.array(Person)), thrice(LEAK), thrice(ANA)],
    ['in a union', list(z.union([z.object({ id: z.string() }), Person])), thrice(LEAK), thrice(ANA)],
    [
      'in the values of a record',
      list(z.record(z.string(), Person)),
      thrice({ ana: LEAK }),
      thrice({ ana: ANA }),
    ],
    [
      'in the arrays of a record by name',
      z.record(z.string(), z.array(Person)),
      { ana: thrice(LEAK), bo: [] },
      { ana: thrice(ANA), bo: [] },
    ],
    [
      'below a default',
      list(z.object({ by: z._default(Person, ANA) })),
      thrice({ by: LEAK }),
      thrice({ by: ANA }),
    ],
  ])('%s', (_, reply, given, left) => {
    expect(answers(reply as Reply)(given)).toStrictEqual(left)
  })

  test('beside a field that is written anew', () => {
    const Trimmed = z.object({ name: z.string().check(z.trim()), note: z.optional(z.string()) })
    expect(answers(list(Trimmed))(thrice({ name: ' Ana ' }))).toStrictEqual(thrice({ name: 'Ana' }))
  })

  test('in the last of many rows', () => {
    const rows = [...Array.from({ length: 49 }, () => ANA), LEAK]
    expect(JSON.stringify(answers(list(Person))(rows))).not.toContain('secret')
  })

  test.each(thrice(0).map((_, n) => [n]))('in place of a word, in row %i', (n) => {
    const rows = thrice(ANA).with(n, { name: LEAK, phone: null })
    expect(() => answers(list(Person))(rows)).toThrow()
  })

  test('in place of a record', () => {
    expect(() => answers(list(z.object({ by: Person })))([{ by: ANA }, { by: 'secret' }])).toThrow()
    expect(() => answers(list(z.object({ by: z.array(Person) })))([{ by: [ANA] }, { by: LEAK }])).toThrow()
  })
})

test('what is declared arrives whole', () => {
  const row = { name: 'Ana', phone: '+49 30 1', note: 'x' }
  expect(answers(list(Person))(thrice(row))).toStrictEqual(thrice(row))
  expect(answers(list(Person))([])).toStrictEqual([])
  expect(answers(z.nullable(Person))(null)).toBeNull()
  expect(answers(z.optional(Person))(undefined)).toBeUndefined()
  expect(answers(list(z.union([z.string(), z.number()])))(['a', 1, 2])).toStrictEqual(['a', 1, 2])
})

test('a record by name keeps every name', () => {
  const lists = Object.fromEntries([
    ['__proto__', [ANA]],
    ['constructor', [ANA]],
  ])
  expect(JSON.stringify(answers(z.record(z.string(), z.array(Person)))(lists))).toBe(JSON.stringify(lists))
  for (const wrong of [null, 'a', 7, { ana: ANA }])
    expect(() => answers(z.record(z.string(), z.array(Person)))(wrong)).toThrow()
})

test('every row is rewritten where the contract says so', () => {
  const Trimmed = z.object({ name: z.string().check(z.trim()), size: z._default(z.number(), 0) })
  expect(answers(list(Trimmed))(thrice({ name: ' Ana ' }))).toStrictEqual(thrice({ name: 'Ana', size: 0 }))
})

test('a record that is not what was declared is refused', () => {
  expect(() => answers(Person)({ name: 1, phone: null })).toThrow()
  expect(() => answers(list(Person))([{ name: 1, phone: null }])).toThrow()
})
