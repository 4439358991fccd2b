import { randomInt } from 'node:crypto'

import { configOf } from '#contract/config/catalogue.ts'
import type { NewNotification } from '#contract/mass-notifications/schema.ts'
import { takesAnswers } from '#contract/notification-questions/rules.ts'
import {
  isWorkingTime,
  monthOf,
  nextTestMoment,
  nextWorkingMoment,
  testWords,
} from '#contract/readiness/rules.ts'
import {
  type CommunicationTest,
  type NewPlan,
  type NewTest,
  NO_GROUP_LEFT,
  PLAN_CHANGED,
  type TestGroup,
  type TestPlan,
  TESTS_SHOWN,
} from '#contract/readiness/schema.ts'
import { pick } from '#contract/kit/pick.ts'
import { permissionsOf } from '#contract/users/rules.ts'
import { clock } from '#server/kit/core/clock.ts'
import { demand, notFound, Refusal } from '#server/kit/core/refusal.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import { record } from '#server/kit/events/events.ts'
import type { Page } from '#server/kit/http/answers.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import { demandSubscription } from '#server/mass-notifications/flows.ts'
import type { Services } from '#server/kit/services.ts'
import {
  type Sender,
  type Sent,
  sendNotification,
  weighNotification,
} from '#server/mass-notifications/sending.flows.ts'
import { countReached } from '#server/mass-notifications/recipients.store.ts'
import { requestApproval } from '#server/notification-approvals/flows.ts'
import { findOwn } from '#server/organisations/store.ts'
import { findUser } from '#server/users/store.ts'

import {
  countResults,
  findPlan,
  findTest,
  type FoundTest,
  insertTest,
  listGroupsOf,
  listTestGroups,
  listTests,
  type PlanRow,
  storePlan,
  type TestRow,
  updateNext,
} from './tests.store.ts'

const QUEUE = 'communication-tests'
const SYSTEM: EventActor = { kind: 'system', id: null, name: 'communication tests' }
const TEST = 'This communication test'
const APPROVAL_REQUIRED = 'approval_required'
const NO_LONGER =
  'The person who set up the plan may no longer notify. Save the plan again, so that it is sent in your name.'
const NOT_SUBSCRIBED_ANY_MORE =
  'Your organization is not subscribed to mass notifications any more, so the test was not sent.'
const NOT_APPROVED =
  'Nobody approved the test in time, so it was not sent. Start another one, and tell who approves it.'
const REFUSED = 'The second person did not approve the test, so it was not sent.'

/** Refuses callers of an organisation without a subscription with 403, before their input is validated. */
export const demandTesting = (by: Caller): void => demandSubscription(by)

const stateOf = ({ notificationId, approvalState, approvalEnds }: FoundTest): CommunicationTest['state'] => {
  if (notificationId !== null) return 'SENT'
  if (approvalState === null || approvalState === 'APPROVED') return 'FAILED'
  const waits = approvalState === 'WAITING' && Date.parse(approvalEnds!) > clock.now()
  return waits ? 'WAITING' : 'NOT_APPROVED'
}
/** Reason why a test was not sent; null where it was, and while it waits. */
export function problemOf(test: FoundTest): string | null {
  if (test.problem !== null || stateOf(test) !== 'NOT_APPROVED') return test.problem
  return test.approvalState === 'REFUSED' || test.approvalState === 'WITHDRAWN' ? REFUSED : NOT_APPROVED
}

const NOBODY = { asked: 0, answered: 0, medianSeconds: null }
async function withResults(db: OrgDb, found: readonly FoundTest[]): Promise<CommunicationTest[]> {
  const idsOf = (tests: readonly FoundTest[]) => tests.flatMap(({ notificationId }) => notificationId ?? [])
  const [results, counted] = await Promise.all([
    countResults(db, idsOf(found)),
    // Kept counts are missing while messages wait, and for some seconds after an answer.
    countReached(db, idsOf(found.filter(({ notReached }) => notReached === null))),
  ])
  return found.map((test) => {
    const { questionEndTimestamp: endTimestamp, questionClosedTimestamp: closedTimestamp } = test
    return {
      ...pick(test, ['id', 'isPlanned', 'createdBy', 'createTimestamp', 'notificationId', 'approvalId']),
      groupNames: [...test.groupNames],
      types: [...test.types],
      notReached: test.notReached ?? counted.get(test.notificationId ?? '')?.notReachedCount ?? 0,
      state: stateOf(test),
      problem: problemOf(test),
      ...(results.get(test.notificationId ?? '') ?? NOBODY),
      isOpen: endTimestamp !== null && takesAnswers({ endTimestamp, closedTimestamp }, clock.now()),
    }
  })
}

/** The newest communication tests with their results. */
export const testsOfBoard = async (db: OrgDb): Promise<CommunicationTest[]> =>
  withResults(db, await listTests(db, TESTS_SHOWN))

/**
 * The result of a test in each group.
 * @throws Refusal 404
 */
