import type { CalendarFeed, IssuedCalendarFeed } from '#contract/calendar-feed/schema.ts'
import { demandColleague } from '#server/incident-roles/flows.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { sealToken } from '#server/kit/security/secrets.ts'
import type { Services } from '#server/kit/services.ts'

import { deleteFeed, findFeed, upsertFeed } from './store.ts'

export const CALENDAR_TOKEN = 'ca'
export const CALENDAR_PATH = '/calendar'

/** @throws Refusal 403 for external people, who have no calendar */
export async function feedOf(db: OrgDb, caller: Caller): Promise<CalendarFeed> {
  demandColleague(caller)
  return (await findFeed(db, caller.id)) ?? { createTimestamp: null }
}

/**
 * Makes the calendar address of a person; the one before ends.
 * @throws Refusal 403
 */
export async function makeFeed(
  { publicUrl }: Pick<Services, 'publicUrl'>,
  db: OrgDb,
  caller: Caller,
): Promise<IssuedCalendarFeed> {
  demandColleague(caller)
  const { token, hash } = sealToken(CALENDAR_TOKEN, caller.organisation.id)
  const createTimestamp = clock.timestamp()
  await upsertFeed(db, { userId: caller.id, hash, createTimestamp })
  record(db, { noun: 'calendar-feed', record: caller.id, verb: 'made' })
  return { createTimestamp, address: `${publicUrl()}${CALENDAR_PATH}/${token}.ics` }
}

/**
 * Ends the calendar address of a person. Again changes nothing.
 * @throws Refusal 403
 */
export async function endFeed(db: OrgDb, caller: Caller): Promise<void> {
  demandColleague(caller)
  await endFeedOf(db, caller.id)
}

/** Ends the calendar address of anybody. Again changes nothing. */
export async function endFeedOf(db: OrgDb, userId: string): Promise<void> {
  if (await deleteFeed(db, userId)) record(db, { noun: 'calendar-feed', record: userId, verb: 'ended' })
}
