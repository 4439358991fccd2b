import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { useNotify } from 'react-admin'

import { withStatus } from '#contract/incidents/rules.ts'
import type { Activity, Incident, TaskStatus } from '#contract/incidents/schema.ts'
import { messageOf } from '#providers/problem.ts'
import { useText } from '#src/kit/useText.ts'

import { useChangeTasks } from '../queries.ts'

/** A move as it is shown, until the page has the version that the server answered. */
interface Move {
  readonly number: number
  readonly shown: ReturnType<typeof withStatus>
  /** Null until the server has answered. */
  readonly version: number | null
}
type Moves = ReadonlyMap<string, Move>

const withMove = (moves: Moves, id: string, move: Move): Moves => new Map(moves).set(id, move)
/** Changes a move, or removes it, unless a later one has replaced it. */
function settled(moves: Moves, id: string, number: number, version: number | null): Moves {
  const move = moves.get(id)
  if (move?.number !== number) return moves
  if (version !== null) return withMove(moves, id, { ...move, version })
  return new Map([...moves].filter(([other]) => other !== id))
}

/** A task as its last move shows it. */
export const movedTask = (task: Activity, moves: Moves): Activity => {
  const move = moves.get(task.id)
  return move && (move.version === null || move.version > task.version) ? { ...task, ...move.shown } : task
}

/**
 * Moves a task to another column at once, and back if the server refuses. Calls `onRefused` after a refusal, whose
 * reason a toast shows.
 */
export function useMoveTask(incident: Incident, onRefused: (task: Activity) => void) {
  const text = useText()
  const notify = useNotify()
  const client = useQueryClient()
  const { mutateAsync } = useChangeTasks(incident.id)
  const [moves, setMoves] = useState<Moves>(new Map())
  const count = useRef(0)
  // Versions of own moves, because the next one may begin before the page has heard of the last one.
  const versions = useRef(new Map<string, number>())
  const move = useCallback(
    async (task: Activity, status: TaskStatus) => {
      const number = ++count.current
      const version = () => Math.max(task.version, versions.current.get(task.id) ?? 0)
      setMoves((known) =>
        withMove(known, task.id, { number, shown: withStatus(task, status), version: null }),
      )
      try {
        const saved = await mutateAsync({ id: task.id, changes: { status }, version })
        versions.current.set(task.id, saved.version)
        setMoves((known) => settled(known, task.id, number, saved.version))
      } catch (error) {
        setMoves((known) => settled(known, task.id, number, null))
        notify(messageOf(error, text('kit.wentWrong')), { type: 'error' })
        onRefused(task)
        void client.invalidateQueries({ queryKey: ['incidents', incident.id] })
      }
    },
    [client, incident.id, mutateAsync, notify, onRefused, text],
  )
  return { moves, move }
}
