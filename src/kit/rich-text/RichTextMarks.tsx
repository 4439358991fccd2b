import CodeRounded from '@mui/icons-material/CodeRounded'
import FormatBoldRounded from '@mui/icons-material/FormatBoldRounded'
import FormatItalicRounded from '@mui/icons-material/FormatItalicRounded'
import FormatListBulletedRounded from '@mui/icons-material/FormatListBulletedRounded'
import FormatListNumberedRounded from '@mui/icons-material/FormatListNumberedRounded'
import FormatQuoteRounded from '@mui/icons-material/FormatQuoteRounded'
import StrikethroughSRounded from '@mui/icons-material/StrikethroughSRounded'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { type ChainedCommands, type Editor, useEditorState } from '@tiptap/react'
import type { ComponentType } from 'react'

import type { TextKey } from '#providers/i18nProvider.ts'

import { useText } from '../useText.ts'

interface Mark {
  readonly icon: ComponentType
  readonly label: TextKey
  readonly shortcut?: string
  readonly toggle: (chain: ChainedCommands) => ChainedCommands
}
const MARKS = {
  bold: {
    icon: FormatBoldRounded,
    label: 'richText.bold',
    shortcut: 'Control+B',
    toggle: (chain) => chain.toggleBold(),
  },
  italic: {
    icon: FormatItalicRounded,
    label: 'richText.italic',
    shortcut: 'Control+I',
    toggle: (chain) => chain.toggleItalic(),
  },
  strike: {
    icon: StrikethroughSRounded,
    label: 'richText.strike',
    toggle: (chain) => chain.toggleStrike(),
  },
  code: { icon: CodeRounded, label: 'richText.code', toggle: (chain) => chain.toggleCode() },
  bulletList: {
    icon: FormatListBulletedRounded,
    label: 'richText.bulletList',
    toggle: (chain) => chain.toggleBulletList(),
  },
  orderedList: {
    icon: FormatListNumberedRounded,
    label: 'richText.orderedList',
    toggle: (chain) => chain.toggleOrderedList(),
  },
  blockquote: {
    icon: FormatQuoteRounded,
    label: 'richText.quote',
    toggle: (chain) => chain.toggleBlockquote(),
  },
} satisfies Readonly<Record<string, Mark>>
export type MarkName = keyof typeof MARKS

interface Props {
  editor: Editor
  marks: readonly MarkName[]
  disabled: boolean
}

/** Buttons for marks and blocks of rich text, in a toolbar whose tab stop is another element. */
export function RichTextMarks({ editor, marks, disabled }: Props) {
  const text = useText()
  const active = useEditorState({
    editor,
    selector: ({ editor: current }) => marks.filter((name) => current.isActive(name)).join(' '),
  })
  return marks.map((name) => {
    const { icon: Icon, label, toggle, ...mark }: Mark = MARKS[name]
    return (
      <Tooltip key={name} title={text(label)}>
        <span>
          <IconButton
            size="small"
            tabIndex={-1}
            disabled={disabled}
            aria-label={text(label)}
            aria-pressed={active.split(' ').includes(name)}
            aria-keyshortcuts={mark.shortcut}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => toggle(editor.chain().focus()).run()}
          >
            <Icon />
          </IconButton>
        </span>
      </Tooltip>
    )
  })
}
