import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { Link as RouterLink } from 'react-router-dom'

import { type PlaybookUse, type TaskUse, USES_COUNTED } from '#contract/incident-playbooks/schema.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { Facts } from '#src/kit/layout/Facts.tsx'
import { Pager } from '#src/kit/list/Pager.tsx'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'

import { ROWS_PER_PAGE, usePlaybookUse, useTaskUse } from '../queries.ts'
import { Part } from './Part.tsx'

const COUNTS = [
  ['takenCount', 'useTaken'],
  ['completedCount', 'useCompleted'],
  ['openCount', 'useOpen'],
  ['deletedCount', 'useDeleted'],
] as const satisfies readonly (readonly [keyof TaskUse, string])[]

function TaskTable({ rows }: { rows: readonly TaskUse[] }) {
  const text = useText()
  return (
    <TableContainer>
      <Table size="small" aria-label={text('playbooks.useTasks')}>
        <TableHead>
          <TableRow>
            <TableCell sx={{ pl: 0 }}>{text('playbooks.task')}</TableCell>
            {COUNTS.map(([field, label]) => (
              <TableCell key={field} align="right">
                {text(`playbooks.${label}`)}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={row.itemId}>
              <TableCell
                component="th"
                scope="row"
                dir="auto"
                sx={{ pl: 0, minWidth: 160, overflowWrap: 'anywhere' }}
              >
                {row.title}
              </TableCell>
              {COUNTS.map(([field]) => (
                <TableCell key={field} align="right">
                  {row[field]}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  )
}

/** The tasks of a playbook, the most skipped first. */
function Tasks({ id }: { id: string }) {
  const text = useText()
  const [page, setPage] = useState(1)
  const query = useTaskUse(id, page)
  const { data } = query
  if (!data) return <Awaiting queries={[query]} height={120} />
  return (
    <Box sx={{ mt: 2 }}>
      <Typography variant="body2" component="h4" sx={{ m: 0, fontWeight: 600 }}>
        {text('playbooks.useTasks')}
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {text(data.total === 0 ? 'playbooks.useNoTasks' : 'playbooks.useTasksLead')}
      </Typography>
      {data.total > 0 && <TaskTable rows={data.items} />}
      {data.total > ROWS_PER_PAGE && (
        <Pager page={page} perPage={ROWS_PER_PAGE} total={data.total} setPage={setPage} phone />
      )}
    </Box>
  )
}

function Summary({ use: { incidentsCount, exercisesCount, hasMore, last } }: { use: PlaybookUse }) {
  const text = useText()
  const counts = [
    text('playbooks.useIncidents', { smart_count: incidentsCount }),
    text('playbooks.useExercises', { smart_count: exercisesCount }),
  ].join(', ')
  return (
    <Facts
      facts={[
        [
          text('playbooks.usedBy'),
          hasMore ? `${counts}. ${text('playbooks.useMore', { count: USES_COUNTED })}` : counts,
        ],
        ...(last
          ? [
              [
                text('playbooks.useLast'),
                <>
                  <Time at={last.timestamp} />{' '}
                  <Link
                    component={RouterLink}
                    to={`/incidents/${last.incidentId}`}
                    dir="auto"
                    sx={{ overflowWrap: 'anywhere' }}
                  >
                    {last.title}
                  </Link>
                </>,
              ] as const,
            ]
          : []),
      ]}
    />
  )
}

/** The use of a playbook by incidents and exercises, and what became of its tasks there. */
export function Use({ id }: { id: string }) {
  const text = useText()
  const query = usePlaybookUse(id)
  const use = query.data
  const isUsed = use !== undefined && use.incidentsCount + use.exercisesCount > 0
  return (
    <Part title={text('playbooks.use')}>
      {!use && <Awaiting queries={[query]} height={80} />}
      {use && !isUsed && <Box sx={{ color: 'text.secondary' }}>{text('playbooks.useNever')}</Box>}
      {isUsed && (
        <>
          <Summary use={use} />
          <Tasks id={id} />
        </>
      )}
    </Part>
  )
}
