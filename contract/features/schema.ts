import * as z from 'zod/mini'

import { timestamp } from '#contract/kit/text.ts'

/** Features that an organisation can request from its provider. */
export const FEATURES = {
  DIAL_IN: 'Joining calls by telephone',
  MASS_NOTIFICATIONS: 'Contacts and mass notifications',
  MORE_NOTIFICATIONS: 'More mass notifications',
  MORE_PLAYBOOKS: 'More playbooks',
  PLAYBOOK_SHARING: 'Sharing playbooks with child organizations',
  MORE_USERS: 'More users',
  MULTIPLE_INCIDENTS: 'Several incidents at the same time',
} as const
export type Feature = keyof typeof FEATURES
export const Feature = z.enum(Object.keys(FEATURES) as [Feature, ...Feature[]])

export const REQUESTED_RECENTLY = 'This feature was already requested recently.'
/** Hours until a feature can be requested again. */
export const REQUEST_AGAIN_HOURS = 24

export const FeatureRequest = z.object({ name: Feature, requestTimestamp: timestamp })
export type FeatureRequest = z.infer<typeof FeatureRequest>

/** A badge on a menu entry, such as 'New', until it expires. */
export const Badge = z.object({
  /** Path of the entry. */
  path: z.string(),
  label: z.string(),
  expiryTimestamp: timestamp,
})
export type Badge = z.infer<typeof Badge>
