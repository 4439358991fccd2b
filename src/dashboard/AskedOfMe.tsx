import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import GavelRounded from '@mui/icons-material/GavelRounded'
import HowToRegRounded from '@mui/icons-material/HowToRegRounded'
import SchoolRounded from '@mui/icons-material/SchoolRounded'
import TaskAltRounded from '@mui/icons-material/TaskAltRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocaleState, useNotify } from 'react-admin'
import { type ReactNode, Suspense } from 'react'
import { Link as RouterLink } from 'react-router-dom'

import type { Attention } from '#contract/dashboard/schema.ts'
import { incidentsAccess } from '#contract/incidents/access.ts'
import { incidentsApi } from '#contract/incidents/api.ts'
import { call } from '#providers/api.ts'
import { messageOf } from '#providers/problem.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { longDate } from '#src/kit/time/formats.ts'
import { useText } from '#src/kit/useText.ts'

import { useAsked } from './queries.ts'
import { Tile } from './Tile.tsx'

const DemonstrationTile = lazy(async () => ({
  default: (await import('./DemonstrationTile.tsx')).DemonstrationTile,
}))

type Task = Attention['tasks'][number]
type Incident = Attention['checkIns'][number]

const pathOf = ({ incidentId }: Incident) => `/incidents/${incidentId}`

/** Incident of a request; an exercise is marked. */
function Belongs({ incident: { isTabletop, incidentTitle } }: { incident: Incident }) {
  const text = useText()
  return (
    <>
      {isTabletop && (
        <Box component="strong" sx={{ color: 'warning.main', fontWeight: 600, mr: 0.75 }}>
          {text('asked.exercise')}
        </Box>
      )}
      <bdi>{incidentTitle}</bdi>
    </>
  )
}

function CheckIn({ incident }: { incident: Incident }) {
  const text = useText()
  const notify = useNotify()
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(incidentsApi.checkIn, { params: { id: incident.incidentId } }),
    onSuccess: async () => {
      notify(text('asked.checkedIn'), { type: 'success' })
      await client.invalidateQueries({ queryKey: ['dashboard', 'asked'] })
    },
    onError: (error) => notify(messageOf(error, text('kit.wentWrong')), { type: 'error' }),
  })
  return (
    <Box
      component="li"
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 1 }}
    >
      <Box sx={{ flex: '1 1 220px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Link component={RouterLink} to={pathOf(incident)} color="inherit" sx={{ fontWeight: 600 }}>
          <Belongs incident={incident} />
        </Link>
        <Typography color="textSecondary">{text('asked.checkInText')}</Typography>
      </Box>
      <Button
        variant="contained"
        size="large"
        startIcon={<HowToRegRounded />}
        disabled={isPending}
        aria-label={text('asked.checkInTo', { title: incident.incidentTitle })}
        onClick={() => mutate()}
        sx={{ flex: { xs: '1 1 100%', sm: 'none' } }}
      >
        {text('asked.checkIn')}
      </Button>
    </Box>
  )
}

interface LineProps {
  readonly icon: ReactNode
  readonly to: string
  readonly title: string
  /** Fact before the incident's title. */
  readonly fact?: string | undefined
  readonly incident: Incident
}
function Line({ icon, to, title, fact, incident }: LineProps) {
  return (
    <Box component="li" sx={{ display: 'flex', gap: 1, py: 0.75, minHeight: 44, color: 'text.secondary' }}>
      <Box sx={{ mt: '2px' }}>{icon}</Box>
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Link component={RouterLink} to={to} dir="auto">
          {title}
        </Link>
        <Typography variant="caption" component="div">
          {fact && `${fact} · `}
          <Belongs incident={incident} />
        </Typography>
      </Box>
    </Box>
  )
}

const DecisionLine = ({ decision }: { decision: Attention['decisions'][number] }) => (
  <Line
    icon={<GavelRounded />}
    to={`${pathOf(decision)}?view=decisions`}
    title={`D${decision.number} ${decision.title}`}
    incident={decision}
  />
)

function TaskLine({ task }: { task: Task }) {
  const text = useText()
  const { title, priority } = task
  const fact =
    priority === 'HIGH'
      ? text('asked.priorityIs', { priority: text(`asked.priorities.${priority}`) })
      : undefined
  return <Line icon={<TaskAltRounded />} to={pathOf(task)} title={title} fact={fact} incident={task} />
}

const List = ({ children }: { children: ReactNode }) => (
  <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', rowGap: 1 }}>
    {children}
  </Box>
)

