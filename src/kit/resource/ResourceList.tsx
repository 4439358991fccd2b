import { useQueryClient } from '@tanstack/react-query'
import {
  type FilterPayload,
  ListContextProvider,
  type ListControllerResult,
  ResourceContextProvider,
  useListController,
} from 'react-admin'
import { type ReactNode, useDeferredValue, useEffect, useMemo } from 'react'
import { Navigate, useLocation } from 'react-router-dom'

import { useFallbackInterval } from '#providers/live.ts'

import { useAddress } from '../browser/useAddress.ts'
import { filterIn, sizesOf, useFirstAddress, useKeptAddress, useListModifiers } from './listAddress.ts'
import { type AnyDefinition, type AnyTable, type Listed, metaOf } from './resource.ts'
import { useAllRecords, useExporter } from './useExporter.ts'

/** Seconds between two requests while the live socket is down. */
const FALLBACK_SECONDS = 60
const NO_FILTER: FilterPayload = {}
const sayNothing = () => undefined

interface Props {
  definition: AnyDefinition
  /** Narrows the list beside what the address says; memoised by the caller. */
  filter?: FilterPayload
  /** The records are asked for. */
  enabled?: boolean
  children: ReactNode
}

/** Fields that switches add to the filter; their names in the address are no fields. */
function switched({ toggles = [] }: Pick<AnyTable, 'toggles'>, chosen: FilterPayload): FilterPayload {
  const followed = toggles.filter(({ id, unless }) => !chosen[id] && !(unless && chosen[unless]))
  return Object.assign(
    {},
    ...toggles.map(({ id }) => ({ [id]: undefined })),
    ...followed.map(({ off }) => off),
  )
}

/** react-admin's list controller over the page's address, with the differences that `listAddress.ts` names. */
function useResourceList({ definition, filter = NO_FILTER, enabled = true }: Omit<Props, 'children'>) {
  const { name, sort, refreshEvery } = definition
  const toggles = 'toggles' in definition ? definition.toggles : undefined
  const [address] = useAddress()
  const fallback = useFallbackInterval(FALLBACK_SECONDS)
  const { retry } = useQueryClient().getDefaultOptions().queries ?? {}
  useKeptAddress(definition)
  const exporter = useExporter(definition)
  const controller = useListController<Listed>({
    resource: name,
    // The page's guard has asked.
    disableAuthentication: true,
    storeKey: false,
    sort: { field: sort[0], order: sort[1] },
    perPage: sizesOf(definition)[0]!,
    filter: { ...filter, ...switched({ toggles }, filterIn(address, definition)) },
    exporter,
    queryOptions: {
      enabled,
      meta: metaOf(definition),
      refetchInterval: refreshEvery ?? fallback,
      // The last page stays until the next one is loaded, but never in place of another permanent filter's.
      placeholderData: (last, earlier) => {
        const { filter: before } = (earlier?.queryKey[2] ?? {}) as { filter?: FilterPayload }
        return Object.entries(filter).every(([field, value]) => before?.[field] === value) ? last : undefined
      },
      // The page says so.
      onError: sayNothing,
      ...(retry !== undefined && { retry }),
    },
  })
  const { data, total, page, perPage, isFetching, setPage, filterValues, selectedIds } = controller
  const modifiers = useListModifiers(definition, filterValues)
  const getData = useAllRecords(definition, controller)

  // react-admin turns from a page that is gone to the first one, unless it is told another one in time.
  const last = Math.max(1, Math.ceil((total ?? 0) / perPage))
  const isBeyond = data !== undefined && !isFetching && page > last
  useEffect(() => {
    if (isBeyond) setPage(last)
  }, [isBeyond, last, setPage])

  // Drawn in slices: a table of many cells would keep everything else waiting.
  const deferred = useDeferredValue(data)
  const rows = definition.layout === 'side list' ? data : deferred
  // Turning the page, and a record that leaves the list, end their selection.
  const selected = useMemo(() => {
    const here = new Set(rows?.map(({ id }) => id))
    return selectedIds.filter((id) => here.has(id))
  }, [rows, selectedIds])
  return {
    ...controller,
    ...modifiers,
    data: rows,
    selectedIds: selected,
    getData,
  } as ListControllerResult<Listed>
}

function BegunList({ children, ...options }: Props) {
  const list = useResourceList(options)
  return (
    <ResourceContextProvider value={options.definition.name}>
      <ListContextProvider value={list}>{children}</ListContextProvider>
    </ResourceContextProvider>
  )
}

/**
 * The list of a declared resource for what is inside: react-admin's `useListContext` and its own components find it there. Its
 * page, order and filters stand in the page's address.
 */
export function ResourceList(props: Props) {
  const first = useFirstAddress(props.definition)
  const { state } = useLocation()
  if (first !== undefined) return <Navigate to={{ search: first }} state={state} replace />
  return <BegunList {...props} />
}