export async function groupsOfTest(
  db: OrgDb,
  id: string,
  { range }: { readonly range?: readonly [number, number] | undefined },
): Promise<Page<TestGroup>> {
  const found = await findTest(db, id)
  if (!found) throw notFound(TEST)
  return found.notificationId === null
    ? { rows: [], total: 0 }
    : listTestGroups(db, found.notificationId, range)
}

interface Whom {
  readonly everybody: boolean
  readonly groupIds: readonly string[]
  readonly types: readonly NewNotification['types'][number][]
}
/** The notification of a communication test. */
const bodyOf = (by: Sender, { everybody, groupIds, types }: Whom): Sent => ({
  ...testWords(by.organisation.displayName, by.config.massNotifsSmsMessageLimit),
  types: [...types],
  groupIds: everybody ? [] : [...groupIds],
  contactListIds: [],
  contactIds: [],
  everybody,
  isTest: true,
})

/** Sends a notification, or asks for approval of one that a second person has to approve. */
async function sendOrAsk(services: Services, db: OrgDb, by: Sender, body: Sent) {
  try {
    const sent = await sendNotification(services, db, by, body, { withPeople: false, isGuarded: true })
    return { notificationId: sent.id, approvalId: null, groupNames: sent.groupNames }
  } catch (error) {
    // A refusal for want of approval comes before anything is written.
    if (!(error instanceof Refusal) || error.details.code !== APPROVAL_REQUIRED) throw error
    const { id, groupNames } = await requestApproval(services, db, by, body)
    return { notificationId: null, approvalId: id, groupNames }
  }
}

/**
 * Sends a communication test, or asks for approval of it where a second person has to approve it.
 * @throws Refusal like sending a notification, and like asking for approval
 */
async function sendTest(
  services: Services,
  db: OrgDb,
  by: Sender,
  whom: Whom,
  isPlanned: boolean,
): Promise<TestRow> {
  const body = bodyOf(by, whom)
  const { notificationId, approvalId, groupNames } = await sendOrAsk(services, db, by, body)
  const test: TestRow = {
    id: crypto.randomUUID(),
    isPlanned,
    groupNames: whom.everybody ? [] : groupNames,
    types: whom.types,
    createdBy: by.name,
    createTimestamp: clock.timestamp(),
    approvalId,
    notificationId,
    problem: null,
  }
  await insertTest(db, test)
  return test
}

/**
 * Sends a communication test now.
 * @throws Refusal like sending a notification, and like asking for approval
 */
export async function startTest(
  services: Services,
  db: OrgDb,
  by: Sender,
  whom: NewTest,
): Promise<CommunicationTest> {
  const { id } = await sendTest(services, db, by, whom, false)
  const [test] = await withResults(db, [(await findTest(db, id))!])
  return test!
}

async function shownPlan(db: OrgDb, row: PlanRow | undefined, timeZone: string): Promise<TestPlan> {
  if (!row)
    return {
      enabled: false,
      everybody: true,
      groups: [],
      groupsGone: 0,
      types: [],
      setBy: null,
      version: 0,
      nextMonth: null,
    }
  const { enabled, groupIds, types, setBy, version, nextTimestamp } = row
  const groups = await listGroupsOf(db, groupIds)
  return {
    enabled,
    everybody: groupIds.length === 0,
    groups,
    groupsGone: groupIds.length - groups.length,
    types: [...types],
    setBy,
    version,
    // The month alone: a moment that is known is prepared for.
    nextMonth: nextTimestamp && monthOf(Date.parse(nextTimestamp), timeZone),
  }
}

/** The plan of the monthly test. */
export const openPlan = async (db: OrgDb, { config }: Pick<Sender, 'config'>): Promise<TestPlan> =>
  shownPlan(db, await findPlan(db, false), config.timeZone)

const enqueueTest = ({ jobs }: Pick<Services, 'jobs'>, db: OrgDb, at: string): Promise<void> =>
  jobs.enqueueAt(db, QUEUE, at, { at })

/**
 * Sets the plan. A moment that was drawn stays, so that saving again brings no test nearer.
 * @throws Refusal 400 for groups and channels that cannot be tested, 409 where another version stands by now
 */
