import { wholeName } from '#contract/kit/files.ts'
import { fullName } from '#contract/kit/names.ts'
import { safeFileName } from '#server/kit/core/file-names.ts'

import type { ExportedFile, ExportedMessage } from './store.ts'

/** The heading of an export. */
export interface ExportHeading {
  readonly room: string
  readonly since: string
  readonly until: string
  /** Statement of privilege; null where nothing is privileged. */
  readonly statement: string | null
}

/** Lines of a printed page, and characters of a line. */
export const LINES_PER_PAGE = 60
export const LINE_LENGTH = 80
const FORM_FEED = '\f'
const LINE_END = '\r\n'

const timeOf = (timestamp: string): string => `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)} UTC`
const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!)

/** The sender's name, with their type as elsewhere in the product. */
function senderOf({ author }: ExportedMessage): string {
  const tags = [author.type === 'EXTERNAL' ? ' (External)' : '', author.active ? '' : ' (Archived)']
  return `${fullName(author) || author.email}${tags.join('')}`
}

/** Replaces stored addresses of mentions by names. */
const withNames = (text: string, { mentioned }: ExportedMessage, written = (name: string) => name): string =>
  mentioned.reduce((shown, { email, name }) => shown.replaceAll(`@${email}`, `@${written(name)}`), text)

/** Says of an answer in a thread to which message it belongs. */
const threadMark = ({ thread_id, first_timestamp }: ExportedMessage): string =>
  thread_id === null
    ? ''
    : first_timestamp === null
      ? ', answer to a deleted message'
      : `, answer to the message of ${timeOf(first_timestamp)}`

/** A text that is safe in file names on any system. */
export const safeName = (text: string): string => safeFileName(text, 'chat')
/** Path of a file in the archive: the message number keeps names apart. */
export const pathOf = (message: Pick<ExportedMessage, 'number'>, file: ExportedFile, index: number): string =>
  `attachments/${message.number}-${index + 1}-${safeName(file.name)}${file.extension ? `.${safeName(file.extension)}` : ''}`

/**
 * Lays out the text in pages that begin with the statement, if any. Breaks lines at the printed width, so that line
 * counts match the printer's.
 */
export class TextPages {
  readonly #heading: ExportHeading
  #linesLeft = LINES_PER_PAGE

  constructor(heading: ExportHeading) {
    this.#heading = heading
  }

  heading(): string {
    const { room, since, until } = this.#heading
    return this.#statement() + this.#add([room, `${timeOf(since)} – ${timeOf(until)}`, '', ''])
  }

  message(message: ExportedMessage): string {
    const marks = message.edited_timestamp === null ? '' : ' (edited)'
    const text = message.deleted_timestamp === null ? withNames(message.plain, message) : '(deleted)'
    const files = message.files.map((file, n) => `  [${wholeName(file)}: ${pathOf(message, file, n)}]`)
    const lines = [
      `[${timeOf(message.create_timestamp)}] ${senderOf(message)}${marks}${threadMark(message)}:`,
    ]
    for (const line of text.split('\n')) if (line !== '') lines.push(`  ${line}`)
    return this.#add([...lines, ...files, '', ''])
  }

  /** Without a statement, lines stay whole and there are no pages. */
  #add(lines: readonly string[]): string {
    if (this.#heading.statement === null) return lines.join(LINE_END)
    return linesOf(lines.slice(0, -1))
      .map((line) => {
        const page = this.#linesLeft === 0 ? FORM_FEED + this.#statement() : ''
        this.#linesLeft -= 1
        return page + line + LINE_END
      })
      .join('')
  }

  /** Begins a page. A statement as long as a page leaves room for one line of text. */
  #statement(): string {
    const { statement } = this.#heading
    if (statement === null) return ''
    const lines = linesOf([...statement.split(/\r?\n/), ''])
    this.#linesLeft = Math.max(1, LINES_PER_PAGE - lines.length)
    return lines.map((line) => line + LINE_END).join('')
  }
}

/** Breaks lines at the printed width, at a space where the second half has one. */
function linesOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const parts: string[] = []
    let rest = Array.from(line)
    while (rest.length > LINE_LENGTH) {
      const space = rest.lastIndexOf(' ', LINE_LENGTH)
      const end = space > LINE_LENGTH / 2 ? space : LINE_LENGTH
      parts.push(rest.slice(0, end).join(''))
      rest = rest.slice(space === end ? end + 1 : end)
    }
    return [...parts, rest.join('')]
  })
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:48rem;padding:0 1rem;color:#1a1a1a}
article{border-top:1px solid #ddd;padding:.5rem 0;break-inside:avoid}time{color:#595959;font-size:.875rem}
table{width:100%;table-layout:fixed;border-collapse:collapse}th,td{padding:0;text-align:start;font-weight:400;overflow-wrap:anywhere}
thead{display:table-header-group;break-inside:avoid}
.statement{border:2px solid #b3261e;color:#8c1d18;margin:0 0 1rem;padding:.5rem 1rem;font-weight:600}
@media print{.statement{font-size:.6875rem;line-height:1.3;padding:.25rem .5rem}body{margin:0;max-width:none;padding:0}@page{margin:1.5cm}}`
/**
 * Beginning of the HTML page. The statement is a table head, because browsers repeat only table heads on every sheet
 * and reserve their space. Chromium repeats no head taller than a quarter of the sheet, so the print is small enough
 * for the longest statement.
 */
export const htmlHeading = ({ room, since, until, statement }: ExportHeading): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(room)}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>${STYLE}</style></head><body>
${statement === null ? '' : `<table role="presentation"><thead><tr><th><p class="statement">${escaped(statement)}</p></th></tr></thead><tbody><tr><td>\n`}<h1>${escaped(room)}</h1>
<p>${timeOf(since)} – ${timeOf(until)}</p>
`
export const htmlEnd = ({ statement }: ExportHeading): string =>
  `${statement === null ? '' : '</td></tr></tbody></table>\n'}</body></html>\n`
/** One message of the page. Stored message text is sanitised already. */
export function htmlOf(message: ExportedMessage): string {
  const text =
    message.deleted_timestamp === null
      ? withNames(message.html, message, escaped)
      : '<p><em>(deleted)</em></p>'
  const files = message.files.map((file, n) => {
    const address = pathOf(message, file, n).split('/').map(encodeURIComponent).join('/')
    return `<li><a href="${escaped(address)}">${escaped(wholeName(file))}</a></li>`
  })
  return `<article id="m${message.number}"><strong>${escaped(senderOf(message))}</strong> <time datetime="${message.create_timestamp}">${timeOf(message.create_timestamp)}${message.edited_timestamp === null ? '' : ', edited'}${threadMark(message)}</time>
${text}${files.length > 0 ? `<ul>${files.join('')}</ul>` : ''}</article>
`
}
