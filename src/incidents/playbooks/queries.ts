import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { incidentPlaybooksApi } from '#contract/incident-playbooks/api.ts'
import type { AddedPlaybook } from '#contract/incident-playbooks/schema.ts'
import { playbooksApi } from '#contract/playbooks/api.ts'
import type { PlaybookSummary } from '#contract/playbooks/schema.ts'
import { call } from '#providers/api.ts'
import { useDebounced } from '#src/kit/browser/useDebounced.ts'

const SEARCH_DELAY_MS = 200
const SEARCH_MAX = 255
/** Playbooks offered by a picker. */
const OFFERED = 20

/** Playbooks whose name matches the typed text. */
export function useFoundPlaybooks(enabled: boolean) {
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().slice(0, SEARCH_MAX)
  const q = useDebounced(wanted, SEARCH_DELAY_MS)
  const query = { range: `[0,${OFFERED - 1}]`, ...(q && { filter: JSON.stringify({ q }) }) }
  const { data, isPlaceholderData, error } = useQuery({
    queryKey: ['playbooks', 'found', q],
    queryFn: ({ signal }) => call(playbooksApi.list, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    enabled,
  })
  const playbooks: readonly PlaybookSummary[] = data ?? []
  return { playbooks, error, isSearching: enabled && (!data || isPlaceholderData || q !== wanted), setTyped }
}

const wholePlaybook = (id: string) => ({
  queryKey: ['playbooks', id],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(playbooksApi.get, { params: { id }, signal }),
})

/** Fetches a playbook with its headings and tasks. */
export function useOpenPlaybook() {
  const client = useQueryClient()
  return (id: string) => client.fetchQuery({ ...wholePlaybook(id), staleTime: 0 })
}

/** A playbook with its headings and tasks; disabled without an id. */
export const usePlaybook = (id: string | null) =>
  useQuery({ ...wholePlaybook(id ?? ''), enabled: id !== null })

/** One saved version of a playbook. */
export const usePlaybookVersion = (id: string, version: number) =>
  useQuery({
    queryKey: ['playbooks', id, 'versions', version],
    queryFn: ({ signal }) => call(playbooksApi.version, { params: { id, version }, signal }),
    staleTime: Infinity,
  })

// Below `playbooks`, because live events of playbooks invalidate it.
const keyOf = (incidentId: string) => ['playbooks', 'incident', incidentId]

/** The playbooks that an incident began with or that were added. */
export const useIncidentPlaybooks = (incidentId: string) =>
  useQuery({
    queryKey: keyOf(incidentId),
    queryFn: ({ signal }) => call(incidentPlaybooksApi.list, { params: { id: incidentId }, signal }),
  })

/** Adds the tasks of a playbook to an active incident. */
export function useAddPlaybook(incidentId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: AddedPlaybook) => call(incidentPlaybooksApi.add, { params: { id: incidentId }, body }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['incidents', incidentId] }),
        client.invalidateQueries({ queryKey: keyOf(incidentId) }),
      ]),
  })
}
