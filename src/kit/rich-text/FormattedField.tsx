import { LONG_TEXT_MAX } from '#contract/kit/text.ts'
import { paragraphsOf } from '#contract/kit/paragraphs.ts'

import { wordsOf } from './prose.ts'
import { RichText } from './RichText.tsx'

export interface Props {
  label: string
  /** Plain text of the description, which the editor begins with where there is no rich text. */
  value: string
  /** Rich text of the description; null for none. */
  html: string | null
  /** Called with the changed rich text and its words. */
  onChange: (html: string | null, words: string) => void
  error?: string | undefined
  required?: boolean
  autoFocus: boolean
}

/** The editor of a formatted description. */
export function FormattedField({ value, html, onChange, ...field }: Props) {
  return (
    <RichText
      {...field}
      value={html ?? paragraphsOf(value)}
      onChange={(next) => onChange(next === '' ? null : next, wordsOf(next))}
      maxLength={LONG_TEXT_MAX}
      minHeight={112}
    />
  )
}
