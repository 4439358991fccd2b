import Box from '@mui/material/Box'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { type ReactNode, useId } from 'react'

import { withProgress, withStatus } from '#contract/incidents/rules.ts'
import {
  type Activity,
  type ActivityChanges,
  PROGRESS_STEPS,
  type Progress,
  TASK_STATUSES,
  type TaskStatus,
} from '#contract/incidents/schema.ts'
import { useText } from '#src/kit/useText.ts'
import { usePeople } from '#providers/people.ts'

import { PersonPicker } from '#src/users/PersonPicker.tsx'
import { STATUS_STYLES } from './TaskStatusChip.tsx'

function Choice({ label, children }: { label: string; children: (labelId: string) => ReactNode }) {
  const id = useId()
  return (
    <div>
      <Box id={id} sx={{ mb: 0.5, fontWeight: 600 }}>
        {label}
      </Box>
      {children(id)}
    </div>
  )
}

interface Props {
  task: Activity
  /** Saves changes; `shown` is displayed until the server has answered. */
  onChange: (changes: ActivityChanges, shown: Partial<Activity>) => void
}

/** State, progress and owner of a task. State and progress always agree (operations §4). */
export function TaskControls({ task, onChange }: Props) {
  const text = useText()
  const { find } = usePeople()
  const assign = (assignedTo: string | null) => {
    const user = assignedTo === null ? undefined : find(assignedTo)
    onChange({ assignedTo }, { assignedTo: user ?? null })
  }
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3, rowGap: 2, alignItems: 'flex-start' }}>
      <Choice label={text('incidents.status')}>
        {(labelId) => (
          <ToggleButtonGroup
            exclusive
            size="small"
            value={task.status}
            aria-labelledby={labelId}
            onChange={(_, status: TaskStatus | null) => {
              if (status) onChange({ status }, withStatus(task, status))
            }}
          >
            {TASK_STATUSES.map((status) => (
              <ToggleButton
                key={status}
                value={status}
                color={STATUS_STYLES[status].color}
                sx={{
                  gap: 0.5,
                  px: 1.25,
                  textTransform: 'none',
                  whiteSpace: 'nowrap',
                  '& svg': { fontSize: 16 },
                }}
              >
                {STATUS_STYLES[status].icon}
                {text(`incidents.statuses.${status}`)}
              </ToggleButton>
            ))}
          </ToggleButtonGroup>
        )}
      </Choice>
      <Choice label={text('incidents.progress')}>
        {(labelId) => (
          <ToggleButtonGroup
            exclusive
            size="small"
            value={task.progress}
            aria-labelledby={labelId}
            onChange={(_, progress: Progress | null) => {
              if (progress !== null) onChange({ progress }, withProgress(progress))
            }}
          >
            {PROGRESS_STEPS.map((step) => (
              <ToggleButton key={step} value={step} sx={{ px: 1.25, minWidth: 44 }}>
                {step}%
              </ToggleButton>
            ))}
          </ToggleButtonGroup>
        )}
      </Choice>
      <Box sx={{ flex: '1 1 220px', maxWidth: 320 }}>
        <PersonPicker
          label={text('incidents.assignee')}
          nobody={text('incidents.unassigned')}
          clearLabel={text('incidents.unassign')}
          value={task.assignedTo?.email ?? null}
          onChange={assign}
        />
      </Box>
    </Box>
  )
}
