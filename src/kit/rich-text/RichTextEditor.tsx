import Box from '@mui/material/Box'
import { EditorContent, useEditor } from '@tiptap/react'
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'

import { nonce } from '../theme/nonce.ts'
import { prose, withoutTrailing } from './prose.ts'
import type { RichTextHandle } from './RichText.tsx'
import { PASTING, richTextKit } from './richTextKit.ts'
import { RichTextToolbar } from './RichTextToolbar.tsx'

const EXTENSIONS = richTextKit()

interface Props {
  ref: Ref<RichTextHandle>
  label: string
  value: string
  onChange: (html: string) => void
  onBlur?: (() => void) | undefined
  labelId: string
  helpId: string
  invalid: boolean
  required: boolean
  disabled: boolean
  autoFocus: boolean
  minHeight: number
  maxHeight: number
}

/** The editor behind the field for rich text. */
export function RichTextEditor({ ref, ...props }: Props) {
  const { label, value, onChange, onBlur, labelId, helpId, invalid, required, disabled } = props
  const [linking, setLinking] = useState(false)
  /** The last value passed to the form, to recognise a value that was set from outside. */
  const told = useRef(value)
  const editorProps = useMemo(
    () => ({
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': labelId,
        'aria-describedby': helpId,
        'aria-invalid': String(invalid),
        'aria-required': String(required),
        dir: 'auto',
      },
      ...PASTING,
      handleKeyDown: (_: unknown, event: KeyboardEvent) => {
        if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return false
        event.preventDefault()
        setLinking(true)
        return true
      },
    }),
    [labelId, helpId, invalid, required],
  )
  const editor = useEditor({
    extensions: EXTENSIONS,
    content: value,
    editable: !disabled,
    autofocus: props.autoFocus ? 'end' : false,
    ...(nonce && { injectNonce: nonce }),
    editorProps,
    onUpdate: ({ editor: current, transaction }) => {
      const html = current.isEmpty ? '' : withoutTrailing(current.getHTML())
      if (!transaction.docChanged || html === told.current) return
      told.current = html
      onChange(html)
    },
    onBlur: () => onBlur?.(),
  })
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    editor.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])
  useImperativeHandle(ref, () => ({ focus: () => void editor.commands.focus() }))
  return (
    <Box sx={{ color: 'text.primary' }}>
      <RichTextToolbar
        editor={editor}
        label={label}
        disabled={disabled}
        linking={linking}
        onLinking={setLinking}
      />
      <Box
        component={EditorContent}
        editor={editor}
        sx={{
          '& .ProseMirror': {
            ...prose,
            minHeight: props.minHeight,
            maxHeight: props.maxHeight,
            overflowY: 'auto',
            px: 1.5,
            py: 1,
            outline: 'none',
            fontSize: { xs: '1rem', sm: '0.875rem' },
            color: disabled ? 'text.secondary' : 'text.primary',
          },
        }}
      />
    </Box>
  )
}
