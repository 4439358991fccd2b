import { nonce } from '#src/kit/theme/nonce.ts'

import { demandUnpackable } from './unpackValues.ts'

/** What a document may show: its own images only. */
const PURIFIED = {
  FORBID_TAGS: ['style', 'form', 'input', 'button', 'textarea', 'select', 'video', 'audio', 'use'],
  FORBID_ATTR: ['style', 'href', 'xlink:href', 'srcset', 'action', 'formaction', 'background', 'poster'],
  ALLOWED_URI_REGEXP: /^data:image\/(?:png|jpe?g|gif|webp|bmp);base64,/i,
}
/** Styles that would fetch something, or end the style sheet in which they are written. */
const UNSAFE_STYLE = /url\s*\(|image-set|@import|expression\s*\(|[<{}\\]/i

/** Pages look like paper in both colour schemes; on a phone they are as wide as the screen. */
const PAPER = `html{background:#e3e6eb;color:#14181f;color-scheme:light}
body{margin:0;font-family:sans-serif}
img,svg{max-width:100%}
.docx-wrapper{display:flex;flex-direction:column;align-items:center;gap:16px;padding:16px;background:none}
section.docx{box-sizing:border-box;max-width:100%;background:#fff;overflow-wrap:anywhere}
@media (max-width:640px){.docx-wrapper{padding:0}section.docx{align-self:stretch;width:auto!important;min-height:0!important;padding:16px!important}}`

/**
 * Turns inline styles into rules with a class for each: the content security policy forbids style attributes.
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
 * The page of a Word document for a sandboxed frame: purified, without links and scripts, and with a policy that
 * lets it fetch nothing.
 * @throws Error where the file is no such document
 */
export async function documentPage(content: Blob): Promise<string> {
  const bytes = new Uint8Array(await content.arrayBuffer())
  demandUnpackable(bytes)
  const [{ renderAsync }, { default: purifier }] = await Promise.all([
    import('docx-preview'),
    import('dompurify'),
  ])
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
  const clean = purifier.sanitize(body.innerHTML, PURIFIED)
  const styleSource = nonce ? `'nonce-${nonce}'` : "'unsafe-inline'"
  const policy = `default-src 'none'; img-src data:; style-src ${styleSource}`
  const open = nonce ? `<style nonce="${nonce}">` : '<style>'
  return `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width">${open}${sheets}\n${rules}\n${PAPER}</style></head><body>${clean}</body></html>`
}
