import './plain.css'

import { type ReactNode, useEffect } from 'react'

import { Logo } from './Logo.tsx'

interface Props {
  /** For the browser's tab. */
  title: string
  product: string
  /** Below the card. */
  foot?: ReactNode
  /** For pages to read rather than to fill in. */
  wide?: boolean
  children: ReactNode
}

/** One calm card in the middle of the page: what stands there without the application around it. */
export function PlainPage({ title, product, foot, wide = false, children }: Props) {
  useEffect(() => {
    const before = document.title
    document.title = `${title} · ${product}`
    // A page that only stood in for another gives its title back.
    return () => {
      document.title = before
    }
  }, [title, product])
  return (
    <main className="plain" data-wide={wide}>
      <div className="plain-brand">
        <Logo size={40} />
        <span>{product}</span>
      </div>
      <div className="plain-card">{children}</div>
      {foot}
    </main>
  )
}
