import type { FoundItem, StorageItem } from '#contract/files/schema.ts'

/** Sort order of files and folders, applied by the server after "folders first". */
export type ItemSort = readonly [field: 'name' | 'updateTimestamp' | 'size', order: 'ASC' | 'DESC']

/** A folder, or a list of the person's own. */
export type ItemPlace = 'folder' | 'recent' | 'starred'

/** Parameters of the list: a page of a folder, of the global search, or of a list of the person's own. */
export interface ItemView {
  readonly place: ItemPlace
  /** 0 is the root. */
  readonly folderId: number
  /** Words of a name or text; empty without a search. */
  readonly search: string
  readonly isCreatedByMe: boolean
  /** Counts from 1. */
  readonly page: number
  readonly sort: ItemSort
}

/** A row of the list; search results carry their path, and the place in the text that was found. */
export type Listed = StorageItem & Partial<Pick<FoundItem, 'path' | 'textMatch'>>

/** Files and folders of one action. */
export type Selection = readonly Listed[]

/** A table (cards on phones) or tiles with small pictures. */
export type FilesLayout = 'list' | 'tiles'
