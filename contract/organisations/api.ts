import * as z from 'zod/mini'

import { everybody, personWith } from '#contract/kit/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'
import { organisationCode } from '#contract/kit/text.ts'

import { ChildOrganisation, RegistryEntry, ServiceBase } from './schema.ts'

/** The public service registry, served at the root rather than below the API base (decisions §1). */
export const registryApi = defineApi({
  base: {
    method: 'GET',
    path: '/registry',
    access: everybody,
    summary: 'Where calls go that belong to no organisation yet.',
    reply: ServiceBase,
  },
  find: {
    method: 'GET',
    path: '/registry/:code',
    access: everybody,
    summary: "An organisation's API address by its code.",
    params: z.object({ code: organisationCode }),
    reply: RegistryEntry,
  },
})

/** Child organisations of the caller's own (foundation §7). */
export const organisationsApi = defineApi({
  children: {
    method: 'GET',
    path: '/crossEnterprises/enterprises',
    access: personWith('cross-enterprise-playbooks-sharing'),
    summary: 'The child organizations, to which playbooks can be shared.',
    reply: z.array(ChildOrganisation),
  },
})
