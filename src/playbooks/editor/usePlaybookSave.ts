import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { type Dispatch, useState } from 'react'

import { HttpProblem, messageOf, statusOf } from '#providers/problem.ts'
import { useSubmitOnce } from '#src/kit/form/useSubmitOnce.ts'
import { useText } from '#src/kit/useText.ts'
import { useConfig } from '#src/config/useConfig.ts'

import { useCreatePlaybook, useUpdatePlaybook } from '../queries.ts'
import { bodyOf, type EditorAction, type EditorState, errorsAt, problemsOf } from './editorValues.ts'

/** Reason for a refused save: somebody else saved or deleted the playbook. */
export type Conflict = 'stale' | 'deleted'

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
      void client.invalidateQueries({ queryKey: ['playbooks', editedId], exact: true })
      return setConflict('stale')
    }
    if (editedId !== undefined && statusOf(error) === 404) return setConflict('deleted')
    const messages = error instanceof HttpProblem ? Object.entries(error.body.fields ?? {}) : []
    dispatch({ type: 'refuse', errors: errorsAt(state.order, messages) })
    say(error)
  }
  const finish = (id: string, message: string) => {
    notify(message, { type: 'success' })
    onSaved(id)
  }
  const saveNew = async (source: string | undefined) => {
    const body = bodyOf(state, true)
    // Tasks can refer only to files of a source playbook.
    const activities = source
      ? body.activities
      : body.activities.map((item) => ({ ...item, attachedFileIds: [] }))
    const files = source && { attachmentsFolderIdForDuplication: source }
    const saved = await create.mutateAsync({ ...body, activities, ...files })
    finish(saved.id, text('playbooks.created'))
  }
  const saveEdited = async (id: string, version: number | null) => {
    const body = { ...bodyOf(state, false), ...(version !== null && { version }) }
    await update.mutateAsync({ id, body })
    finish(id, text('playbooks.saved'))
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
  const save = useSubmitOnce(() =>
    attempt(() => (editedId === undefined ? saveNew(filesOf) : saveEdited(editedId, state.version))),
  )
  return {
    maxItems,
    conflict,
    keepEditing: () => setConflict(undefined),
    busy: save.busy,
    save: save.submit,
    /** Overwrites the version that somebody else saved. */
    saveOver: (version: number) => attempt(() => saveEdited(editedId!, version)),
    saveAsNew: () => attempt(() => saveNew(conflict === 'deleted' ? undefined : editedId)),
  }
}
