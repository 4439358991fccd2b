import type { Attachment } from 'mailparser'

/** Fields of a report for one recipient (RFC 3464 §2.3). */
export interface BouncedRecipient {
  /** Addresses in lower case: the final one, and the original one if it is named. */
  readonly addresses: readonly string[]
  readonly action: string
  /** Enhanced status code; empty for none. */
  readonly status: string
}
/** A report about a mail that came back. */
export interface Bounce {
  readonly recipients: readonly BouncedRecipient[]
  /** Ids of the mail that the report is about, as far as it names any. */
  readonly messageIds: readonly string[]
}

const STATUS_MAX = 64 * 1_024
const RECIPIENTS_MAX = 100
const IDS_MAX = 50

type Fields = ReadonlyMap<string, string>
/** Header fields of a text up to its first empty line, unfolded, by lower-case name; the first of each name counts. */
function fieldsOf(lines: readonly string[]): Fields {
  const fields = new Map<string, string>()
  let name = ''
  for (const line of lines) {
    if (/^[ \t]/.test(line)) {
      const before = fields.get(name)
      if (before !== undefined && before.length < 4_000) fields.set(name, `${before} ${line.trim()}`)
      continue
    }
    const colon = line.indexOf(':')
    name = colon > 0 ? line.slice(0, colon).toLowerCase() : ''
    if (colon > 0 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim())
  }
  return fields
}

/** Blocks of header fields, which empty lines separate. */
function blocksOf(text: string): Fields[] {
  const blocks: string[][] = [[]]
  for (const line of text.slice(0, STATUS_MAX).split(/\r?\n/))
    if (line.trim() === '') blocks.push([])
    else blocks.at(-1)!.push(line)
  return blocks.filter((lines) => lines.length > 0).map(fieldsOf)
}

/** The address of a field such as `rfc822; <ana@example.org>`. */
const addressOf = (field: string | undefined): string =>
  (field ?? '')
    .slice((field ?? '').indexOf(';') + 1)
    .trim()
    .replace(/^<|>$/g, '')
    .toLowerCase()

const ENHANCED = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])/
/** The status code; that of the remote server where the reporting one names only its class. */
function statusOf(fields: Fields): string {
  const status = ENHANCED.exec(fields.get('status') ?? '')?.[1] ?? ''
  if (!/^(|[245]\.0\.0)$/.test(status)) return status
  return ENHANCED.exec(fields.get('diagnostic-code') ?? '')?.[1] ?? status
}

function recipientOf(fields: Fields): BouncedRecipient | null {
  const addresses = ['final-recipient', 'original-recipient'].map((name) => addressOf(fields.get(name)))
  const action = (fields.get('action') ?? '').toLowerCase()
  if (!addresses[0] || action === '') return null
  return { addresses: addresses.filter(Boolean), action, status: statusOf(fields) }
}

const idsIn = (text: string | undefined): string[] =>
  [...(text ?? '').matchAll(/<([^<>\s]{1,250})>/g)].map(([, id]) => id!)

/** Headers of the mail that came back. */
function returnedHeaders({ content }: Attachment): Fields {
  const text = content.subarray(0, STATUS_MAX).toString('latin1')
  return blocksOf(text)[0] ?? new Map()
}

/**
 * Reads a report about an undelivered mail (RFC 3464, 6522). Null for a mail that is none.
 * @throws Error for a mail that cannot be read
 */
export async function readBounce(source: Buffer): Promise<Bounce | null> {
  const { simpleParser } = await import('mailparser')
  const mail = await simpleParser(source, {
    keepDeliveryStatus: true,
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipImageLinks: true,
    skipTextLinks: true,
  })
  const report = mail.attachments.find(({ contentType }) =>
    /^message\/(global-)?delivery-status$/.test(contentType),
  )
  if (!report) return null
  const blocks = blocksOf(report.content.subarray(0, STATUS_MAX).toString('utf8'))
  const recipients = blocks
    .slice(0, RECIPIENTS_MAX)
    .map(recipientOf)
    .filter((one) => one !== null)
  const returned = mail.attachments
    .filter(({ contentType }) =>
      ['message/rfc822', 'message/global', 'text/rfc822-headers'].includes(contentType),
    )
    .map(returnedHeaders)
  const named = [
    ...returned.map((fields) => fields.get('message-id')),
    ...blocks.flatMap((fields) => [fields.get('original-message-id'), fields.get('x-original-message-id')]),
    mail.inReplyTo,
    ...[mail.references ?? []].flat(),
  ]
  return { recipients, messageIds: [...new Set(named.flatMap(idsIn))].slice(0, IDS_MAX) }
}
