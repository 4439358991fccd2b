import { useQuery } from '@tanstack/react-query'

import { playbookCategoriesApi } from '#contract/playbook-categories/api.ts'
import type { PlaybookCategory } from '#contract/playbook-categories/schema.ts'
import { call } from '#providers/api.ts'

/** The categories by name, without their playbooks. */
export const useCategories = ({ enabled = true }: { enabled?: boolean } = {}) =>
  useQuery({
    queryKey: ['playbook-categories', 'names'],
    queryFn: ({ signal }): Promise<readonly PlaybookCategory[]> =>
      call(playbookCategoriesApi.list, { query: { withPlaybooks: 'false' }, signal }),
    enabled,
  })
