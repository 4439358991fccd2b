import { read } from '@e965/xlsx'
import { Inflate } from 'fflate'

import type { Encoding } from '#contract/kit/encodings.ts'
import { readTable, TableError, type TableFault, type TableFile } from '#contract/kit/table.ts'

export interface TableRequest {
  readonly bytes: Uint8Array
  /** The encoding that a person chose. */
  readonly encoding: Encoding | undefined
}
export interface TableRefusal {
  readonly fault: TableFault
  readonly row: number | undefined
}

/** Reads a file in the worker. Expected refusals are answers. */
export function readTableFile({ bytes, encoding }: TableRequest): TableFile | TableRefusal {
  try {
    return readTable(bytes, { readWorkbook: read, Inflate }, encoding)
  } catch (error) {
    if (!(error instanceof TableError)) throw error
    return { fault: error.fault, row: error.row }
  }
}
