import { useQueryClient } from '@tanstack/react-query'
import {
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'

import { useSession } from '#providers/session.ts'
import { useCan } from '#providers/useCan.ts'

import { lazy } from '../browser/lazy.ts'
import { useText } from '../useText.ts'
import type { AnyTable, BulkAction, Listed } from './resource.ts'
import type { OfferedAction } from '../list/ActionButton.tsx'

const BulkDialog = lazy(async () => ({ default: (await import('./BulkDialog.tsx')).BulkDialog }))

interface Callbacks {
  /** The server has answered. */
  readonly onDone: () => void
  /** The dialog was closed after that. */
  readonly onClosed: () => void
}

/**
 * Actions of the signed-in person on several records at once, and their dialog.
 */
export function useBulkActions(definition: AnyTable, { onDone, onClosed }: Callbacks) {
  const text = useText()
  const can = useCan()
  const { user } = useSession()
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState<{ action: BulkAction<any, any>; rows: readonly Listed[] }>()
  const wasDone = useRef(false)
  const closed = useEffectEvent(onClosed)
  useEffect(() => {
    if (asking || !wasDone.current) return
    wasDone.current = false
    closed()
  }, [asking])
  const actions = useMemo(
    () => (definition.bulkActions ?? []).filter(({ call }) => can(definition.api[call]?.access)),
    [definition, can],
  )
  /** The actions that fit at least one of the records: the server says of the others why not. */
  const offersFor = useCallback(
    (rows: readonly Listed[]): readonly OfferedAction[] =>
      actions
        .filter(({ when }) => !when || rows.some((row) => when(row, user)))
        .map((action) => ({
          key: action.call,
          label: text(action.label),
          icon: action.icon,
          destructive: action.destructive ?? false,
          run: () => setAsking({ action, rows }),
        })),
    [actions, text, user],
  )
  const dialog: ReactNode = (
    <Suspense>
      {asking && (
        <BulkDialog
          definition={definition}
          {...asking}
          onDone={() => {
            wasDone.current = true
            onDone()
            void queryClient.invalidateQueries({ queryKey: [definition.name] })
          }}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Suspense>
  )
  return { hasBulk: actions.length > 0, offersFor, dialog }
}
