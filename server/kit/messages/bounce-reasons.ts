/** Reasons by the enhanced status codes of RFC 3463, in words for whoever has to reach the person in another way. */
const REASONS: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^5\.1\.1$/, 'This mailbox does not exist.'],
  [/^5\.1\.2$/, 'The domain of this address does not exist.'],
  [/^5\.1\.10$/, 'The domain of this address takes no mail.'],
  [/^5\.2\.1$/, 'This mailbox was closed.'],
  [/^[45]\.2\.2$/, 'The mailbox is full.'],
  [/^5\.(2\.3|3\.4)$/, 'The message is too large for this mailbox.'],
  [/^[45]\.7\./, "The recipient's mail server refuses such messages by its rules."],
  [/^4\.|^5\.4\./, "The recipient's mail server could not be reached in time."],
]
/** The reason of a mail that came back, as a sentence. */
export function bounceReason(code: string | null): string {
  const said = REASONS.find(([known]) => code !== null && known.test(code))?.[1] ?? 'The mail came back.'
  return code === null ? said : `${said} (${code})`
}
