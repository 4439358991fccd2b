/** A mail without its recipient. */
export interface EmailMessage {
  readonly subject: string
  readonly text: string
  readonly html: string
}
/** What a letter says: paragraphs, with at most one link among them. */
export interface Draft {
  readonly subject: string
  readonly before: readonly string[]
  readonly link?: { readonly href: string; readonly label: string }
  readonly after?: readonly string[]
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
const paragraphs = (lines: readonly string[]): string[] => lines.map((line) => `<p>${escaped(line)}</p>`)

/** A letter in both of its forms, of which the plain one carries everything too. */
export const emailMessage = ({ subject, before, link, after = [] }: Draft): EmailMessage => ({
  subject,
  text: [...before, ...(link ? [link.href] : []), ...after].join('\n\n'),
  html: [
    ...paragraphs(before),
    ...(link ? [`<p><a href="${escaped(link.href)}">${escaped(link.label)}</a></p>`] : []),
    ...paragraphs(after),
  ].join('\n'),
})

/** Words that somebody wrote, as a letter: the plain form is what they wrote, the other one keeps its lines. */
export const plainTextEmail = (subject: string, text: string): EmailMessage => ({
  subject,
  text,
  html: text
    .split(/(?:\r?\n){2,}/)
    .map((paragraph) => `<p>${escaped(paragraph).replace(/\r?\n/g, '<br>\n')}</p>`)
    .join('\n'),
})
