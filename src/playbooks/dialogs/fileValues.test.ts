import { expect, test } from 'vitest'

import { readSources, sourcesOf } from './fileValues.ts'

test.each([
  ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0x54, 0xc3, 0xa4], 'Tä'],
  ['UTF-16 without a mark', [0x54, 0, 0xe4, 0, 0x74, 0, 0x65, 0], 'Täte'],
  ['Windows-1252', Array.from('Priorität;Höhe;Tür', (letter) => letter.charCodeAt(0)), 'Priorität;Höhe;Tür'],
])('a table in %s is read', async (_, bytes, content) => {
  const file = new File([new Uint8Array(bytes)], 'plan.tsv')
  expect(await readSources(file)).toEqual([{ source: 'plan.tsv', fileName: 'plan.tsv', content }])
})

test('the sheets of a workbook are read, without hidden ones', async () => {
  const sheet = (name: string, isHidden = false) => ({
    name,
    isHidden,
    rows: [
      ['Title', 'Notes'],
      ['Call, now', 'a\nb'],
    ],
  })
  const content = 'Title,Notes\n"Call, now","a\nb"'
  expect(await sourcesOf('plan.xlsx', [sheet('First'), sheet('Old', true)])).toEqual([
    { source: 'plan.xlsx', fileName: 'plan.csv', content },
  ])
  expect(
    (await sourcesOf('plan.xlsx', [sheet('A'), sheet('B')])).map((one) => [one.source, one.fileName]),
  ).toEqual([
    ['plan.xlsx – A', 'plan – A.csv'],
    ['plan.xlsx – B', 'plan – B.csv'],
  ])
})
