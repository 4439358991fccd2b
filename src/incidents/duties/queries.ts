import { type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { dutiesApi } from '#contract/duties/api.ts'
import type { DutyClock } from '#contract/duties/schema.ts'
import type { Endpoint, Request } from '#contract/kit/endpoint.ts'
import { call } from '#providers/api.ts'
import { useFallbackInterval } from '#providers/live.ts'

/** Seconds between polls while the live socket is down. */
const POLL = 30
// Below the noun, whose live events renew it.
const keyOf = (incidentId: string): QueryKey => ['duties', 'clocks', incidentId]

type Body<E extends Endpoint> = Request<E> extends { readonly body: infer B } ? B : never

/** The clocks of an incident, and the duties that can still be started. */
export const useClocks = (incidentId: string) =>
  useQuery({
    queryKey: keyOf(incidentId),
    queryFn: ({ signal }) => call(dutiesApi.clocks, { params: { id: incidentId }, signal }),
    refetchInterval: useFallbackInterval(POLL),
  })

type Known = Pick<DutyClock, 'id' | 'version'>
/** An act on a clock without its version, which the act adds. */
type Act<E extends Endpoint> = Omit<Body<E>, 'version'>

/** Acts on clocks; each shows the clocks anew, also after a refusal. */
export function useClockActs(incidentId: string) {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: keyOf(incidentId) })
  const start = useMutation({
    mutationFn: (body: Body<typeof dutiesApi.start>) =>
      call(dutiesApi.start, { params: { id: incidentId }, body }),
    onSettled,
  })
  const change = useMutation({
    mutationFn: ({ clock: { id, version }, body }: { clock: Known; body: Act<typeof dutiesApi.change> }) =>
      call(dutiesApi.change, { params: { id }, body: { ...body, version } }),
    onSettled,
  })
  const file = useMutation({
    mutationFn: ({ clock: { id, version }, body }: { clock: Known; body: Act<typeof dutiesApi.file> }) =>
      call(dutiesApi.file, { params: { id }, body: { ...body, version } }),
    onSettled,
  })
  const setAside = useMutation({
    mutationFn: ({ clock: { id, version }, reason }: { clock: Known; reason: string }) =>
      call(dutiesApi.setAside, { params: { id }, body: { reason, version } }),
    onSettled,
  })
  const resume = useMutation({
    mutationFn: ({ id, version }: Known) => call(dutiesApi.resume, { params: { id }, body: { version } }),
    onSettled,
  })
  return { start, change, file, setAside, resume }
}
