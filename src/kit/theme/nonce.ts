/** Nonce of the content security policy for style elements of libraries; the server writes it into the page. */
export const nonce: string | undefined =
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content || undefined
