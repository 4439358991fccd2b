import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, test } from 'vitest'

import { type PdfDocument, renderPdf } from './pdf.ts'
import { isRightToLeft } from './direction.ts'
import { BOX, visibleText } from './fonts.ts'
import { contentOf } from './page.ts'
import { readRichText, sanitise } from '../core/rich-text.ts'

const DOCUMENT: PdfDocument = {
  title: 'A title',
  author: 'Somebody',
  header: ['Left', 'Right'],
  footer: 'Foot',
  createTimestamp: '2031-05-04T10:00:00.000Z',
  blocks: [{ kind: 'title', over: 'OVER', text: 'A title' }],
}
const canReadPdf = spawnSync('pdftotext', ['-v']).error === undefined
const line = (text: string) => [{ runs: [{ text }] }]

describe('letters', () => {
  const visible = (text: string) => {
    const missing = new Set<string>()
    return [visibleText(text, missing), [...missing]]
  }
  it.each([
    ['Søren Ångström, Ελλάδα, Київ, Tiếng Việt', 'Søren Ångström, Ελλάδα, Київ, Tiếng Việt'],
    ['e\u0301', 'é'],
    ['a\u0000\u202eb\ufe0f', 'ab'],
    ['a\tb', 'a    b'],
    ['a\r\nb\rc', 'a\nb\nc'],
  ])('%s', (text, expected) => expect(visible(text)).toEqual([expected, []]))

  it('stand as boxes where no font has them, and that is told', () => {
    expect(visible('a 𠮷 b')).toEqual([`a ${BOX} b`, ['𠮷']])
    const { blocks } = contentOf({ ...DOCUMENT, blocks: [{ kind: 'note', text: '𠮷' }] })
    expect(JSON.stringify(blocks)).toContain('U+20BB7')
  })

  it.each(['王小明', 'さくら カナ', '김민준', 'አበበ', '🚨🔥', 'שלום', 'السلام'])(
    'of %s are set, not boxed',
    (name) => expect(visible(name)).toEqual([name, []]),
  )

  const SAMPLES = [
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
    ['Thai', 'สมชาย น้ำ'],
    ['Lao', 'ສົມຊາຍ ນ້ຳ'],
    ['Khmer', 'ខ្មែរ ស្រីស្រស់'],
    ['Myanmar', 'မြန်မာ'],
  ]
  it.skipIf(!canReadPdf)('of scripts with joined letters are set in typefaces of their own', async () => {
    for (const [, text] of SAMPLES) expect(visible(text!)).toEqual([text!.normalize('NFC'), []])
    const blocks = SAMPLES.map(([, text = '']) => ({ kind: 'title', over: '', text }) as const)
    const fonts = read('pdffonts', await renderPdf({ ...DOCUMENT, blocks }))
    expect(SAMPLES.filter(([font]) => !fonts.includes(`NotoSans${font}`))).toEqual([])
  })

  test('of the whole world are drawn, as a subset of each typeface', async () => {
    const blocks = [{ kind: 'note', text: '王小明 さくら 김민준 สมชาย अनिता 🚨' } as const]
    const pdf = await renderPdf({ ...DOCUMENT, blocks })
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    expect(pdf.length).toBeLessThan(200_000)
  })

  it.each([
    ['שלום world', true],
    ['12 שלום', true],
    ['hello שלום', false],
    ['12', false],
  ])('%s begins from the right: %s', (text, right) => expect(isRightToLeft(text)).toBe(right))
})

describe.skipIf(!canReadPdf)('the order of words in a line', () => {
  /** Words of the page from left to right, and the distance of the first one from the left edge. */
  const drawn = async (text: string) => {
    const html = read('pdftotext', await renderPdf({ ...DOCUMENT, blocks: [{ kind: 'note', text }] }), [
      '-bbox',
    ])
    const words = [...html.matchAll(/xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>([^<]+)</g)]
      .map(([, x, y, word]) => ({ x: Number(x), y: Number(y), word }))
      .filter(({ y }) => y > 60 && y < 700)
      .toSorted((a, b) => a.x - b.x)
    return { words: words.map(({ word }) => word), isLeft: words[0]!.x < 60 }
  }
  it.each([
    ['one two three', ['one', 'two', 'three'], true],
    ['one א ב two', ['one', 'ב', 'א', 'two'], true],
    ['א ב ג', ['ג', 'ב', 'א'], false],
    ['א one two ב', ['ב', 'one', 'two', 'א'], false],
    ['א 12 ב', ['ב', '12', 'א'], false],
  ])('%s', async (text, words, isLeft) => expect(await drawn(text)).toEqual({ words, isLeft }))
})

