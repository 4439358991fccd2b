import { DOMParser as PastedParser, type Slice } from '@tiptap/pm/model'
import type { EditorProps, EditorView } from '@tiptap/pm/view'
import { StarterKit, type StarterKitOptions } from '@tiptap/starter-kit'

import { Directions } from './directions.ts'
import { readablePaste } from './pastedHtml.ts'
import { isCopiedCode } from './pastedCode.ts'
import { codeHtml, linesHtml, pastedHtml } from './pastedText.ts'
import { TABLES } from './tables.ts'

/** The server's allowed rich text, exactly. */
export const richTextKit = (options: Partial<StarterKitOptions> = {}, { autolink = true } = {}) => [
  StarterKit.configure({
    heading: { levels: [1, 2, 3] },
    link: {
      autolink,
      openOnClick: false,
      defaultProtocol: 'https',
      protocols: ['mailto'],
      isAllowedUri: (address, { defaultValidate }) =>
        /^(?:https?:\/\/|mailto:)/i.test(address) && defaultValidate(address),
    },
    ...options,
  }),
  ...TABLES,
  Directions,
]

/** Rich text for the editor, with the blanks of its text. */
function sliceOf({ state }: EditorView, html: string): Slice {
  const holder = document.createElement('div')
  // Safe: escaped words and our own marks, read by the editor's schema.
  holder.innerHTML = html
  return PastedParser.fromSchema(state.schema).parseSlice(holder, { preserveWhitespace: 'full' })
}

/**
 * Reads code, headings, lists and tables of pasted plain text. Undefined leaves the paste to the editor; "paste as
 * plain text" is never converted.
 */
const parsePastedText: NonNullable<EditorProps['clipboardTextParser']> = (text, context, plain, view) => {
  // The property's type does not allow undefined.
  if (context.parent.type.spec.code) return undefined as never
  return sliceOf(view, plain ? linesHtml(text) : pastedHtml(text))
}

/** Replaces the selection by code. */
export const insertCode = (view: EditorView, text: string): void =>
  view.dispatch(view.state.tr.replaceSelection(sliceOf(view, codeHtml(text))).scrollIntoView())

/** Pastes what a code editor copied as code, because its HTML loses blanks. */
const pasteCode: NonNullable<EditorProps['handlePaste']> = (view, { clipboardData }) => {
  const text = clipboardData?.getData('text/plain') ?? ''
  if (text === '' || !isCopiedCode(clipboardData?.getData('text/html') ?? '')) return false
  if (view.state.selection.$from.parent.type.spec.code) return false
  insertCode(view, text)
  return true
}

/** Editor properties for pasting. */
export const PASTING: EditorProps = {
  clipboardTextParser: parsePastedText,
  handlePaste: pasteCode,
  transformPastedHTML: readablePaste,
}
