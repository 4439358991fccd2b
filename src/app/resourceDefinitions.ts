import type { ResourceDefinitions } from 'react-admin'

import type { ResourceApis } from '#providers/httpClient.ts'
import type { AnyEntry } from '#src/kit/resource/resource.ts'

type Registered = Pick<
  AnyEntry,
  'name' | 'label' | 'icon' | 'api' | 'recordRepresentation' | 'hasCreate' | 'hasEdit'
>

/** The API of each resource, for the data and auth providers. */
export const apisOf = (resources: readonly Registered[]): ResourceApis =>
  Object.fromEntries(resources.map(({ name, api }) => [name, api]))

/**
 * The definitions that react-admin's `<Resource>` would register, as data: its components look up label,
 * icon, forms and record names in them.
 */
export const definitionsOf = (resources: readonly Registered[]): ResourceDefinitions =>
  Object.fromEntries(
    resources.map(({ name, label, icon, recordRepresentation, hasCreate = false, hasEdit = false }) => [
      name,
      { name, icon, recordRepresentation, hasList: true, hasCreate, hasEdit, options: { label } },
    ]),
  )
