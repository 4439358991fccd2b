import { useNotify } from 'ra-core'
import { type ReactNode, useEffect } from 'react'
import { useNavigate, useParams } from 'react-router-dom'

import type { Incident } from '#contract/incidents/schema.ts'
import { messageOf, statusOf } from '#providers/problem.ts'
import { useText } from '#src/kit/useText.ts'

import { useIncident } from '../queries.ts'

interface Props {
  loading: ReactNode
  children: (incident: Incident) => ReactNode
}

/**
 * Loads the incident that the address names. What cannot be loaded leads to the list; without a session the whole
 * application is left anyway (operations §8).
 */
export function OneIncident({ loading, children }: Props) {
  const text = useText()
  const notify = useNotify()
  const navigate = useNavigate()
  const { id = '' } = useParams()
  const { data, error } = useIncident(id)
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
