import { previewLabel, previewOf } from '#contract/incidents/rules.ts'
import type { ListedIncident } from '#contract/incidents/schema.ts'

/** What a card says of an incident: its text without headings, which the template gives to all alike. */
export function cardText({
  fullText,
  previewText,
}: Pick<ListedIncident, 'fullText' | 'previewText'>): string {
  const { body } = new DOMParser().parseFromString(fullText, 'text/html')
  for (const heading of body.querySelectorAll('h1, h2, h3')) heading.remove()
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const words: string[] = []
  while (texts.nextNode()) words.push(texts.currentNode.textContent ?? '')
  return previewLabel(previewOf(words.join(' ')) || previewText)
}
