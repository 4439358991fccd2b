import ical, { ICalCalendarMethod } from 'ical-generator'

import { MINUTE } from '#server/kit/core/clock.ts'

/** A due time in a calendar. */
export interface Due {
  readonly kind: 'task' | 'follow-up' | 'duty' | 'update'
  readonly id: string
  /** Null for a next update, which has none of its own. */
  readonly title: string | null
  readonly at: string
  readonly incidentId: string
  readonly incidentTitle: string
  readonly isTabletop: boolean
}
interface Source {
  /** Name of the organisation. */
  readonly name: string
  /** When the address was made. */
  readonly since: string
  readonly url: string
}

const LENGTH = 15 * MINUTE
const SUMMARIES: { readonly [K in Due['kind']]: (title: string) => string } = {
  task: (title) => `Due: ${title}`,
  'follow-up': (title) => `Follow-up: ${title}`,
  duty: (title) => `To report: ${title}`,
  update: () => 'Next update is due',
}

/** Due times as iCalendar (RFC 5545). Equal due times make an equal text, so that programs fetch it only once. */
export function icsOf({ name, since, url }: Source, dueTimes: readonly Due[]): string {
  const calendar = ical({
    name: `Muster: ${name}`,
    prodId: { company: 'Muster', product: 'Due times', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: 15 * 60,
  })
  for (const { kind, id, title, at, incidentId, incidentTitle, isTabletop } of dueTimes) {
    const start = new Date(at)
    calendar.createEvent({
      id: `${kind}-${id}@muster`,
      stamp: new Date(since),
      start,
      end: new Date(start.getTime() + LENGTH),
      summary: `${isTabletop ? 'EXERCISE – ' : ''}${SUMMARIES[kind](title ?? '')}`,
      description: incidentTitle,
      url: `${url}/incidents/${incidentId}`,
    })
  }
  return calendar.toString()
}
