import EmojiEmotionsOutlined from '@mui/icons-material/EmojiEmotionsOutlined'
import TextFormatRounded from '@mui/icons-material/TextFormatRounded'
import CodeRounded from '@mui/icons-material/CodeRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import { type Editor, EditorContent, useEditorState } from '@tiptap/react'
import { type ReactNode, type Ref, useImperativeHandle, useState } from 'react'

import { PIPE_RESERVED } from '#contract/chat/schema.ts'
import { moveFocus } from '#src/kit/browser/moveFocus.ts'
import { RichTextHeading } from '#src/kit/rich-text/RichTextHeading.tsx'
import { type MarkName, RichTextMarks } from '#src/kit/rich-text/RichTextMarks.tsx'
import { prose } from '#src/kit/rich-text/prose.ts'
import { CONTROL_RADIUS } from '#src/kit/theme/theme.ts'
import { useText } from '#src/kit/useText.ts'

import { EmojiPopover } from './EmojiPopover.tsx'
import { MentionList } from './MentionList.tsx'
import { type EditorActs, useMessageEditor } from './useMessageEditor.ts'

const MARKS: readonly MarkName[] = ['bold', 'italic', 'strike', 'code', 'orderedList', 'bulletList']

/** The editor's imperative methods. */
export interface MessageEditorHandle {
  focus: () => void
  clear: () => void
}

interface ToolsProps {
  editor: Editor
  tools: ReactNode
  end: ReactNode
}
/** Formatting, emoji and the caller's tools, below the text. On phones formatting folds into a row of its own. */
function Tools({ editor, tools, end }: ToolsProps) {
  const text = useText()
  const [isFormatting, setFormatting] = useState(false)
  const [picker, setPicker] = useState<HTMLElement | null>(null)
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        p: '3px',
        color: 'text.secondary',
        '& [aria-pressed="true"]': { color: 'primary.main', bgcolor: 'action.selected' },
        '& .MuiIconButton-root': { width: { xs: 44, sm: 32 }, height: { xs: 44, sm: 32 } },
      }}
    >
      <Box
        role="toolbar"
        aria-label={text('chatMessages.tools')}
        onKeyDown={moveFocus}
        sx={{
          display: { xs: isFormatting ? 'flex' : 'none', sm: 'flex' },
          alignItems: 'center',
          gap: { sm: '2px' },
          width: { xs: '100%', sm: 'auto' },
        }}
      >
        <RichTextHeading editor={editor} disabled={false} />
        <RichTextMarks editor={editor} marks={MARKS} disabled={false} />
      </Box>
      <Tooltip title={text('chatMessages.format')}>
        <IconButton
          size="small"
          aria-label={text('chatMessages.format')}
          aria-expanded={isFormatting}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setFormatting(!isFormatting)}
          sx={{ display: { sm: 'none' } }}
        >
          <TextFormatRounded />
        </IconButton>
      </Tooltip>
      <Tooltip title={text('chatMessages.emoji')}>
        <IconButton
          size="small"
          aria-label={text('chatMessages.emoji')}
          aria-haspopup="dialog"
          onClick={(event) => setPicker(event.currentTarget)}
        >
          <EmojiEmotionsOutlined />
        </IconButton>
      </Tooltip>
      {tools}
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, marginInlineStart: 'auto' }}>{end}</Box>
      <EmojiPopover
        anchor={picker}
        onClose={() => setPicker(null)}
        onPick={(emoji) =>
          // The popover first returns the focus to its button.
          requestAnimationFrame(() => editor.chain().focus().insertContent(emoji).run())
        }
      />
    </Box>
  )
}

/** Shown while the document is one empty paragraph. */
function Placeholder({ editor, children }: { editor: Editor; children: string }) {
  const isBlank = useEditorState({
    editor,
    selector: ({ editor: { state } }) =>
      state.doc.childCount === 1 &&
      state.doc.firstChild!.type.name === 'paragraph' &&
      state.doc.content.size === 2,
  })
  if (!isBlank) return null
  return (
    <Box
      aria-hidden
      sx={{
        position: 'absolute',
        insetInline: 12,
        top: 8,
        overflow: 'hidden',
        whiteSpace: 'nowrap',
        textOverflow: 'ellipsis',
        lineHeight: 1.5,
        // Fits into 390 pixels.
        fontSize: { xs: '0.9375rem', sm: '0.875rem' },
        color: 'text.secondary',
        pointerEvents: 'none',
      }}
    >
      {children}
    </Box>
  )
}

interface Props extends EditorActs {
  ref?: Ref<MessageEditorHandle>
  roomId: string
  label: string
  placeholder: string
  /** HTML of a message or of a draft. */
  initial: string
  autoFocus?: boolean
  /** Content above the text within the frame. */
  above?: ReactNode
  /** Buttons beside the formatting. */
  tools?: ReactNode
  /** Buttons at the end of the toolbar. */
  end: ReactNode
}

/** The editor of a message, new or sent before. */
export function MessageEditor({ ref, above, tools, end, autoFocus = false, ...options }: Props) {
  const text = useText()
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  const { editor, mentions, isPipeRefused, pasteAsCode } = useMessageEditor({ ...options, autoFocus })
  useImperativeHandle(ref, () => ({
    focus: () => void editor.commands.focus('end'),
    clear: () => void editor.commands.clearContent(true),
  }))
  return (
    <Box
      ref={setFrame}
      sx={{
        position: 'relative',
        minWidth: 0,
        border: '1px solid',
        borderColor: 'background.edge',
        borderRadius: `${CONTROL_RADIUS}px`,
        bgcolor: 'background.paper',
        color: 'text.primary',
        '&:focus-within': {
          borderColor: 'primary.main',
          boxShadow: '0 0 0 1px var(--m-palette-primary-main)',
        },
      }}
    >
      {above}
      <Box sx={{ position: 'relative' }}>
        <Placeholder editor={editor}>{options.placeholder}</Placeholder>
        <Box
          component={EditorContent}
          editor={editor}
          sx={{
            '& .ProseMirror': {
              ...prose,
              lineHeight: 1.5,
              maxHeight: 'min(40vh, 320px)',
              'html[data-keyboard-open] &': { maxHeight: '104px' },
              overflowY: 'auto',
              px: 1.5,
              py: 1,
              outline: 'none',
              fontSize: { xs: '1rem', sm: '0.875rem' },
            },
            '& .ProseMirror > * + *': { marginTop: '4px' },
            '& [data-mention]': {
              px: 0.5,
              borderRadius: '4px',
              fontWeight: 600,
              color: 'primary.main',
              bgcolor: 'rgba(var(--m-palette-primary-mainChannel) / 0.08)',
            },
          }}
        />
      </Box>
      <Box role="alert" sx={{ px: 1.5, fontSize: '0.8125rem', color: 'error.main' }}>
        {isPipeRefused && PIPE_RESERVED}
      </Box>
      {pasteAsCode && (
        <Button size="small" startIcon={<CodeRounded />} onClick={pasteAsCode} sx={{ mx: 1 }}>
          {text('chatMessages.pasteAsCode')}
        </Button>
      )}
      <Tools editor={editor} tools={tools} end={end} />
      <MentionList mentions={mentions} anchor={frame} />
    </Box>
  )
}
