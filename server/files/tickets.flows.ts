import { filesAccess } from '#contract/files/access.ts'
import { DOWNLOAD_OVER } from '#contract/files/schema.ts'
import { allows, needsVerification } from '#contract/kit/access.ts'
import { clock, MINUTE } from '#server/kit/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { FileReply } from '#server/kit/http/answers.ts'
import { demand, FORBIDDEN, notFound } from '#server/kit/http/refusal.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { openToken, sealToken } from '#server/kit/security/secrets.ts'
import type { Services } from '#server/kit/services.ts'
import { sessionCredentialOf } from '#server/sessions/flows.ts'
import { requireVerification } from '#server/verifications/flows.ts'

import { findTicket, insertTicket, type StoredTicket, type Ticket } from './tickets.store.ts'

const TICKET = 'pv'
/** A player asks for parts as long as it plays, a browser begins with a download at once. */
const LIVES = { preview: 5 * MINUTE, download: MINUTE, version: MINUTE, archive: MINUTE }

/** An address that is good for a while without headers. It is a credential of the caller's session, for one content. */
export async function issueTicket(
  db: OrgDb,
  caller: Caller,
  ticket: Ticket,
): Promise<{ path: string; expireTimestamp: string }> {
  const { token, hash } = sealToken(TICKET, caller.organisation.id)
  const expireTimestamp = new Date(clock.now() + LIVES[ticket.purpose]).toISOString()
  await insertTicket(db, { hash, sessionId: caller.sessionId!, expireTimestamp, ticket })
  return { path: `/sfs/content/${token}`, expireTimestamp }
}

/**
 * What is behind a ticket. The session that got it is proven again with each request; `work` proves the right to the file.
 * @throws Refusal 401, 403, 404, 410
 */
export async function openTicket(
  services: Services,
  token: string,
  work: (db: OrgDb, caller: Caller, stored: StoredTicket) => Promise<FileReply>,
): Promise<FileReply> {
  const opened = openToken(TICKET, token)
  if (!opened) throw notFound('This ticket')
  const { organisationId, hash } = opened
  const system = () => ({ kind: 'system', id: null, name: 'tickets' }) as const
  const stored = await services.database.withOrganisation({ organisationId, actor: system }, (db) =>
    findTicket(db, hash),
  )
  if (!stored) throw notFound('This ticket')
  if (Date.parse(stored.expireTimestamp) <= clock.now()) {
    demand(stored.ticket.purpose === 'preview', 410, DOWNLOAD_OVER)
    throw notFound('This preview')
  }
  return asSession(services, organisationId, stored.sessionId)((db, caller) => work(db, caller, stored))
}

/** Works as the person of a session, who is proven as by a call of theirs. */
const asSession =
  ({ database }: Services, organisationId: string, sessionId: string) =>
  <T>(work: (db: OrgDb, caller: Caller) => Promise<T>): Promise<T> => {
    const credential = sessionCredentialOf({ organisationId, sessionId })
    let caller: Caller | undefined
    const actor = (row: unknown) => {
      caller = credential.caller(row)
      demand(allows(filesAccess.use, caller), 403, FORBIDDEN)
      return { kind: caller.kind, id: caller.id, name: caller.name }
    }
    return database.withOrganisation({ organisationId, lookup: credential.lookup, actor }, async (db) => {
      if (needsVerification(filesAccess.use, caller!)) await requireVerification(db, caller!)
      return work(db, caller!)
    })
  }
