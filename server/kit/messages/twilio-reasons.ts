/** Reasons of failures by Twilio's error codes, in words for whoever has to reach the person in another way. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [21211, 'This number does not exist.'],
  [21214, 'This number cannot be called.'],
  [21217, 'This number does not exist.'],
  [21219, 'The Twilio account may only send to numbers that were verified there.'],
  [21408, 'The Twilio account may not send to this country.'],
  [21610, 'This person has unsubscribed by SMS (STOP).'],
  [21612, 'No route leads from the sender number to this number.'],
  [21614, 'This number cannot receive SMS.'],
  [30002, 'The Twilio account is suspended.'],
  [30003, 'The phone is off or out of reach.'],
  [30004, 'The phone or its network blocks messages.'],
  [30005, 'This number does not exist, or is out of service.'],
  [30006, 'A landline, or a network that cannot be reached.'],
  [30007, 'The network filtered the message as unwanted.'],
  [30008, 'The network did not say why.'],
  [30017, 'The network is congested.'],
  [30034, 'The network refuses unregistered sender numbers.'],
  [30410, 'The network did not answer in time.'],
])

/** The reason for a code in plain words; undefined for an unknown code. */
export const reasonOfCode = (code: number | null | undefined): string | undefined =>
  code === null || code === undefined ? undefined : REASONS.get(code)

/** Reasons of calls that ended without having been heard, by Twilio's states of calls. */
const CALLS: { readonly [state: string]: string } = {
  busy: 'The line was busy.',
  'no-answer': 'Nobody answered.',
  failed: 'The call could not be connected.',
  canceled: 'The call was cancelled.',
}

/** The reason of a message or call that Twilio reports as failed. */
export function failureReason(state: string, code: number | null): string {
  const said = reasonOfCode(code) ?? CALLS[state] ?? 'The network did not deliver it.'
  return code === null ? said : `${said} (Twilio ${code})`
}
