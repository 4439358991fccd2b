/** The one-time word that lets this page's libraries add style elements; the server writes it into the page. */
export const nonce: string | undefined =
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content || undefined
