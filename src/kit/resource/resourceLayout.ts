import { PHONE } from '../layout/breakpoints.ts'
import type { AnyTable, Listed } from './resource.ts'
import type { MenuPlace } from '../list/RowMenu.tsx'
import type { ColumnChoice } from './useColumnChoice.ts'
import type { RowOffers } from './useRowActions.tsx'

/** The props of the table and of the cards on a phone; the rows and their selection are in react-admin's list context. */
export interface LayoutProps {
  readonly definition: AnyTable
  /** Names the whole for screen readers. */
  readonly label: string
  readonly offers: RowOffers
  readonly choice: ColumnChoice
  /** Rows have checkboxes, and several can be selected. */
  readonly isMultiple: boolean
  readonly onMenu: (row: Listed, place: MenuPlace) => void
}

export const loadGrid = () => import('./ResourceGrid.tsx')
export const loadCards = () => import('./ResourceCards.tsx')
export const loadSideList = () => import('./SideListPage.tsx')

export { PHONE }

const loadTable = () => (matchMedia(PHONE).matches ? loadCards() : loadGrid())

/** Loads a page, and beside it its layout: the table for this screen unless another is given. */
export const withLayout =
  <P>(load: () => Promise<P>, loadLayout: () => Promise<unknown> = loadTable): (() => Promise<P>) =>
  () => {
    // The page says so where it does not load.
    loadLayout().catch(() => undefined)
    return load()
  }
