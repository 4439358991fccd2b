import { APPROVAL_HOURS, type NotificationApproval } from '#contract/notification-approvals/schema.ts'
import { LEVEL_LABELS } from '#contract/notification-templates/schema.ts'
import { pick } from '#contract/kit/pick.ts'
import { permissionsOf, permissionsOfKey, ROLES } from '#contract/users/rules.ts'
import { USER_ROLES } from '#contract/users/schema.ts'
import { findKeyMaker, isKeyInUse } from '#server/api-keys/store.ts'
import { clock, HOUR } from '#server/kit/core/clock.ts'
import { demand, notFound, Refusal } from '#server/kit/core/refusal.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { emailMessage } from '#server/kit/messages/email-messages.ts'
import type { Services } from '#server/kit/services.ts'
import { demandSubscription } from '#server/mass-notifications/flows.ts'
import {
  type Sender,
  type Sent,
  sendNotification,
  weighNotification,
} from '#server/mass-notifications/sending.flows.ts'
import { notifyOfApproval } from '#server/notifications/flows.ts'
import { findUser, listWithRoles } from '#server/users/store.ts'

import { type ApprovalRow, findApproval, insertApproval, listApprovals, updateDecided } from './store.ts'

const QUEUE = 'notification-approvals'
const SYSTEM: EventActor = { kind: 'system', id: null, name: 'approvals' }
const APPROVAL = 'This approval'
const OWN = 'Somebody else has to decide about your own notification.'
const NOT_OWN = 'Only whoever asked can withdraw it.'
const EXPIRED = 'Nobody decided about it in time: it is not sent any more.'
const NOBODY_ELSE = 'Nobody else in your organization may approve a notification.'
const NO_LONGER = 'The person who asked may no longer notify. Please send it yourself.'
const DECIDED: { readonly [S in ApprovalRow['state']]: string } = {
  WAITING: '',
  APPROVED: 'approved',
  REFUSED: 'refused',
  WITHDRAWN: 'withdrawn',
  EXPIRED: 'expired',
}
/** Roles whose people notify. */
const APPROVING = USER_ROLES.filter((role) => ROLES[role].permissions.some((one) => one === 'mass-notifs'))

/** Refuses callers of an organisation without a subscription with 403, before their input is validated. */
export const demandNotifying = (by: Caller): void => demandSubscription(by)

/** The state at a time: one that waits for too long has expired before the job says so. */
const stateAt = ({ state, expireTimestamp }: ApprovalRow, now: number): ApprovalRow['state'] =>
  state === 'WAITING' && Date.parse(expireTimestamp) <= now ? 'EXPIRED' : state

/** True for the person who asked, also by a key of theirs: two people decide, not one with two names. */
const isBehind = (
  { requestedById, keyMadeBy }: Pick<ApprovalRow, 'requestedById' | 'keyMadeBy'>,
  by: Pick<Caller, 'id' | 'name'>,
): boolean => requestedById === by.id || keyMadeBy === by.name

function shown(row: ApprovalRow, by: Pick<Caller, 'id' | 'kind' | 'name'>): NotificationApproval {
  const state = stateAt(row, clock.now())
  const isOwn = row.requestedById === by.id
  const { body } = row
  return {
    ...pick(row, [
      'id',
      'groupNames',
      'isExercise',
      'peopleCount',
      'needed',
      'price',
      'requestedBy',
      'createTimestamp',
      'expireTimestamp',
      'decidedBy',
      'decideTimestamp',
      'reason',
      'notificationId',
    ]),
    ...pick(body, [
      'title',
      'emailMessage',
      'smsMessage',
      'types',
      'level',
      'contactListIds',
      'contactIds',
      'correction',
    ]),
    escalation: body.escalation ?? null,
    language: body.language ?? null,
    answers: body.question?.answers.map(({ label }) => label) ?? null,
    state,
    canDecide: state === 'WAITING' && by.kind === 'person' && !isBehind(row, by),
    canWithdraw: state === 'WAITING' && isOwn,
  }
}

/** A page of notifications that wait for approval, or of all that ever did. */
export async function approvalsOf(
  db: OrgDb,
  by: Caller,
  { waiting, ...slice }: { readonly waiting: boolean; readonly offset: number; readonly size: number },
): Promise<{ data: NotificationApproval[]; total: number }> {
  const { rows, total } = await listApprovals(db, { ...slice, waitingAt: waiting ? clock.timestamp() : null })
  return { data: rows.map((row) => shown(row, by)), total }
}

