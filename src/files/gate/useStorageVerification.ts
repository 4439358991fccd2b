import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { has } from '#contract/kit/access.ts'
import { verificationsApi } from '#contract/verifications/api.ts'
import type { VerificationState } from '#contract/verifications/schema.ts'
import { call } from '#providers/api.ts'
import { serverNow } from '#providers/serverClock.ts'
import { useCan } from '#providers/useCan.ts'
import { needsVerification } from '#src/verifications/needsVerification.ts'
import { requestCode } from '#src/verifications/verification.ts'

import { FILES } from '../queries.ts'
import { onRefusal } from './refusalValues.ts'

const STATE = ['storage-verification']
const WITH_SECOND_FACTOR = has('sfs-2fa')

const timeOf = (timestamp: string | null | undefined) => (timestamp ? Date.parse(timestamp) : 0)

/** Calls `listener` when a query or mutation of files is refused because the session is not verified. */
function watchRefusals(client: QueryClient, listener: () => void): () => void {
  const unwatchChanges = client.getMutationCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return
    if (needsVerification(event.action.error)) listener()
  })
  const unwatchQueries = client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return
    if (event.query.queryKey[0] === FILES[0] && needsVerification(event.action.error)) listener()
  })
  return () => {
    unwatchChanges()
    unwatchQueries()
  }
}

/**
 * Storage verification of the session (operations §3 "Storage verification"). On expiry a visible tab asks
 * again at once; a hidden one goes to the dashboard when it is shown.
 */
export function useStorageVerification() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const isDemanded = useCan()(WITH_SECOND_FACTOR)
  const [isRefused, setRefused] = useState(false)
  const needed = isDemanded || isRefused
  const state = useQuery({
    queryKey: STATE,
    queryFn: ({ signal }) => call(verificationsApi.state, { signal }),
    enabled: isDemanded,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const until = timeOf(state.data?.verifiedUntil)
  const isValid = !needed || (!isRefused && until > serverNow())

  const lapse = useCallback(() => {
    setRefused(true)
    client.removeQueries({ queryKey: FILES })
  }, [client])
  useEffect(() => {
    const stops = [watchRefusals(client, lapse), onRefusal(lapse)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [client, lapse])

  const expire = useEffectEvent(() => {
    if (!document.hidden) lapse()
  })
  const look = useEffectEvent(() => {
    // Somebody who is asked for a code leaves the tab to read it.
    if (document.hidden || isRefused || until > serverNow()) return
    client.removeQueries({ queryKey: FILES })
    void requestCode().catch(() => undefined)
    void navigate('/')
  })
  useEffect(() => {
    if (until === 0) return undefined
    const timer = setTimeout(expire, Math.max(0, until - serverNow()))
    const listener = () => look()
    document.addEventListener('visibilitychange', listener)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', listener)
    }
  }, [until])

  return {
    isValid,
    /** The query, while it is unknown whether a code is needed. */
    pending: isDemanded && !isRefused && !state.data ? state : undefined,
    verified: (verifiedUntil: string) => {
      client.setQueryData<Pick<VerificationState, 'verifiedUntil'>>(STATE, (known) => ({
        ...known,
        verifiedUntil,
      }))
      setRefused(false)
    },
    cancel: () => void navigate('/', { replace: true }),
  }
}
