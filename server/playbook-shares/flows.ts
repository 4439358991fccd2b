import { configOf } from '#contract/config/catalogue.ts'
import {
  cannotReceive,
  COPIES_AT_ONCE,
  type NewShare,
  NO_SUCH_ORGANISATION,
  type PlaybookShare,
  type ShareResult,
  TOO_MANY_COPIES,
} from '#contract/playbook-shares/schema.ts'
import { NO_SUCH_PLAYBOOK } from '#contract/playbooks/schema.ts'
import { sumPlaybookFiles } from '#server/attachments/store.ts'
import { clock } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import { demand, notFound, wrongField } from '#server/kit/core/refusal.ts'
import type { OutsideTransactionContext } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'
import { listChildren } from '#server/organisations/store.ts'
import { listPlaybookNames } from '#server/playbooks/store.ts'

import { carryOut, SHARES_QUEUE } from './copies.flows.ts'
import { findShare, insertCopies, insertShare, listCopies } from './store.ts'

/** Copies up to which a share is carried out before the response; a job makes larger ones. */
const COPIES_AT_HAND = 10
const BYTES_AT_HAND = 20 * 1024 * 1024

/** The names of the playbooks to share, in their given order. */
async function namedPlaybooks(db: OrgDb, ids: readonly string[]) {
  const names = await listPlaybookNames(db, ids)
  return ids.map((id, n) => {
    const name = names.get(id)
    if (name === undefined) throw wrongField(`playbookIds.${n}`, NO_SUCH_PLAYBOOK)
    return { id, name }
  })
}

/**
 * The organisations that receive playbooks: only the caller's own children are found.
 * @throws Refusal 400 for any other organisation, 409 where one lacks room
 */
async function receivingChildren(db: OrgDb, ids: readonly string[], count: number) {
  const known = new Map((await listChildren(db)).map((child) => [child.id, child]))
  const children = ids.map((id, n) => {
    const child = known.get(id)
    if (!child) throw wrongField(`childEnterpriseIds.${n}`, NO_SUCH_ORGANISATION)
    return child
  })
  const full = children.filter(({ config, globalConfig, playbooks }) => {
    const { playbookEnabled, playbookMaxTemplates } = configOf(config, globalConfig ?? {})
    return !playbookEnabled || playbooks + count > playbookMaxTemplates
  })
  if (full.length > 0) {
    const sentences = full.map(({ displayName }) => cannotReceive(displayName, count))
    throw wrongField('childEnterpriseIds', sentences.join(' '), 409)
  }
  return children
}

/** Stores a share with a copy per playbook and organisation, and enqueues its job. */
async function requestShare({ jobs }: Services, db: OrgDb, by: string, given: NewShare) {
  const [playbookIds, childIds] = [[...new Set(given.playbookIds)], [...new Set(given.childEnterpriseIds)]]
  const count = playbookIds.length * childIds.length
  demand(count <= COPIES_AT_ONCE, 400, TOO_MANY_COPIES)
  const playbooks = await namedPlaybooks(db, playbookIds)
  const children = await receivingChildren(db, childIds, playbooks.length)
  const bytes = (await sumPlaybookFiles(db, playbookIds)) * children.length
  const id = crypto.randomUUID()
  const now = clock.timestamp()
  await insertShare(db, { id, requestedBy: by, createTimestamp: now, doneTimestamp: null })
  const copies = playbooks.flatMap((playbook) =>
    children.map((child): ShareResult => ({
      playbookId: playbook.id,
      playbookName: playbook.name,
      enterpriseId: child.id,
      enterpriseName: child.displayName,
      outcome: 'WAITING',
      message: null,
    })),
  )
  await insertCopies(db, id, copies)
  // Small shares have a job too, which continues when the process ends before the response.
  await jobs.enqueue(db, SHARES_QUEUE, { id })
  const named = (names: readonly string[]) => ({ from: null, to: names.join(', ') })
  record(db, {
    noun: 'playbook-shares',
    record: id,
    verb: 'requested',
    changes: {
      playbooks: named(playbooks.map(({ name }) => name)),
      organizations: named(children.map(({ displayName }) => displayName)),
    },
    at: now,
  })
  return { id, isSmall: count <= COPIES_AT_HAND && bytes <= BYTES_AT_HAND }
}

/**
 * Shares playbooks with child organisations. A repeated request returns the share as it was at the first one.
 * @throws Refusal 400 at a playbook or an organisation, 409 where an organisation lacks room
 */
export async function sharePlaybooks(
  services: Services,
  { caller, transaction, replyTransaction, log }: OutsideTransactionContext,
  given: NewShare,
): Promise<PlaybookShare> {
  let isSmall = false
  const { id } = await replyTransaction(async (db, { name }) => {
    const requested = await requestShare(services, db, name, given)
    ;({ isSmall } = requested)
    return openShare(db, requested.id)
  })
  if (isSmall)
    await carryOut(services, { organisationId: caller.organisation.id, id }).catch((error: unknown) =>
      // The job makes the remaining copies.
      log.warn(error, 'share'),
    )
  return transaction((db) => openShare(db, id))
}

/**
 * The progress of a share.
 * @throws Refusal 404
 */
export async function openShare(db: OrgDb, id: string): Promise<PlaybookShare> {
  const share = await findShare(db, id)
  if (!share) throw notFound('This share')
  const results = await listCopies(db, id)
  const done = results.filter(({ outcome }) => outcome !== 'WAITING')
  const hasFailed = done.some(({ outcome }) => outcome === 'FAILED')
  return {
    id,
    state: done.length < results.length ? 'SHARING' : hasFailed ? 'FAILED' : 'DONE',
    progress: Math.floor((done.length / results.length) * 100),
    createTimestamp: share.createTimestamp,
    results,
  }
}
