import { vi } from 'vitest'

import { readTableFile, type TableRequest } from '#src/kit/import-table/tableFile.ts'
import { answer } from './client.tsx'

/** Runs the worker that reads tables in this thread, because jsdom has no workers. No columns are remembered. */
export function readingTables() {
  for (const noun of ['contact', 'useradmin'])
    answer('get', `/${noun}/importColumns/:headings`, { columns: null })
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      postMessage(request: TableRequest) {
        // Bytes of jsdom are not those of Node, where the packages run.
        const bytes = Uint8Array.from(request.bytes)
        queueMicrotask(() =>
          this.dispatchEvent(new MessageEvent('message', { data: readTableFile({ ...request, bytes }) })),
        )
      }
      terminate() {}
    },
  )
}
