import { configApi } from '#contract/config/api.ts'
import { registryApi } from '#contract/organisations/api.ts'
import type { RegistryEntry } from '#contract/organisations/schema.ts'

import { call } from './api.ts'
import { statusOf } from './problem.ts'
import { refreshMe } from './send.ts'
import { endSession, getSession, type Organisation, updateOrganisation } from './session.ts'

/** Looks an organisation up in the registry, and reads what anybody may know of it. */
export async function findOrganisation(code: string): Promise<Organisation> {
  const entry: Partial<RegistryEntry> | null = await call(registryApi.find, { params: { code }, base: '' })
  if (!entry?.apiUrl) throw new Error('The registry has no address for this organization.')
  const found = { code: entry.code ?? code, apiUrl: entry.apiUrl }
  const config = await call(configApi.forEverybody, {
    params: { code: found.code },
    base: found.apiUrl,
  }).catch((cause: unknown) => {
    // Not the status of the service: whoever asks wants to know what the registry said.
    throw new Error('The service does not answer.', { cause })
  })
  return { ...found, config }
}

/**
 * What a signed-in page checks at its start (foundation §4 "Readiness"): whether the service is where it was, and who
 * the person is by now. A page that gets no answer at all keeps its session: the device may just be away.
 */
export async function checkSession(): Promise<void> {
  const known = getSession().organisation
  if (!known) return
  try {
    const found = await findOrganisation(known.code)
    if (found.apiUrl !== known.apiUrl) return endSession('expired')
    updateOrganisation(found)
  } catch (error) {
    if (statusOf(error) === 404) return endSession('expired')
  }
  await refreshMe().catch(() => undefined)
}
