import type { PlaybookFilter } from '../queries.ts'

/** Selections of the list. */
export const SHOWN = ['ALL', 'UNUSED', 'DRAFT', 'WAITING', 'ARCHIVED'] as const
export type Shown = (typeof SHOWN)[number]
export const ORDERS = ['NAME', 'USED'] as const
export type Order = (typeof ORDERS)[number]

/** The filter of each selection. */
export const FILTERS: { readonly [S in Shown]: PlaybookFilter } = {
  ALL: {},
  UNUSED: { used: false },
  DRAFT: { selection: 'DRAFT' },
  WAITING: { selection: 'WAITING' },
  ARCHIVED: { selection: 'ARCHIVED' },
}
