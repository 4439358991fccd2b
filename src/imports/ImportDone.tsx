import HistoryRounded from '@mui/icons-material/HistoryRounded'
import UndoRounded from '@mui/icons-material/UndoRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Suspense, useState } from 'react'

import type { ImportKind } from '#contract/import-columns/schema.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useText } from '#src/kit/useText.ts'

const ImportsDialog = lazy(async () => ({ default: (await import('./ImportsDialog.tsx')).ImportsDialog }))
const ConfirmUndo = lazy(async () => ({ default: (await import('./ConfirmUndo.tsx')).ConfirmUndo }))

interface Props {
  kind: ImportKind
  importId: string
  onUndone: () => void
}

/** Below the result of an import: its report, and its undoing. */
export function ImportDone({ kind, importId, onUndone }: Props) {
  const text = useText()
  const [shown, setShown] = useState<'report' | 'undo'>()
  const [isUndone, setUndone] = useState(false)
  const close = () => setShown(undefined)
  const undone = () => {
    setUndone(true)
    onUndone()
  }
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      <Button
        size="small"
        variant="outlined"
        startIcon={<HistoryRounded />}
        onClick={() => setShown('report')}
      >
        {text('imports.report')}
      </Button>
      <Button
        size="small"
        color="inherit"
        startIcon={<UndoRounded />}
        disabled={isUndone}
        onClick={() => setShown('undo')}
      >
        {text(isUndone ? 'imports.undone' : 'imports.undo')}
      </Button>
      <Suspense>
        {shown === 'report' && (
          <ImportsDialog kind={kind} first={importId} onUndone={undone} onClose={close} />
        )}
        {shown === 'undo' && <ConfirmUndo kind={kind} id={importId} onUndone={undone} onClose={close} />}
      </Suspense>
    </Box>
  )
}
