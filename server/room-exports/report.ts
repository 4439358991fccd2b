import { wholeName } from '#contract/kit/files.ts'
import { fullName } from '#contract/kit/names.ts'

import type { ExportedFile, ExportedMessage } from './store.ts'

/** What an export says of itself. */
export interface ExportHeading {
  readonly room: string
  readonly since: string
  readonly until: string
  /** Of privilege; null where none of it is privileged. */
  readonly statement: string | null
}

/** Messages of one page of the text, each of which carries the statement. */
const MESSAGES_PER_PAGE = 40
const FORM_FEED = '\f'

const timeOf = (timestamp: string): string => `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)} UTC`
const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!)

/** The sender's name with what people are told of them elsewhere. */
function senderOf({ author }: ExportedMessage): string {
  const tags = [author.type === 'EXTERNAL' ? ' (External)' : '', author.active ? '' : ' (Archived)']
  return `${fullName(author) || author.email}${tags.join('')}`
}

/** Mentions are stored by address and shown by name. */
const withNames = (text: string, { mentioned }: ExportedMessage, written = (name: string) => name): string =>
  mentioned.reduce((shown, { email, name }) => shown.replaceAll(`@${email}`, `@${written(name)}`), text)

const FORBIDDEN_IN_NAMES = /[\u0000-\u001f<>:"/\\|?*]/g
/** A text as part of a file's name on any system. */
export const safeName = (text: string): string =>
  text
    .replace(FORBIDDEN_IN_NAMES, '_')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(0, 100) || 'chat'
/** Where a file lies in the archive: its message's number keeps names apart. */
export const pathOf = (
  message: Pick<ExportedMessage, 'sequence'>,
  file: ExportedFile,
  index: number,
): string =>
  `attachments/${message.sequence}-${index + 1}-${safeName(file.name)}${file.extension ? `.${safeName(file.extension)}` : ''}`

/** The beginning of the text, and of each of its pages where there is a statement. */
export const textHeading = ({ room, since, until, statement }: ExportHeading): string =>
  [...(statement === null ? [] : [statement, '']), room, `${timeOf(since)} – ${timeOf(until)}`, '', ''].join(
    '\r\n',
  )

/** One message of the text. */
export function textOf(message: ExportedMessage, index: number, heading: ExportHeading): string {
  const isNewPage = heading.statement !== null && index > 0 && index % MESSAGES_PER_PAGE === 0
  const marks = message.edited_timestamp === null ? '' : ' (edited)'
  const text = message.deleted_timestamp === null ? withNames(message.plain, message) : '(deleted)'
  const files = message.files.map((file, n) => `  [${wholeName(file)}: ${pathOf(message, file, n)}]`)
  const lines = [`[${timeOf(message.create_timestamp)}] ${senderOf(message)}${marks}:`]
  for (const line of text.split('\n')) if (line !== '') lines.push(`  ${line}`)
  const page = isNewPage ? `${FORM_FEED}${heading.statement}\r\n\r\n` : ''
  return `${page}${[...lines, ...files, '', ''].join('\r\n')}`
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:48rem;padding:0 1rem;color:#1a1a1a}
article{border-top:1px solid #ddd;padding:.5rem 0;break-inside:avoid}time{color:#595959;font-size:.875rem}
.statement{border:2px solid #b3261e;color:#8c1d18;padding:.5rem 1rem;font-weight:600}
@media print{.statement{position:fixed;top:0;left:0;right:0;background:#fff}body{margin:0;padding-top:5rem}
@page{margin:2.5cm 1.5cm}}`
/** The beginning of the page. Printed, it carries the statement on every sheet. */
export const htmlHeading = ({ room, since, until, statement }: ExportHeading): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(room)}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>${STYLE}</style></head><body>
${statement === null ? '' : `<p class="statement">${escaped(statement)}</p>\n`}<h1>${escaped(room)}</h1>
<p>${timeOf(since)} – ${timeOf(until)}</p>
`
/** One message of the page. Its text is safe as it is stored. */
export function htmlOf(message: ExportedMessage): string {
  const text =
    message.deleted_timestamp === null
      ? withNames(message.html, message, escaped)
      : '<p><em>(deleted)</em></p>'
  const files = message.files.map((file, n) => {
    const address = pathOf(message, file, n).split('/').map(encodeURIComponent).join('/')
    return `<li><a href="${escaped(address)}">${escaped(wholeName(file))}</a></li>`
  })
  return `<article id="m${message.sequence}"><strong>${escaped(senderOf(message))}</strong> <time datetime="${message.create_timestamp}">${timeOf(message.create_timestamp)}${message.edited_timestamp === null ? '' : ', edited'}</time>
${text}${files.length > 0 ? `<ul>${files.join('')}</ul>` : ''}</article>
`
}
export const HTML_END = '</body></html>\n'
