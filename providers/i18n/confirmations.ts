/** Texts of confirmations of messages and updates. */
export const confirmations = {
  title: 'Confirmation',
  ask: 'Ask for confirmation',
  asked: 'Everybody is asked to confirm.',
  confirm: 'I have read this',
  confirmed: 'You confirmed',
  count: '%{confirmed} of %{asked} confirmed',
  missing: 'Not confirmed (%{count})',
  done: 'Confirmed (%{count})',
  remind: 'Remind %{smart_count} person |||| Remind %{smart_count} people',
  reminded: '%{smart_count} person was reminded. |||| %{smart_count} people were reminded.',
  everybody: 'Everybody has confirmed.',
  nobodyYet: 'Nobody has confirmed yet.',
  more: 'Show more',
  close: 'Close',
}
