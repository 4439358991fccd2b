import InsertLinkRounded from '@mui/icons-material/InsertLinkRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { type Editor, useEditorState } from '@tiptap/react'
import { useState } from 'react'

import { moveFocus } from '../browser/moveFocus.ts'
import { useText } from '../useText.ts'
import { RichTextHeading } from './RichTextHeading.tsx'
import { RichTextLink } from './RichTextLink.tsx'
import { type MarkName, RichTextMarks } from './RichTextMarks.tsx'

const MARKS: readonly MarkName[] = [
  'bold',
  'italic',
  'strike',
  'code',
  'bulletList',
  'orderedList',
  'blockquote',
]

interface Props {
  editor: Editor
  label: string
  disabled: boolean
  /** True while a link is edited. */
  linking: boolean
  onLinking: (linking: boolean) => void
}

/** Formatting toolbar above the text. */
export function RichTextToolbar({ editor, label, disabled, linking, onLinking }: Props) {
  const text = useText()
  const [linkButton, setLinkButton] = useState<HTMLElement | null>(null)
  const isLinked = useEditorState({ editor, selector: ({ editor: current }) => current.isActive('link') })
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
      <RichTextHeading editor={editor} disabled={disabled} />
      <RichTextMarks editor={editor} marks={MARKS} disabled={disabled} />
      <Tooltip title={text('richText.link')}>
        <span>
          <IconButton
            ref={setLinkButton}
            size="small"
            tabIndex={-1}
            disabled={disabled}
            aria-label={text('richText.link')}
            aria-pressed={isLinked}
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
