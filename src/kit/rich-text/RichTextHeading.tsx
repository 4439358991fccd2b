import ArrowDropDownRounded from '@mui/icons-material/ArrowDropDownRounded'
import Button from '@mui/material/Button'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { type Editor, useEditorState } from '@tiptap/react'
import { useState } from 'react'

import { useText } from '../useText.ts'

const LEVELS = [0, 1, 2, 3] as const
type Level = (typeof LEVELS)[number]

interface Props {
  editor: Editor
  disabled: boolean
}

/** Chooses between ordinary text and headings. The toolbar's only tab stop. */
export function RichTextHeading({ editor, disabled }: Props) {
  const text = useText()
  /** 0 is ordinary text. */
  const level = useEditorState({
    editor,
    selector: ({ editor: current }) =>
      LEVELS.find((one) => one !== 0 && current.isActive('heading', { level: one })) ?? 0,
  })
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const nameOf = (one: number) =>
    one === 0 ? text('richText.normal') : text('richText.heading', { level: one })
  const choose = (one: Level) => {
    setAnchor(null)
    const chain = editor.chain().focus()
    if (one === 0) chain.setParagraph().run()
    else chain.setHeading({ level: one }).run()
  }
  return (
    <>
      <Button
        size="small"
        color="inherit"
        disabled={disabled}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-label={`${text('richText.style')}: ${nameOf(level)}`}
        endIcon={<ArrowDropDownRounded />}
        onMouseDown={(event) => event.preventDefault()}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{
          minHeight: 30,
          width: { xs: 92, sm: 108 },
          px: { xs: 0.75, sm: 1.25 },
          justifyContent: 'space-between',
          whiteSpace: 'nowrap',
        }}
      >
        {nameOf(level)}
      </Button>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        onKeyDown={(event) => event.stopPropagation()}
      >
        {LEVELS.map((one) => (
          <MenuItem
            key={one}
            role="menuitemradio"
            aria-checked={one === level}
            selected={one === level}
            onClick={() => choose(one)}
          >
            {nameOf(one)}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
