import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { incidentPlaybooksApi } from '#contract/incident-playbooks/api.ts'
import type {
  AddedPlaybook,
  DecidedCondition,
  IncidentCondition,
  IncidentPlaybook,
} from '#contract/incident-playbooks/schema.ts'
import { playbooksApi } from '#contract/playbooks/api.ts'
import type { PlaybookSummary } from '#contract/playbooks/schema.ts'
import { call } from '#providers/api.ts'
import { useDebounced } from '#src/kit/browser/useDebounced.ts'

const SEARCH_DELAY_MS = 200
const SEARCH_MAX = 255
/** Playbooks offered by a picker. */
const OFFERED = 20
/** Playbooks with a proposal that are considered. */
const PROPOSALS = 200

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
  return {
    playbooks,
    error,
    isTyped: wanted !== '',
    isSearching: enabled && (!data || isPlaceholderData || q !== wanted),
    setTyped,
  }
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

const playbooksOf = (incidentId: string) => ({
  queryKey: keyOf(incidentId),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call(incidentPlaybooksApi.list, { params: { id: incidentId }, signal }),
})
/** The playbooks that an incident began with or that were added. */
export const useIncidentPlaybooks = (incidentId: string) => useQuery(playbooksOf(incidentId))

const NO_CONDITIONS: ReadonlyMap<string, IncidentCondition> = new Map()
const conditionsIn = (playbooks: readonly IncidentPlaybook[]) =>
  new Map(playbooks.flatMap(({ conditions }) => conditions.map((one) => [one.id, one] as const)))
/** The conditions of an incident's playbooks by id. */
export const useConditions = (incidentId: string): ReadonlyMap<string, IncidentCondition> =>
  useQuery({ ...playbooksOf(incidentId), select: conditionsIn }).data ?? NO_CONDITIONS

/** Answers a condition. */
export function useDecide(incidentId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: DecidedCondition & { id: string }) =>
      call(incidentPlaybooksApi.decide, { params: { id: incidentId, conditionId: id }, body }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['incidents', incidentId] }),
        client.invalidateQueries({ queryKey: keyOf(incidentId) }),
      ]),
  })
}

/** The people for the ideal titles of an incident. */
export const useIncidentRoles = (incidentId: string) =>
  useQuery({
    queryKey: [...keyOf(incidentId), 'roles'],
    queryFn: ({ signal }) => call(incidentPlaybooksApi.roles, { params: { id: incidentId }, signal }),
  })

/** Playbooks that say for which incidents they are proposed. */
export const useProposals = (enabled: boolean) =>
  useQuery({
    enabled,
    queryKey: ['playbooks', 'proposals'],
    queryFn: ({ signal }) =>
      call(playbooksApi.list, {
        query: { range: `[0,${PROPOSALS - 1}]`, filter: JSON.stringify({ hasProposal: true }) },
        signal,
      }),
    staleTime: 60_000,
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
