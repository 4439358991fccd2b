import { utils, write } from '@e965/xlsx'
import { Document, Packer, Paragraph } from 'docx'
import { strToU8, zipSync } from 'fflate'

/** A page's text: ASCII, or hexadecimal UTF-16 for a font of the Japanese collection. */
export type PdfPage = string | { readonly japanese: string }

/** A PDF with a page for each text. It has no list of its objects, so readers rebuild it. */
export function pdfOf(pages: readonly PdfPage[], trailer = ''): Buffer {
  const objects = [
    '1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj',
    `2 0 obj <</Type /Pages /Count ${pages.length} /Kids [${pages.map((_, n) => `${10 + 2 * n} 0 R`).join(' ')}]>> endobj`,
    '3 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj',
    '4 0 obj <</Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /UniJIS-UCS2-H /DescendantFonts [5 0 R]>> endobj',
    `5 0 obj <</Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light /FontDescriptor 6 0 R
      /CIDSystemInfo <</Registry (Adobe) /Ordering (Japan1) /Supplement 2>>>> endobj`,
    '6 0 obj <</Type /FontDescriptor /FontName /Ryumin-Light /Flags 4>> endobj',
    ...pages.flatMap((page, n) => {
      const shown =
        typeof page === 'string'
          ? `/F1 12 Tf (${page}) Tj`
          : `/F2 12 Tf <${Buffer.from(page.japanese, 'utf16le').swap16().toString('hex')}> Tj`
      const content = `BT 50 700 Td ${shown} ET`
      return [
        `${10 + 2 * n} 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${11 + 2 * n} 0 R
          /Resources <</Font <</F1 3 0 R /F2 4 0 R>>>>>> endobj`,
        `${11 + 2 * n} 0 obj <</Length ${content.length}>> stream\n${content}\nendstream endobj`,
      ]
    }),
    `trailer <</Root 1 0 R ${trailer}>>`,
  ]
  return Buffer.from(`%PDF-1.7\n${objects.join('\n')}\n%%EOF\n`)
}

/** A PDF that opens only with a password. */
export const protectedPdfOf = (text: string): Buffer =>
  pdfOf(
    [text],
    `/ID [<00> <00>] /Encrypt <</Filter /Standard /V 1 /R 2 /P -4 /O <${'11'.repeat(32)}> /U <${'22'.repeat(32)}>>>`,
  )

export const docxOf = (...paragraphs: readonly string[]): Promise<Buffer> =>
  Packer.toBuffer(new Document({ sections: [{ children: paragraphs.map((text) => new Paragraph(text)) }] }))

export function workbookOf(bookType: 'xlsx' | 'biff8', rows: readonly (readonly unknown[])[]): Buffer {
  const sheet = utils.aoa_to_sheet(rows.map((row) => [...row]))
  return write(
    { SheetNames: ['Shelters'], Sheets: { Shelters: sheet } },
    { type: 'buffer', bookType },
  ) as Buffer
}

export function pptxOf(...slides: readonly string[]): Buffer {
  const slide = (text: string) =>
    strToU8(
      `<p:sld xmlns:p="p" xmlns:a="a"><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sld>`,
    )
  return Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8(
        '<?xml version="1.0"?><Types><Override ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>',
      ),
      ...Object.fromEntries(slides.map((text, n) => [`ppt/slides/slide${n + 1}.xml`, slide(text)])),
    }),
  )
}

/** A Word document whose text unpacks to so many bytes. */
export const docxBomb = (bytes: number): Buffer =>
  Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8(
        '<?xml version="1.0"?><Types><Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      ),
      'word/document.xml': new Uint8Array(bytes).fill(97),
    }),
  )
