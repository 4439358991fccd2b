import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, test } from 'vitest'

import type { Api } from '#contract/kit/endpoint.ts'
import { registryApi } from '#contract/organisations/api.ts'

import { APIS, MANAGEMENT_APIS } from './nouns.ts'

const CONTRACT = join(import.meta.dirname, '../contract')

test('every contract is served as a noun, except the registry, which is served at the root', async () => {
  const contracts = await Promise.all(
    globSync('{*/api,kit/live}.ts', { cwd: CONTRACT }).map(async (file) => {
      const module: Record<string, unknown> = await import(pathToFileURL(join(CONTRACT, file)).href)
      return Object.entries(module).filter(([name]) => name.endsWith('Api'))
    }),
  )
  const served: readonly unknown[] = [
    ...Object.values<Api>(APIS),
    ...Object.values<Api>(MANAGEMENT_APIS),
    registryApi,
  ]
  const missing = contracts.flat().filter(([, api]) => !served.includes(api))
  expect(missing.map(([name]) => name)).toEqual([])
})
