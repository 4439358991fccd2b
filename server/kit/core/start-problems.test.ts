import { expect, test } from 'vitest'

import { readSettings } from './settings.ts'
import { CannotStart, explain, unusable } from './start-problems.ts'

const explained = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    return explain(error)
  }
  return 'started'
}
const coded = (code: string, message = '') => Object.assign(new Error(message), { code })

test.each([
  [{ PORT: 'abc' }, 'The setting PORT is wrong: must be a port number.'],
  [{ DEMO: 'yes' }, 'The setting DEMO is wrong: must be 1 or 0.'],
  [
    { LOG_LEVEL: 'loud' },
    'The setting LOG_LEVEL is wrong: must be one of fatal, error, warn, info, debug, trace, silent.',
  ],
  [{ OUTBOX_KEY: 'fifteen-letters' }, 'The setting OUTBOX_KEY is wrong: must be at least 16 characters.'],
  [{ SMTP_URL: 'mail' }, 'The setting SMTP_URL is wrong: must be a URL beginning with smtp:// or smtps://.'],
])('the wrong setting %j is named in a sentence', (env, sentence) => {
  expect(explained(() => readSettings(env))).toBe(sentence)
})

test('what stops the start is a sentence, without the place in the code', () => {
  expect(explain(new CannotStart('Another Muster is already running.'))).toBe(
    'Another Muster is already running.',
  )
  expect(explain(unusable('/data', new Error('EROFS: read-only file system')))).toBe(
    'The data folder /data cannot be used: EROFS: read-only file system. Make it writable, or set DATA_DIR to another folder.',
  )
})

test('a database that does not answer, or lets nobody in, is named with its setting', () => {
  expect(explain(coded('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432'))).toBe(
    'The database cannot be reached (connect ECONNREFUSED 127.0.0.1:5432). Start it, or set DATABASE_URL to another one.',
  )
  expect(explain(coded('ECONNREFUSED'))).toContain('cannot be reached (ECONNREFUSED)')
  expect(explain(coded('28P01', 'password authentication failed for user "muster"'))).toBe(
    'The database lets nobody in (password authentication failed for user "muster"). Check DATABASE_URL.',
  )
  expect(explain(coded('3D000', 'database "muster" does not exist'))).toContain('Check DATABASE_URL.')
})

test('a surprise says where it happened', () => {
  expect(explain(new TypeError('undefined is not a function'))).toContain('start-problems.test.ts')
})
