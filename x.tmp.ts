import { randomFillSync, createHash } from 'node:crypto'
import { request } from 'node:http'
import { readFileSync } from 'node:fs'
import { DEMO_PASSWORD, inDatabase, signIn, startProduct } from './tests/support/product.ts'
import { tusFor } from './tests/support/tus.ts'
const product = await startProduct()
try {
  await inDatabase(product.dataDir, (c) =>
    c.query(
      `update organisations set config = config || '{"maxFileSize":5120,"fileQuotaMegabytes":20000}' where code='demo'`,
    ),
  )
  await product.kill('SIGTERM')
} catch {}
const p2 = await startProduct({}, product.dataDir)
try {
  const { headers } = await signIn(p2.url, 'admin@demo.example')
  const { 'Content-Type': _, ...who } = headers
  const tus = tusFor(`${p2.url}/api`, who)
  const SIZE = 2_000_000_000
  const chunk = randomFillSync(Buffer.allocUnsafe(1_000_000))
  chunk.write('%PDF-1.7\n')
  const mem = () =>
    Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${p2.pid}/status`, 'utf8'))![1]) / 1024)
  const small = await tus.begin('warm.pdf', chunk.length)
  await tus.send(small, 0, chunk)
  await new Promise((r) => setTimeout(r, 4000))
  const before = mem()
  let high = before
  const watch = setInterval(() => (high = Math.max(high, mem())), 50)
  const id = await tus.begin('large.pdf', SIZE)
  const send = (offset: number, length: number) =>
    new Promise<number>((resolve, reject) => {
      const req = request(
        `${p2.url}/api/sfs/uploads/${id}`,
        {
          method: 'PATCH',
          headers: {
            ...who,
            'Tus-Resumable': '1.0.0',
            'Upload-Offset': offset,
            'Content-Type': 'application/offset+octet-stream',
            'Content-Length': length,
          },
        },
        (res) => {
          res.resume()
          res.on('end', () =>
            res.statusCode === 204
              ? resolve(Number(res.headers['upload-offset']))
              : reject(new Error(String(res.statusCode))),
          )
        },
      )
      req.on('error', reject)
      let left = length
      const write = () => {
        while (left > 0) {
          const n = Math.min(left, chunk.length)
          left -= n
          if (!req.write(chunk.subarray(0, n))) {
            req.once('drain', write)
            return
          }
        }
        req.end()
      }
      write()
    })
  const began = performance.now()
  let offset = 0
  while (offset < SIZE) {
    const len = Math.min(32 * 1024 * 1024, SIZE - offset)
    const last = offset + len === SIZE
    const t = performance.now()
    offset = await send(offset, len)
    if (last) console.log('last part with joining', Math.round(performance.now() - t), 'ms')
  }
  const took = performance.now() - began
  console.log(
    `2 GB in ${(took / 1000).toFixed(1)} s, ${((2000 / took) * 1000).toFixed(0)} MB/s; memory ${before} -> ${high} MB`,
  )
  const t2 = performance.now()
  high = mem()
  const b2 = high
  const item = Number((await tus.where(id)).headers.get('File-Id'))
  let got = 0
  await new Promise<void>((resolve) =>
    request(`${p2.url}/api/sfs/${item}`, { headers: who }, (res) => {
      res.on('data', (c: Buffer) => {
        got += c.length
      })
      res.on('end', () => resolve())
    }).end(),
  )
  console.log(`down ${got} in ${((performance.now() - t2) / 1000).toFixed(1)} s; memory ${b2} -> ${high} MB`)
  clearInterval(watch)
} finally {
  await p2.stop()
}
