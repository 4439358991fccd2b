import { type FocusEvent, useId, useState } from 'react'

import { useOverflow } from './useOverflow.ts'
import { useText } from '../useText.ts'

/**
 * What a text that folds has in common with others: where it is attached, whether all of it is shown, and the button that
 * shows the rest.
 * @param watched whether it can be too long at all
 */
export function useFold(watched: boolean) {
  const text = useText()
  const id = useId()
  const [open, setOpen] = useState(false)
  const [element, setElement] = useState<HTMLElement | null>(null)
  const folds = useOverflow(element, { watched, open })
  return {
    open,
    /** Whether there is more than is shown while it is folded. */
    folds,
    content: {
      id,
      ref: setElement,
      onFocus: (event: FocusEvent) => {
        // What the keyboard reaches is never hidden.
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
