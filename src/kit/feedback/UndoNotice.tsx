import Button from '@mui/material/Button'
import { useState } from 'react'

import { useText } from '../useText.ts'

/** Milliseconds in which an act can be undone by its notification. */
export const UNDO_MS = 8_000

/** Content of a notification about something that can be undone, once. */
export function UndoNotice({ message, onUndo }: { message: string; onUndo: () => void }) {
  const text = useText()
  const [isUndone, setUndone] = useState(false)
  return (
    <>
      {message}{' '}
      <Button
        size="small"
        color="inherit"
        disabled={isUndone}
        onClick={() => {
          setUndone(true)
          onUndo()
        }}
      >
        {text('kit.undo')}
      </Button>
    </>
  )
}
