import ChecklistRtlRounded from '@mui/icons-material/ChecklistRtlRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Suspense, useCallback, useState } from 'react'
import { useNotify } from 'react-admin'

import { isIncomplete } from '#contract/incidents/rules.ts'
import { type Activity, ASSIGNED_MAX } from '#contract/incidents/schema.ts'
import { messageOf } from '#providers/problem.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

import { useAssignTasks } from '../queries.ts'

const AssignSelected = lazy(async () => ({ default: (await import('./AssignSelected.tsx')).AssignSelected }))

const NONE: ReadonlySet<string> = new Set()

/** True for a task that the visitor may assign. */
export const isAssignable = (activity: Activity): boolean => isIncomplete(activity) && activity.canEdit

/** Assigns tasks of the feed, and notifies of refusals. */
export function useAssign(incidentId: string) {
  const text = useText()
  const notify = useNotify()
  const { mutateAsync, isPending } = useAssignTasks(incidentId)
  const assign = useCallback(
    async (ids: readonly string[], assignedTo: string | null) => {
      try {
        await mutateAsync({ activityIds: [...ids], assignedTo })
        return true
      } catch (error) {
        notify(messageOf(error, text('kit.wentWrong')), { type: 'error' })
        return false
      }
    },
    [mutateAsync, notify, text],
  )
  return { assign, isPending }
}

/** The selected tasks; null while tasks are not selected. */
export function useTaskSelection() {
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null)
  const select = useCallback((ids: readonly string[], isSelected: boolean) => {
    setSelected((known) => {
      const next = new Set(known)
      for (const id of ids) {
        if (isSelected && next.size < ASSIGNED_MAX) next.add(id)
        else next.delete(id)
      }
      return next
    })
  }, [])
  return { selected, select, begin: () => setSelected(NONE), end: () => setSelected(null) }
}
type Selection = ReturnType<typeof useTaskSelection>

interface Props {
  activities: readonly Activity[]
  selection: Selection
  onAssign: (ids: readonly string[], assignedTo: string | null) => Promise<boolean>
}

/** Begins a selection of tasks, and assigns the selected ones at once. */
export function TaskSelectionBar({ activities, selection: { selected, begin, end }, onAssign }: Props) {
  const text = useText()
  const assignable = activities.filter(isAssignable)
  if (selected === null)
    return assignable.length < 2 ? null : (
      <Box>
        <Button
          size="small"
          color="inherit"
          startIcon={<ChecklistRtlRounded />}
          onClick={begin}
          sx={{ minHeight: { xs: 44, sm: 0 } }}
        >
          {text('incidents.selectTasks')}
        </Button>
      </Box>
    )
  // A task may have been completed meanwhile.
  const ids = assignable.filter(({ id }) => selected.has(id)).map(({ id }) => id)
  return (
    <Suspense>
      <AssignSelected ids={ids} onAssign={onAssign} onEnd={end} />
    </Suspense>
  )
}
