import type { Stored } from './store.ts'

type Row = Stored & { readonly organisation: string }

const COLUMNS: readonly {
  readonly title: string
  readonly of: (row: Row) => string
  readonly isText?: true
}[] = [
  { title: 'Organization', of: (row) => row.organisation, isText: true },
  ...(['people', 'incidents', 'rooms', 'messages', 'files', 'bytes', 'events'] as const).map((field) => ({
    title: `${field[0]!.toUpperCase()}${field.slice(1)}`,
    of: (row: Row) => row[field].toLocaleString('en'),
  })),
  { title: 'Oldest', of: (row) => row.oldest?.slice(0, 16).replace('T', ' ') ?? '–', isText: true },
  { title: 'Newest', of: (row) => row.newest?.slice(0, 16).replace('T', ' ') ?? '–', isText: true },
]

/** Lines of a table of the contents of organisations; times in UTC. */
export function tableOf(rows: readonly Row[]): string[] {
  const table = [COLUMNS.map(({ title }) => title), ...rows.map((row) => COLUMNS.map(({ of }) => of(row)))]
  const widths = COLUMNS.map((_, n) => Math.max(...table.map((cells) => cells[n]!.length)))
  return table.map((cells) =>
    cells
      .map((cell, n) => (COLUMNS[n]!.isText ? cell.padEnd(widths[n]!) : cell.padStart(widths[n]!)))
      .join('  ')
      .trimEnd(),
  )
}
