import * as z from 'zod/mini'

import { defineApi, list } from '#contract/kit/endpoint.ts'
import { listQuery } from '#contract/kit/query.ts'
import { ById, id, text } from '#contract/kit/text.ts'

import { communicationTestAccess, readinessAccess as access } from './access.ts'
import {
  Activations,
  CommunicationTest,
  Gap,
  GroupReach,
  NewPlan,
  NewTest,
  Reach,
  Readiness,
  ReadinessPerson,
  TestGroup,
  TestPlan,
} from './schema.ts'

const refusals = {
  403: 'The organisation is not subscribed to mass notifications.',
  409: 'More notifications would be needed than remain, or nobody else may approve.',
}

/** Gaps that a crisis would find, and tests of whether messages arrive (decision 111). */
export const readinessApi = defineApi({
  board: {
    method: 'GET',
    path: '/readiness',
    access,
    summary: 'How ready the organisation is: the people who can be reached, and what is to be mended.',
    reply: Readiness,
  },
  groups: {
    method: 'GET',
    path: '/readiness/groups',
    access,
    summary: 'The groups with the people who can be reached in each, those first with the most who cannot.',
    query: listQuery(
      ['lacking', 'name'],
      z.object({
        /** Part of a name. */
        q: z.optional(text()),
      }),
    ),
    limit: 'by query',
    reply: list(GroupReach),
  },
  people: {
    method: 'GET',
    path: '/readiness/people',
    access,
    summary: 'The people behind a number of the board or of a group, with what each lacks.',
    query: listQuery(
      ['lastName'],
      z.object({
        gap: z.optional(Gap),
        reach: z.optional(Reach),
        /** Only members of a group, external people included. */
        groupId: z.optional(id),
        /** Every word has to occur in the name, address, location or department. */
        q: z.optional(text()),
      }),
    ),
    limit: 'by query',
    reply: list(ReadinessPerson),
  },
  activate: {
    method: 'POST',
    path: '/readiness/activations',
    access,
    summary:
      'Mails a link to set the first password to everybody who never signed in and has no password, some hundred at once.',
    body: z.object({
      /** The person after whom to go on: \`next\` of the call before. */
      after: z._default(z.nullable(id), null),
    }),
    limit: 'broadcasts',
    reply: Activations,
  },
  tests: {
    method: 'GET',
    path: '/readiness/tests',
    access,
    summary: 'The newest communication tests with their results, newest first.',
    reply: z.array(CommunicationTest),
  },
  testGroups: {
    method: 'GET',
    path: '/readiness/tests/:id/groups',
    access,
    summary: 'The result of a communication test in each group that it went to, by today’s members.',
    params: ById,
    query: listQuery(['name'], z.object({})),
    limit: 'by query',
    reply: list(TestGroup),
  },
  start: {
    method: 'POST',
    path: '/readiness/tests',
    access: communicationTestAccess,
    summary:
      'Sends a communication test, which asks to be confirmed. Where a second person has to approve it, approval is asked for.',
    body: NewTest,
    limit: 'broadcasts',
    reply: CommunicationTest,
    status: 201,
    errors: refusals,
  },
  plan: {
    method: 'GET',
    path: '/readiness/plan',
    access,
    summary: 'The plan of a monthly communication test.',
    reply: TestPlan,
  },
  setPlan: {
    method: 'PUT',
    path: '/readiness/plan',
    access: communicationTestAccess,
    summary:
      'Sets the plan: a test each month at a moment of the working hours that nobody is told. Its tests are sent in the name of the caller.',
    body: NewPlan,
    reply: TestPlan,
    errors: { 403: refusals[403], 409: 'Somebody else changed the plan meanwhile.' },
  },
})
