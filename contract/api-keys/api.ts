import * as z from 'zod/mini'

import { BODY_LIMIT_TEXTS, defineApi, list } from '#contract/kit/endpoint.ts'
import { listQuery } from '#contract/kit/query.ts'
import { ById, nothing, text } from '#contract/kit/text.ts'

import { apiKeysAccess as access } from './access.ts'
import { ApiKey, IssuedApiKey, NewApiKey } from './schema.ts'

// Only people manage keys; a key cannot create another one.
const path = '/apiManagement/credentials'
export const API_KEY_SORT_FIELDS = [
  'name',
  'visibleKeyPart',
  'numberOfRequestsMade',
  'lastUsedTimestamp',
  'expiresTimestamp',
  'createTimestamp',
] as const

/** API keys (administration §7.3). */
export const apiKeysApi = defineApi({
  list: {
    method: 'GET',
    path,
    access,
    summary: "The organisation's API keys, without their secrets.",
    query: listQuery(API_KEY_SORT_FIELDS, z.object({ q: z.optional(text()) })),
    reply: list(ApiKey),
  },
  create: {
    method: 'POST',
    path,
    access,
    summary: 'Makes a key. This answer is the only one that carries it.',
    body: NewApiKey,
    bodyLimit: BODY_LIMIT_TEXTS,
    reply: IssuedApiKey,
    status: 201,
    errors: { 409: 'The name is in use.' },
  },
  remove: {
    method: 'DELETE',
    path: `${path}/:id`,
    access,
    summary: 'Deletes a key, which is refused from now on.',
    params: ById,
    reply: nothing,
    status: 204,
  },
})
