import { has } from '#contract/kit/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'

import { Attention, Dashboard } from './schema.ts'

export const dashboardApi = defineApi({
  get: {
    method: 'GET',
    path: '/dashboard',
    access: has('dashboard'),
    summary: "The organisation's current state.",
    reply: Dashboard,
  },
  asked: {
    method: 'GET',
    path: '/dashboard/asked',
    access: {
      realm: 'person',
      allOf: ['dashboard'],
      anyOf: ['incidents-read-only', 'incidents-full-access'],
    },
    summary: 'What is asked of the caller now, and the latest update of what is in progress.',
    reply: Attention,
  },
})
