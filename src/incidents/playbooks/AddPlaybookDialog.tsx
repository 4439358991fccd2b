import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Typography from '@mui/material/Typography'
import { useNotify } from 'react-admin'
import { useState } from 'react'

import type { IncidentRole } from '#contract/incident-playbooks/schema.ts'
import { roleKey } from '#contract/incidents/rules.ts'
import type { Incident } from '#contract/incidents/schema.ts'
import { rolesOf } from '#contract/playbooks/rules.ts'
import type { PlaybookActivity, PlaybookSummary, PlaybookTemplate } from '#contract/playbooks/schema.ts'
import { Awaiting, isAwaiting } from '#src/kit/feedback/Awaiting.tsx'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { bodyOfAnswers, NO_ANSWERS, type PlaybookAnswers } from './answerValues.ts'
import { PlaybookPicker } from './PlaybookPicker.tsx'
import { PlaybookQuestions } from './PlaybookQuestions.tsx'
import { useAddPlaybook, useIncidentRoles, usePlaybook } from './queries.ts'

const NO_ROLES: readonly IncidentRole[] = []
const tasksIn = (playbook: PlaybookTemplate | undefined): PlaybookActivity[] =>
  playbook?.activities.filter(({ type }) => type === 'TASK') ?? []

interface TasksProps {
  playbook: PlaybookTemplate
  left: ReadonlySet<string>
  onChange: (left: ReadonlySet<string>) => void
}

/** Tasks of a playbook below their headings; each can be left out. */
function Tasks({ playbook, left, onChange }: TasksProps) {
  const text = useText()
  const tasks = tasksIn(playbook)
  const taken = tasks.filter(({ id }) => !left.has(id)).length
  const toggle = (id: string) =>
    onChange(new Set(left.has(id) ? [...left].filter((one) => one !== id) : [...left, id]))
  return (
    <Box component="fieldset" sx={{ m: 0, p: 0, border: 0, minWidth: 0 }}>
      <Box component="legend" sx={{ p: 0, fontWeight: 600 }}>
        {text('incidents.playbookTasks', { smart_count: tasks.length, taken })}
      </Box>
      <FormControlLabel
        control={
          <Checkbox
            checked={taken === tasks.length}
            indeterminate={taken > 0 && taken < tasks.length}
            onChange={() => onChange(new Set(taken === tasks.length ? tasks.map(({ id }) => id) : []))}
          />
        }
        label={text('incidents.allTasks')}
      />
      <Box
        sx={{
          display: 'grid',
          maxHeight: 320,
          overflowY: 'auto',
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
          px: 1.5,
          py: 0.5,
        }}
      >
        {playbook.activities.map(({ id, type, title }) =>
          type === 'HEADING' ? (
            <Typography key={id} variant="subtitle2" component="h3" dir="auto" sx={{ pt: 1 }}>
              {title}
            </Typography>
          ) : (
            <FormControlLabel
              key={id}
              control={<Checkbox size="small" checked={!left.has(id)} onChange={() => toggle(id)} />}
              label={title}
              sx={{ overflowWrap: 'anywhere', contentVisibility: 'auto' }}
            />
          ),
        )}
      </Box>
    </Box>
  )
}

/** Adds some or all tasks of a playbook to an active incident. */
export function AddPlaybookDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const text = useText()
  const notify = useNotify()
  const add = useAddPlaybook(incident.id)
  const [chosen, setChosen] = useState<PlaybookSummary | null>(null)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const whole = usePlaybook(chosen?.id ?? null)
  const playbook = chosen ? whole.data : undefined
  const [answers, setAnswers] = useState<PlaybookAnswers>(NO_ANSWERS)
  const known = useIncidentRoles(incident.id).data ?? NO_ROLES
  /** The people whom the incident knows, unless others are chosen. */
  const withKnown = {
    ...answers,
    roles: {
      ...Object.fromEntries(known.map(({ title, assignedTo }) => [roleKey(title), assignedTo])),
      ...answers.roles,
    },
  }
  const taken = tasksIn(playbook).filter(({ id }) => !left.has(id))

  const submit = async () => {
    const { id: playbookId, name, version } = playbook!
    const activityIds = left.size > 0 ? taken.map(({ id }) => id) : undefined
    await add.mutateAsync({
      playbookId,
      version,
      ...(activityIds && { activityIds }),
      ...bodyOfAnswers(withKnown, rolesOf(taken)),
    })
    notify(text('incidents.playbookAdded', { name }), { type: 'success' })
  }
  return (
    <ConfirmDialog
      open
      title={text('incidents.addPlaybookTitle')}
      text={text('incidents.addPlaybookText')}
      submitLabel={text('incidents.addPlaybookSubmit', { smart_count: taken.length })}
      disabled={taken.length === 0}
      onSubmit={submit}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 2, mt: 2 }}>
        <PlaybookPicker
          value={chosen}
          autoFocus
          declared={incident}
          onChange={(next) => {
            setChosen(next)
            setLeft(new Set())
            setAnswers(NO_ANSWERS)
          }}
        />
        {chosen && isAwaiting([whole]) && <Awaiting queries={[whole]} height={200} />}
        {playbook && (
          <>
            <Tasks playbook={playbook} left={left} onChange={setLeft} />
            <PlaybookQuestions activities={playbook.activities} value={withKnown} onChange={setAnswers} />
          </>
        )}
      </Box>
    </ConfirmDialog>
  )
}