function Asks({ asked }: { asked: Attention }) {
  const text = useText()
  const moreCheckIns = asked.checkInsCount - asked.checkIns.length
  const moreTasks = asked.tasksCount - asked.tasks.length
  const moreDecisions = asked.decisionsCount - asked.decisions.length
  if (asked.checkInsCount + asked.decisionsCount + asked.tasksCount === 0)
    return (
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <CheckCircleRounded color="success" />
        {text('asked.nothing')}
      </Box>
    )
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {asked.checkIns.length > 0 && (
        <List>
          {asked.checkIns.map((incident) => (
            <CheckIn key={incident.incidentId} incident={incident} />
          ))}
        </List>
      )}
      {moreCheckIns > 0 && (
        <Link component={RouterLink} to="/incidents?state=active">
          {text('asked.moreCheckIns', { smart_count: moreCheckIns })}
        </Link>
      )}
      {asked.decisions.length > 0 && (
        <div>
          <Typography variant="subtitle2" component="h3">
            {text('asked.decisions', { smart_count: asked.decisionsCount })}
          </Typography>
          <List>
            {asked.decisions.map((decision) => (
              <DecisionLine key={decision.id} decision={decision} />
            ))}
          </List>
          {moreDecisions > 0 && (
            <Typography color="textSecondary">
              {text('asked.moreDecisions', { smart_count: moreDecisions })}
            </Typography>
          )}
        </div>
      )}
      {asked.tasks.length > 0 && (
        <div>
          <Typography variant="subtitle2" component="h3">
            {text('asked.tasks', { smart_count: asked.tasksCount })}
          </Typography>
          <List>
            {asked.tasks.map((task) => (
              <TaskLine key={task.id} task={task} />
            ))}
          </List>
          <Link component={RouterLink} to="/my-tasks">
            {moreTasks > 0 ? text('asked.moreTasks', { smart_count: moreTasks }) : text('asked.allTasks')}
          </Link>
        </div>
      )}
    </Box>
  )
}

function Latest({ latest }: { latest: Attention['latestUpdate'] }) {
  const text = useText()
  if (!latest) return <Typography color="textSecondary">{text('asked.noUpdate')}</Typography>
  return (
    <Box sx={{ overflowWrap: 'anywhere' }}>
      <Box
        dir="auto"
        sx={{
          display: '-webkit-box',
          WebkitBoxOrient: 'vertical',
          WebkitLineClamp: 4,
          overflow: 'hidden',
          whiteSpace: 'pre-line',
          unicodeBidi: 'plaintext',
          fontSize: '1rem',
        }}
      >
        {latest.text}
      </Box>
      <Typography color="textSecondary" sx={{ my: 0.5 }}>
        <bdi>{latest.author}</bdi> · <Time at={latest.createTimestamp} /> · <Belongs incident={latest} />
      </Typography>
      <Link component={RouterLink} to={pathOf(latest)}>
        {text('asked.readAll')}
      </Link>
    </Box>
  )
}

/** On a calm day: time of the last exercise, and a way to plan another. */
function Practise({ last }: { last: string | null }) {
  const text = useText()
  const [locale] = useLocaleState()
  return (
    <Tile label={text('asked.practise')}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        <Box sx={{ flex: '1 1 220px' }}>
          {last
            ? text('asked.lastExercise', { date: longDate(locale, Date.parse(last)) })
            : text('asked.noExercise')}
        </Box>
        <Button
          component={RouterLink}
          to="/incidents/create?kind=exercise"
          variant="outlined"
          size="large"
          startIcon={<SchoolRounded />}
          sx={{ flex: { xs: '1 1 100%', sm: 'none' } }}
        >
          {text('asked.plan')}
        </Button>
      </Box>
    </Tile>
  )
}

/** Requests to the visitor during an incident; on a calm day the next exercise. */
export function AskedOfMe({ isCalm }: { isCalm: boolean }) {
  const text = useText()
  const mayWrite = useCan()(incidentsAccess.write)
  const { data, isPending } = useAsked()
  // Without an answer, the rest of the page stays useful.
  if (!data) return isPending ? <Skeleton variant="rounded" height={119} /> : null
  const demonstration = data.demonstration && mayWrite && (
    <Suspense>
      <DemonstrationTile exerciseId={data.demonstration.exerciseId} />
    </Suspense>
  )
  if (isCalm)
    return (
      <>
        {demonstration}
        <Practise last={data.lastExerciseTimestamp} />
      </>
    )
  return (
    <>
      {demonstration}
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '1fr 1fr' } }}>
        <Tile label={text('asked.title')}>
          <Asks asked={data} />
        </Tile>
        <Tile label={text('asked.latest')}>
          <Latest latest={data.latestUpdate} />
        </Tile>
      </Box>
    </>
  )
}
