import { Suspense } from 'react'

import { lazy } from '../browser/lazy.ts'
import { PlainText } from './PlainText.tsx'

const RichTextView = lazy(async () => ({ default: (await import('./RichTextView.tsx')).RichTextView }))
/** Pixels of a row of rich text. */
const ROW = 24

interface Props {
  text: string
  /** The same text as HTML sanitised by the server; null for plain text. */
  html: string | null
  /** Visible rows before the text is folded; all by default. */
  rows?: number
}

/** A text with its formatting. Plain text stands in until the view of rich text is loaded. */
export function FormattedText({ text, html, ...folding }: Props) {
  const plain = <PlainText text={text} {...folding} />
  if (html === null) return plain
  const { rows } = folding
  return (
    <Suspense fallback={plain}>
      <RichTextView html={html} {...(rows !== undefined && { foldAt: rows * ROW })} />
    </Suspense>
  )
}
