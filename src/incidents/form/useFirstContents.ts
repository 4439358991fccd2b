import { useState } from 'react'

import { type PlaybookForIncident, tasksOf } from '#contract/playbooks/rules.ts'

import type { IncidentBody } from '../queries.ts'
import { draftOf, type TaskDraft } from './TaskDrafts.tsx'

type Contents = Pick<
  IncidentBody,
  | 'createBreakoutRoom'
  | 'attachmentsFolderIdForDuplication'
  | 'activityCreateRequests'
  | 'playbookId'
  | 'playbookVersion'
>

/** Contents of a new incident beside its fields: tasks, playbook, breakout room. */
export function useFirstContents() {
  const [tasks, setTasks] = useState<readonly TaskDraft[]>([])
  const [playbook, setPlaybook] = useState<PlaybookForIncident | null>(null)
  /** Tasks of the playbook, unchanged. */
  const [playbookTasks, setPlaybookTasks] = useState<readonly TaskDraft[]>([])
  const [room, setRoom] = useState(false)
  const hasOwnTasks = tasks.length > 0 && tasks !== playbookTasks

  return {
    tasks,
    setTasks,
    playbook,
    room,
    setRoom,
    hasOwnTasks,
    isEmpty: tasks.length === 0 && playbook === null && !room,
    /** Chooses a playbook with its tasks, or none, which keeps the tasks of the last one. */
    choose: (chosen: PlaybookForIncident | null) => {
      setPlaybook(chosen)
      if (!chosen) return
      const first = tasksOf(chosen).map(draftOf)
      setTasks(first)
      setPlaybookTasks(first)
    },
    draft: { tasks, playbook, room, asGiven: tasks === playbookTasks },
    restore: (draft: {
      tasks: readonly TaskDraft[]
      playbook: PlaybookForIncident | null
      room: boolean
      asGiven: boolean
    }) => {
      setTasks(draft.tasks)
      setPlaybook(draft.playbook)
      setRoom(draft.room)
      if (draft.asGiven) setPlaybookTasks(draft.tasks)
    },
    /** Part of the request. Tasks refer to files only through a playbook. */
    body: (): Contents => ({
      createBreakoutRoom: room,
      ...(playbook && {
        playbookId: playbook.id,
        playbookVersion: playbook.version,
        attachmentsFolderIdForDuplication: playbook.attachmentsFolderId,
      }),
      activityCreateRequests: tasks.map(({ body: { attachedFileIds, ...task } }) =>
        playbook && attachedFileIds ? { ...task, attachedFileIds } : task,
      ),
    }),
  }
}
