import {
  NOT_SUBSCRIBED,
  NOTIFICATION_TYPES,
  type NotificationDashboard,
} from '#contract/mass-notifications/schema.ts'
import { demand } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import type { Post } from '#server/kit/messages/mailer.ts'
import { type Words, wordsInAll, wordsOf } from '#server/kit/messages/words.ts'
import type { Services } from '#server/kit/services.ts'

import type { Sender } from './sending.flows.ts'
import { sampleLink } from './answers.flows.ts'
import { findUsage } from './store.ts'

/** Refuses callers of an organisation without a subscription with 403, before their input is validated. */
export const demandSubscription = ({ config }: Pick<Caller, 'config'>): void =>
  demand(config.contactsAndMassNotificationsEnabled, 403, NOT_SUBSCRIBED)

const aroundMessages = ({ answer, reply, press }: Words) => ({ answer, reply, press })

/** The organisation's remaining quota. */
export const openDashboard = async (
  {
    post,
    publicUrl,
  }: { readonly post: Pick<Post, 'offers' | 'takesReplies' | 'takesKeys'> } & Pick<Services, 'publicUrl'>,
  db: OrgDb,
  { config, organisation }: Pick<Sender, 'config' | 'organisation'>,
): Promise<NotificationDashboard> => {
  const { used, questions } = await findUsage(db)
  return {
    subscribed: config.contactsAndMassNotificationsEnabled,
    organisation: organisation.displayName,
    remainingEvents: remainingOf(config, used),
    types: NOTIFICATION_TYPES.filter((type) => post.offers(type)),
    answerLink: await sampleLink({ publicUrl }, db, questions),
    takesReplies: post.takesReplies,
    takesKeys: post.takesKeys,
    words: aroundMessages(wordsOf(config.voiceLanguage).words),
    wordsIn: Object.fromEntries(wordsInAll().map(([language, words]) => [language, aroundMessages(words)])),
  }
}

type Quota = Pick<Caller['config'], 'massNotifsMaxEvents'>
export const remainingOf = ({ massNotifsMaxEvents }: Quota, used: number) =>
  Math.max(0, massNotifsMaxEvents - used)
export const findRemaining = async (db: OrgDb, quota: Quota): Promise<number> =>
  remainingOf(quota, (await findUsage(db)).used)
