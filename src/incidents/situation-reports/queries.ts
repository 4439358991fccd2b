import { type QueryKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'

import { stakeholderLinksApi } from '#contract/stakeholder-links/api.ts'
import type { NewStakeholderLink } from '#contract/stakeholder-links/schema.ts'
import { situationReportsApi } from '#contract/situation-reports/api.ts'
import type { SituationReport } from '#contract/situation-reports/schema.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'

/** Seconds between polls while the live socket is down. */
const POLL = 15
const PAGE = 10

// Below the noun, whose live events renew it.
const keyOf = (incidentId: string): QueryKey => ['situation-reports', incidentId]

/** The reports of an incident: the one that is written first, then the newest. */
export function useReports(incidentId: string) {
  const refetchInterval = useFallbackInterval(POLL)
  return useInfiniteQuery({
    queryKey: keyOf(incidentId),
    queryFn: ({ pageParam: offset, signal }) =>
      call(situationReportsApi.list, {
        params: { id: incidentId },
        query: { offset: `${offset}`, size: `${PAGE}` },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const loaded = pages.reduce((sum, { data }) => sum + data.length, 0)
      return loaded < total ? loaded : undefined
    },
    refetchInterval,
  })
}

type Known = Pick<SituationReport, 'id' | 'version'>
/** The acts of reports. Each shows what it made. */
export function useReportActs(incidentId: string) {
  const client = useQueryClient()
  const renew = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: keyOf(incidentId) }),
      client.invalidateQueries({ queryKey: ['incident-roles', 'command', incidentId] }),
    ])
  const renewed = async <T>(act: Promise<T>): Promise<T> => {
    const done = await act
    await renew()
    return done
  }
  return {
    renew,
    get: ({ id }: Known) => call(situationReportsApi.get, { params: { id } }),
    begin: (corrects: string | null) =>
      renewed(call(situationReportsApi.create, { params: { id: incidentId }, body: { corrects } })),
    /** Not shown at once: the editor knows what was saved. */
    save: ({ id, version }: Known, content: string) =>
      call(situationReportsApi.update, { params: { id }, body: { content, version } }),
    publish: ({ id, version }: Known) =>
      renewed(call(situationReportsApi.publish, { params: { id }, body: { version } })),
    approve: ({ id, version }: Known) =>
      renewed(call(situationReportsApi.approve, { params: { id }, body: { version } })),
    sendBack: ({ id, version }: Known, reason: string | null) =>
      renewed(call(situationReportsApi.sendBack, { params: { id }, body: { reason, version } })),
    discard: ({ id }: Known) => renewed(call(situationReportsApi.remove, { params: { id } })),
  }
}

// Below the noun, whose live events renew it.
const pagesKey = (incidentId: string): QueryKey => ['stakeholder-links', incidentId]

/** The pages for stakeholders of an incident, newest first. */
export function useStakeholderLinks(incidentId: string) {
  const refetchInterval = useFallbackInterval(POLL)
  return useInfiniteQuery({
    queryKey: pagesKey(incidentId),
    queryFn: ({ pageParam: offset, signal }) =>
      call(stakeholderLinksApi.list, {
        params: { id: incidentId },
        query: { offset: `${offset}`, size: `${PAGE}` },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const loaded = pages.reduce((sum, { data }) => sum + data.length, 0)
      return loaded < total ? loaded : undefined
    },
    refetchInterval,
  })
}

/** The acts of pages for stakeholders. */
export function useStakeholderActs(incidentId: string) {
  const client = useQueryClient()
  const renewed = async <T>(act: Promise<T>): Promise<T> => {
    const done = await act
    await client.invalidateQueries({ queryKey: pagesKey(incidentId) })
    return done
  }
  return {
    make: (body: NewStakeholderLink) =>
      renewed(call(stakeholderLinksApi.create, { params: { id: incidentId }, body })),
    withdraw: (id: string) => renewed(call(stakeholderLinksApi.withdraw, { params: { id } })),
  }
}
