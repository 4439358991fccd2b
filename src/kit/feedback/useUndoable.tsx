import { useNotify } from 'react-admin'
import { useCallback } from 'react'

import { messageOf } from '#providers/problem.ts'

import { useText } from '../useText.ts'
import { UNDO_MS, UndoNotice } from './UndoNotice.tsx'

/** Reports an act in a notification with a button that takes it back, once. `undo` throws where it cannot. */
export function useUndoable() {
  const text = useText()
  const notify = useNotify()
  return useCallback(
    (message: string, undo: () => Promise<unknown>) => {
      const onUndo = async () => {
        try {
          await undo()
          notify(text('kit.undone'), { type: 'info' })
        } catch (error) {
          notify(messageOf(error, text('kit.wentWrong')), { type: 'error' })
        }
      }
      notify(<UndoNotice message={message} onUndo={() => void onUndo()} />, {
        type: 'success',
        autoHideDuration: UNDO_MS,
      })
    },
    [notify, text],
  )
}
