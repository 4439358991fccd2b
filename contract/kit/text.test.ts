import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'

import { INVALID_OWN_PHONE, PICTURE_TOO_LARGE } from '#contract/account/schema.ts'
import { RoomText } from '#contract/chat/schema.ts'
import { ItemChanges } from '#contract/files/schema.ts'
import { missingIn, saysSomething } from '#contract/incidents/schema.ts'
import { NewPlaybook } from '#contract/playbooks/schema.ts'
import { REQUESTED_RECENTLY } from '#contract/features/schema.ts'
import { PASSWORDS_MATCH } from '#contract/sessions/rules.ts'
import {
  INVALID_CODE,
  PASSWORD_REQUIRED,
  PASSWORD_TOO_COMMON,
  PASSWORD_USED_BEFORE,
  TOKEN_EXPIRED,
} from '#contract/sessions/schema.ts'
import { CODE_INCORRECT } from '#contract/verifications/schema.ts'

import { FORMAT_NOT_SUPPORTED, MEGABYTE, NO_FILE, tooLargeFile, tooManyFiles } from './files.ts'

import { listQuery, PAGE_MAX } from './query.ts'
import {
  cleanEmail,
  email,
  INVALID_EMAIL,
  INVALID_NAME,
  INVALID_PHONE,
  optionalText,
  organisationCode,
  personName,
  phoneExtension,
  phoneNumber,
  requiredText,
  SOMETHING_WENT_WRONG,
  text,
  tooLong,
} from './text.ts'

