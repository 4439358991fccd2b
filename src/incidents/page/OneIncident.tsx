import { useNotify } from 'react-admin'
import { type ReactNode, useEffect } from 'react'
import { useNavigate, useParams } from 'react-router-dom'

import type { Incident, TargetingIncident } from '#contract/incidents/schema.ts'
import { messageOf, statusOf } from '#providers/problem.ts'
import { useText } from '#src/kit/useText.ts'

import { useIncident, useTargetingIncident } from '../queries.ts'

interface Props<Loaded> {
  loading: ReactNode
  children: (incident: Loaded) => ReactNode
}
interface QueryProps<Loaded> extends Props<Loaded> {
  query: { readonly data: Loaded | undefined; readonly error: Error | null }
}

/**
 * Renders loaded data. Redirects to the list if it cannot be loaded; a lost session leaves the application
 * anyway (operations §8).
 */
function LoadedOrList<Loaded>({ query: { data, error }, loading, children }: QueryProps<Loaded>) {
  const text = useText()
  const notify = useNotify()
  const navigate = useNavigate()
  const status = statusOf(error)
  // Shown data survives a lost connection, but not a lost permission.
  const lost = error !== null && status !== 401 && (!data || status === 403 || status === 404)
  useEffect(() => {
    if (!lost) return
    // The server's message for a malformed id is not meant for people.
    const sentence = text('incidents.notLoaded')
    notify(status === 400 ? sentence : messageOf(error, sentence), { type: 'error' })
    void navigate('/incidents', { replace: true })
  }, [lost, error, status, notify, navigate, text])
  if (lost) return null
  return data ? children(data) : loading
}

/** Loads the incident of the address. */
export function OneIncident(props: Props<Incident>) {
  const { id = '' } = useParams()
  return <LoadedOrList query={useIncident(id)} {...props} />
}

/** Loads an incident, of the address unless another one is named, with the names of its targets. */
export function OneTargetingIncident({ id: named, ...props }: Props<TargetingIncident> & { id?: string }) {
  const { id = '' } = useParams()
  return <LoadedOrList query={useTargetingIncident(named ?? id)} {...props} />
}
