import { type FocusEvent, useId, useState } from 'react'

import { useOverflow } from './useOverflow.ts'
import { useText } from '../useText.ts'

/**
 * State of a foldable text: its ref, whether it is open, and the button that opens it.
 * @param watched false if it can never be too long
 */
export function useFold(watched: boolean) {
  const text = useText()
  const id = useId()
  const [open, setOpen] = useState(false)
  const [element, setElement] = useState<HTMLElement | null>(null)
  const folds = useOverflow(element, { watched, open })
  return {
    open,
    /** True if the folded text hides anything. */
    folds,
    content: {
      id,
      ref: setElement,
      onFocus: (event: FocusEvent) => {
        // Keyboard focus opens the text, so that no focused element is hidden.
        if (event.target.matches(':focus-visible')) setOpen(true)
      },
    },
    toggle: {
      'aria-expanded': open,
      'aria-controls': id,
      onClick: () => setOpen(!open),
      children: text(open ? 'richText.showLess' : 'richText.showMore'),
    },
  }
}
