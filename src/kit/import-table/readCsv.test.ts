import { expect, test } from 'vitest'

import { readCsv } from './readCsv.ts'

const FORMAT = { headings: ['Name', 'Phone'], most: 10, empty: 'empty', tooMany: 'too many' }
const read = (content: string) => readCsv(new File([content], 'a.csv'), FORMAT)
const cellsOf = async (content: string) => {
  const found = await read(content)
  return Array.isArray(found) ? found.map(({ cells }) => cells) : found
}

test.each([
  ['sep=;\r\nName;Phone\r\nBerg, Bo;1', [['Berg, Bo', '1']]],
  ['\uFEFFSEP=,\nName,Phone\nAna;1,2', [['Ana;1', '2']]],
  ['sep=|\nName|Phone\nAna|2', [['Ana', '2']]],
  ['sep=\t\nName\tPhone\nAna\t2', [['Ana', '2']]],
])('of a file that begins with %j the values are those between its separators', async (content, cells) => {
  expect(await cellsOf(content)).toEqual(cells)
})

test('a line that names the separator counts as a row of the file', async () => {
  expect(await read('sep=;\nName;Phone\n\nAna;1')).toMatchObject([{ row: 4 }])
  expect(await read('sep=;\nName;Phone\n"Ana;1')).toMatchObject({ hint: 'tableImport.quotesHint', row: 3 })
})

test.each([
  ['Ana,="+14165550123"', ['Ana', '+14165550123']],
  ['Ana,"=""+14165550123"""', ['Ana', '+14165550123']],
  ["Ana,'+14165550123", ['Ana', '+14165550123']],
  ['Ana,=1+2', ['Ana', '=1+2']],
  ['Ana, "1, 2"', ['Ana', '1, 2']],
  [' \t"Berg, ""Bo""" , "1"', ['Berg, "Bo"', '1']],
  ['"Berg,  ""Bo"",  ""B""",1', ['Berg,  "Bo",  "B"', '1']],
  ['"two\n ""lines""", 1', ['two\n "lines"', '1']],
  ['5" pipe, 6" pipe', ['5" pipe', '6" pipe']],
  ['a""b, "c"', ['a""b', 'c']],
])('a row of %j is read as it was meant', async (row, cells) => {
  expect(await cellsOf(`Name,Phone\n${row}`)).toEqual([cells])
})

test('words after a closing mark are refused, not guessed', async () => {
  expect(await read('Name,Phone\nAna, "1" 2')).toMatchObject({ hint: 'tableImport.quotesHint', row: 2 })
})
