import type { Secrets } from '../security/secrets.ts'
import { escaped } from './email-messages.ts'

/** Placeholder in a shared text for the link of each recipient: a private-use character that no keyboard types. */
export const OWN_LINK = '\u{F00A0}'
/** Placeholder in a shared text for the name that a message is about. */
export const OWN_NAME = '\u{F00A1}'

/** A message whose text may hold `OWN_LINK`. */
export interface Linked {
  readonly notification_id: string | null
  /** Place of the recipient within the notification; null for a message without a link of its own. */
  readonly recipient_place: number | null
  /** Name that takes the place of `OWN_NAME`; null for none. */
  readonly recipient_name: string | null
  /** Beginning of the link, without the recipient's part. */
  readonly link_prefix: string | null
  readonly text: string
  readonly html: string | null
}

/** Links of single recipients. Derived, so that every attempt sends equal words and nothing is stored. */
export interface OwnLinks {
  /** The signed part of a link that names a recipient. Lower case and digits, to be short and readable aloud. */
  signature(organisationId: string, notificationId: string, place: number): string
  /** The message with its own link filled in. */
  fillIn<M extends Linked>(organisationId: string, message: M): M
}

/** Letters of a signature: 64 bits in base 36. */
export const SIGNATURE_LENGTH = 13
const SIGNATURE_DIGITS = 16

export const placeText = (place: number): string => place.toString(36)

/** The recipient's link. */
export const ownLink = (prefix: string, place: number, signature: string): string =>
  `${prefix}-${placeText(place)}-${signature}`

/** The message with its own name filled in. */
function withName<M extends Linked>(message: M): M {
  const { recipient_name: name, text, html } = message
  if (name === null) return message
  return {
    ...message,
    text: text.replaceAll(OWN_NAME, () => name),
    html: html === null ? null : html.replaceAll(OWN_NAME, () => escaped(name)),
  }
}

export function makeOwnLinks(secrets: Pick<Secrets, 'hash'>): OwnLinks {
  const signature: OwnLinks['signature'] = (organisationId, notificationId, place) =>
    BigInt(
      `0x${secrets.hash('own links', organisationId, notificationId, String(place)).slice(0, SIGNATURE_DIGITS)}`,
    )
      .toString(36)
      .padStart(SIGNATURE_LENGTH, '0')
  return {
    signature,
    fillIn(organisationId, message) {
      const { notification_id: id, recipient_place: place, link_prefix: prefix } = message
      const named = withName(message)
      if (id === null || place === null || prefix === null) return named
      const { text, html } = named
      const link = ownLink(prefix, place, signature(organisationId, id, place))
      return {
        ...named,
        text: text.replaceAll(OWN_LINK, link),
        html: html === null ? null : html.replaceAll(OWN_LINK, link),
      }
    },
  }
}
