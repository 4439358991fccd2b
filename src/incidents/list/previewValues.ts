import { previewLabel, previewOf } from '#contract/incidents/rules.ts'
import type { ListedIncident } from '#contract/incidents/schema.ts'

const HEADINGS = /<h([1-6])\b[^>]*>[\s\S]*?<\/h\1>/g

/** What a card says of an incident: its text without headings, which the template gives to all alike. */
export function cardText({
  fullText,
  previewText,
}: Pick<ListedIncident, 'fullText' | 'previewText'>): string {
  const markup = fullText.replace(HEADINGS, ' ').replace(/<[^>]*>/g, ' ')
  const words = new DOMParser().parseFromString(markup, 'text/html').body.textContent
  return previewLabel(previewOf(words) || previewText)
}
