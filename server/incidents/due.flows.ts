import { isIncomplete } from '#contract/incidents/rules.ts'
import { clock, MINUTE } from '#server/kit/core/clock.ts'
import type { EventActor, OrgDb } from '#server/kit/database/db.ts'
import { type HookHandlers, runHook } from '#server/kit/database/hooks.ts'
import type { Services } from '#server/kit/services.ts'
import { notify } from '#server/notifications/flows.ts'

import { targetedExternals } from './access.flows.ts'
import type { ActivityRow } from './activities.store.ts'
import { findDeclarer, type ReminderKind, takeDue } from './due.store.ts'
import { findIncident } from './reading.store.ts'

declare module '#server/kit/database/hooks.ts' {
  interface Hooks {
    /** Tasks are due at new times. */
    tasksDue: { readonly tasks: readonly { readonly id: string; readonly dueTimestamp: string }[] }
    /** Asks for the people who lead an incident, such as its commander. */
    incidentLeaders: {
      readonly incidentId: string
      readonly found: (userIds: readonly string[]) => void
    }
  }
}

const QUEUE = 'task-reminders'
const SYSTEM: EventActor = { kind: 'system', id: null, name: 'reminders' }
/** Time before the due time at which the assignee is reminded. */
export const REMIND_BEFORE = 15 * MINUTE

interface Reminder {
  readonly id: string
  /** Due time that the task has while this reminder is valid. */
  readonly at: string
  readonly kind: ReminderKind
}
const timeOf = ({ at, kind }: Reminder): number => Date.parse(at) - (kind === 'SOON' ? REMIND_BEFORE : 0)

type Timed = Pick<ActivityRow, 'id' | 'type' | 'progress' | 'isSkipped' | 'dueTimestamp'>

/** Announces the due times of open tasks that differ from what they were. */
export async function announceDue(
  db: OrgDb,
  tasks: readonly Timed[],
  before: Pick<ActivityRow, 'dueTimestamp'> | null = null,
): Promise<void> {
  const due = tasks.flatMap((task) =>
    isIncomplete(task) && task.dueTimestamp !== null && task.dueTimestamp !== before?.dueTimestamp
      ? { id: task.id, dueTimestamp: task.dueTimestamp }
      : [],
  )
  if (due.length > 0) await runHook(db, 'tasksDue', { tasks: due })
}

/**
 * Registers the job that reminds of tasks; call before the jobs begin. Returns the handler that enqueues it in the
 * transaction that sets a due time. A time that has passed by then reminds nobody.
 */
export function remindOfTasks({ jobs, database }: Pick<Services, 'jobs' | 'database'>): HookHandlers {
  jobs.handle<Reminder>(QUEUE, ({ organisationId, data }) =>
    database.withOrganisation({ organisationId, actor: () => SYSTEM }, async (db) => {
      // A job of an organisation that was suspended meanwhile may come early.
      if (timeOf(data) > clock.now()) return jobs.enqueueAt(db, QUEUE, when(data), data)
      return remind(db, data)
    }),
  )
  const when = (reminder: Reminder) => new Date(timeOf(reminder)).toISOString()
  return {
    tasksDue: async (db, { tasks }) => {
      const now = clock.now()
      const reminders = tasks
        .flatMap(({ id, dueTimestamp: at }): Reminder[] => [
          { id, at, kind: 'SOON' },
          { id, at, kind: 'OVERDUE' },
        ])
        .filter((reminder) => timeOf(reminder) > now)
      for (const [at, some] of Map.groupBy(reminders, when)) await jobs.enqueueAt(db, QUEUE, at, ...some)
    },
  }
}

/** The people who are told of an overdue task beside its assignee: who leads the incident, otherwise its declarer. */
async function leadersOf(db: OrgDb, incidentId: string): Promise<string[]> {
  const leaders: string[] = []
  await runHook(db, 'incidentLeaders', { incidentId, found: (ids) => leaders.push(...ids) })
  if (leaders.length > 0) return leaders
  const declarer = await findDeclarer(db, incidentId)
  return declarer === undefined ? [] : [declarer]
}

/** Takes the reminder and notifies in one transaction, so that no repetition of the job notifies again. */
async function remind(db: OrgDb, reminder: Reminder): Promise<void> {
  const task = await takeDue(db, reminder)
  const incident = task && (await findIncident(db, task.incidentId))
  if (!incident) return
  const { assignedTo } = task
  const isOverdue = reminder.kind === 'OVERDUE'
  const told = {
    incidentId: incident.id,
    activityId: reminder.id,
    isTabletop: incident.isTabletop,
    externals: targetedExternals(incident),
  }
  const by = { id: '' }
  const title = isOverdue ? 'A task of yours is overdue' : 'A task of yours is due in 15 minutes'
  if (assignedTo !== null)
    await notify(db, by, [assignedTo], { ...told, title, details: `${task.title} – ${incident.title}` })
  if (!isOverdue) return
  const others = (await leadersOf(db, incident.id)).filter((id) => id !== assignedTo)
  const owner = task.assigneeName ?? (assignedTo === null ? 'nobody has it' : 'its owner')
  await notify(db, by, others, {
    ...told,
    title: 'A task is overdue',
    details: `${task.title} (${owner}) – ${incident.title}`,
  })
}
