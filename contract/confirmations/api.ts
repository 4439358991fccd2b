import * as z from 'zod/mini'

import { defineApi } from '#contract/kit/endpoint.ts'
import { truth, wholeNumber } from '#contract/kit/query.ts'
import { ById } from '#contract/kit/text.ts'

import { confirmationsAccess as access } from './access.ts'
import {
  ConfirmationPlace,
  ConfirmationRequest,
  CONFIRMING_PAGE_MAX,
  ConfirmingPerson,
  NewConfirmation,
} from './schema.ts'

/** Confirmations of messages and updates by the people who read them (decision 106). */
export const confirmationsApi = defineApi({
  list: {
    method: 'GET',
    path: '/confirmation',
    access,
    summary: 'The newest requests to confirm a message of a room, or an update of an incident.',
    query: ConfirmationPlace,
    reply: z.array(ConfirmationRequest),
  },
  request: {
    method: 'POST',
    path: '/confirmation',
    access,
    summary:
      'Asks everybody in the room to confirm a message, or everybody in the incident to confirm an update. Asking again changes nothing.',
    body: NewConfirmation,
    reply: ConfirmationRequest,
    status: 201,
    errors: {
      403: 'Only the sender of a message and those who manage its room ask, and those who change incidents.',
      409: 'The message was deleted, or the incident is resolved.',
    },
  },
  confirm: {
    method: 'POST',
    path: '/confirmation/:id/confirm',
    access,
    summary: 'Confirms for the caller. Once is enough; again changes nothing.',
    params: ById,
    reply: ConfirmationRequest,
    errors: { 409: 'The caller is not asked.' },
  },
  people: {
    method: 'GET',
    path: '/confirmation/:id/people',
    access,
    summary: 'The people who are asked, by name: those who have confirmed, or those who have not.',
    params: ById,
    query: z.object({
      confirmed: z._default(truth, false),
      /** Rows to skip. */
      offset: wholeNumber(0, 0, 1_000_000),
      size: wholeNumber(CONFIRMING_PAGE_MAX, 1, CONFIRMING_PAGE_MAX),
    }),
    reply: z.object({ data: z.array(ConfirmingPerson), total: z.int() }),
  },
  remind: {
    method: 'POST',
    path: '/confirmation/:id/remind',
    access,
    summary: 'Notifies those who have not confirmed, once a minute. Answers how many.',
    params: ById,
    limit: 'broadcasts',
    reply: z.object({ reminded: z.int() }),
    errors: {
      403: 'The caller did not ask, and may not ask.',
      409: 'Everybody has confirmed, the message was deleted, or the incident is resolved.',
      429: 'They were reminded less than a minute ago.',
    },
  },
})
