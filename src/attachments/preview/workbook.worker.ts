import { readSheetFile, type SheetFile } from './workbookValues.ts'

/** Answers the sheets of the file that arrives, or undefined where it cannot be read. */
addEventListener('message', ({ data }: MessageEvent<SheetFile>) => {
  try {
    postMessage(readSheetFile(data))
  } catch {
    postMessage(undefined)
  }
})
