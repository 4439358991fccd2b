import { type Exporter, type ListControllerResult, useDataProvider, useIsMounted } from 'react-admin'
import { useMemo } from 'react'

import { CSV_FORMULA } from '#contract/kit/files.ts'

import { saveFile } from '../browser/saveFile.ts'
import { useText } from '../useText.ts'
import { cellValue } from './cellValue.ts'
import { type AnyDefinition, type Listed, metaOf } from './resource.ts'

/** Records of one request. */
const PAGE = 500

/** The day here, as files are named: 2026-03-12. */
const today = () => {
  const now = new Date()
  const two = (number: number) => String(number).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

/** react-admin's exporter: saves records as a CSV file with what a definition's columns write. */
export function useExporter({ columns, title }: AnyDefinition): Exporter<Listed> {
  const text = useText()
  return useMemo(
    () => async (rows) => {
      const { default: Papa } = await import('papaparse')
      const fields = columns.map(({ label }) => text(label))
      const data = rows.map((row) => columns.map((column) => cellValue(column, row, text) ?? ''))
      const csv = Papa.unparse({ fields, data }, { escapeFormulae: CSV_FORMULA })
      const fileName = `${text(title).toLowerCase().replaceAll(' ', '-')}-${today()}.csv`
      // The mark at the start tells spreadsheets how its letters are written.
      saveFile(new Blob(['\uFEFF', csv], { type: 'text/csv;charset=utf-8' }), fileName)
    },
    [columns, title, text],
  )
}

type Asked = Pick<ListControllerResult, 'sort' | 'filter' | 'filterValues'>

/**
 * react-admin's `getData`: all records that the list's filter finds. It loads page by page, unless pages leave fields out. A
 * record that moves to a later page meanwhile is returned once. It ends early with the list.
 */
export function useAllRecords(definition: AnyDefinition, { sort, filter, filterValues }: Asked) {
  const { name } = definition
  const dataProvider = useDataProvider()
  const isMounted = useIsMounted()
  const get = async (pagination: { page: number; perPage: number }) =>
    dataProvider.getList<Listed>(name, { pagination, sort, filter: { ...filterValues, ...filter } })
  return async (): Promise<Listed[]> => {
    if (metaOf(definition)) return (await get({ page: 1, perPage: Infinity })).data
    const found = new Map<Listed['id'], Listed>()
    for (let page = 1; isMounted.current; page += 1) {
      const { data, total = 0 } = await get({ page, perPage: PAGE })
      for (const row of data) found.set(row.id, row)
      if (data.length < PAGE || page * PAGE >= total) break
    }
    return [...found.values()]
  }
}
