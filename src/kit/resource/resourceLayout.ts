import type { Identifier } from 'ra-core'

import type { AnyTable, Listed } from './resource.ts'
import type { MenuPlace } from './RowMenu.tsx'
import type { ColumnChoice } from './useColumnChoice.ts'
import type { ListState } from './useListState.ts'
import type { RowOffers } from './useRowActions.tsx'

/** The props of the table and of the cards on a phone. */
export interface LayoutProps {
  readonly definition: AnyTable
  /** Names the whole for screen readers. */
  readonly label: string
  readonly rows: readonly Listed[]
  readonly state: ListState
  readonly change: (patch: Partial<ListState>) => void
  readonly offers: RowOffers
  readonly choice: ColumnChoice
  readonly selected: Identifier | undefined
  readonly onSelect: (id: Identifier | undefined) => void
  readonly onMenu: (row: Listed, place: MenuPlace) => void
}

export const loadGrid = () => import('./ResourceGrid.tsx')
export const loadCards = () => import('./ResourceCards.tsx')
export const loadSideList = () => import('./SideListPage.tsx')

/** Narrower screens show cards; they never load the table. */
export const PHONE = '(max-width: 599.95px)'

/** Preloads the layout for this screen, in parallel with the page. */
export const preloadLayout = (): void => void (matchMedia(PHONE).matches ? loadCards() : loadGrid())
