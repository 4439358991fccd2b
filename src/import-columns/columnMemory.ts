import { importColumnsApi } from '#contract/import-columns/api.ts'
import { call } from '#providers/api.ts'
import type { ColumnMemory } from '#src/kit/import-table/tableChoice.ts'

/** Columns that the organisation assigned in its imports of users. */
export const userColumns: ColumnMemory = {
  recall: async (headings) => (await call(importColumnsApi.ofUsers, { params: { headings } })).columns,
  keep: (headings, columns) =>
    call(importColumnsApi.keepOfUsers, { params: { headings }, body: { columns } }),
}

/** Columns that the organisation assigned in its imports of contacts. */
export const contactColumns: ColumnMemory = {
  recall: async (headings) => (await call(importColumnsApi.ofContacts, { params: { headings } })).columns,
  keep: (headings, columns) =>
    call(importColumnsApi.keepOfContacts, { params: { headings }, body: { columns } }),
}
