import {
  type Badge,
  type Feature,
  type FeatureRequest,
  FEATURES,
  REQUEST_AGAIN_HOURS,
  REQUESTED_RECENTLY,
} from '#contract/features/schema.ts'
import { clock, HOUR } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { html } from '#server/kit/http/page.ts'
import { Refusal } from '#server/kit/core/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'
import { listStaff } from '#server/staff/store.ts'

import { findRequest, upsertRequest } from './store.ts'

/** Features shown as new until `expiryTimestamp`. */
const BADGES: readonly Badge[] = [
  { path: '/playbooks', label: 'New', expiryTimestamp: '2027-06-01T00:00:00.000Z' },
]

export const currentBadges = (): Badge[] =>
  BADGES.filter(({ expiryTimestamp }) => Date.parse(expiryTimestamp) > clock.now())

const AGAIN_AFTER = REQUEST_AGAIN_HOURS * HOUR

/**
 * Addresses of all members of staff, from the settings or invited. Opens a provider transaction, so call it outside of
 * any other one, which would hold two connections at once.
 */
export async function findStaffEmails({ database, settings }: Services): Promise<string[]> {
  const by = { kind: 'system', id: null, name: 'feature request' } as const
  const staff = await database.withProvider(by, (db) => listStaff(db, settings))
  return [...new Set([...settings.staffEmails, ...staff.map(({ email }) => email)])]
}

/**
 * Requests a feature from the provider's staff, once a day for each organisation.
 * @throws Refusal 429 when it was requested recently
 */
export async function requestUpgrade(
  services: Services,
  db: OrgDb,
  caller: Caller,
  name: Feature,
  staffEmails: readonly string[],
): Promise<FeatureRequest> {
  const now = clock.now()
  const at = new Date(now).toISOString()
  const before = new Date(now - AGAIN_AFTER).toISOString()
  if (!(await upsertRequest(db, name, caller.name, { at, before }))) {
    const last = Date.parse((await findRequest(db, name)) ?? at)
    throw new Refusal(429, REQUESTED_RECENTLY, { msUntilNextAttempt: Math.max(1, last + AGAIN_AFTER - now) })
  }
  record(db, { noun: 'features', record: name, verb: 'requested', at })
  for (const to of staffEmails) await services.post.mail(db, { to, ...requestLetter(caller, name) })
  return { name, requestTimestamp: at }
}

function requestLetter({ name: by, organisation }: Caller, feature: Feature) {
  const { displayName, code } = organisation
  const line = `${by} of ${displayName} (${code}) asks for: ${FEATURES[feature]}.`
  return {
    subject: `${displayName} asks for a feature`,
    text: `${line}\n\nPlease get in touch with the organization's administrator.`,
    html: html`<p>${line}</p>
      <p>Please get in touch with the organization's administrator.</p>`.text,
  }
}
