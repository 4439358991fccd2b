import { describe, expect, test } from 'vitest'

import { makeSecrets } from '../security/secrets.ts'
import { makeOwnLinks, OWN_LINK } from './own-links.ts'

const links = makeOwnLinks(makeSecrets(Buffer.alloc(32, 7)))
const message = (place: number | null, prefix: string | null = 'https://muster.example/answer/1-2') => ({
  notification_id: 'n1',
  recipient_place: place,
  recipient_name: null,
  link_prefix: prefix,
  text: `Fire\nAnswer: ${OWN_LINK}`,
  html: `<a href="${OWN_LINK}">${OWN_LINK}</a>`,
})

describe('the link of a recipient', () => {
  test('takes every place in text and HTML, and is equal in each attempt', () => {
    const first = links.fillIn('o1', message(40))
    expect(first.text).toMatch(/^Fire\nAnswer: https:\/\/muster\.example\/answer\/1-2-14-[0-9a-z]{13}$/)
    const link = first.text.slice('Fire\nAnswer: '.length)
    expect(first.html).toBe(`<a href="${link}">${link}</a>`)
    expect(links.fillIn('o1', message(40))).toEqual(first)
  })

  test('differs by organisation, notification, person and secret', () => {
    const others = makeOwnLinks(makeSecrets(Buffer.alloc(32, 8)))
    const signatures = [
      links.signature('o1', 'n1', 0),
      links.signature('o2', 'n1', 0),
      links.signature('o1', 'n2', 0),
      links.signature('o1', 'n1', 1),
      others.signature('o1', 'n1', 0),
    ]
    expect(new Set(signatures).size).toBe(5)
  })

  test.each([
    ['without a place', message(null)],
    ['without a prefix', message(3, null)],
  ])('is filled into no message %s', (_, plain) => {
    expect(links.fillIn('o1', plain)).toBe(plain)
  })
})
