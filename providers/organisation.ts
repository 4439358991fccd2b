import { configApi } from '#contract/config/api.ts'
import { registryApi } from '#contract/organisations/api.ts'
import type { RegistryEntry } from '#contract/organisations/schema.ts'

import { call } from './api.ts'
import { HttpProblem, statusOf } from './problem.ts'
import { refreshMe } from './send.ts'
import { endSession, getSession, type Organisation, updateOrganisation } from './session.ts'

async function findEntry(code: string): Promise<RegistryEntry> {
  const entry: Partial<RegistryEntry> | null = await call(registryApi.find, { params: { code }, base: '' })
  if (!entry?.apiUrl) throw new HttpProblem('The registry has no address for this organization.', 404)
  return { code: entry.code ?? code, apiUrl: entry.apiUrl }
}

/** Finds an organisation in the registry, and its public configuration. */
export async function findOrganisation(code: string): Promise<Organisation> {
  const found = await findEntry(code)
  const config = await call(configApi.forEverybody, {
    params: { code: found.code },
    base: found.apiUrl,
  }).catch((cause: unknown) => {
    // A plain error without the service's status, because callers branch on the registry's.
    throw new Error('The service does not answer.', { cause })
  })
  return { ...found, config }
}

/**
 * Updates the service's address from the registry; the configuration for signed-in people follows separately.
 * Ends the session if the organisation is no longer registered.
 */
export async function checkOrganisation(): Promise<void> {
  const known = getSession().organisation
  if (!known?.apiUrl) return endSession('expired')
  try {
    const { apiUrl } = await findEntry(known.code)
    updateOrganisation(known.code, { apiUrl })
    if (apiUrl !== known.apiUrl) await refreshMe().catch(() => undefined)
  } catch (error) {
    if (statusOf(error) === 404) endSession('expired')
  }
}
