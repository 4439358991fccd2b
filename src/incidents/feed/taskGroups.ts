import { isIncomplete } from '#contract/incidents/rules.ts'
import type { Activity } from '#contract/incidents/schema.ts'

import type { Arrangement } from './ActivityFilters.tsx'

/** Tasks of one moment, such as those of a playbook, up to which they stay rows of their own. */
const FEW = 5

/** Tasks that were added at one moment, as one row of the feed. */
export interface TaskGroup {
  /** Id of its first task. */
  readonly id: string
  readonly tasks: readonly Activity[]
}
export type FeedItem = Activity | TaskGroup
export const isGroup = (item: FeedItem): item is TaskGroup => 'tasks' in item

/** Runs of open tasks of one moment. */
function runsOf(shown: readonly Activity[]): (readonly Activity[])[] {
  const runs: Activity[][] = []
  for (const activity of shown) {
    const run = runs.at(-1)
    const last = run?.[0]
    const continues =
      last &&
      isIncomplete(last) &&
      isIncomplete(activity) &&
      last.createTimestamp === activity.createTimestamp
    if (continues) run.push(activity)
    else runs.push([activity])
  }
  return runs
}

/**
 * Activities with a row before each group of more than a few tasks of one moment, which folds the group unless it is in
 * `unfolded` or holds the open form. Nothing folds where there are no updates to bury, or where the feed is sorted or
 * filtered for tasks.
 */
export function withGroups(
  shown: readonly Activity[],
  { filter, order }: Arrangement,
  {
    hasUpdates,
    unfolded,
    pinned,
  }: { hasUpdates: boolean; unfolded: ReadonlySet<string>; pinned: string | null },
): readonly FeedItem[] {
  if (!hasUpdates || filter !== 'ALL' || (order !== 'newest' && order !== 'oldest')) return shown
  return runsOf(shown).flatMap((tasks): readonly FeedItem[] => {
    if (tasks.length <= FEW) return tasks
    const { id } = tasks[0]!
    return [{ id, tasks }, ...(unfolded.has(id) ? tasks : tasks.filter((task) => task.id === pinned))]
  })
}
