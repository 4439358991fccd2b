/** Escaped HTML. All other interpolated values are escaped. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
export type { Html }

type Part = Html | string | number | null | undefined | false | readonly Part[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
function escapedText(part: Part): string {
  if (part instanceof Html) return part.text
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'object') return part.map(escapedText).join('')
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character]!)
}

/** An HTML template; interpolated values are escaped unless they are `Html`. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.map((text, index) => text + escapedText(parts[index])).join(''))

/** HTML that the server has sanitised before, such as a stored rich text. */
export const sanitised = (stored: string): Html => new Html(stored)

export interface Page {
  readonly title: string
  readonly navigation?: Html
  readonly main: Html
}

/** A whole page without scripts, in the product's design, for pages of the server itself. */
export const htmlPage = ({ title, navigation, main }: Page): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#FFFFFF" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#171C24" media="(prefers-color-scheme: dark)" />
        <title>${title}</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/docs/page.css" />
      </head>
      <body>
        <a class="skip" href="#main">Skip to the text</a>
        <header class="top"><span class="brand">Muster</span><span>${title}</span></header>
        <div class="columns">
          ${navigation}
          <main id="main" tabindex="-1">${main}</main>
        </div>
      </body>
    </html>`.text
