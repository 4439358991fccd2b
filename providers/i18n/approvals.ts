/** Texts of mass notifications that wait for a second person. */
export const approvals = {
  title: 'Approval',
  waiting:
    '%{smart_count} notification waits for approval |||| %{smart_count} notifications wait for approval',
  older: '%{smart_count} older one waits, too. |||| %{smart_count} older ones wait, too.',
  people: '%{smart_count} person |||| %{smart_count} people',
  failed: 'The notification could not be loaded.',
  states: {
    WAITING: 'Waits for approval',
    APPROVED: 'Approved and sent',
    REFUSED: 'Refused: it was not sent',
    WITHDRAWN: 'Withdrawn: it was not sent',
    EXPIRED: 'Nobody decided in time: it was not sent',
  },
  until: 'It is not sent any more after',
  openSent: 'Open the notification',
  to: 'To',
  askedBy: 'Asked by',
  question: 'Question',
  correction: 'Prepared correction',
  contacts: '%{smart_count} contact |||| %{smart_count} contacts',
  reason: 'Reason',
  acts: { approve: 'Approve and send', refuse: 'Refuse', withdraw: 'Withdraw' },
  titles: {
    approve: 'Send to %{smart_count} person? |||| Send to %{smart_count} people?',
    refuse: 'Refuse this notification?',
    withdraw: 'Withdraw this notification?',
  },
  texts: {
    approve: 'It is sent at once and cannot be taken back.',
    refuse: 'It is not sent. The person who asked is told the reason.',
    withdraw: 'It is not sent.',
  },
  done: {
    approve: 'The notification was approved and sent.',
    refuse: 'The notification was refused.',
    withdraw: 'The notification was withdrawn.',
  },
  ask: 'Ask for Approval',
  needed: 'A second person approves this notification before it is sent.',
  asked: 'Others were asked to approve your notification.',
}
