import EditRounded from '@mui/icons-material/EditRounded'
import { useQueryClient } from '@tanstack/react-query'
import { useNotify } from 'react-admin'
import { type ComponentType, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { call } from '#providers/api.ts'
import type { TextKey } from '#providers/i18nProvider.ts'
import { messageOf, statusOf } from '#providers/problem.ts'
import { useSession } from '#providers/session.ts'
import { useCan } from '#providers/useCan.ts'

import { ConfirmDialog } from '../feedback/ConfirmDialog.tsx'
import { useUndoable } from '../feedback/useUndoable.tsx'
import type { OfferedAction } from '../list/ActionButton.tsx'
import type { AnyDefinition, Listed, RowAction } from './resource.ts'
import { useText } from '../useText.ts'

const isWord = (entry: [string, unknown]): entry is [string, string | number] =>
  typeof entry[1] === 'string' || typeof entry[1] === 'number'
/** The words that texts about a record can use: its fields, and its name. */
const wordsOf = (definition: AnyDefinition, row: Listed): Readonly<Record<string, string | number>> => ({
  ...Object.fromEntries(Object.entries(row).filter(isWord)),
  name: definition.nameOf(row),
})

/** The parameter that names the record in the path of a call. */
const paramOf = (path: string) => /:(\w+)/.exec(path)?.[1] ?? 'id'

const labelIn = ({ action: { label }, row }: { action: AnyAction; row: Listed }) =>
  typeof label === 'function' ? label(row) : label

type AnyAction = RowAction<any, any>
type AnyMutationAction = Extract<AnyAction, { done: TextKey }>

/** The allowed actions of a record and their execution: confirmation, call and message. */
export function useRowActions(
  definition: AnyDefinition,
  edit: (row: Listed) => void,
  onDone?: (action: AnyMutationAction) => void,
) {
  const text = useText()
  const notify = useNotify()
  const notifyUndoable = useUndoable()
  const queryClient = useQueryClient()
  const { user } = useSession()
  const can = useCan()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<{ action: AnyMutationAction; row: Listed }>()
  const [showing, setShowing] = useState<{ show: ComponentType<any>; row: Listed }>()

  const act = useCallback(
    async (action: AnyMutationAction, row: Listed) => {
      const make = (name: string) => {
        const endpoint = definition.api[name]
        return call(endpoint, { params: { [paramOf(endpoint.path)]: row.id } })
      }
      const refresh = () => queryClient.invalidateQueries({ queryKey: [definition.name] })
      const words = wordsOf(definition, row)
      const { undo } = action
      try {
        await make(action.call)
        if (undo) notifyUndoable(text(action.done, words), () => make(undo).finally(() => void refresh()))
        else notify(text(action.done, words), { type: 'success' })
        onDone?.(action)
      } catch (error) {
        const reason = messageOf(error, '')
        const failed = text(action.failed, words)
        const both = `${failed}${failed.endsWith('.') || !reason ? '' : ':'} ${reason}`.trim()
        notify(statusOf(error) === 400 && reason ? reason : both, { type: 'error' })
      }
      void refresh()
    },
    [definition, text, notify, notifyUndoable, queryClient, onDone],
  )

  const offers = useMemo(() => {
    const may = (call: string) => can(definition.api[call]?.access)
    const canEdit = (row: Listed): boolean =>
      definition.edit !== undefined && may('update') && (definition.edit.when?.(row) ?? true)
    const toEdit = (row: Listed): OfferedAction => ({
      key: 'edit',
      label: text('grid.edit'),
      icon: EditRounded,
      destructive: false,
      run: () => edit(row),
    })
    const start = (action: AnyAction, row: Listed) => {
      if ('to' in action) void navigate(action.to(row))
      else if ('show' in action) setShowing({ show: action.show, row })
      else if (action.confirm) setAsking({ action, row })
      else void act(action, row)
    }
    const toAct = (action: AnyAction, row: Listed): OfferedAction => {
      const reason = action.blocked?.(row)
      return {
        key: String(definition.actions?.indexOf(action)),
        label: text(labelIn({ action, row })),
        icon: action.icon,
        destructive: action.destructive ?? false,
        blocked: reason && text(reason),
        run: () => start(action, row),
      }
    }
    const actionsFor = (row: Listed): readonly OfferedAction[] => [
      ...(canEdit(row) ? [toEdit(row)] : []),
      ...(definition.actions ?? [])
        .filter((action) => may(action.call) && (action.when?.(row, user) ?? true))
        .map((action) => toAct(action, row)),
    ]
    /** Action of pressing a record's name. */
    const opener = (row: Listed): (() => void) | undefined => {
      if (canEdit(row)) return () => edit(row)
      const look = definition.actions?.find(
        (action) =>
          'show' in action && action.opens && may(action.call) && (action.when?.(row, user) ?? true),
      )
      return look && (() => start(look, row))
    }
    return { canEdit, actionsFor, opener, canCreate: definition.create !== undefined && may('create') }
  }, [definition, edit, act, can, text, user, navigate])

  const confirm = asking?.action.confirm
  const words = asking && wordsOf(definition, asking.row)
  const ActionDialog = showing?.show
  const dialogs: ReactNode = (
    <Suspense>
      {confirm && (
        <ConfirmDialog
          open
          title={text(confirm.title, words)}
          text={text(confirm.text, words)}
          submitLabel={text(labelIn(asking))}
          destructive={asking.action.destructive ?? false}
          onSubmit={() => act(asking.action, asking.row)}
          onClose={() => setAsking(undefined)}
        />
      )}
      {ActionDialog && <ActionDialog record={showing.row} onClose={() => setShowing(undefined)} />}
    </Suspense>
  )
  return { offers, dialogs }
}
export type RowOffers = ReturnType<typeof useRowActions>['offers']
