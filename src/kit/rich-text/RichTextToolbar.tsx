import CodeRounded from '@mui/icons-material/CodeRounded'
import FormatBoldRounded from '@mui/icons-material/FormatBoldRounded'
import FormatItalicRounded from '@mui/icons-material/FormatItalicRounded'
import FormatListBulletedRounded from '@mui/icons-material/FormatListBulletedRounded'
import FormatListNumberedRounded from '@mui/icons-material/FormatListNumberedRounded'
import FormatQuoteRounded from '@mui/icons-material/FormatQuoteRounded'
import InsertLinkRounded from '@mui/icons-material/InsertLinkRounded'
import StrikethroughSRounded from '@mui/icons-material/StrikethroughSRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { type ChainedCommands, type Editor, useEditorState } from '@tiptap/react'
import { type ComponentType, type KeyboardEvent, useState } from 'react'

import type { TextKey } from '#providers/i18nProvider.ts'

import { RichTextHeading } from './RichTextHeading.tsx'
import { RichTextLink } from './RichTextLink.tsx'
import { useText } from '../useText.ts'

interface Mark {
  readonly name: string
  readonly icon: ComponentType
  readonly label: TextKey
  readonly shortcut?: string
  readonly toggle: (chain: ChainedCommands) => ChainedCommands
}
const MARKS: readonly Mark[] = [
  {
    name: 'bold',
    icon: FormatBoldRounded,
    label: 'richText.bold',
    shortcut: 'Control+B',
    toggle: (chain) => chain.toggleBold(),
  },
  {
    name: 'italic',
    icon: FormatItalicRounded,
    label: 'richText.italic',
    shortcut: 'Control+I',
    toggle: (chain) => chain.toggleItalic(),
  },
  {
    name: 'strike',
    icon: StrikethroughSRounded,
    label: 'richText.strike',
    toggle: (chain) => chain.toggleStrike(),
  },
  { name: 'code', icon: CodeRounded, label: 'richText.code', toggle: (chain) => chain.toggleCode() },
  {
    name: 'bulletList',
    icon: FormatListBulletedRounded,
    label: 'richText.bulletList',
    toggle: (chain) => chain.toggleBulletList(),
  },
  {
    name: 'orderedList',
    icon: FormatListNumberedRounded,
    label: 'richText.orderedList',
    toggle: (chain) => chain.toggleOrderedList(),
  },
  {
    name: 'blockquote',
    icon: FormatQuoteRounded,
    label: 'richText.quote',
    toggle: (chain) => chain.toggleBlockquote(),
  },
]

interface Props {
  editor: Editor
  label: string
  disabled: boolean
  /** Whether the address of a link is being asked for. */
  linking: boolean
  onLinking: (linking: boolean) => void
}

/** One stop of the tab key, in which the arrow keys move (the toolbar pattern). */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key]
  if (step === undefined) return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
  if (at < 0) return
  event.preventDefault()
  const last = buttons.length - 1
  const next = Number.isFinite(step) ? (at + step + buttons.length) % buttons.length : step < 0 ? 0 : last
  buttons[next]?.focus()
}

/** What can be done to the text, above it. */
export function RichTextToolbar({ editor, label, disabled, linking, onLinking }: Props) {
  const text = useText()
  const [linkButton, setLinkButton] = useState<HTMLElement | null>(null)
  const active = useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      names: [...MARKS.map(({ name }) => name), 'link'].filter((name) => current.isActive(name)).join(' '),
      level: [1, 2, 3].find((level) => current.isActive('heading', { level })) ?? 0,
    }),
  })
  const isActive = (name: string) => active.names.split(' ').includes(name)
  return (
    <Box
      role="toolbar"
      aria-label={text('richText.toolbar', { label })}
      onKeyDown={moveFocus}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: '2px',
        p: '3px',
        borderBottom: 1,
        borderColor: 'divider',
        color: 'text.secondary',
        '& [aria-pressed="true"]': { color: 'primary.main', bgcolor: 'action.selected' },
      }}
    >
      <RichTextHeading editor={editor} level={active.level} disabled={disabled} />
      {MARKS.map(({ name, icon: Icon, label: key, shortcut, toggle }) => (
        <Tooltip key={name} title={text(key)}>
          <span>
            <IconButton
              size="small"
              tabIndex={-1}
              disabled={disabled}
              aria-label={text(key)}
              aria-pressed={isActive(name)}
              aria-keyshortcuts={shortcut}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => toggle(editor.chain().focus()).run()}
            >
              <Icon />
            </IconButton>
          </span>
        </Tooltip>
      ))}
      <Tooltip title={text('richText.link')}>
        <span>
          <IconButton
            ref={setLinkButton}
            size="small"
            tabIndex={-1}
            disabled={disabled}
            aria-label={text('richText.link')}
            aria-pressed={isActive('link')}
            aria-haspopup="dialog"
            aria-keyshortcuts="Control+K"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onLinking(true)}
          >
            <InsertLinkRounded />
          </IconButton>
        </span>
      </Tooltip>
      {linking && <RichTextLink editor={editor} anchor={linkButton} onClose={() => onLinking(false)} />}
    </Box>
  )
}
