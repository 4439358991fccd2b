import { type ReactNode, useState } from 'react'

import type { NameConflict } from '#contract/files/schema.ts'

import { ConflictDialog } from './ConflictDialog.tsx'
import type { ConflictChoice } from './conflictValues.ts'

/** An item to move whose name is taken. */
export interface MoveConflict {
  readonly id: number
  readonly size: number | undefined
  readonly conflict: NameConflict
}
type Choices = ReadonlyMap<number, ConflictChoice>
interface Asking {
  readonly left: readonly MoveConflict[]
  readonly choices: Choices
  readonly done: (choices: Choices) => void
}

/** Asks about conflicts one after the other. */
export function useConflictQuestion(): {
  readonly ask: (conflicts: readonly MoveConflict[]) => Promise<Choices>
  readonly question: ReactNode
} {
  const [asking, setAsking] = useState<Asking>()
  const decide = (choice: ConflictChoice, forAll: boolean) => {
    if (!asking) return
    const { left, done } = asking
    const meant = (forAll ? left : left.slice(0, 1)).filter(
      ({ conflict }) => choice !== 'replace' || conflict.canReplace,
    )
    const choices = new Map([...asking.choices, ...meant.map(({ id }) => [id, choice] as const)])
    const rest = left.filter(({ id }) => !choices.has(id))
    setAsking(rest.length > 0 ? { left: rest, choices, done } : undefined)
    if (rest.length === 0) done(choices)
  }
  const first = asking?.left[0]
  return {
    ask: (left) =>
      new Promise((done) => {
        setAsking({ left, choices: new Map(), done })
      }),
    question: asking && first && (
      <ConflictDialog
        key={first.id}
        conflict={first.conflict}
        size={first.size}
        count={asking.left.length}
        isUpload={false}
        onDecide={decide}
      />
    ),
  }
}
