import { isBlank } from '#contract/kit/text.ts'
import { Extension, Node } from '@tiptap/core'
import { Plugin, type EditorState } from '@tiptap/pm/state'
import type { EditorProps, EditorView } from '@tiptap/pm/view'
import { type Editor, useEditor } from '@tiptap/react'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'

import { fullName } from '#contract/kit/names.ts'
import { useChatPeople } from '#providers/chat/useChat.ts'
import { insertCode, PASTING, richTextKit } from '#src/kit/rich-text/richTextKit.ts'
import { nonce } from '#src/kit/theme/nonce.ts'

import { type MessageValue, NO_VALUE, toDraft, toMessageHtml } from './editorValues.ts'
import { type Mentions, useMentions } from './useMentions.ts'

/** Milliseconds that the hint about the reserved character is shown (operations §5). */
const PIPE_SHOWN_MS = 1_500

/** A mention: shown by name, stored and sent by address. */
const MentionNode = Node.create({
  name: 'mention',
  group: 'inline',
  inline: true,
  atom: true,
  selectable: false,
  addAttributes: () => ({
    email: {
      parseHTML: (element) => element.dataset['mention'],
      renderHTML: ({ email }: { email: string }) => ({ 'data-mention': email }),
    },
    name: {
      parseHTML: (element) => element.dataset['name'],
      renderHTML: ({ name }: { name: string }) => ({ 'data-name': name }),
    },
  }),
  parseHTML: () => [{ tag: 'span[data-mention]' }],
  renderHTML: ({ node, HTMLAttributes }) => ['span', HTMLAttributes, `@${node.attrs['name']}`],
  renderText: ({ node }) => `@${node.attrs['email']}`,
})

/** Removes pipes from the text, typed or pasted. Code keeps them. */
const NoPipes = Extension.create<{ onPipe: () => void }>({
  name: 'noPipes',
  addProseMirrorPlugins() {
    return [
      new Plugin({
        appendTransaction: (_, __, state) => {
          if (!state.doc.textContent.includes('|')) return null
          const { tr } = state
          state.doc.descendants((node, position, parent) => {
            if (parent?.type.spec.code || node.marks.some(({ type }) => type.spec.code)) return
            for (const { index } of node.text?.matchAll(/\|/g) ?? []) {
              const at = tr.mapping.map(position + index)
              tr.delete(at, at + 1)
            }
          })
          if (!tr.docChanged) return null
          this.options.onPipe()
          return tr
        },
      }),
    ]
  },
})

/** True where typed text becomes code. */
const isInCode = ({ selection: { $from }, storedMarks }: EditorState): boolean =>
  $from.parent.type.spec.code === true || (storedMarks ?? $from.marks()).some(({ type }) => type.spec.code)

