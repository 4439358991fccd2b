import { type ReactNode, Suspense, useCallback, useState } from 'react'

import { lazy } from '../browser/lazy.ts'
import type { AnyDefinition, Listed } from './resource.ts'
import { useRecordAddress } from './useRecordAddress.ts'

const load = () => import('./ResourceDialog.tsx')
const ResourceDialog = lazy(async () => ({ default: (await load()).ResourceDialog }))

/** The form of a resource, opened by the page's address, and the step after a creation. */
export function useResourceDialog(definition: AnyDefinition) {
  const { place, open, back } = useRecordAddress(definition)
  const [created, setCreated] = useState<unknown>()
  const openNew = useCallback(() => open({ way: 'create' }), [open])
  const openRecord = useCallback((row: Listed) => open({ way: 'edit', id: String(row.id) }), [open])
  const After = definition.create?.after
  const element: ReactNode = (
    <Suspense>
      {place && (
        <ResourceDialog
          key={place.id ?? ''}
          definition={definition}
          id={place.id}
          onClose={() => back()}
          onCreated={After ? setCreated : undefined}
        />
      )}
      {After && created !== undefined && <After created={created} onClose={() => setCreated(undefined)} />}
    </Suspense>
  )
  return { openNew, openRecord, element, preload: () => void load() }
}
