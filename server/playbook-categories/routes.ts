import type { playbookCategoriesApi } from '#contract/playbook-categories/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { changeCategory, createCategory, listCategories, removeCategory, restoreCategory } from './flows.ts'

export const playbookCategoriesRoutes: Handlers<typeof playbookCategoriesApi> = {
  list: ({ query }, { db, caller }) => listCategories(db, caller, query),
  create: ({ body }, { db }) => createCategory(db, body),
  update: ({ params, body }, { db }) => changeCategory(db, params.id, body),
  remove: ({ params }, { db, caller }) => removeCategory(db, caller, params.id),
  restore: ({ params }, { db, caller }) => restoreCategory(db, caller, params.id),
}
