import * as z from 'zod/mini'

import { incidentRolesAccess } from '#contract/incident-roles/access.ts'
import { BODY_LIMIT_TEXTS, defineApi } from '#contract/kit/endpoint.ts'
import { wholeNumber } from '#contract/kit/query.ts'
import { ById, nothing } from '#contract/kit/text.ts'

import { IssuedStakeholderLink, LINKS_PAGE_MAX, NewStakeholderLink, StakeholderLinks } from './schema.ts'

const { read, write } = incidentRolesAccess

/** Pages for stakeholders: the published situation reports of an incident, by a link with a passcode (decision 120). */
export const stakeholderLinksApi = defineApi({
  list: {
    method: 'GET',
    path: '/incident/:id/stakeholderLinks',
    access: read,
    summary:
      'The pages for stakeholders of an incident, newest first, without their addresses and passcodes.',
    params: ById,
    query: z.object({
      /** Rows to skip. */
      offset: wholeNumber(0, 0, 1_000_000),
      size: wholeNumber(LINKS_PAGE_MAX, 1, LINKS_PAGE_MAX),
    }),
    reply: StakeholderLinks,
  },
  create: {
    method: 'POST',
    path: '/incident/:id/stakeholderLink',
    access: write,
    summary:
      'Makes a page for stakeholders. This answer is the only one that carries its address and passcode.',
    params: ById,
    body: NewStakeholderLink,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: IssuedStakeholderLink,
    status: 201,
    errors: { 409: 'The incident has too many open pages.' },
  },
  withdraw: {
    method: 'DELETE',
    path: '/incident/stakeholderLink/:id',
    access: write,
    summary: 'Withdraws a page. Its address answers from then on as one that never was.',
    params: ById,
    reply: nothing,
    status: 204,
  },
})
