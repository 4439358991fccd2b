import { useGetRecordRepresentation, useResourceDefinition } from 'react-admin'
import { type ComponentType, useMemo } from 'react'

import type { ResourceApi } from '#providers/httpClient.ts'

import { lazy } from '../browser/lazy.ts'
import type { AnyDeclaration, AnyDefinition, Declaration, Listed, TableDefinition } from './resource.ts'
import { loadSideList } from './resourceLayout.ts'
import { ResourcePage } from './ResourcePage.tsx'
import { ResourceSection } from './ResourceSection.tsx'

const SideListPage = lazy(async () => ({ default: (await loadSideList()).SideListPage }))

/** A declaration with what react-admin knows of the resource whose page this is: name, icon, and names of its records. */
function useDefinition(declaration: AnyDeclaration): AnyDefinition {
  const { name, icon } = useResourceDefinition()
  const represent = useGetRecordRepresentation()
  return useMemo(
    // An entry in `resources/index.ts` represents a record by text only.
    () => ({ nameOf: (row: Listed) => represent(row) as string, ...declaration, name, icon }),
    [declaration, name, icon, represent],
  )
}

/**
 * Declares a resource and returns its page: a table or a list at the side, with search, paging and actions, and a form.
 * Columns and actions are typed from the calls of the contract, and each button is shown to whom its call is allowed.
 * `resources/index.ts` has its name, icon and place in the menu.
 */
export function defineResource<const A extends ResourceApi>(declaration: Declaration<A>): ComponentType {
  return function DeclaredResource() {
    const definition = useDefinition(declaration)
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
