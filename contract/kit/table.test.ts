import { read, utils, type WorkBook, write } from '@e965/xlsx'
import { Inflate, strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, test, vi } from 'vitest'

import type { Encoding } from './encodings.ts'
import { readTable, TableError } from './table.ts'

const TOOLS = { readWorkbook: read, Inflate }
const bytesOf = (content: string | Uint8Array) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content
const readIt = (content: string | Uint8Array, encoding?: Encoding) =>
  readTable(bytesOf(content), TOOLS, encoding)
const rowsOf = (content: string | Uint8Array) => readIt(content).sheets[0]!.rows
const faultOf = (content: string | Uint8Array) => {
  try {
    readIt(content)
    return null
  } catch (error) {
    if (!(error instanceof TableError)) throw error
    return error.row === undefined ? error.fault : `${error.fault} ${error.row}`
  }
}

describe('a text', () => {
  test.each([
    [
      'Name;Phone\nBerg, Bo;1',
      [
        ['Name', 'Phone'],
        ['Berg, Bo', '1'],
      ],
    ],
    [
      'Name\tPhone\nBo, A\t1',
      [
        ['Name', 'Phone'],
        ['Bo, A', '1'],
      ],
    ],
    [
      'Name|Phone\r\nAna|2',
      [
        ['Name', 'Phone'],
        ['Ana', '2'],
      ],
    ],
    ['sep=;\r\nName;Phone\r\nBerg, Bo;1', [[], ['Name', 'Phone'], ['Berg, Bo', '1']]],
    ['\uFEFFSEP=,\nName,Phone\nAna;1,2', [[], ['Name', 'Phone'], ['Ana;1', '2']]],
    ['Email\na@b.example\n', [['Email'], ['a@b.example']]],
    [
      'Staff, Oslo\n\nA;B;C\n1,1;2;3\n1,1;2;3',
      [['Staff, Oslo'], [], ['A', 'B', 'C'], ['1,1', '2', '3'], ['1,1', '2', '3']],
    ],
    [
      'A,B,,,\n1,2,,,\n,,,,\n',
      [
        ['A', 'B'],
        ['1', '2'],
      ],
    ],
    [
      'A,B\r1,2\r\n3,4\n5,6',
      [
        ['A', 'B'],
        ['1', '2'],
        ['3', '4'],
        ['5', '6'],
      ],
    ],
    [
      'A,B\n"two\r\n ""lines""", 1',
      [
        ['A', 'B'],
        ['two\r\n "lines"', '1'],
      ],
    ],
    [
      'A,B\n \t"Berg, ""Bo""" , "1"',
      [
        ['A', 'B'],
        ['Berg, "Bo"', '1'],
      ],
    ],
    [
      'A,B\n5" pipe, 6" pipe\na""b, "c"',
      [
        ['A', 'B'],
        ['5" pipe', '6" pipe'],
        ['a""b', 'c'],
      ],
    ],
  ])('%j is read as it was meant', (content, rows) => {
    expect(rowsOf(content)).toEqual(rows)
  })

  test.each([
    ['="+14165550123"', '+14165550123'],
    ['"=""+14165550123"""', '+14165550123'],
    ["'+14165550123", '+14165550123'],
    ["'0049301234", '0049301234'],
    ["'t Hooft", "'t Hooft"],
    ['=1+2', '=1+2'],
    ['"=HYPERLINK(""http://x.example"",""T"")"', 'T'],
    ['=HYPERLINK("http://x.example";"Say ""T""")', 'Say "T"'],
  ])('of a spreadsheet has the value of %s', (cell, value) => {
    expect(rowsOf(`A|B\n1|${cell}`)[1]).toEqual(['1', value])
  })

  test('says which cells are links and errors', () => {
    expect(readIt('A,B\n########,#REF!\n=HYPERLINK("u";"T"),1').notes).toEqual([
      { kind: 'hyperlinks', count: 1 },
      { kind: 'errors', count: 2 },
    ])
  })

  test.each([
    ['', 'EMPTY'],
    [' \r\n ,,\n', 'EMPTY'],
    ['A,B\n\n"Ana,1\n2,3\n', 'QUOTES 3'],
    ['A,B\nAna, "1" 2\n', 'QUOTES 2'],
    ['sep=,\nA,B\n"Ana,1', 'QUOTES 3'],
    ['%PDF-1.7 A,B', 'NOT_A_TABLE'],
    ['<!DOCTYPE html><table>', 'NOT_A_TABLE'],
    ['A,B\n1,\0', 'NOT_A_TABLE'],
    [new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), 'NOT_A_TABLE'],
    [new Uint8Array(1_000), 'NOT_A_TABLE'],
    [new Uint8Array(20 * 1024 * 1024 + 1).fill(65), 'TOO_LARGE'],
  ])('%# that is none, or no whole one, is refused with the reason', (content, fault) => {
    expect(faultOf(content)).toBe(fault)
  })

  test('of ten million quotation marks, or a million empty columns, ends', () => {
    expect(faultOf(','.repeat(5_000_001))).toBe('TOO_LARGE')
    expect(faultOf('"'.repeat(10_000_001))).toBe('QUOTES 1')
    expect(faultOf('"a'.repeat(5_000_000))).toBe('QUOTES 1')
    expect(rowsOf('""'.repeat(5_000_000))[0]![0]).toHaveLength(4_999_999)
    expect(rowsOf(`A${','.repeat(1_000_000)}\n1${','.repeat(1_000_000)}`)).toEqual([['A'], ['1']])
  }, 60_000)
})

