import {
  NOT_SUBSCRIBED,
  NOTIFICATION_TYPES,
  type NotificationDashboard,
} from '#contract/mass-notifications/schema.ts'
import { demand } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import type { Post } from '#server/kit/messages/mailer.ts'

import type { Sender } from './sending.flows.ts'
import { findUsed } from './store.ts'

/** Refuses callers of an organisation without a subscription with 403, before their input is validated. */
export const demandSubscription = ({ config }: Pick<Caller, 'config'>): void =>
  demand(config.contactsAndMassNotificationsEnabled, 403, NOT_SUBSCRIBED)

/** The organisation's remaining quota. */
export const openDashboard = async (
  { post }: { readonly post: Pick<Post, 'offers'> },
  db: OrgDb,
  { config, organisation }: Pick<Sender, 'config' | 'organisation'>,
): Promise<NotificationDashboard> => ({
  subscribed: config.contactsAndMassNotificationsEnabled,
  organisation: organisation.displayName,
  remainingEvents: await findRemaining(db, config),
  types: NOTIFICATION_TYPES.filter((type) => post.offers(type)),
})

type Quota = Pick<Caller['config'], 'massNotifsMaxEvents'>
export const remainingOf = ({ massNotifsMaxEvents }: Quota, used: number) =>
  Math.max(0, massNotifsMaxEvents - used)
export const findRemaining = async (db: OrgDb, quota: Quota): Promise<number> =>
  remainingOf(quota, await findUsed(db))
