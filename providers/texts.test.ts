import { expect, test } from 'vitest'

import { fileNameOf } from './api.ts'
import { i18nProvider, loadMessages } from './i18nProvider.ts'

await loadMessages()
const { translate } = i18nProvider

test.each([
  ['dashboard.incidents', { smart_count: 1 }, 'Incident In Progress'],
  ['dashboard.incidents', { smart_count: 3 }, '3 Incidents In Progress'],
  ['app.account', { name: 'Ada' }, 'Account of Ada'],
  ['app.account', { name: '\u202eadA\u2066' }, 'Account of adA'],
  ['ra.action.cancel', {}, 'Cancel'],
  ['ra.navigation.page_range_info', { offsetBegin: 1, offsetEnd: 9, total: 20 }, '1-9 of 20'],
  ['resources.users.name', { _: 'Users' }, 'Users'],
  ['A title is required.', {}, 'A title is required.'],
  ['dashboard', {}, 'dashboard'],
])('%s with %o reads %s', (key, words, text) => {
  expect(translate(key, words)).toBe(text)
})

test.each([
  [`attachment; filename="report.pdf"`, 'report.pdf'],
  [`attachment; filename="fallback.pdf"; filename*=UTF-8''B%C3%BCro%20%E2%82%AC.pdf`, 'Büro €.pdf'],
  [`attachment; filename="a \\"b\\".pdf"`, 'a "b".pdf'],
  ['inline; filename=plain.txt', 'plain.txt'],
  ['attachment', 'download'],
  [null, 'download'],
])('the file name of %s is %s', (header, name) => {
  expect(fileNameOf(header)).toBe(name)
})