/** Bytes of a text in an encoding of one byte for each letter. */
function encoded(text: string, encoding: Encoding): Uint8Array {
  const letters = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, n) => n))
  return Uint8Array.from(text, (letter) => letters.indexOf(letter))
}
const utf16 = (text: string, isBig: boolean) => {
  const bytes = Buffer.from(text, 'utf16le')
  return new Uint8Array(isBig ? bytes.swap16() : bytes)
}

describe('the encoding', () => {
  const text = 'Name;Città\r\nÉlise Ågård;Zürich\r\n'
  test.each([
    ['utf-8', bytesOf(text)],
    ['utf-8', bytesOf(`\uFEFF${text}`)],
    ['utf-16le', utf16(`\uFEFF${text}`, false)],
    ['utf-16be', utf16(`\uFEFF${text}`, true)],
    ['utf-16le', utf16(text, false)],
    ['utf-16be', utf16(text, true)],
  ])('%s is told from the bytes (%#)', (encoding, bytes) => {
    const { encoding: found, isEncodingAssumed, sheets } = readIt(bytes)
    expect([found, isEncodingAssumed, sheets[0]!.rows]).toEqual([
      encoding,
      false,
      [
        ['Name', 'Città'],
        ['Élise Ågård', 'Zürich'],
      ],
    ])
  })

  test.each<[Encoding, string]>([
    ['windows-1252', 'Zoé,Lefèvre,Orléans\nNoël,Ouvrard,Études'],
    ['windows-1252', 'Renée,Tremblay,Québec Énergie,Chef d’équipe'],
    ['windows-1252', 'Müller,Größe\nNúñez,José\nBjørn,Åse'],
    ['windows-1252', 'Rene,Caf\u00e9'],
    ['windows-1250', 'Łukasz,Żółć,Kraków\nBożena,Wiśniewska'],
    ['windows-1250', 'Dvořák,Jiří\nNovák,Žaneta'],
    ['windows-1250', 'Erdős,Pál\nSzűcs,Győző'],
    ['macintosh', 'Renée,Lefèvre,Chef d’équipe\nMüller,Jürgen'],
    ['windows-1254', 'Işıl,Çağlar,İzmir\nAyşe,Yılmaz'],
    ['windows-1251', 'Иван,Петров,Москва'],
  ])('%s is told from the letters of %j, and said to be assumed', (encoding, names) => {
    const { encoding: found, isEncodingAssumed, sheets } = readIt(encoded(names, encoding))
    expect([found, isEncodingAssumed]).toEqual([encoding, true])
    expect(sheets[0]!.rows).toEqual(names.split('\n').map((line) => line.split(',')))
  })

  test('is the one that a person chooses', () => {
    const bytes = encoded('Dvořák,1', 'windows-1250')
    expect(readIt(bytes, 'windows-1250').sheets[0]!.rows[0]).toEqual(['Dvořák', '1'])
    expect(readIt(bytes, 'macintosh').sheets[0]!.rows[0]).not.toEqual(['Dvořák', '1'])
  })

  test('of a text with one spoiled byte stays what the rest is', () => {
    const bytes = Uint8Array.from([...bytesOf('Élise,Zoë\nÅse,Müller\nX'), 0xff])
    expect(readIt(bytes)).toMatchObject({ encoding: 'utf-8', isEncodingAssumed: true })
  })
})

const aWorkbook = (book: WorkBook, bookType: 'xlsx' | 'xlsm' | 'biff8' = 'xlsx') =>
  new Uint8Array(write(book, { type: 'array', bookType, compression: true }) as ArrayBuffer)
