import { withoutDirectionMarks } from '#contract/kit/direction.ts'

/** An email without its recipient. */
export interface EmailMessage {
  readonly subject: string
  readonly text: string
  readonly html: string
}
/** Content of an email: paragraphs, with at most one link among them. */
export interface Draft {
  readonly subject: string
  readonly before: readonly string[]
  readonly link?: { readonly href: string; readonly label: string }
  readonly after?: readonly string[]
}

/** Text as HTML. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
/** A paragraph aligned by the direction of its text; its content is HTML. */
const paragraph = (content: string): string => `<p dir="auto">${content}</p>`
const paragraphs = (lines: readonly string[]): string[] => lines.map((line) => paragraph(escaped(line)))

/** Sentences with names that people typed. */
const sentences = (lines: readonly string[]): string[] => lines.map(withoutDirectionMarks)

/** An email with equivalent plain text and HTML. */
export const emailMessage = (draft: Draft): EmailMessage => {
  const [before, after] = [sentences(draft.before), sentences(draft.after ?? [])]
  const { link } = draft
  return {
    subject: withoutDirectionMarks(draft.subject),
    text: [...before, ...(link ? [link.href] : []), ...after].join('\n\n'),
    html: [
      ...paragraphs(before),
      ...(link ? [`<p><a href="${escaped(link.href)}">${escaped(link.label)}</a></p>`] : []),
      ...paragraphs(after),
    ].join('\n'),
  }
}

/**
 * A text that a person wrote as an email: unchanged as plain text, with its line breaks in HTML.
 * @param footer signature line below the text
 * @param link between the text and the signature
 */
export const plainTextEmail = (
  subject: string,
  text: string,
  footer: string,
  link?: Draft['link'],
): EmailMessage => ({
  subject: withoutDirectionMarks(subject),
  text: `${text}${link ? `\n\n${link.label} ${link.href}` : ''}\n\n-- \n${withoutDirectionMarks(footer)}`,
  html: [
    ...text.split(/(?:\r?\n){2,}/).map((lines) => paragraph(escaped(lines).replace(/\r?\n/g, '<br>\n'))),
    ...(link
      ? [
          `<p><strong>${escaped(link.label)}</strong> <a href="${escaped(link.href)}">${escaped(link.href)}</a></p>`,
        ]
      : []),
    `<hr>\n${paragraph(escaped(withoutDirectionMarks(footer)))}`,
  ].join('\n'),
})
