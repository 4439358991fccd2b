import * as z from 'zod/mini'

import { beforeNewPassword, everybody } from '#contract/kit/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'
import { organisationCode } from '#contract/kit/text.ts'

import { OrganisationConfig, PlatformConfig } from './schema.ts'

/** Configuration that the browser may read (foundation §7). */
export const configApi = defineApi({
  forEverybody: {
    method: 'GET',
    path: '/config/public/:code',
    access: everybody,
    summary: 'What anybody may know of an organisation.',
    params: z.object({ code: organisationCode }),
    reply: OrganisationConfig,
  },
  forPeople: {
    method: 'GET',
    path: '/config',
    access: beforeNewPassword,
    summary: 'The platform configuration of the own organisation.',
    reply: PlatformConfig,
  },
})
