import { readFileSync, writeFileSync } from 'node:fs'

import { addOrganisation, DEMO_PASSWORD, signIn, startProduct } from '../support/product.ts'

/** Concurrent previews. */
const AT_ONCE = 30
/** Pixels per side of an image: 48 MB. */
const SIDE = 3_990
const HEADERS = 54

/** A BMP with 24 bits per pixel. */
function aBmp(side: number): Buffer<ArrayBuffer> {
  const row = Math.ceil((side * 3) / 4) * 4
  const file = Buffer.alloc(HEADERS + row * side, 0x5a)
  file.write('BM', 0, 'latin1')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(HEADERS, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(side, 18)
  file.writeInt32LE(side, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  file.fill(0, 30, HEADERS)
  return file
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`
/** Resident bytes of a process, now or at the peak since `forgetPeak`. */
const residentOf = (pid: number, what: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1_024
const forgetPeak = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** Opens previews of a large image concurrently, and prints the product's peak memory. */
export async function previews(args: readonly string[]): Promise<void> {
  const count = Number(args[0] ?? AT_ONCE)
  const image = aBmp(SIDE)
  const product = await startProduct()
  try {
    const email = await addOrganisation(product.dataDir, 'previews', { allowedFileExtensions: ['bmp'] })
    const { headers, call } = await signIn(product.url, email, DEMO_PASSWORD, 'previews')
    const { 'Content-Type': _, ...mine } = headers
    const form = new FormData()
    form.append('file', new File([image], 'photo.bmp'))
    const stored = await fetch(`${product.url}/api/sfs`, { method: 'POST', headers: mine, body: form })
    if (!stored.ok) throw new Error(`The image was answered with ${stored.status}: ${await stored.text()}`)
    const { id } = (await stored.json()) as { id: number }
    const paths: string[] = []
    for (let n = 0; n < count; n += 1) {
      const { body } = await call('POST', `/sfs/item/${id}/preview`, {})
      paths.push(body.path as string)
    }
    const before = residentOf(product.pid, 'VmRSS')
    forgetPeak(product.pid)
    const statuses = await Promise.all(
      paths.map(async (path) => {
        const answer = await fetch(`${product.url}/api${path}`, { headers: mine })
        await answer.arrayBuffer()
        return answer.status
      }),
    )
    console.log(`${count} previews at once of a BMP of ${megabytes(image.length)}`)
    console.log(`at rest ${megabytes(before)}, at most ${megabytes(residentOf(product.pid, 'VmHWM'))}`)
    console.log(
      `shown: ${statuses.filter((status) => status === 200).length}, others: ${statuses.filter((status) => status !== 200).join(', ') || 'none'}`,
    )
  } finally {
    await product.stop()
  }
}
