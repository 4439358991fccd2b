import { useNotify } from 'react-admin'

import type { ImportKind } from '#contract/import-columns/schema.ts'
import { ConfirmDialog } from '#src/kit/feedback/ConfirmDialog.tsx'
import { useText } from '#src/kit/useText.ts'

import { useUndo } from './queries.ts'

interface Props {
  kind: ImportKind
  id: string
  onUndone: () => void
  onClose: () => void
}

/** Asks before an import is undone, and says how much was. */
export function ConfirmUndo({ kind, id, onUndone, onClose }: Props) {
  const text = useText()
  const notify = useNotify()
  const undo = useUndo(onUndone)
  const submit = async () => {
    const { notUndone } = await undo(id)
    if (notUndone === 0) notify(text('imports.undoneWhole'), { type: 'success' })
    else notify(text('imports.undonePartly', { smart_count: notUndone }), { type: 'warning' })
  }
  return (
    <ConfirmDialog
      open
      destructive
      title={text('imports.undoTitle')}
      text={text(`imports.undoText.${kind}`)}
      submitLabel={text('imports.undo')}
      onSubmit={submit}
      onClose={onClose}
    />
  )
}
