/** Text within HTML. */
export const escapedText = (text: string): string =>
  text.replace(/[&<>]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[one]!)

/** Plain text as rich text: an empty line divides paragraphs. */
export const paragraphsOf = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escapedText(paragraph).replaceAll('\n', '<br />')}</p>`)
    .join('')
