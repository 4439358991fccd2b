import { isBlank } from '#contract/kit/text.ts'
import { Extension, Node } from '@tiptap/core'
import { Plugin, type EditorState } from '@tiptap/pm/state'
import type { EditorProps, EditorView } from '@tiptap/pm/view'
import { type Editor, useEditor } from '@tiptap/react'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'

import { fullName } from '#contract/kit/names.ts'
import { useChatPeople } from '#providers/chat/useChat.ts'
import { PASTING, richTextKit } from '#src/kit/rich-text/richTextKit.ts'
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

/** Removes pipes from the text, typed or pasted. */
const NoPipes = Extension.create<{ onPipe: () => void }>({
  name: 'noPipes',
  addProseMirrorPlugins() {
    return [
      new Plugin({
        appendTransaction: (_, __, state) => {
          if (!state.doc.textContent.includes('|')) return null
          const { tr } = state
          state.doc.descendants((node, position) => {
            for (const { index } of node.text?.matchAll(/\|/g) ?? []) {
              const at = tr.mapping.map(position + index)
              tr.delete(at, at + 1)
            }
          })
          this.options.onPipe()
          return tr
        },
      }),
    ]
  },
})

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

function handleKey(view: EditorView, event: KeyboardEvent, { mentions, ...acts }: KeyContext): boolean {
  if (event.isComposing) return false
  if (mentions?.handleKey(event)) return true
  const { key, ctrlKey, metaKey, shiftKey, altKey } = event
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
  if (key !== 'Enter') return false
  const isForced = ctrlKey || metaKey
  if (!isForced && (shiftKey || altKey || continuesBlock(view.state))) return false
  acts.onSubmit()
  return true
}

/** Files of a paste or drop, unless it also carries text, as from spreadsheets. */
function filesIn(data: DataTransfer | null): File[] {
  const hasText = data?.types.some((type) => type === 'text/plain' || type === 'text/html') ?? false
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
  { context, onPipe }: { context: () => KeyContext; onPipe: () => void },
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
  handleTextInput: (_, __, ___, text) => {
    if (text !== '|') return false
    onPipe()
    return true
  },
  handlePaste: (_, { clipboardData }) => {
    const files = filesIn(clipboardData)
    const { onFiles } = context()
    if (files.length === 0 || !onFiles) return false
    onFiles(files)
    return true
  },
  // The surrounding page handles dropped files.
  handleDrop: (_, { dataTransfer }) => (dataTransfer?.files.length ?? 0) > 0,
})

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
  const [pipes, onPipe] = useRecent(PIPE_SHOWN_MS)
  const latest = useRef<KeyContext>({ ...acts, mentions: undefined })
  const [extensions] = useState(() => [
    ...richTextKit({ trailingNode: false }, { autolink: false }),
    MentionNode,
    NoPipes.configure({ onPipe }),
  ])
  const context = useCallback(() => latest.current, [])
  const editorProps = useMemo(
    // oxlint-disable-next-line react/refs -- read when a key is pressed, after the rendering
    () => editorPropsOf(label, placeholder, { context, onPipe }),
    [label, placeholder, context, onPipe],
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
    onUpdate: ({ editor: current }) => latest.current.onChange(valueOf(current)),
  })
  const mentions = useMentions(editor, roomId)
  useLayoutEffect(() => {
    latest.current = { ...acts, mentions }
  })
  useActiveOption(editor, mentions)
  return { editor, mentions, isPipeRefused: pipes > 0 }
}
