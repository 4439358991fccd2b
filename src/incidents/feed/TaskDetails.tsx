import AddRounded from '@mui/icons-material/AddRounded'
import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import Typography from '@mui/material/Typography'
import { useLocaleState } from 'react-admin'

import type { Activity } from '#contract/incidents/schema.ts'
import { messageOf } from '#providers/problem.ts'
import { PlainText } from '#src/kit/rich-text/PlainText.tsx'
import { RichTextView } from '#src/kit/rich-text/RichTextView.tsx'
import { exactTime } from '#src/kit/time/formats.ts'
import { Time } from '#src/kit/time/Time.tsx'
import { useText } from '#src/kit/useText.ts'
import { usePeople } from '#providers/people.ts'

import { ActivityActions } from './ActivityActions.tsx'
import { ActivityFiles } from './ActivityFiles.tsx'
import { ActivityForm } from './ActivityForm.tsx'
import { CappedButton } from './CappedButton.tsx'
import { FromChat } from './FromChat.tsx'
import { useDuration } from '#src/playbooks/useDuration.ts'
import { triggerOf, useOpenForm } from '../form/OpenForm.tsx'
import { useAddActivity, useChangeActivity, useIncident } from '../queries.ts'
import { TaskControls } from './TaskControls.tsx'
import { UpdateItem } from './UpdateItem.tsx'

const ROWS = 5
/** Height in pixels of formatted text before it folds. */
const FOLDED = 240

interface Props {
  task: Activity
  canAdd: boolean
  full: string | undefined
}

function Changing({ task }: { task: Activity }) {
  const text = useText()
  const { close, setDirty } = useOpenForm()
  const change = useChangeActivity(task.incidentId, task.id)
  const { refetch } = useIncident(task.incidentId)
  return (
    <ActivityForm
      kind="TASK"
      name={`edit ${task.id}`}
      incidentId={task.incidentId}
      written={task}
      inline
      submitLabel={text('incidents.save')}
      onSave={(fields, version) =>
        change.mutateAsync({ id: task.id, changes: { ...fields, ...(version && { version }) } })
      }
      onReload={async () => (await refetch()).data?.activities.find(({ id }) => id === task.id)}
      onClose={close}
      onDirty={setDirty}
    />
  )
}

/** Updates of a task, and the form for a new one. */
function Updates({ task, canAdd, full }: Props) {
  const text = useText()
  const { open, request, close, setDirty } = useOpenForm()
  const { nameOf } = usePeople()
  const add = useAddActivity(task.incidentId)
  const below = `below ${task.id}` as const
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      {task.childActivities.length > 0 && (
        <Typography variant="subtitle2" component="h4">
          {text('incidents.updates', { smart_count: task.childActivities.length })}
        </Typography>
      )}
      {task.childActivities.map((update) => (
        <Box key={update.id} sx={{ pl: 1.5, borderInlineStart: '3px solid', borderColor: 'divider' }}>
          <UpdateItem incidentId={task.incidentId} update={update} author={nameOf(update.createdBy)} />
        </Box>
      ))}
      {open === below ? (
        <ActivityForm
          kind="BELOW"
          name={below}
          incidentId={task.incidentId}
          inline
          submitLabel={text('incidents.addUpdate')}
          onSave={(fields) => add.mutateAsync({ type: 'UPDATE', ...fields, parentActivityId: task.id })}
          onClose={close}
          onDirty={setDirty}
        />
      ) : (
        canAdd && (
          <Box>
            <CappedButton
              id={triggerOf(below)}
              full={full}
              size="small"
              startIcon={<AddRounded />}
              onClick={() => request(below)}
            >
              {text('incidents.addUpdate')}
            </CappedButton>
          </Box>
        )
      )}
    </Box>
  )
}

/** Expanded content of a task. */
export function TaskDetails({ task, canAdd, full }: Props) {
  const text = useText()
  const { ofMinutes } = useDuration()
  const { nameOf } = usePeople()
  const [locale] = useLocaleState()
  const { open } = useOpenForm()
  const change = useChangeActivity(task.incidentId, task.id)
  const facts = [
    text('incidents.priorityIs', { priority: text(`incidents.priorities.${task.priority}`) }),
    task.expectedTimeToComplete !== null &&
      text('incidents.expectedIs', { time: ofMinutes(task.expectedTimeToComplete) }),
    task.dueTimestamp !== null &&
      text('incidents.dueIs', { time: exactTime(locale, Date.parse(task.dueTimestamp)) }),
    task.section && text('incidents.sectionIs', { section: task.section }),
    task.idealTitleToExecute && text('incidents.idealIs', { title: task.idealTitleToExecute }),
  ].filter(Boolean)
  const changing = open === `edit ${task.id}`
  return (
    <Box sx={{ display: 'grid', gap: 2, pt: 1, pb: 1.5, pl: { xs: 0, sm: '28px' } }}>
      {changing ? (
        <Changing task={task} />
      ) : (
        <>
          <div>
            {task.formattedDescription === null ? (
              <PlainText text={task.description} rows={ROWS} />
            ) : (
              <RichTextView html={task.formattedDescription} foldAt={FOLDED} />
            )}
            {change.error && (
              <FormHelperText error role="alert">
                {messageOf(change.error, text('kit.wentWrong'))}
              </FormHelperText>
            )}
          </div>
          <ActivityFiles ids={task.attachedFileIds} />
          {task.canEdit && (
            <TaskControls
              task={task}
              onChange={(changes, shown) => change.mutate({ id: task.id, changes, shown })}
            />
          )}
          <Box
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              alignItems: 'center',
              columnGap: 1,
              rowGap: 1,
              '& > [data-part]': { flexBasis: '100%' },
            }}
          >
            <Box
              sx={{
                flex: '1 1 240px',
                color: 'text.secondary',
                fontSize: '0.8125rem',
                overflowWrap: 'anywhere',
              }}
            >
              {facts.join(' · ')}
              <Box component="span" sx={{ display: 'block' }}>
                {text('incidents.addedBy', { name: nameOf(task.createdBy) })}{' '}
                <Time at={task.createTimestamp} clock />
                <FromChat message={task.message} />
              </Box>
            </Box>
            <ActivityActions incidentId={task.incidentId} activity={task} kind="task" title={task.title} />
          </Box>
        </>
      )}
      <Updates task={task} canAdd={canAdd} full={full} />
    </Box>
  )
}
