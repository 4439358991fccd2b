import { read } from '@e965/xlsx'
import { Inflate } from 'fflate'

import { readTable } from '#contract/kit/table.ts'

/** Replies with the sheets of a workbook; undefined if it cannot be read. */
addEventListener('message', ({ data }: MessageEvent<{ readonly bytes: Uint8Array }>) => {
  try {
    postMessage(readTable(data.bytes, { readWorkbook: read, Inflate }).sheets)
  } catch {
    postMessage(undefined)
  }
})
