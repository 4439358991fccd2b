import type { AuthProvider } from 'react-admin'

import { allows } from '#contract/kit/access.ts'
import type { Endpoint } from '#contract/kit/endpoint.ts'

import type { ResourceApis } from './httpClient.ts'
import { callerOf, getSession, isSignedIn } from './session.ts'

/** Endpoints by action of react-admin. Any other action is the name of an endpoint. */
const ENDPOINT_OF: Readonly<Record<string, string>> = {
  show: 'get',
  edit: 'update',
  delete: 'remove',
  export: 'list',
}

/** react-admin's auth provider: a button is allowed exactly when its call is. */
export function createAuthProvider(apis: ResourceApis, signOut: () => Promise<void>): AuthProvider {
  return {
    // People sign in before this application loads.
    login: () => Promise.reject(new Error('Sign in on the sign-in page.')),
    logout: async () => {
      await signOut()
      return false
    },
    checkAuth: () =>
      isSignedIn(getSession()) ? Promise.resolve() : Promise.reject(new Error('Signed out.')),
    // `send` has already refreshed, replayed and signed out; an error that reaches this point belongs to its caller.
    checkError: () => Promise.resolve(),
    getPermissions: () => Promise.resolve(getSession().permissions ?? []),
    getIdentity: () => {
      const { user } = getSession()
      if (!user) return Promise.reject(new Error('Signed out.'))
      const { uuid, firstName, lastName, profileImageUrl } = user
      return Promise.resolve({
        id: uuid,
        fullName: `${firstName} ${lastName}`.trim(),
        ...(profileImageUrl && { avatar: profileImageUrl }),
      })
    },
    canAccess: async ({ resource, action }) => {
      const api = await apis[resource]?.()
      const endpoint: Endpoint | undefined = api?.[ENDPOINT_OF[action] ?? action]
      return endpoint !== undefined && allows(endpoint.access, callerOf(getSession()))
    },
  }
}
