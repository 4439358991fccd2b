import { readTableFile, type TableRequest } from './tableFile.ts'

addEventListener('message', ({ data }: MessageEvent<TableRequest>) => {
  postMessage(readTableFile(data))
})
