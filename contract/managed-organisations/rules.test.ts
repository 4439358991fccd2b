import { expect, test } from 'vitest'

import { canClear, codeOf } from './rules.ts'

test.each([
  ['Acme Corp.', 'acme.example', 'acme-corp'],
  ['  Société Générale  ', 'sg.example', 'societe-generale'],
  ['日本', 'nihon.example', 'nihon'],
  ['日本', '日本.example', 'organization'],
  ['~provider', 'a.example', 'provider'],
  [`${'a'.repeat(39)} b`, 'a.example', 'a'.repeat(39)],
])('%j at %j gets the code %j', (name, domain, code) => expect(codeOf(name, domain)).toBe(code))

test('trials and organisations of less than 7 days can be cleared', () => {
  const now = Date.parse('2026-03-10T12:00:00.000Z')
  const of = (displayName: string, createTimestamp: string) => canClear({ displayName, createTimestamp }, now)
  expect(of('SHQTrial One', '2020-01-01T00:00:00.000Z')).toBe(true)
  expect(of('Acme', '2026-03-04T12:00:00.000Z')).toBe(true)
  expect(of('Acme', '2026-03-03T12:00:00.000Z')).toBe(false)
  expect(of('Acme', '2026-03-02T12:00:00.000Z')).toBe(false)
})
