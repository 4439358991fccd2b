import { TASK_STATUSES, type Activity, type TaskStatus } from '#contract/incidents/schema.ts'

/** Cards of a column at first, and added by "more". */
export const CARDS = 50

const URGENCY: { readonly [P in Activity['priority']]: number } = { HIGH: 0, MEDIUM: 1, LOW: 2 }
const dueOf = ({ dueTimestamp }: Activity): number =>
  dueTimestamp === null ? Number.POSITIVE_INFINITY : Date.parse(dueTimestamp)
/** Open tasks by due time, then priority. */
const byUrgency = (one: Activity, other: Activity): number => {
  const [due, otherDue] = [dueOf(one), dueOf(other)]
  return due === otherDue ? URGENCY[one.priority] - URGENCY[other.priority] : due < otherDue ? -1 : 1
}
const byChange = (one: Activity, other: Activity): number =>
  other.updateTimestamp.localeCompare(one.updateTimestamp)

/** Tasks by status; skipped ones are left out. Complete ones are sorted by their last change. */
export function columnsOf(activities: readonly Activity[]): ReadonlyMap<TaskStatus, readonly Activity[]> {
  const tasks = activities.filter(({ type, isSkipped }) => type === 'TASK' && !isSkipped)
  const by = Map.groupBy(tasks, ({ status }) => status)
  return new Map(
    TASK_STATUSES.map((status) => [
      status,
      (by.get(status) ?? []).toSorted(status === 'COMPLETE' ? byChange : byUrgency),
    ]),
  )
}

/** The next column to the left (-1) or right (1); undefined at the end. */
export const beside = (status: TaskStatus, step: -1 | 1): TaskStatus | undefined =>
  TASK_STATUSES[TASK_STATUSES.indexOf(status) + step]
