import { useState } from 'react'

import { chatAccess } from '#contract/chat/access.ts'
import type { StartAct } from '#contract/incidents/schema.ts'
import { type PlaybookForIncident, rolesOf, startActsOf, tasksOf } from '#contract/playbooks/rules.ts'
import { useCan } from '#providers/useCan.ts'

import { bodyOfAnswers, NO_ANSWERS, type PlaybookAnswers } from '../playbooks/answerValues.ts'
import type { IncidentBody } from '../queries.ts'
import { draftOf, type TaskDraft } from './TaskDrafts.tsx'

type Contents = Pick<
  IncidentBody,
  | 'createBreakoutRoom'
  | 'attachmentsFolderIdForDuplication'
  | 'activityCreateRequests'
  | 'playbookId'
  | 'playbookVersion'
  | 'conditionAnswers'
  | 'roles'
  | 'startActs'
>

/** Contents of a new incident beside its fields: tasks, playbook, breakout room. */
export function useFirstContents() {
  const canChat = useCan()(chatAccess)
  const [tasks, setTasks] = useState<readonly TaskDraft[]>([])
  const [playbook, setPlaybook] = useState<PlaybookForIncident | null>(null)
  /** Tasks of the playbook, unchanged. */
  const [playbookTasks, setPlaybookTasks] = useState<readonly TaskDraft[]>([])
  const [room, setRoom] = useState(false)
  const [answers, setAnswers] = useState<PlaybookAnswers>(NO_ANSWERS)
  /** Acts at the start that are wanted. The room has a switch of its own. */
  const isWanted = (act: StartAct) => (act === 'ROOM' ? room || !canChat : !answers.leftActs.includes(act))
  const acts = playbook ? startActsOf(playbook.start) : []
  const hasOwnTasks = tasks.length > 0 && tasks !== playbookTasks

  return {
    tasks,
    setTasks,
    playbook,
    room,
    setRoom,
    answers,
    setAnswers,
    hasOwnTasks,
    isEmpty: tasks.length === 0 && playbook === null && !room,
    /** Chooses a playbook with its tasks, or none, which keeps the tasks of the last one. */
    choose: (chosen: PlaybookForIncident | null) => {
      setPlaybook(chosen)
      setAnswers(NO_ANSWERS)
      if (!chosen) return
      if (chosen.start.createRoom && canChat) setRoom(true)
      const first = tasksOf(chosen).map(draftOf)
      setTasks(first)
      setPlaybookTasks(first)
    },
    draft: { tasks, playbook, room, answers, asGiven: tasks === playbookTasks },
    restore: (draft: {
      tasks: readonly TaskDraft[]
      playbook: PlaybookForIncident | null
      room: boolean
      answers?: PlaybookAnswers
      asGiven: boolean
    }) => {
      setTasks(draft.tasks)
      setPlaybook(draft.playbook)
      setRoom(draft.room)
      setAnswers(draft.answers ?? NO_ANSWERS)
      if (draft.asGiven) setPlaybookTasks(draft.tasks)
    },
    /** Part of the request. Tasks refer to files only through a playbook. */
    body: (): Contents => ({
      createBreakoutRoom: room,
      ...(playbook && {
        playbookId: playbook.id,
        playbookVersion: playbook.version,
        attachmentsFolderIdForDuplication: playbook.attachmentsFolderId,
        ...bodyOfAnswers(answers, rolesOf(playbook.activities)),
        ...(acts.length > 0 && { startActs: acts.filter(isWanted) }),
      }),
      activityCreateRequests: tasks.map(({ body: { attachedFileIds, ...task } }) =>
        playbook && attachedFileIds ? { ...task, attachedFileIds } : task,
      ),
    }),
  }
}
