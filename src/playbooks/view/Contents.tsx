import FlagRounded from '@mui/icons-material/FlagRounded'
import PersonRounded from '@mui/icons-material/PersonRounded'
import ScheduleRounded from '@mui/icons-material/ScheduleRounded'
import Box from '@mui/material/Box'
import { memo, useMemo } from 'react'

import type { AttachmentName } from '#contract/attachments/schema.ts'
import type { PlaybookActivity } from '#contract/playbooks/schema.ts'
import { FormattedText } from '#src/kit/rich-text/FormattedText.tsx'
import { useText } from '#src/kit/useText.ts'
import { FileChips } from '#src/attachments/FileChips.tsx'
import { useAttachments } from '#src/attachments/useAttachments.ts'
import { indentOf, sizeOf } from '../levelValues.ts'
import { useDuration } from '../useDuration.ts'

/** Skips layout and paint of off-screen items (`content-visibility`). */
const OFF_SCREEN = { contentVisibility: 'auto', containIntrinsicSize: 'auto 96px' } as const
/** Pixels of a task's number. */
const NUMBER_WIDTH = 36

/** Priority, role and time of a task. */
function TaskFacts({ task }: { task: PlaybookActivity }) {
  const text = useText()
  const { ofMinutes } = useDuration()
  const facts = [
    // The default priority is omitted.
    task.priority !== 'MEDIUM' &&
      ([
        FlagRounded,
        text('playbooks.priorityIs', { priority: text(`playbooks.priorities.${task.priority}`) }),
      ] as const),
    task.idealTitleToExecute && ([PersonRounded, task.idealTitleToExecute] as const),
    task.expectedTimeToComplete !== null &&
      ([ScheduleRounded, ofMinutes(task.expectedTimeToComplete)] as const),
  ] as const
  if (!facts.some(Boolean)) return null
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: 2,
        rowGap: 0.25,
        mt: 0.25,
        fontSize: '0.8125rem',
        color: 'text.secondary',
        '& svg': { fontSize: 16, verticalAlign: 'text-bottom', mr: 0.5 },
      }}
    >
      {facts.map(
        (fact) =>
          fact && (
            <Box component="span" key={fact[1]} dir="auto" sx={{ overflowWrap: 'anywhere' }}>
              {((Icon) => (
                <Icon />
              ))(fact[0])}
              {fact[1]}
            </Box>
          ),
      )}
    </Box>
  )
}

interface TaskProps {
  task: PlaybookActivity
  number: number
  files: readonly AttachmentName[]
}

const Task = memo(function Task({ task, number, files }: TaskProps) {
  const { title, description, formattedDescription: html } = task
  const isTitle = description.trim() === title.trim()
  return (
    <Box
      component="li"
      sx={{
        ...OFF_SCREEN,
        display: 'grid',
        gridTemplateColumns: `${NUMBER_WIDTH}px minmax(0, 1fr)`,
        py: 1.25,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Box component="span" sx={{ color: 'text.secondary', fontWeight: 600 }}>
        {number}.
      </Box>
      <Box sx={{ minWidth: 0 }}>
        <Box dir="auto" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
          {isTitle && html !== null ? <FormattedText text={title} html={html} /> : title}
        </Box>
        <TaskFacts task={task} />
        {description.trim() !== '' && !isTitle && (
          <Box sx={{ mt: 0.75 }}>
            <FormattedText text={description} html={html} />
          </Box>
        )}
        {files.length > 0 && (
          <Box sx={{ mt: 1 }}>
            <FileChips files={files} />
          </Box>
        )}
      </Box>
    </Box>
  )
})

interface Block {
  /** Absent for tasks before the first heading. */
  readonly heading: PlaybookActivity | undefined
  readonly tasks: readonly { readonly task: PlaybookActivity; readonly number: number }[]
}

/** Groups tasks below their headings. Tasks are numbered through the whole playbook. */
function blocksOf(activities: readonly PlaybookActivity[]): Block[] {
  const blocks: {
    heading: PlaybookActivity | undefined
    tasks: { task: PlaybookActivity; number: number }[]
  }[] = []
  let number = 0
  for (const item of activities) {
    if (item.type === 'HEADING') blocks.push({ heading: item, tasks: [] })
    else {
      if (blocks.length === 0) blocks.push({ heading: undefined, tasks: [] })
      blocks.at(-1)!.tasks.push({ task: item, number: ++number })
    }
  }
  return blocks
}

/** A heading of a playbook; the page has three levels above. */
function Heading({ heading }: { heading: PlaybookActivity }) {
  const { title, description, formattedDescription, level, condition } = heading
  const text = useText()
  return (
    <>
      <Box
        component={level === 1 ? 'h4' : level === 2 ? 'h5' : 'h6'}
        dir="auto"
        sx={{ m: 0, mt: 1.5, mb: 0.75, fontSize: sizeOf(level), fontWeight: 600, overflowWrap: 'anywhere' }}
      >
        {title}
      </Box>
      {condition !== null && (
        <Box dir="auto" sx={{ mb: 0.75, fontWeight: 600, color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {text('incidents.onlyIf', { condition })}
        </Box>
      )}
      {description.trim() !== '' && (
        <Box sx={{ mb: 1 }}>
          <FormattedText text={description} html={formattedDescription} />
        </Box>
      )}
    </>
  )
}

const NO_FILES: readonly AttachmentName[] = []

/** Headings and tasks of a playbook in order, with the tasks' files. */
export function Contents({ id, activities }: { id: string; activities: readonly PlaybookActivity[] }) {
  const blocks = useMemo(() => blocksOf(activities), [activities])
  const { data: files } = useAttachments({ parentType: 'PLAYBOOK', parentId: id })
  const byId = useMemo(() => new Map(files?.map((file) => [file.id, file])), [files])
  const filesOf = ({ attachedFileIds }: PlaybookActivity) =>
    attachedFileIds.length === 0 ? NO_FILES : attachedFileIds.flatMap((file) => byId.get(file) ?? [])
  return (
    <>
      {blocks.map(({ heading, tasks }) => (
        <Box key={heading?.id ?? ''} sx={{ mb: 2, pl: `${indentOf(heading?.level ?? 1)}px` }}>
          {heading && <Heading heading={heading} />}
          {tasks.length > 0 && (
            <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
              {tasks.map(({ task, number }) => (
                <Task key={task.id} task={task} number={number} files={filesOf(task)} />
              ))}
            </Box>
          )}
        </Box>
      ))}
    </>
  )
}
