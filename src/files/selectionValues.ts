import type { PlacedItem, StorageItem } from '#contract/files/schema.ts'

/** An order of files and folders, which the server applies below "folders first". */
export type ItemSort = readonly [field: 'name' | 'updateTimestamp' | 'size', order: 'ASC' | 'DESC']

/** What of the files is shown: a page of a folder, or of what a search finds. */
export interface ItemView {
  /** 0 is the root. */
  readonly folderId: number
  /** Words of a name; empty while nothing is searched for. */
  readonly search: string
  readonly isCreatedByMe: boolean
  /** Counts from 1. */
  readonly page: number
  readonly sort: ItemSort
}

/** A row of the list: what a search finds says where it lies. */
export type Listed = StorageItem & Partial<Pick<PlacedItem, 'path'>>

/** Files and folders that are acted on together. */
export type Selection = readonly Listed[]
