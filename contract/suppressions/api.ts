import * as z from 'zod/mini'

import { BODY_LIMIT_LISTS, BODY_LIMIT_TEXTS, defineApi } from '#contract/kit/endpoint.ts'
import { truth, wholeNumber } from '#contract/kit/query.ts'
import { ById, nothing } from '#contract/kit/text.ts'

import { suppressionsAccess as access } from './access.ts'
import { Addresses, FoundSuppression, Lift, Suppression, SUPPRESSIONS_MAX } from './schema.ts'

/** Addresses that are not tried again (decision 109). */
export const suppressionsApi = defineApi({
  list: {
    method: 'GET',
    path: '/suppression',
    access: access.read,
    summary:
      'The addresses and numbers that are not tried, newest first; those that were allowed again, too, if asked.',
    query: z.object({
      active: z._default(truth, true),
      /** Rows to skip. */
      offset: wholeNumber(0, 0, 1_000_000),
      size: wholeNumber(SUPPRESSIONS_MAX, 1, SUPPRESSIONS_MAX),
    }),
    reply: z.object({ data: z.array(Suppression), total: z.int() }),
  },
  find: {
    method: 'POST',
    path: '/suppression/find',
    access: access.read,
    summary:
      'Which of these addresses and numbers, and of the numbers of users with these addresses, are not tried, with the reasons.',
    body: Addresses,
    bodyLimit: BODY_LIMIT_LISTS,
    reply: z.array(FoundSuppression),
  },
  lift: {
    method: 'POST',
    path: '/suppression/:id/lift',
    access: access.lift,
    summary: 'Allows an address or number again, with a reason.',
    params: ById,
    body: Lift,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: nothing,
    status: 204,
    errors: { 409: 'It was allowed again already.' },
  },
})
