/** Octets of a line without its end (RFC 5322 §2.1.1). */
const LINE_MAX = 998
/** Characters of one encoded word (RFC 2047 §2). */
const ENCODED_WORD_MAX = 75
/** Fields that a mail of the product has exactly once. */
const REQUIRED = [
  'date',
  'from',
  'to',
  'message-id',
  'subject',
  'mime-version',
  'content-type',
  'auto-submitted',
]
const ONCE_AT_MOST = ['reply-to', 'sender', 'cc', 'bcc']
const DATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) \d\d:\d\d:\d\d [+-]\d{4}$/
const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+"
const DOT_ATOM = `${ATOM}(\\.${ATOM})*`
const MESSAGE_ID = new RegExp(`^<${DOT_ATOM}@${DOT_ATOM}>$`)
const QUOTED = '"([^"\\\\\\r\\n]|\\\\.)*"'
const WORD = `(${ATOM}|${QUOTED})`
/** One mailbox, alone or after a phrase of atoms, quoted strings and encoded words. */
const MAILBOX = new RegExp(`^(${DOT_ATOM}@${DOT_ATOM}|(${WORD}( ${WORD})* )?<${DOT_ATOM}@${DOT_ATOM}>)$`)
const ENCODED_WORD = /=\?([\w-]+)\?([QB])\?([!->@-~]*)\?=/gi

/** The unfolded fields of a header by lower-case name, and the problems of its lines. */
export function readHeader(source: Buffer): { fields: Map<string, string[]>; problems: string[] } {
  const problems: string[] = []
  const text = source.toString('latin1')
  const header = text.slice(0, text.indexOf('\r\n\r\n'))
  if (/\r(?!\n)|(?<!\r)\n/.test(text)) problems.push('a bare CR or LF')
  if (text.split('\r\n').some((line) => line.length > LINE_MAX)) problems.push('a line of over 998 octets')
  // oxlint-disable-next-line no-control-regex
  if (/[^\t\r\n\x20-\x7e]/.test(header)) problems.push('an octet in the header that is no printable ASCII')
  const fields = new Map<string, string[]>()
  for (const line of header.replace(/\r\n(?=[ \t]+[^ \t\r])/g, '').split('\r\n')) {
    const field = /^([!-9;-~]+): ?(.*)$/.exec(line)
    if (!field) problems.push(`no field: ${line}`)
    else fields.set(field[1]!.toLowerCase(), [...(fields.get(field[1]!.toLowerCase()) ?? []), field[2]!])
  }
  return { fields, problems }
}

const octetsOf = (encoding: string, content: string): Buffer =>
  encoding.toUpperCase() === 'B'
    ? Buffer.from(content, 'base64')
    : Buffer.from(
        content
          .replaceAll('_', ' ')
          .replace(/=([\dA-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      )

function encodedWordProblems(name: string, value: string): string[] {
  const problems: string[] = []
  for (const [word, charset, encoding, content] of value.matchAll(ENCODED_WORD)) {
    if (word.length > ENCODED_WORD_MAX) problems.push(`${name}: an encoded word of ${word.length} characters`)
    try {
      new TextDecoder(charset, { fatal: true }).decode(octetsOf(encoding!, content!))
    } catch {
      problems.push(`${name}: an encoded word that is no whole text: ${word}`)
    }
  }
  // Readers show invalid encoded words literally.
  const rest = value.replace(/(?<=^|[ "(])=\?[\w-]+\?[QB]\?[!->@-~]*\?=(?=$|[ ")])/gi, '')
  if (rest.includes('=?')) problems.push(`${name}: a broken encoded word: ${value}`)
  return problems
}

const dateProblem = (value: string): string | null => {
  const [, day] = DATE.exec(value) ?? []
  if (day === undefined) return `date: ${value}`
  // The weekday of the date in its own time zone.
  const local = new Date(`${value.replace(/[+-]\d{4}$/, '')}+0000`)
  return local.toUTCString().startsWith(day) ? null : `date: another weekday: ${value}`
}

/** Violations of RFC 5322 and RFC 2047 in a mail of the product. */
export function mailProblems(source: Buffer): string[] {
  const { fields, problems } = readHeader(source)
  const only = (name: string) => fields.get(name)?.[0] ?? ''
  for (const name of REQUIRED)
    if (fields.get(name)?.length !== 1) problems.push(`${name}: ${fields.get(name)?.length ?? 0} times`)
  for (const name of ONCE_AT_MOST) if ((fields.get(name)?.length ?? 0) > 1) problems.push(`${name}: twice`)
  const wrongDate = dateProblem(only('date'))
  if (wrongDate) problems.push(wrongDate)
  if (!MESSAGE_ID.test(only('message-id'))) problems.push(`message-id: ${only('message-id')}`)
  for (const name of ['from', 'to', 'reply-to'])
    if (fields.has(name) && !MAILBOX.test(only(name))) problems.push(`${name}: ${only(name)}`)
  for (const [name, values] of fields)
    for (const value of values) problems.push(...encodedWordProblems(name, value))
  return problems
}
