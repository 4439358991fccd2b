import { nonce } from '#src/kit/theme/nonce.ts'

/** Pages look like paper in both colour schemes; on a phone they fill the width. */
const PAPER = `html{background:#e3e6eb;color:#14181f;color-scheme:light}
body{margin:0;font-family:sans-serif}
img,svg{max-width:100%}
.docx-wrapper{display:flex;flex-direction:column;align-items:center;gap:16px;padding:16px;background:none}
section.docx{box-sizing:border-box;max-width:100%;background:#fff;overflow-wrap:anywhere}
@media (max-width:640px){.docx-wrapper{padding:0}section.docx{align-self:stretch;width:auto!important;min-height:0!important;padding:16px!important}}`

/**
 * The page of a Word document for a sandboxed frame, purified and with a policy that lets it fetch nothing.
 * The policy comes first, so that it covers all content.
 * @throws Error if the file is no such document
 */
export async function documentPage(content: Blob): Promise<string> {
  const { readDocument } = await import('./documentReader.ts')
  const { body, rules } = await readDocument(new Uint8Array(await content.arrayBuffer()))
  const styleSource = nonce ? `'nonce-${nonce}'` : "'unsafe-inline'"
  const policy = `default-src 'none'; img-src data:; style-src ${styleSource}`
  const open = nonce ? `<style nonce="${nonce}">` : '<style>'
  return `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width">${open}${rules}\n${PAPER}</style></head><body>${body}</body></html>`
}
