import type { SuppressionReason } from './schema.ts'

type Channel = 'EMAIL' | 'SMS' | 'VOICE_CALL'
/** Channels by which an address is not tried. STOP is said of SMS only: a call in an emergency still rings. */
export const BLOCKED: { readonly [R in SuppressionReason]: readonly Channel[] } = {
  STOPPED: ['SMS'],
  NO_SMS: ['SMS'],
  NO_SUCH_NUMBER: ['SMS', 'VOICE_CALL'],
  BOUNCED: ['EMAIL'],
}

const CAUSES: { readonly [R in SuppressionReason]: string } = {
  STOPPED: 'this person has unsubscribed from SMS (STOP)',
  NO_SMS: 'this number could not receive SMS',
  NO_SUCH_NUMBER: 'this number did not exist',
  BOUNCED: 'this mailbox did not exist',
}
const WAYS_BACK: { readonly [R in SuppressionReason]: string } = {
  STOPPED: 'START from that phone ends it, or an administrator.',
  NO_SMS: 'Choose automated voice, or enter another number.',
  NO_SUCH_NUMBER: 'Correct the number, or have an administrator allow it again.',
  BOUNCED: 'Correct the address, or have an administrator allow it again.',
}
/** The way back of a suppressed address, as a sentence. */
export const wayBack = (reason: SuppressionReason): string => WAYS_BACK[reason]

/** The reason of a message that was not handed to a carrier. */
export const withheldReason = (reason: SuppressionReason, since: string): string =>
  `Not tried: ${CAUSES[reason]} on ${since.slice(0, 10)}. ${WAYS_BACK[reason]}`

const STOP_WORDS = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'ARRET', 'STOPP']
const START_WORDS = ['START', 'UNSTOP']
/** The whole text of an SMS as a word without accents, in capitals. */
const wordOf = (text: string): string =>
  text.length > 40 ? '' : text.trim().normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()

/** True for an SMS that is nothing but a word by which people unsubscribe. */
export const isStop = (text: string): boolean => STOP_WORDS.includes(wordOf(text))
/** True for an SMS that is nothing but a word by which people subscribe again. */
export const isStart = (text: string): boolean => START_WORDS.includes(wordOf(text))

const BY_CODE: { readonly [code: string]: SuppressionReason } = {
  21610: 'STOPPED',
  21211: 'NO_SUCH_NUMBER',
  21217: 'NO_SUCH_NUMBER',
  30005: 'NO_SUCH_NUMBER',
  21614: 'NO_SMS',
  30006: 'NO_SMS',
  // No such mailbox, no such domain, a domain without mail (RFC 7505), a mailbox that was closed (RFC 3463 §3).
  '5.1.1': 'BOUNCED',
  '5.1.2': 'BOUNCED',
  '5.1.10': 'BOUNCED',
  '5.2.1': 'BOUNCED',
}
/** The reason for which a failure with this code of a carrier suppresses the address; undefined for none. */
export const suppressionOfCode = (code: string | number | null | undefined): SuppressionReason | undefined =>
  code === null || code === undefined || !Object.hasOwn(BY_CODE, code) ? undefined : BY_CODE[code]
