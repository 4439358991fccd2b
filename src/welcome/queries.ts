import { registryApi } from '#contract/organisations/api.ts'
import { welcomeApi } from '#contract/welcome/api.ts'
import { readWelcomeToken, type WelcomeToken } from '#contract/welcome/rules.ts'
import type { WelcomePackage, WelcomeStatus } from '#contract/welcome/schema.ts'
import { call } from '#providers/api.ts'
import { statusOf } from '#providers/problem.ts'

import { bodyOf, type Draft } from './draftValues.ts'

/** True if the address is this page's own, or one that the registry names. */
async function isTrusted(apiAddress: string): Promise<boolean> {
  if (!URL.canParse(apiAddress)) return false
  if (new URL(apiAddress).origin === location.origin) return true
  const { apiUrl } = await call(registryApi.base, { base: '' })
  return apiUrl === apiAddress
}

/** The token of a link whose server is trusted; null otherwise (decisions §5). */
export async function trustedToken(link: string): Promise<WelcomeToken | null> {
  const token = readWelcomeToken(link)
  return token && (await isTrusted(token.apiAddress)) ? token : null
}

/** Requests a package; null if there is none. */
export async function openPackage({ uid, apiAddress }: WelcomeToken): Promise<WelcomePackage | null> {
  try {
    return await call(welcomeApi.get, { params: { uid }, base: apiAddress })
  } catch (error) {
    if (statusOf(error) === 404 || statusOf(error) === 400) return null
    throw error
  }
}

/** Requests a replacement for an expired link. */
export const renewLink = ({ uid, apiAddress }: WelcomeToken): Promise<void> =>
  call(welcomeApi.renew, { params: { uid }, base: apiAddress })

/** Saves a draft based on the package that was read. */
export const savePackage = (
  { uid, apiAddress }: WelcomeToken,
  { lastUpdateTimestamp }: Pick<WelcomePackage, 'lastUpdateTimestamp'>,
  draft: Draft,
  status: WelcomeStatus,
): Promise<WelcomePackage> =>
  call(welcomeApi.save, {
    params: { uid },
    base: apiAddress,
    body: {
      ...bodyOf(draft),
      status,
      lastUpdateTimestamp,
      lastUpdateBrowserData: navigator.userAgent.slice(0, 1_000),
    },
  })