/** Matches the line that Enter turns into a block of code. */
const FENCE = /^```[a-z]*$/
const isFence = ({ selection: { $from, empty } }: EditorState): boolean =>
  empty && $from.parent.type.name === 'paragraph' && FENCE.test($from.parent.textContent)

/** True where Enter continues a list or code block instead of sending. */
const continuesBlock = ({ selection: { $from } }: EditorState): boolean =>
  Array.from({ length: $from.depth }, (_, depth) => $from.node(depth + 1)).some(
    ({ type }) => type.name === 'listItem' || type.spec.code,
  )

export interface EditorActs {
  onChange: (value: MessageValue) => void
  onSubmit: () => void
  /** Returns true if Escape had something to leave. */
  onEscape?: (() => unknown) | undefined
  onArrowUp?: (() => void) | undefined
  onFiles?: ((files: File[]) => void) | undefined
}
interface KeyContext extends EditorActs {
  readonly mentions: Mentions | undefined
}

/** True if Enter sends the message. */
const sends = ({ ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent, state: EditorState): boolean =>
  ctrlKey || metaKey || !(shiftKey || altKey || continuesBlock(state) || isFence(state))

function handleKey(view: EditorView, event: KeyboardEvent, { mentions, ...acts }: KeyContext): boolean {
  if (event.isComposing) return false
  if (mentions?.handleKey(event, acts.onSubmit)) return true
  const { key } = event
  if (key === 'Escape' && acts.onEscape) {
    // Keeps Escape from closing the surrounding dialog or panel.
    event.stopPropagation()
    acts.onEscape()
    return true
  }
  if (key === 'ArrowUp' && acts.onArrowUp && view.state.doc.content.size <= 2) {
    acts.onArrowUp()
    return true
  }
  if (key !== 'Enter' || !sends(event, view.state)) return false
  acts.onSubmit()
  return true
}

/** True for HTML of pictures only, which browsers copy beside the picture itself. */
function isPictureOnly(html: string): boolean {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return isBlank(body.textContent) && body.querySelector('img') !== null
}
/** Files of a paste, unless it also carries text, as from spreadsheets. */
function filesIn(data: DataTransfer | null): File[] {
  const types = data?.types ?? []
  const hasText =
    types.includes('text/plain') ||
    (types.includes('text/html') && !isPictureOnly(data!.getData('text/html')))
  return hasText ? [] : [...(data?.files ?? [])]
}

const valueOf = (editor: Editor): MessageValue => {
  const plain = editor.getText({ blockSeparator: '\n' })
  if (isBlank(plain)) return NO_VALUE
  const draft = editor.getHTML()
  return { html: toMessageHtml(draft), plain, draft }
}

interface Options extends EditorActs {
  roomId: string
  label: string
  placeholder: string
  /** HTML of a message or of a draft. */
  initial: string
  autoFocus: boolean
}

/** Handlers for keys, pastes and drops. `context` holds the latest callbacks. */
const editorPropsOf = (
  label: string,
  placeholder: string,
  { context, onPipe, onPaste }: { context: () => KeyContext } & Pick<Pipes, 'onPipe' | 'onPaste'>,
): EditorProps => ({
  attributes: {
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': label,
    'aria-placeholder': placeholder,
    dir: 'auto',
    enterkeyhint: 'send',
  },
  ...PASTING,
  handleKeyDown: (view, event) => handleKey(view, event, context()),
  handleTextInput: ({ state }, _, __, text) => {
    if (text !== '|' || isInCode(state)) return false
    onPipe()
    return true
  },
  handlePaste(view, event, slice) {
    const files = filesIn(event.clipboardData)
    const { onFiles } = context()
    if (files.length > 0 && onFiles) {
      onFiles(files)
      return true
    }
    if (PASTING.handlePaste?.call(this, view, event, slice)) return true
    const text = event.clipboardData?.getData('text/plain') ?? ''
    onPaste(text.includes('|') && !isInCode(view.state) ? { text, from: view.state.selection.from } : null)
    return false
  },
  // The surrounding page handles dropped files.
  handleDrop: (_, { dataTransfer }) => (dataTransfer?.files.length ?? 0) > 0,
})

/** A pasted text with pipes, and the position in front of what the editor took of it. */
interface Piped {
  readonly text: string
  readonly from: number
}
interface Pipes {
  /** True for a moment after a pipe was refused. */
  readonly isRefused: boolean
  readonly onPipe: () => void
  readonly onPaste: (pasted: Piped | null) => void
  /** Forgets the pasted text as soon as another change follows. */
  readonly onUpdate: () => void
  /** The pasted text that is offered as code; null without one. */
  readonly pasted: Piped | null
}
/** Pipes that the text cannot hold: the words about them, and the offer to paste them as code. */
function usePipes(): Pipes {
  const [count, onPipe] = useRecent(PIPE_SHOWN_MS)
  const [pasted, setPasted] = useState<Piped | null>(null)
  const isNew = useRef(false)
  const onPaste = useCallback((one: Piped | null) => {
    isNew.current = one !== null
    setPasted(one)
  }, [])
  const onUpdate = useCallback(() => {
    if (!isNew.current) setPasted(null)
    isNew.current = false
  }, [])
  return { isRefused: count > 0, onPipe, onPaste, onUpdate, pasted }
}

/** Counts recent events; resets to 0 after `milliseconds` without one. */
function useRecent(milliseconds: number): [count: number, note: () => void] {
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (count === 0) return undefined
    const timer = setTimeout(() => setCount(0), milliseconds)
    return () => clearTimeout(timer)
  }, [count, milliseconds])
  const note = useCallback(() => setCount((before) => before + 1), [])
  return [count, note]
}

/** Sets `aria-activedescendant` to the active suggestion. */
function useActiveOption(editor: Editor, { isOpen, listId, optionId, active }: Mentions) {
  const activeId = isOpen ? optionId(active) : null
  useEffect(() => {
    if (activeId === null) return undefined
    const element = editor.view.dom
    element.setAttribute('aria-controls', listId)
    element.setAttribute('aria-activedescendant', activeId)
    return () => {
      element.removeAttribute('aria-controls')
      element.removeAttribute('aria-activedescendant')
    }
  }, [editor, listId, activeId])
}

/** An editor of messages with its keys and mentions, and a flag while the reserved character was just refused. */
export function useMessageEditor({ roomId, label, placeholder, initial, autoFocus, ...acts }: Options) {
  const { byEmail } = useChatPeople()
  const { isRefused, onPipe, onPaste, onUpdate, pasted } = usePipes()
  const latest = useRef<KeyContext>({ ...acts, mentions: undefined })
  const [extensions] = useState(() => [
    ...richTextKit({ trailingNode: false }, { autolink: false }),
    MentionNode,
    NoPipes.configure({ onPipe }),
  ])
  const context = useCallback(() => latest.current, [])
  const editorProps = useMemo(
    // oxlint-disable-next-line react/refs -- read when a key is pressed, after the rendering
    () => editorPropsOf(label, placeholder, { context, onPipe, onPaste }),
    [label, placeholder, context, onPipe, onPaste],
  )
  const editor = useEditor({
    extensions,
    content: toDraft(initial, (email) => {
      const person = byEmail(email)
      return person ? fullName(person) || email : undefined
    }),
    autofocus: autoFocus ? 'end' : false,
    ...(nonce && { injectNonce: nonce }),
    editorProps,
    onCreate: ({ editor: current }) => initial !== '' && latest.current.onChange(valueOf(current)),
    onUpdate: ({ editor: current }) => {
      onUpdate()
      latest.current.onChange(valueOf(current))
    },
  })
  const mentions = useMentions(editor, roomId)
  useLayoutEffect(() => {
    latest.current = { ...acts, mentions }
  })
  useActiveOption(editor, mentions)
  const pasteAsCode = () => {
    const { from, text } = pasted!
    editor.commands.setTextSelection({ from, to: editor.state.selection.to })
    insertCode(editor.view, text)
    editor.commands.focus()
  }
  return { editor, mentions, isPipeRefused: isRefused, pasteAsCode: pasted && pasteAsCode }
}
