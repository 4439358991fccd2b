import { setTimeout as wait } from 'node:timers/promises'

import { configOf } from '#contract/config/catalogue.ts'
import { permissionsOf } from '#contract/users/rules.ts'
import { enterRoom } from '#server/chat/rooms.flows.ts'
import { sendMessage } from '#server/chat/messages.flows.ts'
import { addActivity, changeActivity } from '#server/incidents/activities.flows.ts'
import { changeIncident, checkIn, createIncident } from '#server/incidents/flows.ts'
import { SECOND } from '#server/kit/core/clock.ts'
import { notFound } from '#server/kit/core/refusal.ts'
import type { OrgDb } from '#server/kit/database/db.ts'
import type { Acting, Caller } from '#server/kit/http/serve.ts'
import type { Job } from '#server/kit/jobs/jobs.ts'
import type { ChatPublisher } from '#server/kit/live/feed.ts'
import type { Services } from '#server/kit/services.ts'
import { findOwn } from '#server/organisations/store.ts'
import { findUserByEmail } from '#server/users/store.ts'

import { EXERCISE, EXERCISE_STEPS, type ExerciseStep } from './exercise.content.ts'
import { findActive, holdDemonstration, listTaskIds, updateDemonstration } from './exercise.store.ts'
import { taskOf } from './flows.ts'

const QUEUE = 'demonstration-exercise'
/** Longer than all steps together. */
const TIMEOUT_SECONDS = 900
const NO_DEMONSTRATION = 'This demonstration'

/**
 * Begins the exercise of a demonstration, or answers the one in progress.
 * @throws Refusal 404 in other organisations, 403 where another exercise is in progress
 */
export async function beginExercise(services: Services, db: OrgDb, by: Caller): Promise<{ id: string }> {
  const demonstration = await holdDemonstration(db)
  if (!demonstration) throw notFound(NO_DEMONSTRATION)
  const running = demonstration.exercise_id && (await findActive(db, demonstration.exercise_id))
  if (running) return { id: running.id }
  // Somebody may have been archived or deleted.
  const people = await findPeople(db)
  const { incident } = await createIncident(services, db, by, {
    title: EXERCISE.title,
    fullText: EXERCISE.text,
    severity: EXERCISE.severity,
    isTabletop: true,
    createBreakoutRoom: true,
    targetedUsers: [],
    targetedGroupIds: [],
    activityCreateRequests: EXERCISE.tasks.map(({ to = '', ...task }) =>
      taskOf({ ...task, ...(people.has(to) && { to }) }),
    ),
  })
  await updateDemonstration(db, { exercise_id: incident.id, steps: 0 })
  await services.jobs.enqueue(db, QUEUE, { exerciseId: incident.id })
  return { id: incident.id }
}

/** @throws Refusal 404 in other organisations, and where no exercise of the demonstration is in progress */
export async function endExercise(services: Pick<Services, 'jobs'>, db: OrgDb, by: Caller): Promise<void> {
  const demonstration = await holdDemonstration(db)
  const running = demonstration?.exercise_id && (await findActive(db, demonstration.exercise_id))
  if (!running) throw notFound('This exercise')
  await changeIncident(services, db, by, running.id, { isActive: false })
}

/** Registers the job in which the demonstration's people act; call before the jobs begin. */
export function playExercises(services: Services): void {
  services.jobs.handle<{ exerciseId: string }>(QUEUE, (job) => play(services, job), {
    timeoutSeconds: TIMEOUT_SECONDS,
  })
}

/** Takes the remaining steps, each in a transaction that counts it, until the exercise ends. */
async function play(services: Services, { organisationId, data, isStopping }: Job<{ exerciseId: string }>) {
  const inside = <T>(name: string, id: string | null, work: (db: OrgDb) => Promise<T>) =>
    services.database.withOrganisation(
      { organisationId, actor: () => ({ kind: id === null ? 'system' : 'person', id, name }) },
      work,
    )
  const people = await inside('demonstration', null, findPeople)
  for (;;) {
    const left = await inside('demonstration', null, (db) => nextStep(db, data.exerciseId))
    const by = left && people.get(left.by)
    if (!by) return
    await wait(left.seconds * SECOND)
    // The next attempt goes on from here.
    if (isStopping()) throw new Error('The server stops.')
    await inside(by.name, by.id, (db) => take(services, db, by, left, data.exerciseId))
  }
}

async function nextStep(db: OrgDb, exerciseId: string): Promise<ExerciseStep | undefined> {
  const demonstration = await holdDemonstration(db)
  if (demonstration?.exercise_id !== exerciseId || !(await findActive(db, exerciseId))) return undefined
  return EXERCISE_STEPS[demonstration.steps]
}

/** The people of the steps who may still act. */
async function findPeople(db: OrgDb): Promise<ReadonlyMap<string, Acting>> {
  const { config: own, globalConfig } = (await findOwn(db))!
  const config = configOf({ ...globalConfig, ...own })
  const people = new Map<string, Acting>()
  for (const email of new Set(EXERCISE_STEPS.map(({ by }) => by))) {
    const user = await findUserByEmail(db, email)
    if (!user?.active || user.banned) continue
    const { id, role, type } = user
    people.set(email, {
      kind: 'person',
      id,
      name: email,
      role,
      type,
      permissions: permissionsOf({ role, type }, config, false),
      config,
    })
  }
  return people
}

async function take({ chat }: Services, db: OrgDb, by: Acting, step: ExerciseStep, exerciseId: string) {
  const demonstration = await holdDemonstration(db)
  const running = demonstration && (await findActive(db, exerciseId))
  // Somebody may have ended it during the pause.
  if (!running) return
  await updateDemonstration(db, { steps: demonstration.steps + 1 })
  if ('checkIn' in step) await checkIn(db, by, exerciseId)
  else if ('say' in step) await say(chat, db, by, running.breakout_room_id, step.say)
  else if ('update' in step) await write(db, by, exerciseId, { description: step.update })
  else await work(db, by, exerciseId, step)
}

async function say(chat: ChatPublisher, db: OrgDb, by: Acting, roomId: string | null, text: string) {
  if (roomId === null) return
  await enterRoom(db, roomId, [{ id: by.id, email: by.name }])
  await sendMessage(chat, db, by, roomId, { clientId: crypto.randomUUID(), text, fileIds: [], replyTo: null })
}

const write = (
  db: OrgDb,
  by: Acting,
  exerciseId: string,
  update: { description: string; parentActivityId?: string },
) => addActivity(db, by, exerciseId, { type: 'UPDATE', title: '', ...update })

async function work(
  db: OrgDb,
  by: Acting,
  exerciseId: string,
  step: Extract<ExerciseStep, { readonly of: string }>,
) {
  const taskId = (await listTaskIds(db, exerciseId)).get(step.of)
  // The task may have been deleted meanwhile.
  if (taskId === undefined) return
  if ('note' in step) await write(db, by, exerciseId, { description: step.note, parentActivityId: taskId })
  else await changeActivity(db, by, taskId, { progress: step.reached })
}