/** @throws Refusal 404 */
export async function openApproval(db: OrgDb, by: Caller, id: string): Promise<NotificationApproval> {
  const row = await findApproval(db, id, false)
  if (!row) throw notFound(APPROVAL)
  return shown(row, by)
}

function recordDecision(db: OrgDb, { id, body }: ApprovalRow, verb: string, told: object): void {
  const changes = { title: body.title ?? body.smsMessage, ...told }
  record(db, {
    noun: 'mass-notifications',
    record: id,
    verb,
    changes: Object.fromEntries(Object.entries(changes).map(([field, to]) => [field, { from: null, to }])),
  })
}

/** Tells those who may approve it, in the product and by email. */
async function tellApprovers(
  { post, publicUrl }: Pick<Services, 'post' | 'publicUrl'>,
  db: OrgDb,
  { id, body, peopleCount, requestedBy }: ApprovalRow,
  approvers: Awaited<ReturnType<typeof listWithRoles>>,
): Promise<void> {
  const people = `${peopleCount} ${peopleCount === 1 ? 'person' : 'people'}`
  await notifyOfApproval(
    db,
    approvers.map((one) => one.id),
    { id, title: 'A notification waits for your approval', details: `${requestedBy}, to ${people}` },
  )
  const words = body.title ?? body.smsMessage ?? ''
  const message = emailMessage({
    subject: 'A notification waits for your approval',
    before: [
      `${requestedBy} asks to send a notification of the level ${LEVEL_LABELS[body.level]} to ${people}.`,
      words,
      `It is sent once one other person approves it, and not after ${APPROVAL_HOURS} hours.`,
    ],
    link: { href: `${publicUrl()}/mass-notifications/approvals/${id}`, label: 'Look at it' },
  })
  await post.mail(db, ...approvers.map(({ email: to }) => ({ to, ...message })))
}

/**
 * Asks for approval of a notification. Its recipients and the quota are looked at now, and resolved and taken when it
 * is approved.
 * @throws Refusal like sending it, and 409 where nobody else may approve
 */
export async function requestApproval(
  services: Services,
  db: OrgDb,
  by: Sender,
  given: Sent,
): Promise<NotificationApproval> {
  const body = { question: null, ...given }
  const weighed = await weighNotification(services, db, by, body)
  const { peopleCount, needed } = weighed
  const keyMadeBy = by.kind === 'key' ? await findKeyMaker(db, by.id) : null
  const asking = { requestedById: by.id, keyMadeBy }
  const approvers = (await listWithRoles(db, APPROVING)).filter(
    ({ id, email }) => !isBehind(asking, { id, name: email }),
  )
  demand(approvers.length > 0, 409, NOBODY_ELSE)
  const now = clock.now()
  const row: ApprovalRow = {
    id: crypto.randomUUID(),
    body,
    ...weighed,
    requestedBy: by.name,
    ...asking,
    requestedByKind: by.kind === 'key' ? 'key' : 'person',
    createTimestamp: new Date(now).toISOString(),
    expireTimestamp: new Date(now + APPROVAL_HOURS * HOUR).toISOString(),
    state: 'WAITING',
    decidedBy: null,
    decideTimestamp: null,
    reason: null,
    notificationId: null,
  }
  await insertApproval(db, row)
  await services.jobs.enqueueAt(db, QUEUE, row.expireTimestamp, { id: row.id })
  await tellApprovers(services, db, row, approvers)
  recordDecision(db, row, 'approval requested', { peopleNotified: peopleCount, notificationsUsed: needed })
  return shown(row, by)
}

/** One that waits, locked against a second decision. */
async function heldApproval(db: OrgDb, id: string): Promise<ApprovalRow> {
  const row = await findApproval(db, id, true)
  if (!row) throw notFound(APPROVAL)
  const state = stateAt(row, clock.now())
  demand(state !== 'EXPIRED', 409, EXPIRED)
  demand(state === 'WAITING', 409, `It was ${DECIDED[state]} by ${row.decidedBy ?? ''} already.`)
  return row
}

