import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'

import type { ImportKind } from '#contract/import-columns/schema.ts'
import { importsApi } from '#contract/imports/api.ts'
import type { ImportReport, RowOutcome } from '#contract/imports/schema.ts'
import { call } from '#providers/api.ts'

const PAGE = 50
/** The next page of a list, after pages that are full. */
const pages = {
  initialPageParam: 0,
  getNextPageParam: (last: readonly unknown[], all: readonly unknown[]) =>
    last.length < PAGE ? undefined : all.length * PAGE,
} as const
const rangeFrom = (first: number) => JSON.stringify([first, first + PAGE - 1])

/** Reports of a kind, newest first. */
export const useReports = (kind: ImportKind) =>
  useInfiniteQuery({
    queryKey: ['imports', kind],
    queryFn: ({ pageParam, signal }) =>
      call(importsApi.list, {
        query: { range: rangeFrom(pageParam), filter: JSON.stringify({ kind }) },
        signal,
      }),
    ...pages,
  })

export const useReport = (id: string) =>
  useQuery({
    queryKey: ['imports', 'report', id],
    queryFn: ({ signal }) => call(importsApi.get, { params: { id }, signal }),
  })

export interface RowFilter {
  readonly outcome?: RowOutcome
  readonly isKept?: boolean
}
/** Rows of a report. */
export const useReportRows = (id: string, filter: RowFilter) =>
  useInfiniteQuery({
    queryKey: ['imports', 'rows', id, filter],
    queryFn: ({ pageParam, signal }) =>
      call(importsApi.rows, {
        params: { id },
        query: { range: rangeFrom(pageParam), filter: JSON.stringify(filter) },
        signal,
      }),
    ...pages,
  })

/** Undoes an import, and refetches what it changed. */
export function useUndo(onUndone: () => void): (id: string) => Promise<ImportReport> {
  const queryClient = useQueryClient()
  return async (id) => {
    const report = await call(importsApi.undo, { params: { id } })
    void queryClient.invalidateQueries({ queryKey: ['imports'] })
    onUndone()
    return report
  }
}
