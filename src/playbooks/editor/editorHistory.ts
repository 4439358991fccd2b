import { type EditorAction, editorReducer, type EditorState, NO_ERRORS } from './editorValues.ts'

/** Steps that can be undone. */
const KEPT = 100

/** The editor's state with the contents before and after it. */
export interface EditorHistory {
  readonly past: readonly EditorState[]
  readonly present: EditorState
  readonly future: readonly EditorState[]
  /** Names the field that was typed in last: its letters are one step. */
  readonly typed: string | undefined
}
interface Travel {
  readonly type: 'undo' | 'redo'
}
export type HistoryAction = EditorAction | Travel
const isTravel = (action: HistoryAction): action is Travel => action.type === 'undo' || action.type === 'redo'

export const historyOf = (present: EditorState): EditorHistory => ({
  past: [],
  present,
  future: [],
  typed: undefined,
})

function typedIn(action: EditorAction): string | undefined {
  if (action.type === 'field') return `field ${Object.keys(action.changes).join()}`
  if (action.type === 'change') return `${action.key} ${Object.keys(action.changes).join()}`
  return action.type === 'retitle' ? `${action.key} title` : undefined
}

/** Contents of another state; what was saved since, and errors, do not go back in time. */
const withContents = (state: EditorState, { fields, order, items }: EditorState): EditorState => ({
  ...state,
  fields,
  order,
  items,
  openKey: null,
  before: null,
  errors: NO_ERRORS,
})

function travelled(history: EditorHistory, direction: 'undo' | 'redo'): EditorHistory {
  const { past, present, future } = history
  const to = direction === 'undo' ? past.at(-1) : future[0]
  if (!to) return history
  return {
    past: direction === 'undo' ? past.slice(0, -1) : [...past, present],
    present: withContents(present, to),
    future: direction === 'undo' ? [present, ...future] : future.slice(1),
    typed: undefined,
  }
}

/** Reducer of the editor that keeps the contents before each act, so that acts can be undone. */
export function historyReducer(history: EditorHistory, action: HistoryAction): EditorHistory {
  if (isTravel(action)) return travelled(history, action.type)
  const { past, present, typed: last } = history
  const next = editorReducer(present, action)
  if (action.type === 'replace') return historyOf(next)
  const { fields, order, items } = next
  if (order === present.order && items === present.items && fields === present.fields)
    return next === present ? history : { ...history, present: next }
  const typed = typedIn(action)
  const isSameStep = typed !== undefined && typed === last
  return {
    past: isSameStep ? past : [...past, present].slice(-KEPT),
    present: next,
    future: [],
    typed,
  }
}
