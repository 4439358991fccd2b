import {
  type IssuedStakeholderLink,
  type NewStakeholderLink,
  OPEN_LINKS_MAX,
  type StakeholderLink,
  type StakeholderLinks,
  type StakeholderLinkState,
  TOO_MANY_LINKS,
} from '#contract/stakeholder-links/schema.ts'
import { demandColleague } from '#server/incident-roles/flows.ts'
import { opened } from '#server/incidents/access.flows.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'
import type { Changes } from '#server/kit/core/event.ts'
import { demand, notFound } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Acting, OutsideTransactionContext } from '#server/kit/http/serve.ts'
import { newPasscode } from '#server/kit/security/passcodes.ts'
import { hashPassword } from '#server/kit/security/passwords.ts'
import { sealToken } from '#server/kit/security/secrets.ts'
import type { Services } from '#server/kit/services.ts'

import {
  countOpen,
  findLink,
  insertLink,
  type LinkRow,
  listLinks,
  type ShownLink,
  updateWithdrawn,
} from './store.ts'

/** Prefix of the token in a link's address. */
export const STAKEHOLDER_TOKEN = 'sh'
/** Path of the page below the product's address. */
export const PAGE_PATH = '/situation'
const THIS_LINK = 'This page'

/** The state of a link at a time. */
function stateAt({ withdrawnTimestamp, expireTimestamp }: ShownLink, now: number): StakeholderLinkState {
  if (withdrawnTimestamp !== null) return 'WITHDRAWN'
  return Date.parse(expireTimestamp) <= now ? 'ENDED' : 'OPEN'
}
const shown = (row: ShownLink): StakeholderLink => ({ ...row, state: stateAt(row, clock.now()) })

/** Records an act about a link in the timeline of its incident. External people learn of none. */
export function recordLink(
  db: OrgDb,
  { id, incidentId, label }: Pick<ShownLink, 'id' | 'incidentId' | 'label'>,
  verb: 'made' | 'withdrawn' | 'visited' | 'passcode refused',
  changes: Changes = {},
): void {
  record(db, {
    noun: 'stakeholder-links',
    record: id,
    parent: incidentId,
    verb,
    changes: { label: { from: null, to: label }, ...changes },
    externals: [],
  })
}

/**
 * A page of the links of an incident.
 * @throws Refusal 403 for external people, 404
 */
export async function linksOf(
  db: OrgDb,
  by: Acting,
  incidentId: string,
  range: { readonly offset: number; readonly size: number },
): Promise<StakeholderLinks> {
  demandColleague(by)
  await opened(db, by, incidentId)
  const { rows, total } = await listLinks(db, incidentId, range)
  return { data: rows.map(shown), total }
}

/**
 * Makes a link to the published situation reports, also of a resolved incident. The passcode is hashed outside of the
 * transaction.
 * @throws Refusal 403, 404, 409
 */
export async function makeLink(
  { publicUrl }: Pick<Services, 'publicUrl'>,
  incidentId: string,
  { label, days }: NewStakeholderLink,
  { caller, transaction, replyTransaction }: OutsideTransactionContext,
): Promise<IssuedStakeholderLink> {
  const demandRoom = async (db: OrgDb, by: Acting, hold?: 'change') => {
    demandColleague(by)
    await opened(db, by, incidentId, hold)
    demand((await countOpen(db, incidentId, clock.timestamp())) < OPEN_LINKS_MAX, 409, TOO_MANY_LINKS)
  }
  await transaction((db, by) => demandRoom(db, by))
  const passcode = newPasscode()
  const passcodeHash = await hashPassword(passcode)
  const { token, hash } = sealToken(STAKEHOLDER_TOKEN, caller.organisation.id)
  return replyTransaction(async (db, by) => {
    await demandRoom(db, by, 'change')
    const now = clock.now()
    const row: LinkRow = {
      id: crypto.randomUUID(),
      incidentId,
      label,
      hash,
      passcodeHash,
      createdBy: by.name,
      createTimestamp: new Date(now).toISOString(),
      expireTimestamp: new Date(now + days * DAY).toISOString(),
      withdrawnBy: null,
      withdrawnTimestamp: null,
      visitsCount: 0,
      lastVisitTimestamp: null,
    }
    await insertLink(db, row)
    recordLink(db, row, 'made', { expireTimestamp: { from: null, to: row.expireTimestamp } })
    const { hash: _, passcodeHash: __, ...link } = row
    return { ...shown(link), address: `${publicUrl()}${PAGE_PATH}/${token}`, passcode }
  })
}

/**
 * Withdraws a link. Again changes nothing.
 * @throws Refusal 403, 404
 */
export async function withdrawLink(db: OrgDb, by: Acting, id: string): Promise<void> {
  demandColleague(by)
  const link = await findLink(db, id)
  if (!link) throw notFound(THIS_LINK)
  await opened(db, by, link.incidentId)
  if (await updateWithdrawn(db, id, by.name, clock.timestamp())) recordLink(db, link, 'withdrawn')
}
