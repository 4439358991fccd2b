import TaskAltRounded from '@mui/icons-material/TaskAltRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { Suspense } from 'react'

import { incidentsAccess } from '#contract/incidents/access.ts'
import { type MyTasks, TASK_LISTS, type TaskList } from '#contract/incidents/schema.ts'
import { myTasks as words } from '#providers/i18n/task-board.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useAddress, withChanges } from '#src/kit/browser/useAddress.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { PagedList } from '#src/kit/list/PagedList.tsx'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'

import { MyTaskRow } from './MyTaskRow.tsx'
import { useMyTasks } from './queries.ts'

const MyFollowUps = lazy(async () => ({
  default: (await import('../follow-ups/MyFollowUps.tsx')).MyFollowUps,
}))

const CalendarCard = lazy(async () => ({ default: (await import('./CalendarCard.tsx')).CalendarCard }))

/** The filter in the address, so that Back from an incident restores it. */
function useFilter() {
  const [params, setParams] = useAddress()
  const list = TASK_LISTS.find((one) => one === params.get('list')) ?? 'MINE'
  const incidentId = params.get('incident') ?? undefined
  const change = (changes: Readonly<Record<string, string>>) =>
    setParams((now) => withChanges(now, changes), { replace: true })
  return { list, incidentId, change }
}
type Filter = ReturnType<typeof useFilter>

/** Chooses a list and an incident. Unassigned tasks are for people who can take one. */
function Filters({ filter, incidents }: { filter: Filter; incidents: MyTasks['incidents'] }) {
  const mayTake = useCan()(incidentsAccess.write)
  const { list, incidentId, change } = filter
  const lists = TASK_LISTS.filter((one) => one !== 'FREE' || mayTake)
  const isKnown = incidents.some(({ id }) => id === incidentId)
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
      <ToggleButtonGroup
        exclusive
        value={list}
        aria-label={words.list}
        onChange={(_, next: TaskList | null) => {
          if (next) change({ list: next === 'MINE' ? '' : next, incident: '' })
        }}
        sx={{ bgcolor: 'background.paper', minHeight: { xs: 44, sm: 40 } }}
      >
        {lists.map((one) => (
          <ToggleButton key={one} value={one} color="primary" sx={{ textTransform: 'none', px: 2 }}>
            {words.lists[one]}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      {(incidents.length > 1 || incidentId !== undefined) && (
        <TextField
          select
          value={isKnown ? incidentId : ''}
          onChange={({ target }) => change({ incident: target.value })}
          slotProps={{
            select: { displayEmpty: true, SelectDisplayProps: { 'aria-label': words.incident } },
          }}
          sx={{ flex: { xs: '1 1 100%', sm: '0 1 320px' }, minWidth: 0 }}
        >
          <MenuItem value="">{words.anyIncident}</MenuItem>
          {incidents.map(({ id, title, isTabletop }) => (
            <MenuItem key={id} value={id} dir="auto" sx={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
              {isTabletop ? `${words.exercise}: ${title}` : title}
            </MenuItem>
          ))}
        </TextField>
      )}
    </Box>
  )
}

function Nothing({ list, incidentId, change }: Filter) {
  const mayTake = useCan()(incidentsAccess.write)
  const action =
    incidentId !== undefined ? (
      <Button variant="outlined" onClick={() => change({ incident: '' })}>
        {words.showAll}
      </Button>
    ) : (
      list === 'MINE' &&
      mayTake && (
        <Button variant="outlined" onClick={() => change({ list: 'FREE' })}>
          {words.showFree}
        </Button>
      )
    )
  return (
    <EmptyState
      icon={<TaskAltRounded />}
      text={incidentId === undefined ? words.empty[list] : words.emptyHere}
      action={action}
    />
  )
}

/** The visitor's tasks across incidents: overdue and next due ones first. */
export function MyTasksPage() {
  const filter = useFilter()
  const tasks = useMyTasks(filter.list, filter.incidentId)
  return (
    <Box sx={{ display: 'grid', gap: 2, maxWidth: 1040, mx: 'auto', p: { xs: 2, md: 3 } }}>
      <PageTitle title={words.title} />
      <Filters filter={filter} incidents={tasks.data?.pages.at(-1)?.incidents ?? []} />
      <PagedList
        query={tasks}
        label={words.title}
        found={words.found}
        more={words.more}
        nothing={<Nothing {...filter} />}
        sx={{ display: 'grid', gap: 1 }}
      >
        {(task) => <MyTaskRow task={task} isFree={filter.list === 'FREE'} />}
      </PagedList>
      <Suspense>
        <MyFollowUps heading="h2" />
        <CalendarCard />
      </Suspense>
    </Box>
  )
}
