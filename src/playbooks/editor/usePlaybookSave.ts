import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { type Dispatch, useState } from 'react'

import type { OpenedPlaybook } from '#contract/playbooks/schema.ts'
import { HttpProblem, messageOf, statusOf } from '#providers/problem.ts'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { useText } from '#src/kit/useText.ts'
import { useConfig } from '#src/config/useConfig.ts'

import { useCreatePlaybook, useUpdatePlaybook } from '../queries.ts'
import { bodyOf, type EditorAction, type EditorState, errorsAt, problemsOf } from './editorValues.ts'

/** Reason for a refused save: somebody else saved the playbook or its draft, or deleted the playbook. */
export type Conflict = 'stale' | 'draft' | 'deleted'

/** Saved state that a save replaces. */
export type Base = Pick<EditorState, 'version' | 'draftRevision'>

interface Options {
  readonly state: EditorState
  readonly dispatch: Dispatch<EditorAction>
  /** Id of the edited playbook; undefined for a new one. */
  readonly editedId: string | undefined
  /** Id of the playbook whose files a new one copies. */
  readonly filesOf: string | undefined
  readonly onSaved: (id: string) => void
}

/** Saves the editor. A refusal is shown at its field and keeps the input. */
export function usePlaybookSave({ state, dispatch, editedId, filesOf, onSaved }: Options) {
  const text = useText()
  const notify = useNotify()
  const client = useQueryClient()
  const maxItems = useConfig()?.maxActivitiesPerPlaybook
  const create = useCreatePlaybook()
  const update = useUpdatePlaybook()
  const [conflict, setConflict] = useState<Conflict>()

  const say = (error: unknown) =>
    notify(text('playbooks.saveFailed', { message: messageOf(error, text('kit.wentWrong')) }), {
      type: 'error',
    })
  const refuse = (error: unknown) => {
    if (editedId !== undefined && statusOf(error) === 409) {
      const code = error instanceof HttpProblem ? error.body.code : undefined
      if (code !== 'stale' && code !== 'draft') return say(error)
      void client.invalidateQueries({ queryKey: ['playbooks', editedId], exact: true })
      return setConflict(code)
    }
    if (editedId !== undefined && statusOf(error) === 404) return setConflict('deleted')
    const messages = error instanceof HttpProblem ? Object.entries(error.body.fields ?? {}) : []
    dispatch({ type: 'refuse', errors: errorsAt(state.order, messages) })
    say(error)
  }
  const finish = ({ id, draft }: OpenedPlaybook, asDraft: boolean, published: string) => {
    const isWaiting = !asDraft && draft?.state === 'WAITING'
    const message = asDraft
      ? text('playbooks.draftSaved')
      : isWaiting
        ? text('playbooks.approvalAsked')
        : published
    notify(message, { type: 'success' })
    onSaved(id)
  }
  const saveNew = async (source: string | undefined, asDraft: boolean) => {
    const body = bodyOf(state, true)
    // Tasks can refer only to files of a source playbook.
    const activities = source
      ? body.activities
      : body.activities.map((item) => ({ ...item, attachedFileIds: [] }))
    const files = source && { attachmentsFolderIdForDuplication: source }
    const saved = await create.mutateAsync({ ...body, activities, asDraft, ...files })
    finish(saved, asDraft, text('playbooks.created'))
  }
  const saveEdited = async (id: string, { version, draftRevision }: Base, asDraft: boolean) => {
    const based = { ...(version !== null && { version }), ...(draftRevision && { draftRevision }) }
    const saved = await update.mutateAsync({ id, body: { ...bodyOf(state, false), ...based, asDraft } })
    finish(saved, asDraft, text('playbooks.saved'))
  }
  /** Does nothing if the contract refuses the state. */
  const attempt = async (act: () => Promise<void>) => {
    setConflict(undefined)
    const problems = problemsOf(state, { items: maxItems, timeInvalid: text('playbooks.timeInvalid') })
    if (problems) return dispatch({ type: 'refuse', errors: problems })
    try {
      await act()
    } catch (error) {
      refuse(error)
    }
  }
  const [isDraft, setDraft] = useState(false)
  const saveAs = (asDraft: boolean) => {
    setDraft(asDraft)
    return attempt(() =>
      editedId === undefined ? saveNew(filesOf, asDraft) : saveEdited(editedId, state, asDraft),
    )
  }
  const save = useSubmitOnce(() => saveAs(false))
  const saveDraft = useSubmitOnce(() => saveAs(true))
  return {
    maxItems,
    conflict,
    keepEditing: () => setConflict(undefined),
    busy: save.busy || saveDraft.busy,
    save: save.submit,
    saveDraft: saveDraft.submit,
    /** Overwrites what somebody else saved. */
    saveOver: (base: Base) => attempt(() => saveEdited(editedId!, base, isDraft)),
    saveAsNew: () => attempt(() => saveNew(conflict === 'deleted' ? undefined : editedId, isDraft)),
  }
}
