import { readSheetFile, type SheetFile } from './workbookValues.ts'

/** Replies with the sheets of the file; undefined if it cannot be read. */
addEventListener('message', ({ data }: MessageEvent<SheetFile>) => {
  try {
    postMessage(readSheetFile(data))
  } catch {
    postMessage(undefined)
  }
})
