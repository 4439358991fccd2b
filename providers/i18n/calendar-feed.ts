/** Words of the calendar of due times. They load with their card. */
export const calendarFeed = {
  title: 'In your calendar',
  lead: 'A secret address shows the due times of your tasks, follow-ups, duties and next updates in any calendar program.',
  since: 'An address was made',
  lost: 'It was shown only then. A new one ends it.',
  make: 'Make an address',
  makeAnew: 'Make a new address',
  end: 'End the address',
  endTitle: 'End the address?',
  endText: 'Calendar programs that use it show your due times no longer.',
  ended: 'The address has ended.',
  address: 'Address',
  copy: 'Copy the calendar address',
  onlyNow:
    'Add it to your calendar program as a subscription now: it is not shown again. Whoever knows it reads your due times.',
  failed: 'The calendar address could not be loaded.',
}
