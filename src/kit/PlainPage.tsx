import './plain.css'

import { type ReactNode, useEffect } from 'react'

import { Logo } from './Logo.tsx'

interface Props {
  /** For the browser's tab. */
  title: string
  product: string
  children: ReactNode
}

/** One calm card in the middle of the page: what stands there without the application around it. */
export function PlainPage({ title, product, children }: Props) {
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
  return (
    <main className="plain">
      <div className="plain-brand">
        <Logo size={40} />
        <span>{product}</span>
      </div>
      <div className="plain-card">{children}</div>
    </main>
  )
}
