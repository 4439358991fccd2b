import type { Column, Listed, Translate } from './resource.ts'

/** The value of a column; null when empty. */
export function cellValue(column: Column<any, any>, row: Listed, text: Translate): string | number | null {
  const value = column.text ? column.text(row, text) : row[column.field]
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? value : null
}
