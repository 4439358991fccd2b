import { describe, expect, it, test } from 'vitest'

import {
  fileProblem,
  FORMAT_NOT_SUPPORTED,
  isAllowedExtension,
  MEGABYTE,
  partsOf,
  tooLargeFile,
  wholeName,
} from '#contract/kit/files.ts'

import { attachmentCan } from './rules.ts'

const me = (role: string) => ({ email: 'me@example.org', role })

test.each([
  ['USER', true, true],
  ['ADMIN', true, true],
  ['PLAYBOOK_MANAGER', true, true],
  ['BUSINESS_USER', true, false],
  ['ADMIN', false, false],
])('adding as %s, active %s: %s', (role, isActive, may) =>
  expect(attachmentCan.add({ isActive }, me(role))).toBe(may),
)

describe('removing', () => {
  it.each([
    ['my own file', 'me@example.org', 'other@example.org', 'USER', true],
    ["somebody's file in my incident", 'other@example.org', 'me@example.org', 'USER', true],
    ["somebody's file elsewhere", 'other@example.org', 'other@example.org', 'USER', false],
    ["somebody's file, as administrator", 'other@example.org', 'other@example.org', 'ADMIN', true],
    ['my own file, as business user', 'me@example.org', 'me@example.org', 'BUSINESS_USER', false],
  ])('%s', (_, uploader, declarer, role, may) => {
    const remove = (isActive: boolean) =>
      attachmentCan.remove({ createdBy: uploader }, me(role), { isActive, createdBy: declarer })
    expect(remove(true)).toBe(may)
    expect(remove(false)).toBe(false)
  })
})

describe("a file's name", () => {
  it.each([
    ['plan.pdf', 'plan', 'pdf'],
    ['plan.final.PDF', 'plan.final', 'PDF'],
    ['archive', 'archive', ''],
    ['.pdf', '.pdf', ''],
    ['plan.', 'plan', ''],
    ['تقرير.docx', 'تقرير', 'docx'],
  ])('%s is %j and %j', (given, name, extension) => expect(partsOf(given)).toEqual({ name, extension }))

  it('is whole again', () => {
    expect(wholeName({ name: 'plan.final', extension: 'PDF' })).toBe('plan.final.PDF')
    expect(wholeName({ name: 'plan', extension: '' })).toBe('plan')
  })

  it.each([
    ['pdf', ['PDF'], true],
    ['PDF', ['.pdf'], true],
    ['exe', ['PDF'], false],
    ['', ['PDF', ''], false],
  ])('with the extension %j among %j: %s', (extension, allowed, may) =>
    expect(isAllowedExtension(extension, allowed)).toBe(may),
  )
})

test('what is wrong with a file is told before it is sent', () => {
  const limits = { maxBytes: 7 * MEGABYTE, extensions: ['PDF'] }
  const problem = (name: string, size: number) => fileProblem({ name, size }, limits)
  expect(problem('plan.pdf', 7 * MEGABYTE)).toBeUndefined()
  expect(problem('plan.pdf', 7 * MEGABYTE + 1)).toBe(tooLargeFile(7 * MEGABYTE))
  expect(tooLargeFile(7_340_032)).toBe('Sorry, this file exceeds the maximum size of 7 MB.')
  expect(problem('plan.exe', 1)).toBe(FORMAT_NOT_SUPPORTED)
  expect(problem('pdf', 1)).toBe(FORMAT_NOT_SUPPORTED)
  expect(problem('plan.pdf', 0)).toBe('Sorry, this file is empty.')
})