const problem = (schema: z.ZodMiniType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message

test.each([
  ['\u200bana@example.com\u200b', 'ana@example.com'],
  [' \ufeffana@\u00adexample.com\u202c\n', 'ana@example.com'],
  ['jos\u00e9@example.com', 'jos\u00e9@example.com'],
  ['ana bo@example.com', 'ana bo@example.com'],
])('what is pasted as %j is cleaned to %j', (pasted, cleaned) => expect(cleanEmail(pasted)).toBe(cleaned))

describe('an email address', () => {
  test.each([
    ['  Ana@Example.COM ', 'ana@example.com'],
    ['first.last+tag@sub.example.co.uk', 'first.last+tag@sub.example.co.uk'],
    ["o'brien@example.ie", "o'brien@example.ie"],
    ['用户@例子.公司', '用户@例子.公司'],
    ['a@b.c', 'a@b.c'],
    ['JOSE\u0301@example.com', 'jos\u00e9@example.com'],
    ['\u212aate@example.com', 'kate@example.com'],
    ['ana@\u0131sparta.com.tr', 'ana@\u0131sparta.com.tr'],
    ['\u0928\u093f\u0924\u093f\u0928@example.com', '\u0928\u093f\u0924\u093f\u0928@example.com'],
  ])('%s', (given, kept) => expect(email.parse(given)).toBe(kept))

  test.each([
    '',
    '   ',
    'ana',
    'ana@',
    '@example.com',
    'ana@example',
    'ana@@example.com',
    'ana@example..com',
    'ana@.example.com',
    'ana@example.com.',
    'ana b@example.com',
    'ana@exam ple.com',
    'Ana <ana@example.com>',
    'ana@example.com,bo@example.com',
    'ana@example.com;bo@example.com',
    '"ana"@example.com',
    'ana@[127.0.0.1]',
    'ana@example.com\nBcc: all@example.com',
    'ana@exam\tple.com',
    '.ana@example.com',
    'ana.@example.com',
    'ana..bo@example.com',
    'ana@.example.com',
    'ana@example.com.',
    'ana@example..com',
    'ana@-example.com',
    'ana@example-.com',
    'ana@example.-com',
    'ana@exam_ple.com',
    'a\u200bna@example.com',
    'ana@exam\u00adple.com',
    'ana\u202e@example.com',
    'ana@example.com\u2060',
    'an\u3164a@example.com',
    'ana\ufe0f@example.com',
    'ana@ex\u2800ample.com',
    'ana\uff20bo@example.com',
    '\uff41na@example.com',
    'ana@\uff45xample.com',
    '\u0130smail@example.com',
    'i\u0307smail@example.com',
    '\u0131smail@example.com',
    'ismail@i\u0307stanbul.com',
    'a\u0338na@example.com',
    '\u017fam@example.com',
    'o\ufb03ce@example.com',
  ])('%j is refused', (given) => expect(problem(email, given)).toBe(INVALID_EMAIL))

  test.each([null, undefined, 42, {}, ['ana@example.com'], true])('%j is refused', (given) => {
    expect(problem(email, given)).toBe(INVALID_EMAIL)
  })
  test('is bounded', () => {
    expect(problem(email, `${'a'.repeat(244)}@example.com`)).toBe(tooLong(255))
    const label = 'd'.repeat(63)
    for (const [longest, longer] of [
      [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(65)}@example.com`],
      [`a@${label}.com`, `a@${label}d.com`],
      [
        `a@${label}.${label}.${label}.${'d'.repeat(57)}.com`,
        `a@${label}.${label}.${label}.${'d'.repeat(58)}.com`,
      ],
    ] as const) {
      expect(email.safeParse(longest).success, longest).toBe(true)
      expect(email.safeParse(longer).success, longer).toBe(false)
    }
  })
  // A backtracking pattern would not finish here.
  test('is decided soon, whatever is sent', () => {
    for (const bad of ['a@'.repeat(50_000), `a@${'b.'.repeat(50_000)}`, `${'.'.repeat(100_000)}@`]) {
      expect(email.safeParse(bad).success).toBe(false)
    }
  })
  test('holds no character that cannot be stored', () => {
    expect(email.safeParse('a\u0000na@example.com').success).toBe(false)
    expect(email.safeParse('ana\uD800@example.com').success).toBe(false)
  })
})

describe("a person's name", () => {
  const name = personName('Please enter a first name.')
  test.each([
    ['  Ana ', 'Ana'],
    ['Ana María', 'Ana María'],
    ['J. R. R.', 'J. R. R.'],
    ['Łukasz', 'Łukasz'],
    ['Ольга', 'Ольга'],
    ['Ελένη', 'Ελένη'],
    ['美咲', '美咲'],
    ['नेहा', 'नेहा'],
    ['عمر', 'عمر'],
    // Taken where the organisation allows it.
    ["Sean O'Brien", "Sean O'Brien"],
    ['O’Connor', 'O’Connor'],
    ['ʻIolani', 'ʻIolani'],
    ['D`Arcy', 'D`Arcy'],
    ['José-María', 'José-María'],
    ['Jean–Luc', 'Jean–Luc'],
    ['Smith, Jr.', 'Smith, Jr.'],
    ['X Æ A-12', 'X Æ A-12'],
    ['李', '李'],
    ['Anne Marie (Annie)', 'Anne Marie (Annie)'],
    ['\u00a0Tom\u00a0Nbsp', 'Tom Nbsp'],
    ['O’\u200bNeil', 'O’Neil'],
    // The accent as a combining mark.
    ['Jose\u0301', 'Jose\u0301'],
  ])('%s', (given, kept) => expect(name.parse(given)).toBe(kept))

  test.each([
    'Ana/Bo',
    'Ana\\Bo',
    '<b>Ana</b>',
    'Ana@',
    'a_b',
    '=1+1',
    '+cmd',
    'Ana\u0000',
    'Ana\u202E',
    '😀',
    '.',
    'Ana\nBo',
    '12',
    '-',
  ])('%j is refused', (given) => expect(problem(name, given)).toBe(INVALID_NAME))
  test.each(['', '   ', null, undefined, 7])('%j is missing', (given) => {
    expect(problem(name, given)).toBe('Please enter a first name.')
  })
  test('is bounded', () => {
    expect(name.safeParse('a'.repeat(255)).success).toBe(true)
    expect(problem(name, 'a'.repeat(256))).toBe(tooLong(255))
  })
})

describe('a phone number', () => {
  test.each([
    ['+1 (416) 555-0123', '+1 (416) 555-0123'],
    [' 030 901820 ', '030 901820'],
    ['', null],
    ['   ', null],
    [null, null],
    [undefined, null],
  ])('%j is left as it is written', (given, kept) => expect(phoneNumber.parse(given)).toBe(kept))

  test('is bounded', () => {
    expect(phoneNumber.safeParse('1'.repeat(255)).success).toBe(true)
    expect(problem(phoneNumber, '1'.repeat(256))).toBe(INVALID_PHONE)
  })
  test.each([
    [' 55 ', '55'],
    ['', null],
    [undefined, null],
  ])('has the extension %j', (given, kept) => expect(phoneExtension.parse(given)).toBe(kept))
  test.each(['x55', '5 5', '5'.repeat(16)])('refuses the extension %s', (given) =>
    expect(phoneExtension.safeParse(given).success).toBe(false),
  )
})

describe('text', () => {
  test('is kept as typed', () => expect(text().parse("  <b>'); drop table\n")).toBe("  <b>'); drop table\n"))
  test.each(['a\u0000b', '\uD83D', '\uDE00x'])('%j cannot be stored', (given) => {
    expect(text().safeParse(given).success).toBe(false)
  })
  test('takes characters of every plane', () => expect(text().parse('😀 𝕏 漢')).toBe('😀 𝕏 漢'))
  test('required text is trimmed first', () => {
    expect(requiredText('Say it.').parse('  yes ')).toBe('yes')
    expect(problem(requiredText('Say it.'), ' \t\n ')).toBe('Say it.')
    expect(problem(requiredText('Say it.', 3), 'four')).toBe(tooLong(3))
  })
  test.each(['\u200b', ' \u2060\ufeff ', '\u2800', '\u3164', '\u202e', '\u0007'])(
    '%j is missing, because nothing of it can be seen',
    (unseen) => {
      expect(problem(requiredText('Say it.'), unseen)).toBe('Say it.')
      expect(problem(personName('Say it.'), unseen)).toBe('Say it.')
      expect(optionalText().parse(unseen)).toBeNull()
      for (const required of [NewPlaybook.shape.name, RoomText.shape.name, ItemChanges.def.shape.name])
        expect(required.safeParse(unseen).error?.issues[0]?.message).toMatch(/required|enter|empty/)
      expect(saysSomething(`<p>${unseen}</p>`)).toBe(false)
      expect(missingIn('UPDATE', { title: '', description: unseen })).toHaveProperty('description')
    },
  )
  test('optional text may be missing', () => {
    expect(optionalText().parse(undefined)).toBeNull()
    expect(optionalText().parse(null)).toBeNull()
    expect(optionalText().parse(' x ')).toBe('x')
    expect(optionalText().parse(' ')).toBeNull()
    expect(optionalText().safeParse(1).success).toBe(false)
  })
  test.each([text(3, 'Be brief.'), requiredText('Say it.', 3, 'Be brief.'), optionalText(3, 'Be brief.')])(
    'a limit can have a sentence of its own',
    (schema) => {
      expect(schema.parse('abc')).toBe('abc')
      expect(schema.safeParse('abcd').error?.issues.map(({ message }) => message)).toEqual(['Be brief.'])
    },
  )
  test('the message of a limit has no separators', () => {
    expect(tooLong(24_000)).toBe('Maximum length of 24000 characters exceeded.')
  })
})

test('an organisation code is trimmed and lower-cased', () => {
  expect(organisationCode.parse('  ACME-East ')).toBe('acme-east')
  expect(problem(organisationCode, '  ')).toBe('Please enter an organization code.')
  expect(problem(organisationCode, 'x'.repeat(51))).toBe(tooLong(50))
})

describe('list parameters', () => {
  const query = listQuery(
    ['name', 'email'],
    z.object({ q: z.optional(text()), active: z.optional(z.boolean()) }),
  )
  test('are JSON in the query string', () => {
    expect(
      query.parse({ sort: '["name","DESC"]', range: '[0,49]', filter: '{"q":"x","active":true}' }),
    ).toEqual({
      sort: ['name', 'DESC'],
      range: [0, 49],
      filter: { q: 'x', active: true },
    })
    expect(query.parse({})).toEqual({})
  })
  test.each([
    ['sort', 'name'],
    ['sort', '["password_hash","ASC"]'],
    ['sort', '["name; drop table users","ASC"]'],
    ['sort', '["name","asc"]'],
    ['sort', '["name"]'],
    ['sort', '{"0":"name","1":"ASC"}'],
    ['range', '[0'],
    ['range', '[-1,10]'],
    ['range', '[10,9]'],
    ['range', '[0,1.5]'],
    ['range', '["0","9"]'],
    ['range', `[0,${PAGE_MAX}]`],
    ['range', '[0,1e999]'],
    ['filter', 'active'],
    ['filter', '[]'],
    ['filter', '{"active":"true"}'],
    ['filter', `{"q":"${'x'.repeat(256)}"}`],
    ['filter', `{"q":"${'x'.repeat(5_000)}"}`],
  ])('%s=%s is refused', (name, value) => expect(query.safeParse({ [name]: value }).success).toBe(false))

  test('a page may be as long as the limit', () => {
    expect(query.safeParse({ range: `[0,${PAGE_MAX - 1}]` }).success).toBe(true)
  })
  test('a filter that is not known is ignored', () => {
    expect(query.parse({ filter: '{"organisation_id":"x","__proto__":{"q":"y"}}' })).toEqual({ filter: {} })
  })
})

test.each([
  [INVALID_EMAIL, 'Please enter a valid email address.'],
  [INVALID_NAME, 'Only alphabetical characters and spaces are allowed.'],
  [INVALID_PHONE, 'Only valid phone numbers are allowed.'],
  [INVALID_OWN_PHONE, 'Please enter a valid phone number.'],
  [SOMETHING_WENT_WRONG, 'Something went wrong.'],
  [PASSWORD_REQUIRED, 'Please enter your password.'],
  [PASSWORDS_MATCH, 'Passwords must match.'],
  [PASSWORD_USED_BEFORE, "Please choose a password you haven't used before."],
  [PASSWORD_TOO_COMMON, 'Please choose a password that is harder to guess.'],
  [TOKEN_EXPIRED, 'Your authorization token has expired.'],
  [INVALID_CODE, 'The confirmation code you entered is invalid or has expired.'],
  [CODE_INCORRECT, 'The code entered was incorrect.'],
  [PICTURE_TOO_LARGE, 'The image must be less than 7 MB.'],
  [NO_FILE, 'Please choose a file.'],
  [FORMAT_NOT_SUPPORTED, 'Sorry, this file format is not supported.'],
  [tooLargeFile(100 * MEGABYTE), 'Sorry, this file exceeds the maximum size of 100 MB.'],
  [tooManyFiles(50), 'You can upload a maxmimum of 50 files at once.'],
  [REQUESTED_RECENTLY, 'This feature was already requested recently.'],
  [tooLong(1_000), 'Maximum length of 1000 characters exceeded.'],
])('the specification says %j', (said, words) => expect(said).toBe(words))
