import Button from '@mui/material/Button'
import { useState } from 'react'

import { useText } from '#src/kit/useText.ts'

/** Milliseconds in which an act can be undone by its toast. */
export const UNDO_MS = 8_000

/** The sentence of a toast with a button that undoes the act, once. */
export function Undoable({ sentence, onUndo }: { sentence: string; onUndo: () => void }) {
  const text = useText()
  const [isUndone, setUndone] = useState(false)
  return (
    <>
      {sentence}{' '}
      <Button
        size="small"
        disabled={isUndone}
        onClick={() => {
          setUndone(true)
          onUndo()
        }}
      >
        {text('playbooks.undo')}
      </Button>
    </>
  )
}
