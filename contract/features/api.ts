import * as z from 'zod/mini'

import { signedIn } from '#contract/kit/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'

import { Badge, Feature, FeatureRequest } from './schema.ts'

/** Badges of new features, and requests for features (foundation §7). */
export const featuresApi = defineApi({
  badges: {
    method: 'GET',
    path: '/version/badges',
    access: signedIn,
    summary: 'Marks of the menu that have not expired.',
    reply: z.array(Badge),
  },
  requestUpgrade: {
    method: 'POST',
    path: '/feature/upgrade',
    access: signedIn,
    summary: 'Asks the provider for a feature that the organisation does not have.',
    query: z.object({ name: Feature }),
    reply: FeatureRequest,
    errors: { 429: 'Somebody of the organisation asked for it within a day.' },
  },
})
