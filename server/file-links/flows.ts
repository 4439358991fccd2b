import type { fileLinksApi } from '#contract/file-links/api.ts'
import {
  type FileLink,
  type IssuedFileLink,
  type LinkDirection,
  LINK_NOT_YOURS,
  LINKS_OFF,
  type NewFileLink,
  tooManyDays,
  UP_NEEDS_FOLDER,
  UP_NEEDS_OWN_FOLDER,
} from '#contract/file-links/schema.ts'
import type { Input } from '#contract/kit/endpoint.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'
import { demand, notFound, wrongField } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Page } from '#server/kit/http/answers.ts'
import type { Caller, OutsideTransactionContext } from '#server/kit/http/serve.ts'
import { newPasscode } from '#server/kit/security/passcodes.ts'
import { hashPassword } from '#server/kit/security/passwords.ts'
import { sealToken } from '#server/kit/security/secrets.ts'
import { openedItem, owns, recordItem, type Viewer, viewerOf } from '#server/files/access.flows.ts'
import { findItem, type ItemRow } from '#server/files/store.ts'

import { insertLink, listLinks, updateRevoked } from './store.ts'

/** Prefix of the token in a link's address. */
export const LINK_TOKEN = 'fl'
/**
 * Checks that a person may hand out an item, or take in files for it: they open it, may change who opens its root
 * folder where that is restricted, and may change the folder that takes in files. Asked again at every use of a link.
 * @throws Refusal 400, 403
 */
export async function demandLinkable(
  db: OrgDb,
  viewer: Viewer,
  row: ItemRow,
  direction: LinkDirection,
): Promise<void> {
  if (viewer.restrictions.has(row.rootId)) {
    const root = await findItem(db, row.rootId)
    demand(root !== undefined && owns(viewer, root), 403, LINK_NOT_YOURS)
  }
  if (direction === 'DOWN') return
  if (!row.isFolder) throw wrongField('direction', UP_NEEDS_FOLDER)
  demand(owns(viewer, row), 403, UP_NEEDS_OWN_FOLDER)
}

/** The caller's links, for an administrator everybody's. */
export async function linksOf(
  db: OrgDb,
  by: Caller,
  { filter, ...query }: Input<(typeof fileLinksApi)['list']>['query'],
): Promise<Page<FileLink>> {
  const viewer = await viewerOf(db, by)
  const which = { itemId: filter?.itemId, userId: viewer.isAdmin ? undefined : by.id }
  return listLinks(db, which, viewer.hidden, query)
}

/**
 * Makes a link. The passcode is hashed before the transaction of the link.
 * @throws Refusal 400, 403, 404
 */
export async function makeLink(
  { itemId, direction, label, days, openingsMax, passcode = newPasscode() }: NewFileLink,
  { caller, transaction, replyTransaction }: OutsideTransactionContext,
): Promise<IssuedFileLink> {
  const { fileLinksEnabled, fileLinkMaxDays } = caller.config
  demand(fileLinksEnabled, 403, LINKS_OFF)
  if (days > fileLinkMaxDays) throw wrongField('days', tooManyDays(fileLinkMaxDays))
  const openedToLink = async (db: OrgDb, by: Caller) => {
    const viewer = await viewerOf(db, by)
    const row = await openedItem(db, viewer, itemId)
    await demandLinkable(db, viewer, row, direction)
    return row
  }
  await transaction(openedToLink)
  const passcodeHash = await hashPassword(passcode)
  const { token, hash } = sealToken(LINK_TOKEN, caller.organisation.id)
  return replyTransaction(async (db, by) => {
    const row = await openedToLink(db, by)
    const id = await insertLink(db, {
      item_id: itemId,
      direction,
      label,
      hash,
      passcode_hash: passcodeHash,
      user_id: by.id,
      openings_max: openingsMax,
      expires_timestamp: new Date(clock.now() + days * DAY).toISOString(),
    })
    const { rows } = await listLinks(db, { id }, [])
    const [link] = rows
    recordItem(db, row, 'link made', {
      label: { from: null, to: label },
      direction: { from: null, to: direction },
      expireTimestamp: { from: null, to: link!.expireTimestamp },
    })
    return { ...link!, token, passcode }
  })
}

/**
 * Ends a link: of the caller, for administrators any.
 * @throws Refusal 404
 */
export async function withdrawLink(db: OrgDb, by: Caller, id: string): Promise<void> {
  const viewer = await viewerOf(db, by)
  const which = { id, userId: viewer.isAdmin ? undefined : by.id }
  const [link] = (await listLinks(db, which, [])).rows
  if (!link) throw notFound('This link')
  if (link.state === 'WITHDRAWN') return
  await updateRevoked(db, id, by.name)
  const row = await findItem(db, link.itemId)
  if (row) recordItem(db, row, 'link withdrawn', { label: { from: link.label, to: null } })
}
