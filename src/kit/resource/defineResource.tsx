import { type ComponentType, lazy } from 'react'

import type { ResourceApi } from '#providers/httpClient.ts'

import type { Definition, TableDefinition } from './resource.ts'
import { loadSideList } from './resourceLayout.ts'
import { ResourcePage } from './ResourcePage.tsx'
import { ResourceSection } from './ResourceSection.tsx'

const SideListPage = lazy(async () => ({ default: (await loadSideList()).SideListPage }))

/**
 * Declares a resource and answers its page: a table or a list at the side, with search, paging and actions, and a form.
 * Columns and actions are typed from the calls of the contract, and each button is shown to whom its call is allowed.
 */
export function defineResource<const A extends ResourceApi>(definition: Definition<A>): ComponentType {
  return function DeclaredResource() {
    return definition.layout === 'side list' ? (
      <SideListPage definition={definition} />
    ) : (
      <ResourcePage definition={definition} />
    )
  }
}

/** Declares the table of a resource as a part of a page that shows more. */
export function defineTable<const A extends ResourceApi>(definition: TableDefinition<A>): ComponentType {
  return function DeclaredTable() {
    return <ResourceSection definition={definition} />
  }
}
