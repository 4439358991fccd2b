import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'

import { useCan } from '#providers/useCan.ts'

import { byParameters } from '../browser/navigation.ts'
import type { AnySideList } from './resource.ts'

/** Address parameters that select the content beside the list. */
const WAYS = ['show', 'edit', 'create'] as const
type Way = (typeof WAYS)[number]
export interface SideListPlace {
  readonly way: Way
  /** Of the record; absent for a new one. */
  readonly id?: string
}

/** Whether a navigation changes the content beside the list. */
export const leavesPlace = byParameters(...WAYS)

/** The content beside the list by the page's address, and functions to change it. */
export function useSideListPlace({ api, create, edit }: AnySideList) {
  const [params] = useSearchParams()
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const can = useCan()
  const opensHere = (state as { opensHere?: boolean } | null)?.opensHere === true

  const allowed: Readonly<Record<Way, boolean>> = {
    create: create !== undefined && can(api.create?.access),
    edit: edit !== undefined && can(api.update?.access),
    show: true,
  }
  const way = (['create', 'edit', 'show'] as const).find((one) => params.has(one) && allowed[one])
  const place: SideListPlace | undefined =
    way && (way === 'create' ? { way } : { way, id: params.get(way) ?? '' })

  /** The address of other content beside the list, or of none. */
  const to = (next?: SideListPlace) => {
    const changed = new URLSearchParams(search)
    for (const one of WAYS) changed.delete(one)
    if (next) changed.set(next.way, next.id ?? '1')
    return { pathname, search: String(changed) }
  }
  return {
    place,
    to,
    open: (next: SideListPlace) => void navigate(to(next), { state: { opensHere: true } }),
    /** Replaces the current history entry, because nobody wants to go back to it. */
    replace: (next?: SideListPlace) => void navigate(to(next), { replace: true, state: { opensHere } }),
    /** To where this was opened from. */
    back: (otherwise?: SideListPlace) =>
      void (opensHere ? navigate(-1) : navigate(to(otherwise), { replace: true })),
  }
}
