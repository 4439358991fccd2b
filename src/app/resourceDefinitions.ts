import type { ResourceDefinitions } from 'ra-core'

import type { ResourceApis } from '#providers/httpClient.ts'

import { SECTIONS } from './sections.ts'

const resources = SECTIONS.flatMap(({ path, label, icon, resource }) =>
  resource ? [{ ...resource, name: path.slice(1), label, icon }] : [],
)

/** The calls of each resource, for the data and auth providers. */
export const APIS: ResourceApis = Object.fromEntries(resources.map(({ name, api }) => [name, api]))

/**
 * What react-admin's `<Resource>` would register, as data: its own components find a resource's label, icon, forms and
 * names of records by it.
 */
export const DEFINITIONS: ResourceDefinitions = Object.fromEntries(
  resources.map(({ name, label, icon, recordRepresentation, hasCreate = false, hasEdit = false }) => [
    name,
    { name, icon, recordRepresentation, hasList: true, hasCreate, hasEdit, options: { label } },
  ]),
)
