import * as z from 'zod/mini'

import { id, LONG_TEXT_MAX, optionalText, requiredText, timestamp } from '#contract/kit/text.ts'

/** How urgent a notification is (administration §3, decisions §3). */
export const EVENT_LEVELS = ['CRITICAL', 'NORMAL', 'LOW'] as const
export const EventLevel = z.enum(EVENT_LEVELS)
export type EventLevel = z.infer<typeof EventLevel>
/** The level in words: on the screen, and in the tag before an SMS. */
export const LEVEL_LABELS: { readonly [L in EventLevel]: string } = {
  CRITICAL: 'Critical',
  NORMAL: 'Normal',
  LOW: 'Low',
}

export const TEMPLATE_TITLE_REQUIRED = 'Title is required.'

/** What can be sent again and again (administration §3). */
export const NotificationTemplate = z.object({
  id,
  /** The subject of the email as well. */
  title: z.string(),
  level: EventLevel,
  smsMessage: z.nullable(z.string()),
  emailMessage: z.nullable(z.string()),
  updateTimestamp: timestamp,
  /** Sent back with a change, so that a stale one is refused. */
  version: z.int(),
})
export type NotificationTemplate = z.infer<typeof NotificationTemplate>

/** The body of a new template (administration §5, §7.4). */
export const templateInputs = {
  title: requiredText(TEMPLATE_TITLE_REQUIRED),
  level: EventLevel,
  /** At most as long as the organisation's configuration lets an SMS be. */
  smsMessage: optionalText(LONG_TEXT_MAX),
  emailMessage: optionalText(LONG_TEXT_MAX),
}
const NewNotificationTemplate = z.object(templateInputs)
export type NewNotificationTemplate = z.infer<typeof NewNotificationTemplate>
