import * as z from 'zod/mini'

import { EscalationPlan } from '#contract/notification-escalations/schema.ts'
import { Question } from '#contract/notification-questions/schema.ts'
import { id, LONG_TEXT_MAX, optionalText, requiredText, timestamp } from '#contract/kit/text.ts'

/** Urgency of a notification (administration §3, decisions §3). */
export const EVENT_LEVELS = ['CRITICAL', 'NORMAL', 'LOW'] as const
export const EventLevel = z.enum(EVENT_LEVELS)
export type EventLevel = z.infer<typeof EventLevel>
/** Labels of the levels, also in the tag before an SMS. */
export const LEVEL_LABELS: { readonly [L in EventLevel]: string } = {
  CRITICAL: 'Critical',
  NORMAL: 'Normal',
  LOW: 'Low',
}

/** Languages in which carriers speak (BCP 47), and in which our words around a message are written. */
export const MESSAGE_LANGUAGES = [
  'en-US',
  'en-GB',
  'de-DE',
  'es-ES',
  'es-MX',
  'fr-FR',
  'fr-CA',
  'it-IT',
  'nl-NL',
  'pt-BR',
  'pt-PT',
] as const
export const MessageLanguage = z.enum(MESSAGE_LANGUAGES)
export type MessageLanguage = z.infer<typeof MessageLanguage>

export const TEMPLATE_TITLE_REQUIRED = 'Title is required.'

/** A reusable notification (administration §3). */
export const NotificationTemplate = z.object({
  id,
  /** Also the subject of the email. */
  title: z.string(),
  level: EventLevel,
  smsMessage: z.nullable(z.string()),
  emailMessage: z.nullable(z.string()),
  /** Asked of the recipients; null for a notification without a question. */
  question: z.nullable(Question),
  /** Asks those again who have not answered; null for a notification without escalation. */
  escalation: z.nullable(EscalationPlan),
  /** Language in which it is spoken, and of the words around it; null for the organisation's. */
  language: z.nullable(MessageLanguage),
  updateTimestamp: timestamp,
  /** Sent back with a change, so that a stale one is refused. */
  version: z.int(),
})
export type NotificationTemplate = z.infer<typeof NotificationTemplate>

/** The body of a new template (administration §5, §7.4). */
export const templateInputs = {
  title: requiredText(TEMPLATE_TITLE_REQUIRED),
  level: EventLevel,
  /** The organisation's configuration limits the length of an SMS further. */
  smsMessage: optionalText(LONG_TEXT_MAX),
  emailMessage: optionalText(LONG_TEXT_MAX),
  question: z._default(z.nullable(Question), null),
  /** Unchanged by default. */
  escalation: z.optional(z.nullable(EscalationPlan)),
  /** Unchanged by default. */
  language: z.optional(z.nullable(MessageLanguage)),
}
const NewNotificationTemplate = z.object(templateInputs)
export type NewNotificationTemplate = z.infer<typeof NewNotificationTemplate>