describe.skipIf(!canReadPdf)('a line', () => {
  it('breaks between words where a script has no spaces, and within a word wider than its column', async () => {
    const columns = [{ title: 'A', width: 75 }, { title: 'B' }]
    const rows = [
      [line('กรุงเทพมหานครวันจันทร์'), line('y')],
      [line('ab'.repeat(12)), line('z')],
    ]
    const [page = ''] = pagesOf(await renderPdf({ ...DOCUMENT, blocks: [{ kind: 'table', columns, rows }] }))
    expect(page).toMatch(/กรุงเทพมหานครวัน\s+จันทร์/)
    const parts = page.match(/[ab]{4,}/g) ?? []
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.join('')).toBe('ab'.repeat(12))
  })
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

describe.skipIf(!canReadPdf)('a long document', () => {
  const words = 'xylophone '.repeat(400)
  const rows = Array.from({ length: 120 }, (_, n) => [line(`row${n}`), line(`a & <b> ${'long'.repeat(40)}`)])
  const blocks: PdfDocument['blocks'] = [
    { kind: 'table', columns: [{ title: 'Number', width: 50 }, { title: 'Text' }], rows },
    {
      kind: 'table',
      columns: [{ title: 'Narrow', width: 60 }, { title: 'Other' }],
      rows: [
        [line(words), line('y')],
        [line('z'.repeat(350)), line('short\n'.repeat(150))],
      ],
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
    expect(text.match(/short/g)).toHaveLength(150)
    expect(text.match(/z/g)).toHaveLength(350)
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

  it('has each paragraph, heading, item and quotation on the side on which it begins', async () => {
    const html = '<p>one</p><p>אחת</p><h2>אחת</h2><ul><li>אחת</li></ul><blockquote><p>אחת</p></blockquote>'
    expect(await sidesOf(rich(html))).toEqual(['left', 'right', 'right', 'right', 'right'])
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

test.skipIf(!canReadPdf)('a paragraph in a cell is set from the side on which it begins', async () => {
  const cell = [{ runs: [{ text: 'one\n\u05d0\u05d7\u05ea\n\ntwo', bold: true }] }]
  const blocks = [{ kind: 'table', columns: [{ title: '' }], rows: [[cell]] }] as const
  expect(await sidesOf({ ...DOCUMENT, blocks })).toEqual(['left', 'right', 'left'])
})

describe.skipIf(!canReadPdf)('steps', () => {
  it('print formatted text whole, also where it is longer than a page', async () => {
    const items = Array.from({ length: 90 }, (_, n) => `<li><p>item${n}</p></li>`).join('')
    const rows = Array.from({ length: 90 }, (_, n) => `<tr><td>row${n}</td><td><b>x</b></td></tr>`).join('')
    const html = `<p>begin</p><ul>${items}</ul><pre><code>valve --close</code></pre><table>${rows}</table><p>finish</p>`
    const rich = readRichText(sanitise(html))
    const below = [{ runs: [], rich: readRichText('<p>under <b>it</b></p>') }]
    const steps = [{ marker: '1.', lines: [{ runs: [{ text: 'Title' }] }, { runs: [], rich }] }]
    const blocks = [{ kind: 'steps', heading: { text: 'Part', level: 1, below }, steps }] as const
    const pages = pagesOf(await renderPdf({ ...DOCUMENT, blocks })).join('\n')
    for (const words of ['under it', 'Title', 'begin', 'valve --close', 'finish'])
      expect(pages).toContain(words)
    for (let n = 0; n < 90; n += 1) expect(pages).toMatch(new RegExp(`item${n}\\n[^]*row${n}\\b`))
  })

  it('keep their heading on the page of the first of them, wherever a page ends', async () => {
    const steps = (heading: string, count: number, text: string): PdfDocument['blocks'][number] => ({
      kind: 'steps',
      heading: { text: heading, level: 1, below: [] },
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

/** The side of each line with a word, from top to bottom. The tool gives Hebrew letters from the left. */
async function sidesOf(document: PdfDocument): Promise<string[]> {
  const html = read('pdftotext', await renderPdf(document), ['-bbox'])
  return [...html.matchAll(/xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>(one|two|תחא)</g)]
    .toSorted((a, b) => Number(a[2]) - Number(b[2]))
    .map(([, x]) => (Number(x) < 300 ? 'left' : 'right'))
}
const pagesOf = (pdf: Buffer): string[] => read('pdftotext', pdf, ['-raw']).split('\f').slice(0, -1)
function read(tool: string, pdf: Buffer, options: readonly string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-pdf-'))
  try {
    writeFileSync(join(folder, 'a.pdf'), pdf)
    const output = tool === 'pdftotext' ? ['-'] : []
    return execFileSync(tool, [...options, join(folder, 'a.pdf'), ...output], { encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
