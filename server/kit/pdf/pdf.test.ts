import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, test } from 'vitest'

import { type PdfDocument, renderPdf } from './pdf.ts'
import { isRightToLeft } from './direction.ts'
import { BOX, breakUnspaced, lettersOf, orderLine } from './fonts.ts'
import { definitionOf } from './page.ts'
import { readRichText, sanitise } from '../core/rich-text.ts'

const DOCUMENT: PdfDocument = {
  title: 'A title',
  author: 'Somebody',
  header: ['Left', 'Right'],
  footer: 'Foot',
  createTimestamp: '2031-05-04T10:00:00.000Z',
  blocks: [{ kind: 'title', over: 'OVER', text: 'A title' }],
}
const line = (text: string) => [{ runs: [{ text }] }]

describe('letters', () => {
  const cut = (text: string, missing: string[] = []) => {
    const pieces = lettersOf(text, 'Text', (character) => missing.push(character))
    return pieces.map((piece) => `${piece.font}:${piece.text}`)
  }
  it.each([
    ['Søren Ångström, Ελλάδα, Київ, Tiếng Việt', ['Text:Søren Ångström, Ελλάδα, Київ, Tiếng Việt']],
    ['a → b ✓', ['Text:a ', 'Wide:→', 'Text: b ', 'Wide:✓']],
    ['שלום (א)', ['Wide:שלום (א)']],
    ['ב-12:30 א', ['Wide:ב-', 'Wide:12:30', 'Wide: א']],
    ['e\u0301', ['Text:é']],
    ['a\u0000\u202eb\ufe0f', ['Text:ab']],
    ['a\tb', ['Text:a    b']],
  ])('%s', (text, pieces) => expect(cut(text)).toEqual(pieces))

  it('stand as boxes where no font has them, and that is told', () => {
    const missing: string[] = []
    expect(cut('a 𠮷 b', missing)).toEqual(['Text:a ', `Wide:${BOX}`, 'Text: b'])
    expect(missing).toEqual(['𠮷'])
    const { content } = definitionOf({ ...DOCUMENT, blocks: [{ kind: 'note', text: '𠮷' }] })
    expect(JSON.stringify(content)).toContain('U+20BB7')
  })

  it.each(['王小明', 'さくら カナ', '김민준', 'สมชาย', 'अनिता', 'মিতা', 'குமார்', 'አበበ', 'ខ្មែរ', '🚨🔥'])(
    'of %s are set, not boxed',
    (name) => {
      const missing: string[] = []
      expect(cut(name, missing).join('')).not.toContain(BOX)
      expect(missing).toEqual([])
    },
  )

  it.each([
    ['Devanagari', 'अनिता श्री'],
    ['Bengali', 'মিতা বন্দ্যোপাধ্যায়'],
    ['Gujarati', 'કિશોર'],
    ['Gurmukhi', 'ਸ੍ਰੀ ਕਿਸ਼ੋਰ'],
    ['Kannada', 'ಕ್ಷಮಾ'],
    ['Malayalam', 'കൊല്ലം'],
    ['Oriya', 'କ୍ଷମା'],
    ['Tamil', 'குமார்'],
    ['Telugu', 'కృష్ణ'],
    ['Sinhala', 'ශ්‍රී'],
    ['Thai', 'สมชาย'],
    ['Lao', 'ສົມຊາຍ'],
    ['Khmer', 'ខ្មែរ ស្រីស្រស់'],
  ])('of %s are joined by its own typeface', async (font, name) => {
    expect(cut(name).every((piece) => piece.startsWith(`${font}:`) || piece === 'Text: ')).toBe(true)
    const pdf = await renderPdf({ ...DOCUMENT, blocks: [{ kind: 'title', over: '', text: name }] })
    expect(pdf.toString('latin1')).toMatch(/NotoSans\w*-Bold/)
  })

  it('keeps signs with their letters, and other signs in the font of the text', () =>
    expect(cut('राम। 12, ক্‍ষ')).toEqual(['Devanagari:राम।', 'Text: 12, ', 'Bengali:ক্‍ষ']))

  it('sets a tone above the circle of its vowel', () =>
    expect(cut('น้ำ ນ້ຳ')).toEqual(['Thai:น\u0e4d\u0e49\u0e32', 'Text: ', 'Lao:ນ\u0ecd\u0ec9\u0eb2']))

  it('break between words where a script has no spaces', () =>
    expect(breakUnspaced([{ text: 'กรุงเทพมหานครวันจันทร์', lineEnd: true }, { text: 'a b' }])).toEqual([
      { text: 'กรุงเทพมหานคร' },
      { text: 'วัน' },
      { text: 'จันทร์', lineEnd: true },
      { text: 'a b' },
    ]))

  test('of the whole world are drawn', async () => {
    const blocks = [{ kind: 'note', text: '王小明 さくら 김민준 สมชาย अनिता 🚨' } as const]
    const pdf = await renderPdf({ ...DOCUMENT, blocks })
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    // A subset of glyphs, not the whole typeface.
    expect(pdf.length).toBeLessThan(200_000)
  })

  it.each([
    ['שלום world', true],
    ['12 שלום', true],
    ['hello שלום', false],
    ['12', false],
  ])('%s begins from the right: %s', (text, right) => expect(isRightToLeft(text)).toBe(right))
})

