/** Texts of addresses that are not tried. The sentences with the way back are rules of the contract. */
export const suppressions = {
  title: 'Not tried',
  reasons: {
    STOPPED: 'Unsubscribed',
    NO_SUCH_NUMBER: 'No such number',
    NO_SMS: 'Takes no SMS',
    BOUNCED: 'No mailbox',
  },
  cause: 'Cause',
  since: 'Since',
  said: 'Carrier',
  wayBack: 'Way back',
  reason: 'Reason',
  allow: 'Allow again',
  allowed: '%{address} is tried again.',
}
