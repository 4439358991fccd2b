import * as z from 'zod/mini'

import { staffAs } from '#contract/kit/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'
import { ById } from '#contract/kit/text.ts'

import { AccessReason, OrganisationAccess } from './schema.ts'

/** Time-limited access of staff to the people and incidents of an organisation, for a stated reason. */
export const organisationAccessApi = defineApi({
  current: {
    method: 'GET',
    path: '/enterprise/:id/access',
    access: staffAs.look,
    summary: 'The access that the caller has at this moment, or null.',
    params: ById,
    reply: z.nullable(OrganisationAccess),
  },
  grant: {
    method: 'POST',
    path: '/enterprise/:id/access',
    access: staffAs.look,
    summary:
      "Opens the organisation for an hour. It is in the organisation's audit log, and its administrators are told.",
    params: ById,
    body: AccessReason,
    reply: OrganisationAccess,
    status: 201,
  },
})