export async function setPlan(
  services: Services,
  db: OrgDb,
  by: Sender,
  { enabled, everybody, groupIds, types, version }: NewPlan,
): Promise<TestPlan> {
  const before = await findPlan(db, true)
  demand((before?.version ?? 0) === version, 409, PLAN_CHANGED)
  // Refusals of a test are reported now, and not in a month.
  if (enabled) await weighNotification(services, db, by, bodyOf(by, { everybody, groupIds, types }))
  const now = clock.now()
  const { timeZone } = by.config
  const kept = before?.nextTimestamp ?? null
  const drawn = () =>
    new Date(nextTestMoment(now, timeZone, { random: randomInt, thisMonth: true })).toISOString()
  const nextTimestamp = enabled ? (kept ?? drawn()) : null
  const plan: PlanRow = {
    enabled,
    groupIds: everybody ? [] : [...new Set(groupIds)],
    types: [...new Set(types)],
    setBy: by.name,
    setById: by.id,
    updateTimestamp: new Date(now).toISOString(),
    version: version + 1,
    nextTimestamp,
  }
  demand(await storePlan(db, plan, version), 409, PLAN_CHANGED)
  if (nextTimestamp !== null && kept === null) await enqueueTest(services, db, nextTimestamp)
  const names = (await listGroupsOf(db, plan.groupIds)).map(({ name }) => name)
  record(db, {
    noun: 'communication-test-plans',
    record: 'plan',
    verb: 'changed',
    changes: {
      enabled: { from: before?.enabled ?? false, to: enabled },
      groups: { from: null, to: everybody ? 'Everybody' : names },
      types: { from: before ? [...before.types] : null, to: [...plan.types] },
    },
  })
  return shownPlan(db, plan, timeZone)
}

/** The person of the plan with the rights of now; null for one who may no longer notify. */
async function senderOf(db: OrgDb, { setById, setBy }: PlanRow): Promise<Sender | string> {
  const own = await findOwn(db)
  if (!own) return NO_LONGER
  const config = configOf(own.config, own.globalConfig ?? {})
  if (!config.contactsAndMassNotificationsEnabled) return NOT_SUBSCRIBED_ANY_MORE
  const user = await findUser(db, setById)
  if (!user?.active || user.banned) return NO_LONGER
  const permissions = permissionsOf(user, config, false)
  return permissions.includes('mass-notifs')
    ? { kind: 'person', id: setById, name: setBy, organisation: own, config, permissions }
    : NO_LONGER
}

/** Draws the moment after a test and enqueues it. */
async function planNext(services: Services, db: OrgDb, timeZone: string): Promise<void> {
  const next = nextTestMoment(clock.now(), timeZone, { random: randomInt, thisMonth: false })
  const at = new Date(next).toISOString()
  await updateNext(db, at)
  await enqueueTest(services, db, at)
}

const zoneOf = async (db: OrgDb): Promise<string> => {
  const own = await findOwn(db)
  return own ? configOf(own.config, own.globalConfig ?? {}).timeZone : ''
}

/** The plan that a job is for, locked; undefined where another moment stands by now, which has a job of its own. */
async function duePlan(db: OrgDb, at: string): Promise<PlanRow | undefined> {
  const plan = await findPlan(db, true)
  return plan?.nextTimestamp === at ? plan : undefined
}

/** Sends the planned test and plans the next one, in one transaction, so that a job that runs again finds it done. */
async function runPlanned(services: Services, db: OrgDb, at: string): Promise<void> {
  const plan = await duePlan(db, at)
  if (!plan) return
  const timeZone = await zoneOf(db)
  const now = clock.now()
  if (now < Date.parse(at)) return enqueueTest(services, db, at)
  if (!isWorkingTime(now, timeZone)) {
    const later = new Date(nextWorkingMoment(now, timeZone, randomInt)).toISOString()
    await updateNext(db, later)
    return enqueueTest(services, db, later)
  }
  const sender = await senderOf(db, plan)
  if (typeof sender === 'string') throw new Refusal(409, sender)
  const groups = await listGroupsOf(db, plan.groupIds)
  const everybody = plan.groupIds.length === 0
  demand(everybody || groups.length > 0, 409, NO_GROUP_LEFT)
  const groupIds = groups.map(({ id }) => id)
  await sendTest(services, db, sender, { everybody, groupIds, types: plan.types }, true)
  await planNext(services, db, timeZone)
}

/** Keeps why a planned test could not be sent, for the board, and plans the next one. */
async function notePlanned(services: Services, db: OrgDb, at: string, problem: string): Promise<void> {
  const plan = await duePlan(db, at)
  if (!plan) return
  const groups = await listGroupsOf(db, plan.groupIds)
  await insertTest(db, {
    id: crypto.randomUUID(),
    isPlanned: true,
    groupNames: groups.map(({ name }) => name),
    types: plan.types,
    createdBy: plan.setBy,
    createTimestamp: clock.timestamp(),
    notificationId: null,
    approvalId: null,
    problem,
  })
  await planNext(services, db, await zoneOf(db))
}

/** Registers the job that sends planned communication tests; call before the jobs begin. */
export function sendPlannedTests(services: Services): void {
  services.jobs.handle<{ at: string }>(QUEUE, async ({ organisationId, data: { at } }) => {
    const inside = (work: (db: OrgDb) => Promise<void>) =>
      services.database.withOrganisation({ organisationId, actor: () => SYSTEM }, work)
    try {
      await inside((db) => runPlanned(services, db, at))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // Writes before the refusal are undone; the board says why nothing was sent.
      await inside((db) => notePlanned(services, db, at, error.message))
    }
  })
}
