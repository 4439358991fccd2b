import * as z from 'zod/mini'

import { defineApi } from '#contract/kit/endpoint.ts'
import { truth } from '#contract/kit/query.ts'
import { ById, nothing } from '#contract/kit/text.ts'
import { UNDO_ERRORS } from '#contract/kit/undo.ts'
import { playbooksAccess as access } from '#contract/playbooks/access.ts'

import { CategoryChanges, ListedCategory, NewCategory, PlaybookCategory } from './schema.ts'

const taken = 'The name is in use.'

/** Categories of playbooks (operations §7 "Playbooks"). */
export const playbookCategoriesApi = defineApi({
  list: {
    method: 'GET',
    path: '/playbook/categories',
    access: access.read,
    summary: 'The categories by name, with their playbooks.',
    query: z.object({
      /** False leaves out the playbooks of each category. */
      withPlaybooks: z._default(truth, true),
    }),
    reply: z.array(ListedCategory),
  },
  create: {
    method: 'POST',
    path: '/playbook/category',
    access: access.write,
    summary: 'Makes a category.',
    body: NewCategory,
    reply: PlaybookCategory,
    status: 201,
    errors: { 409: taken },
  },
  update: {
    method: 'PUT',
    path: '/playbook/category/:id',
    access: access.write,
    summary: 'Renames a category.',
    params: ById,
    body: CategoryChanges,
    reply: PlaybookCategory,
    errors: { 409: `${taken} Or somebody else changed the category meanwhile.` },
  },
  remove: {
    method: 'DELETE',
    path: '/playbook/category/:id',
    access: access.write,
    summary: 'Deletes a category. Its playbooks stay, as Uncategorized.',
    params: ById,
    reply: nothing,
    status: 204,
  },
  restore: {
    method: 'POST',
    path: '/playbook/category/:id/restore',
    access: access.write,
    summary:
      'Undoes the deletion of a category by the caller within ten minutes. Its playbooks that are still Uncategorized return to it.',
    params: ById,
    reply: PlaybookCategory,
    errors: UNDO_ERRORS,
  },
})
