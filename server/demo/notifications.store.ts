import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Post } from '#server/kit/messages/mailer.ts'

/** Discards messages that were sent long ago: nobody receives them, and no outbox shows them. */
export const sentLongAgo: Pick<Post, 'mail' | 'offers' | 'spread' | 'takesReplies' | 'takesKeys'> = {
  takesReplies: false,
  takesKeys: false,
  offers: () => true,
  mail: async () => {},
  spread(db: OrgDb, notificationId, ...spreads) {
    const at = clock.timestamp()
    const rows = spreads.flatMap(({ channel, subject = null, text, html = null, to }) =>
      to.map((recipient) => ({
        id: crypto.randomUUID(),
        channel,
        recipient,
        subject,
        text,
        html,
        content_id: null,
        notification_id: notificationId,
        state: 'SENT' as const,
        provider_id: null,
        reason: null,
        create_timestamp: at,
        done_timestamp: at,
      })),
    )
    return { states: spreads.map(() => 'SENT'), queued: db.insertInto('messages').values(rows).execute() }
  },
}