describe('the order of words in a line', () => {
  const order = (alignment: string, ...words: string[]) => {
    let x = 0
    const inlines = words.map((text) => {
      const inline = { text, width: text.length, trailingCut: text.endsWith(' ') ? 1 : 0, alignment, x }
      x += text.length
      return inline
    })
    orderLine({ inlines, trailingCut: inlines.at(-1)!.trailingCut })
    return inlines.toSorted((a, b) => a.x - b.x).map(({ text }) => text.trim())
  }
  it.each([
    ['left', ['one ', 'two ', 'three'], ['one', 'two', 'three']],
    ['left', ['one ', 'א ', 'ב ', 'two'], ['one', 'ב', 'א', 'two']],
    ['right', ['א ', 'ב ', 'ג'], ['ג', 'ב', 'א']],
    ['right', ['א ', 'one ', 'two ', 'ב'], ['ב', 'one', 'two', 'א']],
    ['right', ['א ', '12 ', 'ב'], ['ב', '12', 'א']],
  ])('%s: %j', (alignment, read, set) => expect(order(alignment, ...read)).toEqual(set))

  it('turns brackets with their words', () => expect(order('right', '(א)')).toEqual([')א(']))
})

test('what a document says is never taken for a file or an address to read', async () => {
  const pdf = await renderPdf({
    ...DOCUMENT,
    blocks: [{ kind: 'note', text: 'https://127.0.0.1:1/x.png file:///etc/passwd /etc/passwd' }],
  })
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
})

test('a document that cannot be drawn fails, and the next one does not', async () => {
  await expect(
    renderPdf({ ...DOCUMENT, createTimestamp: null as never, blocks: null as never }),
  ).rejects.toThrow()
  expect((await renderPdf(DOCUMENT)).length).toBeGreaterThan(1_000)
})

const canReadPdf = spawnSync('pdftotext', ['-v']).error === undefined
describe.skipIf(!canReadPdf)('a long document', () => {
  const words = 'xylophone '.repeat(400)
  const rows = Array.from({ length: 120 }, (_, n) => [line(`row${n}`), line(`a & <b> ${'long'.repeat(40)}`)])
  const blocks: PdfDocument['blocks'] = [
    { kind: 'table', columns: [{ title: 'Number', width: 50 }, { title: 'Text' }], rows },
    {
      kind: 'table',
      columns: [{ title: 'Narrow', width: 60 }, { title: 'Other' }],
      rows: [[line(words), line('y')]],
    },
  ]

  it('loses nothing on its way over pages, and says on each what it is', async () => {
    const pages = pagesOf(await renderPdf({ ...DOCUMENT, band: 'EXERCISE', blocks }))
    expect(pages.length).toBeGreaterThan(5)
    pages.forEach((page, n) => {
      expect(page).toContain('EXERCISE')
      expect(page).toContain(`Page ${n + 1} of ${pages.length}`)
      expect(page).toMatch(/Left/)
    })
    const text = pages.join('\n')
    const found = [...text.matchAll(/\brow(\d+)/g)].map((match) => Number(match[1]))
    expect(found).toEqual(rows.map((_, n) => n))
    expect(text.match(/xylophone/g)).toHaveLength(400)
    expect(text.match(/a & <b>/g)).toHaveLength(120)
  })
})

describe.skipIf(!canReadPdf)('rich text', () => {
  const rich = (html: string): PdfDocument => ({
    ...DOCUMENT,
    blocks: [{ kind: 'rich', blocks: readRichText(sanitise(html)) }],
  })
  it('has tables with their cells apart, also in one with more columns than a page', async () => {
    const wide = Array.from({ length: 20 }, (_, n) => `<td>c${n}</td>`).join('')
    const [page = ''] = pagesOf(
      await renderPdf(
        rich(
          `<table><tr><th>Name</th><th>Phone</th></tr><tr><td>Ann</td><td>12</td></tr></table><table><tr>${wide}</tr></table>`,
        ),
      ),
    )
    expect(page).toMatch(/Name\s+Phone\s+Ann\s+12/)
    expect(page.replace(/\s+/g, ' ')).toContain('c0 | c1 | c2')
  })

  it('has each paragraph, heading, item and quotation on the side on which it begins', () => {
    const { content } = definitionOf(
      rich('<p>one</p><p>אחת</p><h2>אחת</h2><ul><li>אחת</li></ul><blockquote><p>אחת</p></blockquote>'),
    )
    const drawn = (content as object[]).map((one) => JSON.stringify(one).includes('"alignment":"right"'))
    expect(drawn).toEqual([false, true, true, true, true])
  })
})

