import { cut } from '#contract/kit/cut.ts'
import { useNotify } from 'react-admin'
import { useMemo, useReducer, useState } from 'react'

import type { OpenedPlaybook, PlaybookDraft } from '#contract/playbooks/schema.ts'
import { SHORT_TEXT_MAX } from '#contract/kit/text.ts'
import { useKeptDraft } from '#src/kit/form/useKeptDraft.ts'
import { useLeaveGuard } from '#src/kit/form/LeaveGuard.tsx'
import { useText } from '#src/kit/useText.ts'

import { type EditorMode, leavesEditor, type PlaybookRoute } from '../usePlaybookRoute.ts'
import type { EditorDraft } from './draftValues.ts'
import {
  clonedState,
  differs,
  draftedState,
  editedState,
  type EditorState,
  newState,
  withNewFields,
} from './editorValues.ts'
import { historyOf, historyReducer } from './editorHistory.ts'
import { usePlaybookSave } from './usePlaybookSave.ts'

export interface EditorOptions {
  readonly mode: EditorMode
  /** Current version of the edited or cloned playbook; undefined for a new one. */
  readonly playbook: OpenedPlaybook | undefined
  /** Saved draft of the edited playbook, which the editor continues. */
  readonly savedDraft?: PlaybookDraft | undefined
  /** Initial contents of a new playbook. */
  readonly begun?: EditorDraft | undefined
  readonly route: PlaybookRoute
}

/** Initial state of the editor, in the person's language. */
function useFirstState({ mode, playbook, savedDraft, begun, route }: EditorOptions): EditorState {
  const text = useText()
  const [first] = useState(() => {
    if (mode === 'edit' && playbook)
      return savedDraft ? draftedState(playbook, savedDraft) : editedState(playbook)
    if (mode === 'clone' && playbook)
      return clonedState(playbook, cut(text('playbooks.copyOf', { name: playbook.name }), SHORT_TEXT_MAX))
    return newState(route.categoryId, begun)
  })
  return first
}

/** State and actions of the editor: input, draft, leave guard and save. */
export function usePlaybookEditor(options: EditorOptions) {
  const { mode, playbook, savedDraft, route } = options
  const text = useText()
  const notify = useNotify()
  const first = useFirstState(options)
  /** The saved playbook and its draft at the time of opening, and the editor state made from them. */
  const [base, setBase] = useState({ playbook, savedDraft, state: first })
  const [history, dispatch] = useReducer(historyReducer, first, historyOf)
  const state = history.present
  const isDirty = useMemo(() => differs(state, base.state), [state, base])
  const name = `playbook ${mode} ${playbook?.id ?? ''}`
  const draft = useKeptDraft<EditorState>(name, isDirty ? state : undefined)

  const leave = () => (playbook ? route.show(playbook.id) : route.showList())
  const guard = useLeaveGuard(isDirty, {
    leaves: leavesEditor,
    onDiscard: () => {
      draft.drop()
      notify(text('playbooks.discarded'), { type: 'info' })
    },
  })
  const [isSaved, setSaved] = useState(false)
  const save = usePlaybookSave({
    state,
    dispatch,
    editedId: mode === 'edit' ? playbook?.id : undefined,
    filesOf: mode === 'clone' ? playbook?.id : undefined,
    onSaved: (id) => {
      setSaved(true)
      draft.drop()
      guard.letGo()
      route.show(id)
    },
  })
  return {
    ...save,
    mode,
    state,
    dispatch,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    base,
    draft,
    guard: guard.guard,
    cancel: () => guard.leave(leave),
    continueDraft: () => {
      if (!draft.found) return
      const { value } = draft.found
      // One that an earlier release of the product kept lacks newer fields.
      dispatch({ type: 'replace', state: withNewFields(value, first) })
      draft.take()
    },
    /** True if somebody else has saved since. */
    isBehind: !isSaved && mode === 'edit' && (playbook?.version ?? 0) > (state.version ?? 0),
    /** Discards input in favour of the newer saved version. */
    takeTheirs: () => {
      if (!playbook) return
      const theirs = editedState(playbook)
      draft.drop()
      setBase({ playbook, savedDraft: undefined, state: theirs })
      dispatch({ type: 'replace', state: theirs })
      save.keepEditing()
    },
  }
}
export type EditorModel = ReturnType<typeof usePlaybookEditor>