const aBook = (...sheets: readonly (readonly [string, unknown[][]])[]) => {
  const book = utils.book_new()
  for (const [name, rows] of sheets) utils.book_append_sheet(book, utils.aoa_to_sheet(rows), name)
  return book
}
const withEntries = (workbook: Uint8Array, entries: { [path: string]: string }) =>
  zipSync({
    ...unzipSync(workbook),
    ...Object.fromEntries(Object.entries(entries).map(([path, text]) => [path, strToU8(text)])),
  })

describe('a workbook', () => {
  const rows = [['Name', 'Phone'], [], ['Ana', 14165550123], ['Bo', '+1 416']]
  test.each(['xlsx', 'xlsm', 'biff8'] as const)(
    'as %s is read with numbers whole and its own rows',
    (kind) => {
      expect(rowsOf(aWorkbook(aBook(['People', rows]), kind))).toEqual([
        ['Name', 'Phone'],
        [],
        ['Ana', '14165550123'],
        ['Bo', '+1 416'],
      ])
    },
  )

  test('has dates and numbers as they are shown, where that loses nothing', () => {
    const book = aBook(['A', [[41_655_501, 14_165_550_101, 1.5, 45_000.5, 45_000, 14_165_550_101]]])
    const sheet = book.Sheets['A']!
    const formats = ['0000000000', '+0', '0', 'dd.mm.yyyy', 'm/d/yy', '0.00E+00']
    for (const [at, format] of formats.entries()) sheet[utils.encode_cell({ r: 0, c: at })].z = format
    expect(rowsOf(aWorkbook(book))).toEqual([
      ['0041655501', '+14165550101', '1.5', '2023-03-15 12:00', '2023-03-15', '14165550101'],
    ])
  })

  test('names its hidden sheets, and leaves empty ones out', () => {
    const book = aBook(['Notes', [['x']]], ['None', []], ['People', rows])
    book.Workbook = { Sheets: [{ Hidden: 1 }, { Hidden: 0 }, { Hidden: 0 }] }
    expect(readIt(aWorkbook(book)).sheets.map(({ name, isHidden }) => [name, isHidden])).toEqual([
      ['Notes', true],
      ['People', false],
    ])
  })

  test('has the stored values of formulas, and its macros and links stay unread: all is said', () => {
    const book = aBook(['People', [['Name'], ['x']]])
    book.Sheets['People']!['A2'] = { t: 's', v: 'Ana', f: 'CONCATENATE("A","na")' }
    const workbook = withEntries(aWorkbook(book), {
      'xl/vbaProject.bin': 'macro',
      'xl/externalLinks/externalLink1.xml': '<externalLink/>',
    })
    const read = readIt(workbook)
    expect(read.sheets[0]!.rows).toEqual([['Name'], ['Ana']])
    expect(read.notes).toEqual([
      { kind: 'formulas', count: 1 },
      { kind: 'macros', count: 1 },
      { kind: 'externalLinks', count: 1 },
    ])
  })

  test('that unpacks to too much, or has a cell at the end of each row, is refused', () => {
    const workbook = aWorkbook(aBook(['A', [[1]]]))
    class Endless {
      readonly #onPart: (part: Uint8Array) => void
      constructor(onPart: (part: Uint8Array) => void) {
        this.#onPart = onPart
      }
      push() {
        this.#onPart({ length: 300_000_000 } as Uint8Array)
      }
    }
    const readBook = vi.fn(read)
    expect(() => readTable(workbook, { readWorkbook: readBook, Inflate: Endless })).toThrow('TOO_LARGE')
    expect(readBook).not.toHaveBeenCalled()
    const far = Array.from(
      { length: 400 },
      (_, n) => `<row r="${n + 1}"><c r="XFD${n + 1}"><v>1</v></c></row>`,
    )
    const wide = withEntries(workbook, {
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${far.join('')}</sheetData></worksheet>`,
    })
    expect(faultOf(wide)).toBe('TOO_LARGE')
  }, 60_000)

  test('that is another archive, damaged or has a password is refused with the reason', () => {
    expect(faultOf(zipSync({ 'word/document.xml': strToU8('<document/>') }))).toBe('NOT_A_TABLE')
    expect(faultOf(aWorkbook(aBook(['A', [[1]]])).subarray(0, 2_000))).toBe('UNREADABLE')
    expect(faultOf(aWorkbook(aBook(['A', []])))).toBe('EMPTY')
  })
})
