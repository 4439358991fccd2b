import { expect, test } from 'vitest'

import { RESOURCE_FILES } from '#resources/files.ts'

import { PAGE_FILES, pageFileAt } from './pageFiles.ts'
import { SECTIONS } from './sections.ts'

const addresses = SECTIONS.flatMap(({ path, parameter, routes = [] }) => [
  path,
  ...(parameter ? [`${path}/1`] : []),
  ...routes.map((route) => route.path.replaceAll(/:\w+/g, '1')),
])

test.each(addresses)('the file of %s loads beside the application', (address) => {
  expect(pageFileAt(address)).toBeDefined()
})

test.each([
  ['/incidents/create', PAGE_FILES['/incidents/create']],
  ['/incidents/9f1c', PAGE_FILES['/incidents/:id']],
  ['/incidents/9f1c/edit', PAGE_FILES['/incidents/:id/edit']],
  ['/chat/9f1c', PAGE_FILES['/chat']],
  ['/mass-notifications/contacts', PAGE_FILES['/mass-notifications/contacts']],
  ['/groups', RESOURCE_FILES.groups],
])('%s is its own page', (address, file) => {
  expect(pageFileAt(address)).toBe(file)
})

test('an address that no page has loads nothing', () => {
  expect(pageFileAt('/incidents/1/2/3')).toBeUndefined()
  expect(pageFileAt('/nothing')).toBeUndefined()
})
