import { reasonOf } from './previewValues.ts'
import { readSheetFile, type SheetFile } from './workbookValues.ts'

/** Replies with the sheets of the file, or the reason for which they are not shown; undefined if it is broken. */
addEventListener('message', ({ data }: MessageEvent<SheetFile>) => {
  try {
    postMessage(readSheetFile(data))
  } catch (error) {
    postMessage(reasonOf(error))
  }
})
