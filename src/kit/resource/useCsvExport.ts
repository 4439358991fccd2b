import { useDataProvider, useNotify } from 'react-admin'
import { useEffect, useRef, useState } from 'react'

import type { Download, Endpoint } from '#contract/kit/endpoint.ts'
import { CSV_FORMULA } from '#contract/kit/files.ts'
import { call } from '#providers/api.ts'
import { messageOf } from '#providers/problem.ts'

import { cellValue } from './cellValue.ts'
import { type AnyDefinition, type Listed, metaOf } from './resource.ts'
import { saveFile } from '../browser/saveFile.ts'
import type { ResourceList } from './useResourceList.ts'
import { useText } from '../useText.ts'

/** Records of one question. */
const PAGE = 500

/** The day here, as files are named: 2026-03-12. */
const today = () => {
  const now = new Date()
  const two = (number: number) => String(number).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

/** Saves all records that the list's filter finds, with all columns, as a file; the server's own file where it makes one. */
export function useCsvExport(definition: AnyDefinition, { asked }: Pick<ResourceList, 'asked'>) {
  const { name, columns, title } = definition
  const download = 'file' in definition && definition.file ? definition.api[definition.file] : undefined
  const text = useText()
  const notify = useNotify()
  const dataProvider = useDataProvider()
  const [busy, setBusy] = useState(false)
  const here = useRef(true)
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])

  /** Loads page by page, unless pages leave fields out. A record that moves to a later page meanwhile is exported once. */
  async function all(): Promise<Listed[]> {
    const { sort, filter } = asked
    if (metaOf(definition)) {
      const pagination = { page: 1, perPage: Infinity }
      return (await dataProvider.getList<Listed>(name, { pagination, sort, filter })).data
    }
    const found = new Map<Listed['id'], Listed>()
    for (let page = 1; here.current; page += 1) {
      const pagination = { page, perPage: PAGE }
      const { data, total = 0 } = await dataProvider.getList<Listed>(name, { pagination, sort, filter })
      for (const row of data) found.set(row.id, row)
      if (data.length < PAGE || page * PAGE >= total) break
    }
    return [...found.values()]
  }

  async function saveServersFile(endpoint: Endpoint & { reply: Download }) {
    const { sort, filter } = asked
    const query = { sort: JSON.stringify([sort.field, sort.order]), filter: JSON.stringify(filter) }
    const { blob, fileName } = await call(endpoint, { query })
    if (here.current) saveFile(blob, fileName)
  }

  const run = async () => {
    setBusy(true)
    try {
      if (download) {
        await saveServersFile(download)
        return
      }
      const [rows, { default: Papa }] = await Promise.all([all(), import('papaparse')])
      if (!here.current) return
      const fields = columns.map(({ label }) => text(label))
      const data = rows.map((row) => columns.map((column) => cellValue(column, row, text) ?? ''))
      const csv = Papa.unparse({ fields, data }, { escapeFormulae: CSV_FORMULA })
      const fileName = `${text(title).toLowerCase().replaceAll(' ', '-')}-${today()}.csv`
      // The mark at the start tells spreadsheets how its letters are written.
      saveFile(new Blob(['\uFEFF', csv], { type: 'text/csv;charset=utf-8' }), fileName)
    } catch (error) {
      notify(messageOf(error, text('grid.notExported')), { type: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return { busy, run }
}
