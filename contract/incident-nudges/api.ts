import { personWith } from '#contract/kit/access.ts'
import { BODY_LIMIT_TEXTS, defineApi } from '#contract/kit/endpoint.ts'
import { ById } from '#contract/kit/text.ts'

import { NewNudge, Nudged } from './schema.ts'

/** Reminders to people who have not checked in to an incident (decision 095). */
export const incidentNudgesApi = defineApi({
  nudge: {
    method: 'POST',
    path: '/incident/:id/nudge',
    access: personWith('incidents-full-access'),
    summary:
      'Nudges people who have not checked in, once a minute for each person and channel. SMS needs the permission for mass notifications.',
    params: ById,
    body: NewNudge,
    bodyLimit: BODY_LIMIT_TEXTS,
    limit: 'broadcasts',
    reply: Nudged,
    errors: {
      409: 'The incident is resolved, nobody is waited for, or the incident has no call with the caller in it.',
      429: 'Everybody was nudged by this channel less than a minute ago.',
    },
  },
})
