import { previewLabel, previewOf } from '#contract/incidents/rules.ts'
import type { ListedIncident } from '#contract/incidents/schema.ts'

/** Text of a card: the description without headings, which come from the template. */
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
