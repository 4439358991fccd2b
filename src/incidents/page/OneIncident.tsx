import { useNotify } from 'ra-core'
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
 * Shows what was loaded. What cannot be loaded leads to the list; without a session the whole application is left anyway
 * (operations §8).
 */
function LoadedOrList<Loaded>({ query: { data, error }, loading, children }: QueryProps<Loaded>) {
  const text = useText()
  const notify = useNotify()
  const navigate = useNavigate()
  const status = statusOf(error)
  // What is on screen outlives a lost connection, but not the right to see it.
  const lost = error !== null && status !== 401 && (!data || status === 403 || status === 404)
  useEffect(() => {
    if (!lost) return
    // Of an address that could not be an incident's there are no words for a person.
    const sentence = text('incidents.notLoaded')
    notify(status === 400 ? sentence : messageOf(error, sentence), { type: 'error' })
    void navigate('/incidents', { replace: true })
  }, [lost, error, status, notify, navigate, text])
  if (lost) return null
  return data ? children(data) : loading
}

/** Loads the incident that the address names. */
export function OneIncident(props: Props<Incident>) {
  const { id = '' } = useParams()
  return <LoadedOrList query={useIncident(id)} {...props} />
}

/** Loads the incident that the address names together with whom it targets by name. */
export function OneTargetingIncident(props: Props<TargetingIncident>) {
  const { id = '' } = useParams()
  return <LoadedOrList query={useTargetingIncident(id)} {...props} />
}
