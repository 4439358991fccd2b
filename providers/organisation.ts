import { configApi } from '#contract/config/api.ts'
import { registryApi } from '#contract/organisations/api.ts'
import type { RegistryEntry } from '#contract/organisations/schema.ts'

import { call } from './api.ts'
import { HttpProblem, statusOf } from './problem.ts'
import { refreshMe } from './send.ts'
import { endSession, getSession, type Organisation, updateOrganisation } from './session.ts'

/** Finds an organisation in the registry, and its public configuration. */
export async function findOrganisation(code: string): Promise<Organisation> {
  const entry: Partial<RegistryEntry> | null = await call(registryApi.find, { params: { code }, base: '' })
  if (!entry?.apiUrl) throw new HttpProblem('The registry has no address for this organization.', 404)
  const found = { code: entry.code ?? code, apiUrl: entry.apiUrl }
  const config = await call(configApi.forEverybody, {
    params: { code: found.code },
    base: found.apiUrl,
  }).catch((cause: unknown) => {
    // A plain error instead of the service's status: callers branch on the registry's status.
    throw new Error('The service does not answer.', { cause })
  })
  return { ...found, config }
}

/**
 * Updates the service's address and public configuration from the registry. Ends the session when the organisation is
 * no longer registered.
 */
export async function checkOrganisation(): Promise<void> {
  const known = getSession().organisation
  if (!known?.apiUrl) return endSession('expired')
  try {
    const found = await findOrganisation(known.code)
    const moved = found.apiUrl !== known.apiUrl
    updateOrganisation(found)
    if (moved) await refreshMe().catch(() => undefined)
  } catch (error) {
    if (statusOf(error) === 404) endSession('expired')
  }
}
