import { renderAsync } from 'docx-preview'
import purifier from 'dompurify'

/** DOMPurify's rules: a document shows only its own images. */
const PURIFIED = {
  FORBID_TAGS: ['style', 'form', 'input', 'button', 'textarea', 'select', 'video', 'audio', 'use'],
  FORBID_ATTR: ['style', 'href', 'xlink:href', 'srcset', 'action', 'formaction', 'background', 'poster'],
  ALLOWED_URI_REGEXP: /^data:image\/(?:png|jpe?g|gif|webp|bmp);base64,/i,
}
/** Styles that would fetch something, or break out of their style sheet. */
const UNSAFE_STYLE = /url\s*\(|image-set|@import|expression\s*\(|[<{}\\]/i

export interface ConvertedDocument {
  /** Purified HTML, without style attributes. */
  readonly body: string
  /** CSS rules of the style sheet. */
  readonly rules: string
}

/**
 * Turns inline styles into rules with a class each, because the content security policy forbids style attributes.
 * @returns the rules
 */
function rulesOfStyles(root: Element): string {
  const classes = new Map<string, string>()
  for (const element of root.querySelectorAll('[style]')) {
    const style = element.getAttribute('style') ?? ''
    element.removeAttribute('style')
    if (style === '' || UNSAFE_STYLE.test(style)) continue
    const name = classes.get(style) ?? `inline-${classes.size}`
    classes.set(style, name)
    element.classList.add(name)
  }
  return [...classes].map(([style, name]) => `.${name}{${style}}`).join('\n')
}

/** The rules of a style sheet without those that would fetch something. */
const safeRules = (sheet: string): string =>
  sheet
    .replace(/<[^>]*>?/g, '')
    .split('}')
    .filter((rule) => !/url\s*\(|image-set|@import|expression\s*\(/i.test(rule))
    .join('}')

/**
 * Converts a Word document to HTML without links and scripts.
 * @throws Error if the file is no such document
 */
export async function convertDocument(bytes: Uint8Array<ArrayBuffer>): Promise<ConvertedDocument> {
  const body = document.createElement('div')
  const styles = document.createElement('div')
  await renderAsync(bytes, body, styles, {
    className: 'docx',
    ignoreFonts: true,
    useBase64URL: true,
    renderAltChunks: false,
    renderComments: false,
    renderChanges: false,
  })
  const rules = rulesOfStyles(body)
  const sheets = [...styles.querySelectorAll('style')].map((one) => safeRules(one.textContent)).join('\n')
  return { body: purifier.sanitize(body.innerHTML, PURIFIED), rules: `${sheets}\n${rules}` }
}
