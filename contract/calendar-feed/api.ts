import { personWith } from '#contract/kit/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'
import { nothing } from '#contract/kit/text.ts'

import { CalendarFeed, IssuedCalendarFeed } from './schema.ts'

const path = '/calendarFeed'
/** People who follow incidents. External people, who do too, are refused by the handlers. */
const access = personWith('incidents-read-only', 'incidents-full-access')

/** The secret address of a person's due times, for calendar programs (decision 125). */
export const calendarFeedApi = defineApi({
  get: {
    method: 'GET',
    path,
    access,
    summary:
      'Whether the person has a calendar address. The address itself is only answered when it is made.',
    reply: CalendarFeed,
  },
  create: {
    method: 'POST',
    path,
    access,
    summary:
      'Makes a calendar address. The one before ends. This answer is the only one that carries the address.',
    reply: IssuedCalendarFeed,
    status: 201,
  },
  remove: {
    method: 'DELETE',
    path,
    access,
    summary: 'Ends the calendar address of the person.',
    reply: nothing,
    status: 204,
  },
})
