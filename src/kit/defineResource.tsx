import type { ComponentType } from 'react'

import type { ResourceApi } from '#providers/dataProvider.ts'

import type { Definition } from './resource.ts'
import { ResourcePage } from './ResourcePage.tsx'

/**
 * Declares a resource and answers its page: a table with search, sorting, paging and actions, and a form. Columns and
 * actions are typed from the calls of the contract, and each button is shown to whom its call is allowed.
 */
export function defineResource<const A extends ResourceApi>(definition: Definition<A>): ComponentType {
  return function DeclaredResource() {
    return <ResourcePage definition={definition} />
  }
}
