import { expect, test } from 'vitest'

import { canPreview, hasThumbnail, itemEventInWords } from './rules.ts'

test.each(['ppt', 'PPTX', 'doc', 'odt', 'rtf'])('%s is shown where it is converted', (extension) => {
  expect(canPreview({ extension, size: 1 }, { convertsOffice: true })).toBe(true)
  expect(canPreview({ extension, size: 1 }, { convertsOffice: false })).toBe(false)
})

test.each<[string, number, boolean]>([
  ['pdf', 1, true],
  ['DOCX', 1, true],
  ['txt', 599_999, true],
  ['txt', 600_000, false],
  ['csv', 600_000, true],
  ['pptx', 1, false],
  ['heic', 1, true],
  ['svg', 1, false],
  ['html', 1, false],
  ['', 1, false],
])('a file of the format %s and %i bytes', (extension, size, isShown) => {
  const convertsOffice = false
  expect(canPreview({ extension, size }, { convertsOffice })).toBe(isShown)
  expect(canPreview({ extension, size, isFolder: true }, { convertsOffice })).toBe(false)
})

test.each<[string, object, string]>([
  ['viewed', {}, 'Viewed'],
  ['archived', {}, 'Downloaded as a ZIP file'],
  ['downloaded', { fileVersion: { from: null, to: 2 } }, 'Downloaded (version 2)'],
  ['renamed', { name: { from: 'Plan.pdf', to: 'Map.pdf' } }, 'Renamed from “Plan.pdf”'],
  ['moved', { folder: { from: null, to: 'Maps' } }, 'Moved from the root to “Maps”'],
  ['added', { fileVersion: { from: null, to: 1 } }, 'Added'],
  ['added', { copyOf: { from: null, to: 'Plan.pdf' } }, 'Added as a copy of “Plan.pdf”'],
  ['copied', { folder: { from: 'Maps', to: null } }, 'Copied to the root'],
])('%s in words', (verb, changes, words) => {
  expect(itemEventInWords(verb, changes as never)).toBe(words)
})

test.each<[string, number, boolean]>([
  ['jpg', 1, true],
  ['HEIC', 1, true],
  ['png', 33_000_000, true],
  ['png', 34_000_000, false],
  ['webp', 1, false],
  ['pdf', 1, false],
])('a thumbnail of the format %s and %i bytes', (extension, size, isOffered) => {
  expect(hasThumbnail({ extension, size })).toBe(isOffered)
})
