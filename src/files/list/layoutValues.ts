import type { StorageItem } from '#contract/files/schema.ts'
import type { MenuPlace } from '#src/kit/list/RowMenu.tsx'

import type { ItemView, Listed, Selection } from '../selectionValues.ts'
import type { ItemDrag } from './useItemDrag.ts'

/** Props of the table and of the cards on phones. */
export interface FilesLayoutProps {
  readonly rows: readonly Listed[]
  readonly view: ItemView
  readonly onSort: (sort: ItemView['sort']) => void
  readonly selection: Selection
  readonly onSelect: (ids: readonly number[]) => void
  readonly onOpen: (item: StorageItem) => void
  readonly onMenu: (item: StorageItem, place: MenuPlace) => void
  readonly drag: ItemDrag
  /** True while the details of an item, or the person's own files, stand beside the list. */
  readonly hasDetails: boolean
}
