import type { Severity } from '#contract/incidents/schema.ts'

import { type DeclarationSource, SEVERITY_WORDS } from './schema.ts'

type Words = Pick<DeclarationSource, (typeof SEVERITY_WORDS)[number][1] | 'defaultSeverity'>

/** The severity that a source means by a word, the most severe where several have it. Case does not count. */
export function severityOf(source: Words, word: string | undefined): Severity {
  const said = word?.trim().toLowerCase()
  const named = SEVERITY_WORDS.find(([, field]) =>
    source[field].split(',').some((one) => said !== undefined && one.trim().toLowerCase() === said),
  )
  return said ? (named?.[0] ?? source.defaultSeverity) : source.defaultSeverity
}
