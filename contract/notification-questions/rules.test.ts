import { expect, test } from 'vitest'

import { isStart, isStop, readReply, replyLine } from './rules.ts'
import type { Answer } from './schema.ts'

const answers: Answer[] = [
  { label: 'Safe', tone: 'GOOD' },
  { label: 'Need help', tone: 'ATTENTION' },
  { label: 'Need help soon', tone: 'ATTENTION' },
]

test('an SMS says how it is answered', () => {
  expect(replyLine({ answers })).toBe('Reply 1 Safe, 2 Need help, 3 Need help soon')
})

test.each([
  ['1', 0, ''],
  [' 2 ', 1, ''],
  ['2.', 1, ''],
  ['１', 0, ''],
  ['1 please hurry', 0, 'please hurry'],
  ['2) roof, 3rd floor', 1, 'roof, 3rd floor'],
  ['1\nAna', 0, 'Ana'],
  ['Safe', 0, ''],
  ['SAFE!', 0, ''],
  ['safe, at home', 0, 'at home'],
  ['need  help', 1, ''],
  ['Need help soon please', 2, 'please'],
])('%j is answer %i with the note %j', (text, answer, note) => {
  expect(readReply({ answers }, text)).toEqual({ answer, note })
})

test.each([
  '',
  '0',
  '4',
  '12',
  '1st floor',
  '100',
  'Safety first',
  'I am safe',
  'STOP',
  'stop.',
  'Start',
  '😀',
])('%j is no answer', (text) => {
  expect(readReply({ answers }, text)).toBeNull()
})

test('a note has an end', () => {
  expect(readReply({ answers }, `1 ${'x'.repeat(100_000)}`)!.note).toHaveLength(280)
})

test('unsubscribing is told from other words', () => {
  expect(['STOP', ' unsubscribe ', 'Quit!'].every(isStop)).toBe(true)
  expect(['stop it', 'START', 'help'].some(isStop)).toBe(false)
  expect(isStart('unstop')).toBe(true)
})
