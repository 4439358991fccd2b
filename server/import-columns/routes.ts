import type { importColumnsApi } from '#contract/import-columns/api.ts'
import type { ImportKind } from '#contract/import-columns/schema.ts'
import type { Columns } from '#contract/kit/person-table.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { columnsOf, keepColumns } from './store.ts'

interface Keeping {
  readonly params: { readonly headings: string }
  readonly body: { readonly columns: Columns }
}
const keep = async (db: OrgDb, kind: ImportKind, { params, body: { columns } }: Keeping) => {
  await keepColumns(db, kind, params.headings, columns)
  return { columns }
}

export const importColumnsRoutes: Handlers<typeof importColumnsApi> = {
  ofUsers: async ({ params }, { db }) => ({ columns: await columnsOf(db, 'USERS', params.headings) }),
  keepOfUsers: (input, { db }) => keep(db, 'USERS', input),
  ofContacts: async ({ params }, { db }) => ({ columns: await columnsOf(db, 'CONTACTS', params.headings) }),
  keepOfContacts: (input, { db }) => keep(db, 'CONTACTS', input),
}
