import * as z from 'zod/mini'

import { everybody } from '#contract/kit/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'
import { organisationCode } from '#contract/kit/text.ts'

import { RegistryEntry } from './schema.ts'

/** The public service registry, served at the root rather than below the API base (decisions §1). */
export const registryApi = defineApi({
  find: {
    method: 'GET',
    path: '/registry/:code',
    access: everybody,
    summary: "An organisation's API address by its code.",
    params: z.object({ code: organisationCode }),
    reply: RegistryEntry,
  },
})
