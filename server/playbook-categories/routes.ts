import type { playbookCategoriesApi } from '#contract/playbook-categories/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { changeCategory, createCategory, listCategories } from './flows.ts'
import { categories } from './store.ts'

export const playbookCategoriesRoutes: Handlers<typeof playbookCategoriesApi> = {
  list: ({ query }, { db, caller }) => listCategories(db, caller, query),
  create: ({ body }, { db }) => createCategory(db, body),
  update: ({ params, body }, { db }) => changeCategory(db, params.id, body),
  // The database moves its playbooks to Uncategorized. Their versions stay: incidents copy no category.
  remove: ({ params }, { db }) => categories.remove(db, params.id),
}
