import * as z from 'zod/mini'

import { incidentsAccess } from '#contract/incidents/access.ts'
import { BODY_LIMIT_TEXTS, defineApi } from '#contract/kit/endpoint.ts'
import { wholeNumber } from '#contract/kit/query.ts'
import { ById } from '#contract/kit/text.ts'

import {
  ConfirmedDecision,
  Decision,
  DecisionChanges,
  DecisionPage,
  DECISIONS_PAGE_MAX,
  NewDecision,
} from './schema.ts'

const { read, write } = incidentsAccess
const errors = { 409: 'The decision is decided already, or somebody else changed it meanwhile.' }

/** The decisions of an incident, each confirmed by the person who decides (decision 113). */
export const incidentDecisionsApi = defineApi({
  list: {
    method: 'GET',
    path: '/incident/:id/decisions',
    access: read,
    summary: 'A page of the decisions of an incident, newest first.',
    params: ById,
    query: z.object({
      /** Zero-based. */
      page: wholeNumber(0, 0, 1_000_000),
      size: wholeNumber(20, 1, DECISIONS_PAGE_MAX),
    }),
    reply: DecisionPage,
  },
  propose: {
    method: 'POST',
    path: '/incident/:id/decision',
    access: write,
    summary: 'Proposes a decision, perhaps in the place of another one, and tells the person who decides.',
    params: ById,
    body: NewDecision,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: Decision,
    status: 201,
    errors: { 409: 'The decision that it would supersede is not in force.' },
  },
  update: {
    method: 'PUT',
    path: '/incident/decision/:id',
    access: write,
    summary: 'Changes a proposed decision. A decided one never changes: propose one in its place.',
    params: ById,
    body: DecisionChanges,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: Decision,
    errors,
  },
  confirm: {
    method: 'PUT',
    path: '/incident/decision/:id/confirmation',
    access: write,
    summary: 'Confirms a decision by the person who decides, or by an administrator on their behalf.',
    params: ById,
    body: ConfirmedDecision,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: Decision,
    errors,
  },
})
