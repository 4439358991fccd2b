import { useCallback } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'

import { useCan } from '#providers/useCan.ts'

import { byParameters } from '../browser/navigation.ts'
import { useLatest } from '../browser/useLatest.ts'
import type { AnyDefinition } from './resource.ts'

/** Address parameters that open a form for a new record, that of a record, or a record to read. */
const WAYS = ['create', 'edit', 'show'] as const
type Way = (typeof WAYS)[number]
export interface RecordPlace {
  readonly way: Way
  /** Id of the record; absent for a new one. */
  readonly id?: string
}

/** True if a navigation leaves the open form or record. */
export const leavesRecord = byParameters(...WAYS)

function addressOf({ pathname, search }: Pick<Location, 'pathname' | 'search'>, place?: RecordPlace) {
  const changed = new URLSearchParams(search)
  for (const one of WAYS) changed.delete(one)
  if (place) changed.set(place.way, place.id ?? '1')
  return { pathname, search: String(changed) }
}

/** The form or record that the page's address opens, as far as this person may, and functions to change it. */
export function useRecordAddress({ api, create, edit, layout }: AnyDefinition) {
  const [params] = useSearchParams()
  const location = useLocation()
  const navigate = useNavigate()
  const can = useCan()
  const opensHere = (location.state as { opensHere?: boolean } | null)?.opensHere === true

  const allowed: Readonly<Record<Way, boolean>> = {
    create: create !== undefined && can(api.create?.access),
    edit: edit !== undefined && can(api.update?.access),
    show: layout === 'side list',
  }
  const way = WAYS.find((one) => params.has(one) && allowed[one])
  const place: RecordPlace | undefined =
    way && (way === 'create' ? { way } : { way, id: params.get(way) ?? '' })

  /** The address with another record open, or none. */
  const to = (next?: RecordPlace) => addressOf(location, next)
  // A stable function, so that the table does not render again on each navigation.
  const here = useLatest(location)
  const open = useCallback(
    (next: RecordPlace) => void navigate(addressOf(here.current, next), { state: { opensHere: true } }),
    [navigate, here],
  )
  return {
    place,
    to,
    open,
    /** Replaces the current history entry, because nobody wants to go back to it. */
    replace: (next?: RecordPlace) => void navigate(to(next), { replace: true, state: { opensHere } }),
    /** To where this was opened from. */
    back: (otherwise?: RecordPlace) =>
      void (opensHere ? navigate(-1) : navigate(to(otherwise), { replace: true })),
  }
}
