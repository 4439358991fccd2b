import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'

import { useCan } from '#providers/useCan.ts'

import { byParameters } from '../browser/navigation.ts'
import type { AnyDefinition, Listed } from './resource.ts'
import { useLatest } from '../browser/useLatest.ts'

const load = () => import('./ResourceDialog.tsx')
const ResourceDialog = lazy(async () => ({ default: (await load()).ResourceDialog }))

/** Parameters of the page's address: back closes the form, and a link can open it. */
const CREATE = 'create'
const EDIT = 'edit'
const leaves = byParameters(CREATE, EDIT)

/** The form of a resource, opened by the page's address, and the step after a creation. */
export function useResourceDialog(definition: AnyDefinition) {
  const [params] = useSearchParams()
  const location = useLocation()
  const navigate = useNavigate()
  const can = useCan()
  const [created, setCreated] = useState<unknown>()
  const opensHere = (location.state as { opensHere?: boolean } | null)?.opensHere === true
  const { pathname, search } = location

  // A stable function, so that the table does not render again on each navigation.
  const here = useLatest(location)
  const open = useCallback(
    (name: string, value: string) => {
      const next = new URLSearchParams(here.current.search)
      next.set(name, value)
      void navigate({ pathname: here.current.pathname, search: `?${next}` }, { state: { opensHere: true } })
    },
    [navigate, here],
  )
  const close = () => {
    if (opensHere) {
      void navigate(-1)
      return
    }
    const next = new URLSearchParams(search)
    next.delete(CREATE)
    next.delete(EDIT)
    void navigate({ pathname, search: String(next) }, { replace: true })
  }
  const openNew = useCallback(() => open(CREATE, '1'), [open])
  const openRecord = useCallback((row: Listed) => open(EDIT, String(row.id)), [open])

  const id = params.get(EDIT) ?? undefined
  const { api, create, edit } = definition
  const canCreate = create !== undefined && can(api.create?.access)
  const canEdit = edit !== undefined && can(api.update?.access)
  const isOpen = id === undefined ? params.has(CREATE) && canCreate : canEdit
  const After = create?.after
  const element: ReactNode = (
    <Suspense>
      {isOpen && (
        <ResourceDialog
          key={id ?? ''}
          definition={definition}
          id={id}
          leaves={leaves}
          onClose={close}
          onCreated={After ? setCreated : undefined}
        />
      )}
      {After && created !== undefined && <After created={created} onClose={() => setCreated(undefined)} />}
    </Suspense>
  )
  return { openNew, openRecord, element, preload: () => void load() }
}
