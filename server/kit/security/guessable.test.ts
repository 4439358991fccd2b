import { expect, test } from 'vitest'

import { passwordProblem } from '#contract/sessions/rules.ts'

import { isGuessable, wordsOf } from './guessable.ts'

const PERSONAL = wordsOf([
  'Ana',
  'Lindqvist',
  'ana.lindqvist@tidewater.example',
  'Tidewater Ferries',
  'tw-east',
  'Muster',
])

test.each([
  'Password1!',
  'Passw0rd!23',
  'P@ssw0rd1',
  'Pa$$word1',
  'P4ssw0rd2026!',
  '!Password1',
  'drowssaP1!',
  'Password!Password1',
  'PasswordSummer2026!',
  'Welcome1!',
  'Welcome@123',
  'W3lc0m3!',
  'Summer2026!',
  '$Ummer2026',
  'Winter2025#',
  'January2026!',
  'Monday1!',
  'Samstag2026!',
  'Février2026!',
  'Qwerty123!',
  'Qwertz123!',
  'Azerty1234!',
  'Asdf1234!',
  '1qaz@WSX',
  'Zaq12wsx!',
  'Abcd1234!',
  'Aa123456!',
  'Aaaa1111!',
  'Abc123!@#',
  'Admin123!',
  'Changeme1!',
  'Ch@ngeM3!',
  'Letmein1!',
  'L3tM31n!!',
  'Company2026!',
  'Secret1!',
  '1Loveyou!',
  'Monkey123!',
  'Dragon2024#',
  'Football1!',
  'Hello123!',
  'Test1234!',
  'Ana12345!',
  'Lindqvist1!',
  'Ana-Lindqvist-7',
  'L1ndqv1st!',
  'Ana.lindqvist2026!',
  'Tidewater1!',
  'TidewaterFerries2026!',
  'Welcome-Tidewater1!',
  'TidewaterHarbor1!',
  'Muster2026!',
  'MusterAdmin1!',
])('%s is guessable', async (password) => {
  expect(passwordProblem(password)).toBeUndefined()
  expect(await isGuessable(password, PERSONAL)).toBe(true)
})

test.each([
  'Correct-horse-9',
  'Correct horse 9 battery.',
  'P@ssw0rd-and-more',
  'My dog ate 3 socks!',
  'Giraffe-tulip-42',
  'Lemon+Gravel+31',
  'Four?Yaks&2Llamas',
  'Ottawa*canoe*1987',
  'Zebra7.violin.Cup',
  'Quiet-Harbour-19',
  'Th3re-were-2-otters',
  'Nebelhorn!ruft47mal',
  'Kaffee-Brunnen-58',
  'I walk 2 the ferry daily.',
  'Ana sells 9 blue kettles!',
  'Summer at 7 lakes was cold!',
  'vK9$mTq2Lw!',
  'Xk7#9!2$',
  'p7Wq-2kLx-9dRt',
  'tR4!vbn8Qz',
  'G#7w!2Zk',
  'Aa1!wxyz',
  // Like a password of the demonstration.
  'Kqzfwmhtbnrd-4827',
  `Aa1!${'x'.repeat(251)}`,
])('%s is not guessable', async (password) => {
  expect(passwordProblem(password)).toBeUndefined()
  expect(await isGuessable(password, PERSONAL)).toBe(false)
})

test('what is known of somebody else is not held against a password', async () => {
  expect(await isGuessable('Lindqvist-Wiborg-7', wordsOf(['Bo', 'Marley']))).toBe(false)
  expect(await isGuessable('Lindqvist-Wiborg-7', wordsOf(['Bo Wiborg', 'Lindqvist Shipping']))).toBe(true)
})

test('words of an address leave out the top-level domain and what is too short', () => {
  expect([...wordsOf(['bo.marley@acme-corp.example', 'Zoë', 'tw-1'])]).toEqual([
    'marley',
    'acme',
    'corp',
    'zoe',
  ])
})
