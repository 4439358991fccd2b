import { parentPort, workerData } from 'node:worker_threads'

import heicDecode from 'heic-decode'

/** What the thread is given. */
export interface HeicTask {
  readonly bytes: Uint8Array
  readonly maxPixels: number
}
/** What it answers: RGBA, or why there is none. */
export type HeicAnswer =
  | { readonly width: number; readonly height: number; readonly data: ArrayBuffer }
  | 'too many pixels'
  | 'broken'

async function decode({ bytes, maxPixels }: HeicTask): Promise<HeicAnswer> {
  try {
    const [image] = await heicDecode.all({ buffer: bytes })
    if (!image) return 'broken'
    if (image.width * image.height > maxPixels) return 'too many pixels'
    const { width, height, data } = await image.decode()
    return { width, height, data: data.buffer as ArrayBuffer }
  } catch {
    return 'broken'
  }
}

const answer = await decode(workerData as HeicTask)
parentPort!.postMessage(answer, typeof answer === 'string' ? [] : [answer.data])
