import * as z from 'zod/mini'

import { BODY_LIMIT_TEXTS, defineApi } from '#contract/kit/endpoint.ts'
import { wholeNumber } from '#contract/kit/query.ts'
import { ById } from '#contract/kit/text.ts'

import { followUpsAccess } from './access.ts'
import {
  FOLLOW_UPS_PAGE_MAX,
  FollowUp,
  FollowUpChanges,
  FollowUpDone,
  FollowUpList,
  FollowUpPage,
  FollowUps,
  NewFollowUp,
} from './schema.ts'

const { read, write } = followUpsAccess
const errors = { 409: 'The follow-up is in another state, or somebody else changed it meanwhile.' }
const pages = {
  /** Zero-based. */
  page: wholeNumber(0, 0, 1_000_000),
  size: wholeNumber(20, 1, FOLLOW_UPS_PAGE_MAX),
}

/** Follow-ups of incidents, until they are done (decision 122). Not for external people. */
export const followUpsApi = defineApi({
  list: {
    method: 'GET',
    path: '/followUps',
    access: read,
    summary: 'Follow-ups across incidents: open ones by due time, done ones the latest first.',
    query: z.object({ ...pages, list: z._default(FollowUpList, 'OPEN') }),
    reply: FollowUps,
  },
  ofIncident: {
    method: 'GET',
    path: '/incident/:id/followUps',
    access: read,
    summary: 'A page of the follow-ups of an incident: open ones by due time, then done ones.',
    params: ById,
    query: z.object(pages),
    reply: FollowUpPage,
  },
  create: {
    method: 'POST',
    path: '/incident/:id/followUp',
    access: write,
    summary: 'Adds a follow-up to a resolved incident and tells its owner.',
    params: ById,
    body: NewFollowUp,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: FollowUp,
    status: 201,
    errors: { 409: 'The incident is in progress.' },
  },
  update: {
    method: 'PUT',
    path: '/followUp/:id',
    access: write,
    summary: 'Changes an open follow-up. A new owner is told.',
    params: ById,
    body: FollowUpChanges,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: FollowUp,
    errors,
  },
  finish: {
    method: 'PUT',
    path: '/followUp/:id/done',
    access: read,
    summary: 'Marks a follow-up as done, or opens it again: by its owner and by people who change incidents.',
    params: ById,
    body: FollowUpDone,
    reply: FollowUp,
    errors,
  },
})
