import { expect, test } from 'vitest'

import { emailMessage, plainTextEmail } from './email-messages.ts'

const TURNED = 'plan \u202eB\u2066'

test('a name does not turn the sentence around it', () => {
  const { subject, text, html } = emailMessage({
    subject: `${TURNED}: review`,
    before: [`Please read ${TURNED} again`],
    after: [`${TURNED} is yours.`],
  })
  expect(subject).toBe('plan B: review')
  expect(text).toBe('Please read plan B again\n\nplan B is yours.')
  expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
})

test('a text that a person wrote keeps its marks, which end with its lines', () => {
  const { subject, text } = plainTextEmail(TURNED, TURNED, TURNED)
  expect([subject, text]).toEqual(['plan B', `${TURNED}\n\n-- \nplan B`])
})
