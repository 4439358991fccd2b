import { useQuery } from '@tanstack/react-query'

import { accountApi } from '#contract/account/api.ts'
import type { MyChanges, MyPassword } from '#contract/account/schema.ts'
import { phoneCountryOf } from '#contract/kit/phone-country.ts'
import type { SecondFactorType } from '#contract/sessions/schema.ts'
import { verificationsApi } from '#contract/verifications/api.ts'
import { demandsAuthenticator } from '#contract/verifications/rules.ts'
import { call, callWithFile } from '#providers/api.ts'
import { refreshMe } from '#providers/send.ts'
import { getSession, setMe } from '#providers/session.ts'
import { useConfig, useConfigQuery } from '#src/config/useConfig.ts'

/** Default where the server names no countries (foundation §9). */
const COUNTRIES = ['CA', 'US']

/** Countries offered for a phone number; the first one is the default. */
export function useCountries() {
  const query = useConfigQuery()
  const allowed = query.data?.twilioAllowedCountryCodes ?? []
  return {
    countries: allowed.length > 0 ? allowed : COUNTRIES,
    defaultCountry: phoneCountryOf(query.data ?? {}),
    query,
  }
}

/** Changes the signed-in person, and updates all tabs. */
export async function changeMe(body: MyChanges): Promise<void> {
  const user = await call(accountApi.update, { body })
  setMe({ user, userPermissions: [...(getSession().permissions ?? [])] })
}

export const changePassword = (body: MyPassword): Promise<void> => call(accountApi.changePassword, { body })

/** The server's preview of an image as profile picture. */
export const previewPicture = async (file: File, signal: AbortSignal): Promise<Blob> =>
  (await callWithFile(accountApi.previewPicture, file, { signal })).blob

/** Saves an image as the person's picture and updates the header. */
export async function savePicture(file: File): Promise<void> {
  await callWithFile(accountApi.savePicture, file)
  await refreshMe().catch(() => undefined)
}
export async function removePicture(): Promise<void> {
  await call(accountApi.removePicture)
  await refreshMe().catch(() => undefined)
}

const ASKS_FOR_DEVICES_EVERY_MS = 30_000
/** The person's devices. New sessions arrive by live events; the time of last use is polled. */
export const useDevices = () =>
  useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => call(accountApi.devices, { signal }),
    refetchInterval: ASKS_FOR_DEVICES_EVERY_MS,
    staleTime: 0,
  })
export const signOutDevice = (id: string): Promise<void> => call(accountApi.signOutDevice, { params: { id } })
export const signOutOthers = (): Promise<void> => call(accountApi.signOutOthers)

/** The person's authenticator app and recovery codes. */
export const useSecondFactor = () =>
  useQuery({
    queryKey: ['second-factors'],
    queryFn: ({ signal }) => call(verificationsApi.state, { signal }),
    staleTime: 0,
  })
/** The second factor that the organisation requires at sign-in; undefined until it is known. */
export function useSignInFactor(): SecondFactorType | 'NONE' | undefined {
  const data = useConfig()
  return data && (data.auth2fa ? (data.auth2faType as SecondFactorType) : 'NONE')
}
/** True if the organisation requires an authenticator app, so that it cannot be removed. */
export function useDemandsAuthenticator(): boolean {
  const config = useConfig()
  return config !== undefined && demandsAuthenticator(config)
}
export const renewRecoveryCodes = async (): Promise<readonly string[]> =>
  (await call(verificationsApi.renewRecoveryCodes)).recoveryCodes
export const removeAuthenticator = (): Promise<void> => call(verificationsApi.removeAuthenticator)
