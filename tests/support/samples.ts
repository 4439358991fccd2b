import { strToU8, zipSync } from 'fflate'
import { Document, Packer, Paragraph, TextRun } from 'docx'
import { PNG as Picture } from 'pngjs'

/** A PDF with a line of text on each page. */
export function aPdf(...lines: readonly string[]): Buffer {
  const kids = lines.map((_, at) => `${4 + 2 * at} 0 R`).join(' ')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${lines.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...lines.flatMap((line, at) => {
      const drawing = `BT /F 24 Tf 72 720 Td (${line.replace(/[()\\]/g, String.raw`\$&`)}) Tj ET`
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Contents ${5 + 2 * at} 0 R>>`,
        `<</Length ${drawing.length}>>stream\n${drawing}\nendstream`,
      ]
    }),
  ]
  return pdfOf(objects)
}

/** A PDF of these objects, the first of which is its catalogue. */
export function pdfOf(objects: readonly string[]): Buffer {
  let text = '%PDF-1.7\n'
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj${object}endobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const trailer = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text + trailer, 'latin1')
}

/** A Word document with a paragraph for each line, the first one in bold. */
export const aDocx = (...lines: readonly string[]): Promise<Buffer> =>
  Packer.toBuffer(
    new Document({
      sections: [
        {
          children: lines.map(
            (line, at) => new Paragraph({ children: [new TextRun({ text: line, bold: at === 0 })] }),
          ),
        },
      ],
    }),
  )

const OFFICE = 'http://schemas.openxmlformats.org'
const PACKAGE = `${OFFICE}/package/2006`
const RELATION = `${OFFICE}/officeDocument/2006/relationships`
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
/** A row of at most 26 cells. */
const rowOf = (cells: readonly string[], at: number) => {
  const cellOf = (text: string, column: number) =>
    `<c r="${String.fromCharCode(65 + column)}${at + 1}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`
  return `<row r="${at + 1}">${cells.map(cellOf).join('')}</row>`
}

/** An Excel workbook of texts. */
export function anXlsx(
  sheets: Readonly<Record<string, readonly (readonly string[])[]>>,
): Uint8Array<ArrayBuffer> {
  const names = Object.keys(sheets)
  const part = (root: string, content: string) =>
    strToU8(`<?xml version="1.0" encoding="UTF-8"?><${root}>${content}</${root.split(' ')[0]!}>`)
  const entries: Record<string, Uint8Array> = {
    '[Content_Types].xml': part(
      `Types xmlns="${PACKAGE}/content-types"`,
      `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/>${names.map((_, at) => `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/>`).join('')}`,
    ),
    '_rels/.rels': part(
      `Relationships xmlns="${PACKAGE}/relationships"`,
      `<Relationship Id="rId1" Type="${RELATION}/officeDocument" Target="xl/workbook.xml"/>`,
    ),
    'xl/workbook.xml': part(
      `workbook xmlns="${OFFICE}/spreadsheetml/2006/main" xmlns:r="${RELATION}"`,
      `<sheets>${names.map((name, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets>`,
    ),
    'xl/_rels/workbook.xml.rels': part(
      `Relationships xmlns="${PACKAGE}/relationships"`,
      names
        .map(
          (_, at) =>
            `<Relationship Id="rId${at + 1}" Type="${RELATION}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
        )
        .join(''),
    ),
  }
  for (const [at, name] of names.entries())
    entries[`xl/worksheets/sheet${at + 1}.xml`] = part(
      `worksheet xmlns="${OFFICE}/spreadsheetml/2006/main"`,
      `<sheetData>${sheets[name]!.map(rowOf).join('')}</sheetData>`,
    )
  return zipSync(entries)
}

/** A picture in one colour. */
export function aPng(width: number, height: number): Buffer {
  const picture = new Picture({ width, height })
  picture.data.fill(0xa0)
  return Picture.sync.write(picture)
}
