import { useStore } from 'react-admin'

import { useSession } from '#providers/session.ts'

/** A choice of how a resource is shown: remembered for this person, on this device. */
export function useRemembered<T>(resource: string, what: string, initial: T) {
  const { uuid } = useSession()
  return useStore<T>(`${uuid ?? ''}.${resource}.${what}`, initial)
}
