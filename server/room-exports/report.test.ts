import { describe, expect, test } from 'vitest'

import { htmlEnd, htmlHeading, htmlOf, LINE_LENGTH, LINES_PER_PAGE, TextPages } from './report.ts'
import type { ExportedMessage } from './store.ts'

const AT = '2026-03-01T10:00:00.000Z'
const heading = { room: 'War room', since: AT, until: AT, statement: 'Privileged & confidential.' }
const message = (sequence: number, plain: string): ExportedMessage => ({
  id: `message ${sequence}`,
  number: String(sequence),
  thread_id: null,
  first_timestamp: null,
  html: `<p>${plain}</p>`,
  plain,
  author: {
    uuid: 'ana',
    email: 'ana@muster.example',
    firstName: 'Ana',
    lastName: 'Lima',
    department: null,
    role: 'USER',
    type: 'INTERNAL',
    active: true,
    profileImageUrl: null,
  },
  create_timestamp: AT,
  edited_timestamp: null,
  deleted_timestamp: null,
  mentioned: [],
  files: [],
})

function pagesOf(messages: readonly ExportedMessage[], statement: string | null = heading.statement) {
  const pages = new TextPages({ ...heading, statement })
  const text = pages.heading() + messages.map((one) => pages.message(one)).join('')
  return text.split('\f').map((page) => page.replace(/\r\n$/, '').split('\r\n'))
}

describe('every page of the text', () => {
  test('begins with the statement and is no longer than a sheet, however long a message is', () => {
    const long = Array.from({ length: 200 }, (_, n) => `Line ${n}`).join('\n')
    const pages = pagesOf([message(1, 'Short'), message(2, long), message(3, 'word '.repeat(2_000))])
    expect(pages.length).toBeGreaterThan(5)
    for (const page of pages) {
      expect(page[0]).toBe(heading.statement)
      expect(page.length).toBeLessThanOrEqual(LINES_PER_PAGE)
      for (const line of page) expect(Array.from(line).length).toBeLessThanOrEqual(LINE_LENGTH)
    }
    const lines = pages.flat()
    for (let n = 0; n < 200; n += 1) expect(lines).toContain(`  Line ${n}`)
  })

  test('has room for the text below a statement of several lines', () => {
    const pages = pagesOf([message(1, 'word '.repeat(2_000))], 'Privileged. '.repeat(30))
    for (const page of pages) {
      expect(page[0]).toMatch(/^Privileged\. Privileged\./)
      expect(page.length).toBeLessThanOrEqual(LINES_PER_PAGE)
    }
  })

  test('is one page with whole lines where nothing is privileged', () => {
    const pages = pagesOf([message(1, 'word '.repeat(2_000))], null)
    expect(pages).toHaveLength(1)
    expect(pages[0]).toContain(`  ${'word '.repeat(2_000)}`)
  })
})

describe('the page for browsers', () => {
  const page = (statement: string | null) => {
    const html =
      htmlHeading({ ...heading, statement }) +
      htmlOf(message(1, 'Hello')) +
      htmlEnd({ ...heading, statement })
    return html
  }

  test('repeats the statement as the head of a table around everything else, which covers nothing', () => {
    const html = page(heading.statement)
    expect(html).toMatch(
      /<body>\n<table role="presentation"><thead><tr><th><p class="statement">Privileged &amp; confidential\.<\/p><\/th><\/tr><\/thead><tbody><tr><td>\n<h1>/,
    )
    expect(html).toMatch(/<\/article>\n<\/td><\/tr><\/tbody><\/table>\n<\/body><\/html>\n$/)
    expect(html).toContain('thead{display:table-header-group')
    expect(html).not.toContain('position:fixed')
  })

  test('has no table where nothing is privileged', () => {
    expect(page(null)).not.toContain('<table')
  })
})
