import { readWorkbook } from './workbookValues.ts'

/** Answers the sheets of the workbook whose bytes arrive, or undefined where it cannot be read. */
addEventListener('message', ({ data }: MessageEvent<Uint8Array>) => {
  try {
    postMessage(readWorkbook(data))
  } catch {
    postMessage(undefined)
  }
})
