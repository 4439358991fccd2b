import { has } from '#contract/kit/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'

import { Dashboard } from './schema.ts'

export const dashboardApi = defineApi({
  get: {
    method: 'GET',
    path: '/dashboard',
    access: has('dashboard'),
    summary: "The organisation's current state.",
    reply: Dashboard,
  },
})
