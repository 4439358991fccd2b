import Box from '@mui/material/Box'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'

import { isIncomplete } from '#contract/incidents/rules.ts'
import { type Activity, PRIORITIES, TASK_STATUSES } from '#contract/incidents/schema.ts'
import { useText } from '#src/kit/useText.ts'

const FILTERS = ['ALL', 'TASKS', 'UPDATES'] as const
type Filter = (typeof FILTERS)[number]
/** The orders of the feed (decisions §3). */
const ORDERS = ['newest', 'oldest', 'updated', 'priority', 'status'] as const
type Order = (typeof ORDERS)[number]
export interface Arrangement {
  readonly filter: Filter
  readonly order: Order
}

const created = (activity: Activity) => Date.parse(activity.createTimestamp)
const touched = (activity: Activity) =>
  Math.max(
    ...[activity, ...activity.childActivities].map(({ updateTimestamp }) => Date.parse(updateTimestamp)),
  )
/** Updates have no priority and sort last. */
const priority = (activity: Activity) =>
  activity.type === 'TASK' ? PRIORITIES.indexOf(activity.priority) : -1
const status = (activity: Activity) =>
  activity.type === 'TASK' ? -TASK_STATUSES.indexOf(activity.status) : -TASK_STATUSES.length
const RANKS: { readonly [O in Order]: (activity: Activity) => number } = {
  newest: created,
  oldest: (activity) => -created(activity),
  updated: touched,
  priority,
  status,
}

/** Orders that put open tasks before done ones. */
const OPEN_FIRST: readonly Order[] = ['newest', 'oldest', 'priority']
const isDone = (activity: Activity) =>
  activity.type === 'TASK' && !isIncomplete(activity) && !activity.isSkipped

const matches = (activity: Activity, filter: Filter) =>
  filter === 'ALL' || (activity.type === 'TASK') === (filter === 'TASKS')

/** Filters and sorts activities. The activity being edited always stays. */
export function arranged(
  activities: readonly Activity[],
  { filter, order }: Arrangement,
  pinned: string | null,
): Activity[] {
  const rank = RANKS[order]
  return (
    activities
      .map((activity, position) => ({
        activity,
        position,
        rank: rank(activity),
        at: created(activity),
        done: Number(OPEN_FIRST.includes(order) && isDone(activity)),
      }))
      .filter(({ activity }) => activity.id === pinned || matches(activity, filter))
      // Activities of the same moment, such as the tasks of a playbook, keep their order in every arrangement.
      .sort(
        (a, b) =>
          a.done - b.done ||
          b.rank - a.rank ||
          (order === 'oldest' ? a.at - b.at : b.at - a.at) ||
          a.position - b.position,
      )
      .map(({ activity }) => activity)
  )
}

/** A heading in the feed, with its text. */
export interface FeedSection {
  readonly title: string
  readonly description: string | null
  /** The same as rich text; null for plain text. */
  readonly html: string | null
  /** The condition of its first task; null for none. */
  readonly conditionId: string | null
}
/** Sections by the id of their first activity, for activities in the order of their playbook. */
export function sectionsIn(
  shown: readonly Activity[],
  { order }: Arrangement,
): ReadonlyMap<string, FeedSection> {
  if (order !== 'newest' && order !== 'oldest') return new Map()
  const begins = shown.filter(
    (activity, n) =>
      activity.section !== null && !isDone(activity) && activity.section !== shown[n - 1]?.section,
  )
  return new Map(
    begins.map(({ id, section, sectionDescription, formattedSectionDescription: html, conditionId }) => [
      id,
      { title: section!, description: sectionDescription, html, conditionId },
    ]),
  )
}

/** Id of the first done task below the open ones; undefined for none. */
export const firstDone = (shown: readonly Activity[], { order }: Arrangement): string | undefined =>
  OPEN_FIRST.includes(order) ? shown.find(isDone)?.id : undefined

interface Props {
  activities: readonly Activity[]
  value: Arrangement
  onChange: (arrangement: Arrangement) => void
}

/** Controls for filter and order of the activities. */
export function ActivityFilters({ activities, value, onChange }: Props) {
  const text = useText()
  const counts = { ALL: activities.length, TASKS: 0, UPDATES: 0 }
  for (const { type } of activities) counts[type === 'TASK' ? 'TASKS' : 'UPDATES']++
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1,
        justifyContent: 'space-between',
      }}
    >
      <ToggleButtonGroup
        exclusive
        size="small"
        value={value.filter}
        aria-label={text('incidents.filter')}
        sx={{ '@media (pointer: coarse)': { '& button': { minHeight: 44 } } }}
        onChange={(_, filter: Filter | null) => {
          if (filter) onChange({ ...value, filter })
        }}
      >
        {FILTERS.map((filter) => (
          <ToggleButton key={filter} value={filter} sx={{ gap: 0.75, px: 1.5, textTransform: 'none' }}>
            {text(`incidents.filters.${filter}`)}
            <Box component="span" aria-hidden sx={{ fontWeight: 400, color: 'text.secondary' }}>
              {counts[filter]}
            </Box>
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <TextField
        select
        value={value.order}
        onChange={(event) => onChange({ ...value, order: event.target.value as Order })}
        slotProps={{ select: { SelectDisplayProps: { 'aria-label': text('incidents.order') } } }}
        sx={{ width: 180 }}
      >
        {ORDERS.map((order) => (
          <MenuItem key={order} value={order}>
            {text(`incidents.orders.${order}`)}
          </MenuItem>
        ))}
      </TextField>
    </Box>
  )
}
