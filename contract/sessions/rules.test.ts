import { describe, expect, test } from 'vitest'

import { passwordProblem, passwordRules } from './rules.ts'
import { NewPassword, Password } from './schema.ts'

const broken = (password: string) =>
  passwordRules.filter((rule) => !rule.holds(password)).map((rule) => rule.id)

describe('a password', () => {
  test.each([
    ['Abcdefg1!', []],
    ['Ab1-efgh', []],
    ['Correct horse 9 battery.', []],
    ['Ünïcödé7+', []],
    [`Aa1!${'x'.repeat(251)}`, []],
    ['Aa1!xyz', ['length']],
    ['', ['length', 'lowercase', 'uppercase', 'number', 'special']],
    [`Aa1!${'x'.repeat(252)}`, ['maximum']],
    ['ABCDEFG1!', ['lowercase']],
    ['abcdefg1!', ['uppercase']],
    ['Abcdefgh!', ['number']],
    ['Abcdefg1', ['special']],
    // Not special characters here, though other products accept them.
    ['Abcdefg1_', ['special']],
    ['Abcdefg1~', ['special']],
  ])('%s breaks %j', (password, rules) => {
    expect(broken(password)).toEqual(rules)
  })

  test.each('@$!%*#?&.,+{}-'.split(''))('%s is special', (character) => {
    expect(broken(`Abcdefg1${character}`)).toEqual([])
  })
  test.each('<>^()/\\|\'"'.split(''))('%s is forbidden', (character) => {
    expect(broken(`Abcdefg1!${character}`)).toEqual(['forbidden'])
  })
})

test('the first broken rule is told', () => {
  expect(passwordProblem('short')).toBe('Password must be at least 8 characters long.')
  expect(passwordProblem('longenough')).toBe('Password must contain at least 1 uppercase letter.')
  expect(passwordProblem('Longenough1!')).toBeUndefined()
  expect(Password.safeParse('LONGENOUGH').error?.issues.map((issue) => issue.message)).toEqual([
    'Password must contain at least 1 lowercase letter.',
  ])
  expect(Password.parse('Longenough1!')).toBe('Longenough1!')
})

test.each([undefined, null, 12_345_678, ['Longenough1!']])('%j is no password', (value) => {
  expect(Password.safeParse(value).success).toBe(false)
})

test('each rule has its own id and message', () => {
  expect(new Set(passwordRules.map((rule) => rule.id)).size).toBe(passwordRules.length)
  expect(new Set(passwordRules.map((rule) => rule.message)).size).toBe(passwordRules.length)
})

test('a link is taken as it is: what is wrong with it is for the server to say in one way', () => {
  const given = {
    newPassword: 'Longenough1!',
    enterpriseCode: ' ACME ',
    userId: 'nobody',
    oneTimePasscode: '?',
  }
  expect(NewPassword.parse(given)).toMatchObject({
    enterpriseCode: 'acme',
    userId: 'nobody',
    oneTimePasscode: '?',
  })
})
