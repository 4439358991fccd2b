import * as z from 'zod/mini'

import { id, listOf, timestamp } from '#contract/kit/text.ts'
import { NotificationType, TYPE_REQUIRED } from '#contract/mass-notifications/schema.ts'

export const GROUP_REQUIRED = 'Please select at least one group, or everybody.'
export const NO_GROUP_LEFT = 'None of the selected groups exists any more. Please select others.'
export const TOO_MANY_GROUPS = 'Please select at most 100 groups, or everybody.'
export const PLAN_CHANGED = 'Somebody else changed the plan meanwhile. Please look at it again.'

/** Groups of one communication test. */
export const TEST_GROUPS_MAX = 100
/** Communication tests that the board compares. */
export const TESTS_SHOWN = 12
/** People who are sent an activation email by one call. */
export const ACTIVATIONS_MAX = 200

/**
 * Reach of a person. PROVED: a delivery to one of their addresses was confirmed, or they answered, within
 * the organisation's days. ADDRESSED: they have a phone number, and all their addresses are tried. LACKING: neither.
 */
export const REACHES = ['PROVED', 'ADDRESSED', 'LACKING'] as const
export const Reach = z.enum(REACHES)
export type Reach = z.infer<typeof Reach>
const reaches = { proved: z.int(), addressed: z.int(), lacking: z.int() }

/** Gaps of a person, gravest first. */
export const GAPS = [
  'BOUNCED',
  'NO_NUMBER',
  'NUMBER_UNPROVED',
  'NEVER_SIGNED_IN',
  'NO_SECOND_FACTOR',
] as const
export const Gap = z.enum(GAPS)
export type Gap = z.infer<typeof Gap>

/** The counts of the board. People are those who can sign in, without external ones and wall screens. */
export const Readiness = z.object({
  timestamp,
  people: z.int(),
  ...reaches,
  /** People with an address or number that is not tried. */
  bounced: z.int(),
  withoutNumber: z.int(),
  /** Phone numbers, and those of them to which nothing was ever delivered and from which nobody ever answered. */
  numbers: z.int(),
  numbersUnproved: z.int(),
  neverSignedIn: z.int(),
  /** People who never signed in and have no password, so that an activation email helps. */
  invitable: z.int(),
  /** The organisation's second factor; null where sign-ins need none. */
  secondFactor: z.nullable(z.enum(['TOTP', 'EMAIL'])),
  /** People who have signed in without an authenticator app, where one is needed. */
  withoutSecondFactor: z.int(),
  /** Published playbooks, and those of them past their review; null where there are no playbooks. */
  playbooks: z.nullable(z.object({ count: z.int(), due: z.int() })),
  /** Start of the newest exercise; null for none. */
  lastExerciseTimestamp: z.nullable(timestamp),
  /** Time of the newest communication test that was sent; null for none. */
  lastTestTimestamp: z.nullable(timestamp),
  /** Reason why the newest communication test was not sent; null where it was, and without any. */
  testProblem: z.nullable(z.string()),
  /** True where the organisation may notify many, and so test. */
  canTest: z.boolean(),
  /** Days after which the next exercise is due, and for which a delivery or an answer proves an address. */
  exerciseDays: z.int(),
  proofDays: z.int(),
})
export type Readiness = z.infer<typeof Readiness>

/** A group with its members by how well they are reached. */
export const GroupReach = z.object({ id, name: z.string(), people: z.int(), ...reaches })
export type GroupReach = z.infer<typeof GroupReach>

/** A person behind a number of the board. */
export const ReadinessPerson = z.object({
  uuid: id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  /** The numbers, the first one first. */
  phones: z.array(z.string()),
  reach: Reach,
  gaps: z.array(Gap),
  /** Address or number that is not tried, with the reason, day and way back as a sentence; null for none. */
  bounce: z.nullable(z.object({ address: z.string(), reason: z.nullable(z.string()) })),
})
export type ReadinessPerson = z.infer<typeof ReadinessPerson>

/** Outcome of activation emails to people who never signed in. */
export const Activations = z.object({
  sent: z.int(),
  /** People who were sent too many of these emails already. */
  refused: z.int(),
  /** The last person of this call, after whom a further call goes on; null where nobody is left. */
  next: z.nullable(id),
})
export type Activations = z.infer<typeof Activations>

const types = listOf(NotificationType, 10, { required: TYPE_REQUIRED })
const groupIds = z._default(listOf(id, TEST_GROUPS_MAX, { tooMany: TOO_MANY_GROUPS }), [])
type Whom = { readonly everybody: boolean; readonly groupIds: readonly string[] }
function demandWhom({ value: { everybody, groupIds: chosen }, issues }: z.core.ParsePayload<Whom>): void {
  if (!everybody && chosen.length === 0)
    issues.push({ code: 'custom', message: GROUP_REQUIRED, path: ['groupIds'], input: chosen })
}

/** A communication test to send now. With `everybody` the groups have no effect. */
export const NewTest = z
  .object({ everybody: z._default(z.boolean(), false), groupIds, types })
  .check(demandWhom)
export type NewTest = z.infer<typeof NewTest>

/** The plan of a monthly test as it is saved. */
export const NewPlan = z
  .object({
    enabled: z.boolean(),
    everybody: z._default(z.boolean(), false),
    groupIds,
    types,
    /** Version that was seen; 0 before the first. */
    version: z.int(),
  })
  .check(demandWhom)
export type NewPlan = z.infer<typeof NewPlan>

/** The plan of a monthly test. Its moment is told to nobody. */
export const TestPlan = z.object({
  enabled: z.boolean(),
  everybody: z.boolean(),
  /** The chosen groups that exist, by name. */
  groups: z.array(z.object({ id, name: z.string() })),
  /** Chosen groups that were deleted. */
  groupsGone: z.int(),
  types: z.array(NotificationType),
  /** Email of the person in whose name it is sent; null before the first plan. */
  setBy: z.nullable(z.string()),
  version: z.int(),
  /** Month of the next test, such as 2026-12; null while the plan is off. */
  nextMonth: z.nullable(z.string()),
})
export type TestPlan = z.infer<typeof TestPlan>

/**
 * State of a test. WAITING: a second person has to approve it. NOT_APPROVED: nobody did. FAILED: nothing was sent, for
 * the reason in `problem`.
 */
export const TEST_STATES = ['SENT', 'WAITING', 'NOT_APPROVED', 'FAILED'] as const
const results = {
  /** People who were asked, with those whom no channel could reach. */
  asked: z.int(),
  /** People who answered themselves, and the median of the seconds that they took; null without answers. */
  answered: z.int(),
  medianSeconds: z.nullable(z.int()),
}
/** A communication test with its result so far. */
export const CommunicationTest = z.object({
  id,
  isPlanned: z.boolean(),
  /** Names of the groups; none for everybody. */
  groupNames: z.array(z.string()),
  types: z.array(NotificationType),
  createdBy: z.string(),
  createTimestamp: timestamp,
  state: z.enum(TEST_STATES),
  problem: z.nullable(z.string()),
  notificationId: z.nullable(id),
  approvalId: z.nullable(id),
  ...results,
  /** People to whom nothing was sent, and for whom no message waits. */
  notReached: z.int(),
  /** True while answers are taken. */
  isOpen: z.boolean(),
})
export type CommunicationTest = z.infer<typeof CommunicationTest>

/** The result of a test in a group, by today's members. */
export const TestGroup = z.object({ id, name: z.string(), ...results })
export type TestGroup = z.infer<typeof TestGroup>