describe.skipIf(!canReadPdf)('a heading', () => {
  const columns = [{ title: 'Number', width: 50 }, { title: 'Text' }]
  const kinds: ((n: number) => PdfDocument['blocks'][number])[] = [
    (n) => ({ kind: 'note', text: `first of section${n}` }),
    (n) => ({
      kind: 'table',
      columns,
      rows: Array.from({ length: 1 + (n % 5) }, (_, row) => [
        line(String(row)),
        line(`${row === 0 ? `first of section${n} ` : ''}${'word '.repeat((n * 53) % 150)}`),
      ]),
    }),
    (n) => ({
      kind: 'rich',
      blocks: readRichText(`<p>first of section${n} ${'word '.repeat((n * 37) % 220)}</p><p>And more.</p>`),
    }),
    (n) => ({
      kind: 'rich',
      blocks: readRichText(`<h2>inner${n}</h2><p>first of section${n} ${'word '.repeat((n * 17) % 90)}</p>`),
    }),
    (n) => ({ kind: 'facts', rows: [['Severity', `first of section${n}`]] }),
  ]

  it('never stands alone at the foot of a page, whatever follows it and wherever a page ends', async () => {
    const sections = 150
    const blocks = Array.from({ length: sections }, (_, n) => [
      { kind: 'heading', text: `section${n}` } as const,
      kinds[n % kinds.length]!(n),
    ]).flat()
    const pages = pagesOf(await renderPdf({ ...DOCUMENT, blocks }))
    expect(pages.length).toBeGreaterThan(20)
    const pageOf = (words: RegExp) => pages.findIndex((page) => words.test(page))
    const apart = Array.from({ length: sections }, (_, n) => ({
      section: n,
      heading: pageOf(new RegExp(`^section${n}$`, 'm')),
      inner: kinds[n % kinds.length] === kinds[3] ? pageOf(new RegExp(`^inner${n}$`, 'm')) : undefined,
      content: pageOf(new RegExp(`first of section${n}\\b`, 'm')),
    })).filter(
      ({ heading, inner, content }) => heading < 0 || heading !== content || (inner ?? heading) !== heading,
    )
    expect(apart).toEqual([])
  })
})

describe('a paragraph in a cell', () => {
  it('is set from the side on which it begins, beside others', () => {
    const cell = [{ runs: [{ text: 'one\n\u05d0\u05d7\u05ea\n\ntwo', bold: true }] }]
    const { content } = definitionOf({
      ...DOCUMENT,
      blocks: [{ kind: 'table', columns: [{ title: 'Text' }], rows: [[cell]] }],
    })
    const [{ table }] = content as unknown as [{ table: { body: { stack: object[] }[][] } }]
    const drawn = table.body[1]![0]!.stack.map((one) => JSON.stringify(one).includes('"alignment":"right"'))
    expect(drawn).toEqual([false, true, false, false])
  })
})

describe.skipIf(!canReadPdf)('steps', () => {
  it('keep their heading on the page of the first of them, wherever a page ends', async () => {
    const steps = (heading: string, count: number, text: string): PdfDocument['blocks'][number] => ({
      kind: 'steps',
      heading,
      steps: Array.from({ length: count }, (_, n) => ({
        marker: `${n + 1}.`,
        lines: [
          { runs: [{ text: `first of ${heading}`.slice(n === 0 ? 0 : 99) || 'later' }] },
          { runs: [{ text }] },
        ],
      })),
    })
    const blocks = Array.from({ length: 60 }, (_, n) =>
      steps(`section${n}`, 1 + (n % 7), n % 11 === 0 ? 'long '.repeat(900) : 'word '.repeat((n * 37) % 200)),
    )
    const pages = pagesOf(await renderPdf({ ...DOCUMENT, blocks }))
    const pageOf = (words: RegExp) => pages.findIndex((page) => words.test(page))
    for (let n = 0; n < blocks.length; n += 1) {
      const heading = pageOf(new RegExp(`^section${n}$`, 'm'))
      expect([n, heading]).toEqual([n, pageOf(new RegExp(`first of section${n}$`, 'm'))])
      expect(heading).toBeGreaterThanOrEqual(0)
    }
  })
})

function pagesOf(pdf: Buffer): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'muster-pdf-'))
  try {
    writeFileSync(join(folder, 'a.pdf'), pdf)
    const text = execFileSync('pdftotext', ['-raw', join(folder, 'a.pdf'), '-'], { encoding: 'utf8' })
    return text.split('\f').slice(0, -1)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
