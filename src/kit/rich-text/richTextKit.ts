import { DOMParser as PastedParser } from '@tiptap/pm/model'
import type { EditorProps } from '@tiptap/pm/view'
import { StarterKit, type StarterKitOptions } from '@tiptap/starter-kit'

import { Directions } from './directions.ts'
import { readablePaste } from './pastedHtml.ts'
import { richOf } from './pastedText.ts'
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

/**
 * Reads headings, lists and tables of pasted plain text. Undefined leaves the paste to the editor; "paste as
 * plain text" is never converted.
 */
const parsePastedText: NonNullable<EditorProps['clipboardTextParser']> = (text, context, plain, view) => {
  const html = plain || context.parent.type.spec.code ? null : richOf(text)
  // The property's type does not allow undefined.
  if (html === null) return undefined as never
  const holder = document.createElement('div')
  // Safe: escaped words and our own marks, read by the editor's schema.
  holder.innerHTML = html
  return PastedParser.fromSchema(view.state.schema).parseSlice(holder)
}

/** Editor properties for pasting. */
export const PASTING: EditorProps = {
  clipboardTextParser: parsePastedText,
  transformPastedHTML: readablePaste,
}
