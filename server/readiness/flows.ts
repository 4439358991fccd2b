import {
  ACTIVATIONS_MAX,
  type Activations,
  type GroupReach,
  type Readiness,
  type ReadinessPerson,
} from '#contract/readiness/schema.ts'
import { clock, DAY } from '#server/kit/core/clock.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Page } from '#server/kit/http/answers.ts'
import type { Caller } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'
import { inviteSeveral } from '#server/users/several.flows.ts'

import { countPeople, findPractice, listGroupReach, listInvitable, listPeople } from './store.ts'
import { findLastTest } from './tests.store.ts'
import { problemOf } from './tests.flows.ts'

type Viewer = Pick<Caller, 'config'>
const factorOf = ({ config: { auth2fa, auth2faType } }: Viewer): Readiness['secondFactor'] =>
  auth2fa ? (auth2faType === 'EMAIL' ? 'EMAIL' : 'TOTP') : null
const sinceOf = (by: Viewer) => ({
  since: new Date(clock.now() - by.config.readinessProofDays * DAY).toISOString(),
  needsApp: factorOf(by) === 'TOTP',
})

/** The counts of the board. */
export async function openBoard(db: OrgDb, by: Viewer): Promise<Readiness> {
  const timestamp = clock.timestamp()
  const { config } = by
  const [people, practice, { newest, sentTimestamp }] = await Promise.all([
    countPeople(db, sinceOf(by)),
    findPractice(db, timestamp.slice(0, 10)),
    findLastTest(db),
  ])
  const { count, due, lastExerciseTimestamp } = practice
  return {
    timestamp,
    ...people,
    secondFactor: factorOf(by),
    playbooks: config.playbookEnabled ? { count, due } : null,
    lastExerciseTimestamp,
    lastTestTimestamp: sentTimestamp,
    testProblem: newest ? problemOf(newest) : null,
    canTest: config.contactsAndMassNotificationsEnabled,
    exerciseDays: config.readinessExerciseDays,
    proofDays: config.readinessProofDays,
  }
}

/** Groups with the people who can be reached; none where the organisation has no groups. */
export const groupsOfBoard = async (
  db: OrgDb,
  by: Viewer,
  query: Parameters<typeof listGroupReach>[2],
): Promise<Page<GroupReach>> =>
  by.config.groupsEnabled ? listGroupReach(db, sinceOf(by), query) : { rows: [], total: 0 }

/** People behind a number of the board. */
export const peopleOfBoard = (
  db: OrgDb,
  by: Viewer,
  query: Parameters<typeof listPeople>[2],
): Promise<Page<ReadinessPerson>> => listPeople(db, sinceOf(by), query)

/** Mails activation links to some of the people who never signed in and have no password, after a person. */
export async function activateWaiting(
  services: Services,
  db: OrgDb,
  by: Parameters<typeof inviteSeveral>[2],
  after: string | null,
): Promise<Activations> {
  const ids = await listInvitable(db, after, ACTIVATIONS_MAX)
  if (ids.length === 0) return { sent: 0, refused: 0, next: null }
  const { outcomes } = await inviteSeveral(services, db, by, ids)
  const refused = outcomes.filter(({ refusal }) => refusal !== null).length
  return {
    sent: ids.length - refused,
    refused,
    next: ids.length === ACTIVATIONS_MAX ? ids.at(-1)! : null,
  }
}
