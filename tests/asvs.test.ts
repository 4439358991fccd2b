import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const SUFFIXES = ['', '.ts', '.tsx', '.test.ts', '.test.tsx', '.spec.ts']
const JUDGEMENTS = ['met', 'operator', 'does not apply', 'not met'] as const
/** Requirements of ASVS 5.0.0 by level. */
const COUNTS = { 1: 70, 2: 183 } as const

interface Row {
  readonly number: string
  readonly level: string
  readonly about: string
  readonly judgement: string
  readonly reason: string
}

const text = readFileSync(join(ROOT, 'docs/asvs.md'), 'utf8')
const rows: Row[] = text.split('\n').flatMap((line) => {
  const [, number = '', level = '', about = '', judgement = '', reason = ''] = line
    .split('|')
    .map((cell) => cell.trim())
  return /^\d+\.\d+\.\d+$/.test(number) ? [{ number, level, about, judgement, reason }] : []
})
const pathsOf = ({ reason }: Row): string[] =>
  [...reason.matchAll(/`((?:contract|providers|server|src|tests)\/[\w./-]+)`/g)].map(([, path = '']) => path)
const isThere = (path: string): boolean => SUFFIXES.some((suffix) => existsSync(join(ROOT, path + suffix)))

test('every requirement of both levels is judged once', () => {
  expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length)
  for (const [level, count] of Object.entries(COUNTS))
    expect(rows.filter((row) => row.level === level)).toHaveLength(count)
})

test('every test and source file that is named exists', () => {
  const missing = rows.flatMap((row) =>
    pathsOf(row)
      .filter((path) => !isThere(path))
      .map((path) => `${row.number} ${path}`),
  )
  expect(missing).toEqual([])
  expect(rows.flatMap(pathsOf).length).toBeGreaterThan(100)
})

test('every row has a judgement, and what shows it or the reason', () => {
  const isBare = ({ judgement, reason }: Row) =>
    reason === '' || !(JUDGEMENTS as readonly string[]).includes(judgement)
  expect(rows.filter(isBare)).toEqual([])
})

test('the summary counts the rows', () => {
  for (const level of Object.keys(COUNTS)) {
    const counts = JUDGEMENTS.map(
      (judgement) => rows.filter((row) => row.level === level && row.judgement === judgement).length,
    )
    expect(text).toContain(`| level ${level} | ${counts.join(' | ')} |`)
  }
})
