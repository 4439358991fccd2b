import { styled } from '@mui/material/styles'
import { type KeyboardEvent, useState } from 'react'

import { SHORT_TEXT_MAX } from '#contract/kit/text.ts'
import { useText } from '#src/kit/useText.ts'

import type { EditedItem } from './editorValues.ts'
import type { RowActs } from './rowActs.ts'

const Input = styled('input')(({ theme }) => ({
  width: '100%',
  minHeight: 24,
  padding: 0,
  border: 0,
  outline: 'none',
  background: 'transparent',
  color: 'inherit',
  font: 'inherit',
  fontWeight: 600,
  '&::placeholder': { color: theme.vars.palette.text.secondary, opacity: 1, fontWeight: 400 },
  [theme.breakpoints.down('md')]: { fontSize: 16 },
}))

/**
 * The title of an item, typed in its row. Enter adds the next step, arrows go to the rows beside it, Escape puts back
 * what it was, and Backspace in an empty title removes the item.
 */
export function TitleInput({ item, acts }: { item: EditedItem; acts: RowActs }) {
  const text = useText()
  const { key, title, type } = item
  const [first] = useState(title)
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // An input method still composes the word.
    if (event.nativeEvent.isComposing) return
    const act = {
      Enter: () => acts.next(key),
      Escape: () => acts.revert(key, first),
      ArrowUp: () => acts.typeBeside(key, -1),
      ArrowDown: () => acts.typeBeside(key, 1),
      ...(title === '' && { Backspace: () => acts.erase(key) }),
    }[event.key]
    if (!act || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  return (
    <Input
      dir="auto"
      autoComplete="off"
      autoFocus
      maxLength={SHORT_TEXT_MAX}
      aria-label={text(type === 'TASK' ? 'playbooks.titleOfTask' : 'playbooks.titleOfHeading')}
      placeholder={text(type === 'TASK' ? 'playbooks.titleOfTask' : 'playbooks.titleOfHeading')}
      value={title}
      onChange={({ target }) => acts.retitle(key, target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => acts.end(key)}
      onPaste={(event) => {
        if (acts.paste(key, event.clipboardData.getData('text/plain'))) event.preventDefault()
      }}
    />
  )
}