/** The person or key who asked, with the rights of now; undefined for one who may no longer notify. */
async function senderOf(
  db: OrgDb,
  { requestedById: id, requestedBy: name, requestedByKind: kind }: ApprovalRow,
  { organisation, config }: Pick<Caller, 'organisation' | 'config'>,
): Promise<Sender | undefined> {
  if (kind === 'key') {
    if (!(await isKeyInUse(db, id, clock.timestamp()))) return undefined
    return { kind, id, name, organisation, config, permissions: permissionsOfKey(config) }
  }
  const user = await findUser(db, id)
  if (!user?.active || user.banned) return undefined
  const permissions = permissionsOf(user, config, false)
  return permissions.includes('mass-notifs')
    ? { kind, id, name, organisation, config, permissions }
    : undefined
}

type Decision = Pick<ApprovalRow, 'state' | 'reason' | 'notificationId'>
/** Stores a decision, records it, and tells the person who asked. */
async function decide(
  db: OrgDb,
  row: ApprovalRow,
  by: Pick<Caller, 'id' | 'name'> | null,
  decision: Decision,
): Promise<ApprovalRow> {
  const decided = { ...decision, decidedBy: by?.name ?? null, decideTimestamp: clock.timestamp() }
  await updateDecided(db, row.id, decided)
  const verb = DECIDED[decision.state]
  recordDecision(db, row, verb === 'expired' ? 'approval expired' : verb, {
    requestedBy: row.requestedBy,
    ...(decision.reason !== null && { reason: decision.reason }),
  })
  if (row.requestedByKind === 'person' && row.requestedById !== by?.id)
    await notifyOfApproval(db, [row.requestedById], {
      id: row.id,
      title: by === null ? 'Your notification was not approved in time' : `Your notification was ${verb}`,
      details: [by?.name, decision.reason].filter(Boolean).join(': ') || (row.body.title ?? ''),
    })
  return { ...row, ...decided }
}

/**
 * Approves and sends a notification in one transaction, so that it is sent once.
 * @throws Refusal 403 for the person who asked, 404, 409
 */
export async function approve(
  services: Services,
  db: OrgDb,
  by: Caller,
  id: string,
): Promise<NotificationApproval> {
  const row = await heldApproval(db, id)
  demand(!isBehind(row, by), 403, OWN)
  const sender = await senderOf(db, row, by)
  if (!sender) throw new Refusal(409, NO_LONGER)
  const sent = await sendNotification(services, db, sender, row.body, {
    withPeople: false,
    approvedBy: by.name,
  })
  const decision = { state: 'APPROVED', reason: null, notificationId: sent.id } as const
  return shown(await decide(db, row, by, decision), by)
}

/** @throws Refusal 403 for the person who asked, 404, 409 */
export async function refuse(
  db: OrgDb,
  by: Caller,
  id: string,
  reason: string,
): Promise<NotificationApproval> {
  const row = await heldApproval(db, id)
  demand(!isBehind(row, by), 403, OWN)
  return shown(await decide(db, row, by, { state: 'REFUSED', reason, notificationId: null }), by)
}

/** @throws Refusal 403 for everybody but whoever asked, 404, 409 */
export async function withdraw(db: OrgDb, by: Caller, id: string): Promise<NotificationApproval> {
  const row = await heldApproval(db, id)
  demand(row.requestedById === by.id, 403, NOT_OWN)
  return shown(await decide(db, row, by, { state: 'WITHDRAWN', reason: null, notificationId: null }), by)
}

/** Ends one that nobody decided about. A repetition of the job finds it ended; one that runs early waits on. */
async function expire({ jobs }: Pick<Services, 'jobs'>, db: OrgDb, id: string): Promise<void> {
  const row = await findApproval(db, id, true)
  if (row?.state !== 'WAITING') return
  if (Date.parse(row.expireTimestamp) > clock.now())
    return jobs.enqueueAt(db, QUEUE, row.expireTimestamp, { id })
  await decide(db, row, null, { state: 'EXPIRED', reason: null, notificationId: null })
}

/** Registers the job that ends approvals; call before the jobs begin. */
export function endApprovals({ jobs, database }: Services): void {
  jobs.handle<{ id: string }>(QUEUE, ({ organisationId, data }) =>
    database.withOrganisation({ organisationId, actor: () => SYSTEM }, (db) => expire({ jobs }, db, data.id)),
  )
}
