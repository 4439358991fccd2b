import * as z from 'zod/mini'

import { BODY_LIMIT_TEXTS, defineApi, list } from '#contract/kit/endpoint.ts'
import { listQuery, wholeNumber } from '#contract/kit/query.ts'
import { ById, nothing, text } from '#contract/kit/text.ts'

import { declarationsAccess as access } from './access.ts'
import { CALLS_KEPT, DeclarationSource, IssuedSource, SourceCall, sourceInputs } from './schema.ts'

const path = '/declaration/source'

/** Sources that declare incidents by signed webhooks (decision 119). */
export const declarationsApi = defineApi({
  list: {
    method: 'GET',
    path: '/declaration/sources',
    access,
    summary: 'The sources that declare incidents, without their secrets.',
    query: listQuery(['name', 'createTimestamp'], z.object({ q: z.optional(text()) })),
    reply: list(DeclarationSource),
  },
  create: {
    method: 'POST',
    path,
    access,
    summary: 'Adds a source. This answer is the only one that carries its secret.',
    body: z.object(sourceInputs),
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: IssuedSource,
    status: 201,
    errors: { 409: 'The name is in use.' },
  },
  update: {
    method: 'PUT',
    path: `${path}/:id`,
    access,
    summary: 'Changes a source, except its form.',
    params: ById,
    body: z.extend(z.object(sourceInputs), { version: z.optional(z.int()) }),
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: DeclarationSource,
    errors: { 409: 'The name is in use, or somebody else changed the source meanwhile.' },
  },
  remove: {
    method: 'DELETE',
    path: `${path}/:id`,
    access,
    summary: 'Deletes a source, whose calls are refused from now on. Its incidents stay.',
    params: ById,
    reply: nothing,
    status: 204,
  },
  calls: {
    method: 'GET',
    path: `${path}/:id/calls`,
    access,
    summary: `The last ${CALLS_KEPT} calls of a source with a right signature, newest first.`,
    params: ById,
    query: z.object({
      /** Rows to skip. */
      offset: wholeNumber(0, 0, CALLS_KEPT),
      size: wholeNumber(25, 1, CALLS_KEPT),
    }),
    reply: z.object({ data: z.array(SourceCall), total: z.int() }),
  },
})
