import { mentionsIn } from '#contract/chat/rules.ts'
import { trimmed } from '#src/kit/rich-text/prose.ts'

/** Value of a message editor: HTML and text as sent. */
export interface MessageValue {
  readonly html: string
  readonly plain: string
  /** HTML for the editor, in which mentions are elements with names. */
  readonly draft: string
}
export const NO_VALUE: MessageValue = { html: '', plain: '', draft: '' }

const bodyOf = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body
/** Characters that would extend an address before them. */
const ADDRESS_GOES_ON = /^[^\s<>()"',;:!?.]/

function textsIn(body: HTMLElement): Text[] {
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  while (texts.nextNode()) found.push(texts.currentNode as Text)
  return found
}
const isCode = (text: Text): boolean => text.parentElement?.closest('code, pre') !== null

/** Converts the editor's HTML to the sent form: a mention is `@` and an address, and the pipe is reserved outside code. */
export function toMessageHtml(draft: string): string {
  const body = bodyOf(draft)
  for (const mention of body.querySelectorAll('span[data-mention]')) {
    const goesOn = ADDRESS_GOES_ON.test(mention.nextSibling?.textContent ?? '')
    mention.replaceWith(`@${mention.getAttribute('data-mention')}${goesOn ? ' ' : ''}`)
  }
  for (const link of body.querySelectorAll('a'))
    link.setAttribute('href', (link.getAttribute('href') ?? '').replaceAll('|', '%7C'))
  for (const text of textsIn(body)) if (!isCode(text)) text.data = text.data.replaceAll('|', '')
  return trimmed(body.innerHTML)
}

/** Converts a message's HTML for the editor. `nameOf` returns the name for an address; undefined if unknown. */
export function toDraft(html: string, nameOf: (email: string) => string | undefined): string {
  if (!html.includes('@')) return html
  const body = bodyOf(html)
  for (const node of textsIn(body)) {
    if (isCode(node) || node.parentElement?.closest('a')) continue
    for (const { index, text, email } of mentionsIn(node.data).toReversed()) {
      const name = nameOf(email)
      if (name === undefined) continue
      node.splitText(index + text.length)
      const mention = document.createElement('span')
      mention.dataset['mention'] = email
      mention.dataset['name'] = name
      mention.textContent = `@${name}`
      node.splitText(index).replaceWith(mention)
    }
  }
  return body.innerHTML
}
