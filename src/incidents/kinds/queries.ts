import { useQuery } from '@tanstack/react-query'

import type { Definitions } from '#contract/incident-fields/schema.ts'
import { incidentKindsAccess } from '#contract/incident-kinds/access.ts'
import { call } from '#providers/api.ts'
import { useCan } from '#providers/useCan.ts'

/** The kinds and fields of the organisation, retired ones too. External people are refused: they see none. */
export function useDefinitions() {
  const can = useCan()
  return useQuery({
    queryKey: ['incident-definitions'],
    queryFn: async ({ signal }): Promise<Definitions> => {
      const { incidentFieldsApi } = await import('#contract/incident-fields/api.ts')
      return call(incidentFieldsApi.definitions, { signal })
    },
    staleTime: 60_000,
    enabled: can(incidentKindsAccess.read),
  })
}
