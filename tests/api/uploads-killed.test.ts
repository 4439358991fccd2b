import { rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, onTestFinished, test } from 'vitest'

import { formWith, sha256 } from '#tests/support/attachments.ts'
import { PDF, PNG } from '#tests/support/files.ts'
import type { KillPoint } from '#tests/support/kill-point.ts'
import { type Product, signIn, startProduct } from '#tests/support/product.ts'
import { beginning, tusFor } from '#tests/support/tus.ts'

const PRELOAD = pathToFileURL(join(import.meta.dirname, '../support/kill-point.ts')).href
const CLAIM = 'insert into "idempotent_requests"'
const PROGRESS = 'update "file_uploads"'

/** A product that can be killed at a chosen point and restarted on the same folder. */
async function aMortalProduct() {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-product-'))
  const file = join(dataDir, 'kill-point')
  const env = { KILL_POINT: file, NODE_OPTIONS: `--import ${PRELOAD}` }
  let product: Product | undefined
  onTestFinished(async () => {
    await product?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const start = async () => {
    product = await startProduct(env, dataDir)
    const person = await signIn(product.url, 'admin@demo.example')
    const { 'Content-Type': _, ...headers } = person.headers
    return { api: `${product.url}/api`, call: person.call, headers }
  }
  type Person = Awaited<ReturnType<typeof start>>
  let person = await start()
  return {
    person: () => person,
    /** Makes requests that kill the product, and restarts it. */
    async dieOf(point: KillPoint, ...requests: readonly ((person: Person) => Promise<unknown>)[]) {
      writeFileSync(file, JSON.stringify(point))
      const answers = await Promise.allSettled(requests.map((request) => request(person)))
      expect(new Set(answers.map(({ status }) => status)), JSON.stringify(point)).toEqual(
        new Set(['rejected']),
      )
      rmSync(file)
      await product!.kill('SIGKILL')
      person = await start()
    },
  }
}
type Person = ReturnType<Awaited<ReturnType<typeof aMortalProduct>>['person']>

const upload = (path: string, key: string, name: string, bytes: Buffer) => (person: Person) =>
  fetch(person.api + path, {
    method: 'POST',
    headers: { ...person.headers, 'Idempotency-Key': key },
    body: formWith(bytes, name),
  })
const isReplay = ({ headers }: Pick<Response, 'headers'>) => headers.get('Idempotent-Replayed') === 'true'

test(
  'an upload whose server was killed is repeated and answered with what was stored, once',
  { timeout: 600_000 },
  async () => {
    const product = await aMortalProduct()
    const call = (...given: Parameters<Person['call']>) => product.person().call(...given)
    const tus = () => tusFor(product.person().api, product.person().headers)

    for (const moment of ['statement', 'commit'] as const) {
      const request = upload('/sfs', moment, `${moment}.pdf`, PDF)
      await product.dieOf({ statement: CLAIM, moment }, request)
      expect((await call('GET', `/sfs/search?query=${moment}`)).body, moment).toEqual([])
      const answer = await request(product.person())
      expect([answer.status, isReplay(answer)], moment).toEqual([201, false])
    }

    const { body: incident } = await call('POST', '/incident', { title: 'Outage', fullText: '<p>Text</p>' })
    const attachments = `/fa/INCIDENT/${incident.id}`
    const requests = {
      file: upload('/sfs', 'file', 'stored.pdf', PDF),
      attachment: upload(attachments, 'attachment', 'attached.pdf', PDF),
      chat: upload('/fe', 'chat', 'chat.pdf', PDF),
      picture: upload('/profileImage', 'picture', 'me.png', PNG),
    }
    const headers = { ...beginning('parts.pdf', PDF.length), 'Idempotency-Key': 'parts' }
    await product.dieOf(
      { statement: CLAIM, moment: 'committed', commits: 5 },
      ...Object.values(requests),
      () => tus().ask('POST', '', headers),
    )
    for (const [name, request] of Object.entries(requests)) {
      const answer = await request(product.person())
      expect([answer.ok, isReplay(answer)], name).toEqual([true, true])
      const body = (await answer.json()) as { id: number; url: string }
      if (name === 'file') {
        const { body: found } = await call('GET', '/sfs/search?query=stored')
        expect(found).toEqual([expect.objectContaining({ id: body.id, fileVersion: 1 })])
        const content = await fetch(`${product.person().api}/sfs/${body.id}`, {
          headers: product.person().headers,
        })
        expect(sha256(Buffer.from(await content.arrayBuffer()))).toBe(sha256(PDF))
      }
      if (name === 'picture') expect((await call('GET', '/me')).body.user.profileImageUrl).toBe(body.url)
    }
    expect((await call('GET', attachments)).body).toHaveLength(1)

    const begun = await tus().ask('POST', '', headers)
    expect([begun.status, isReplay(begun)]).toEqual([201, true])
    expect((await call('GET', '/sfs/uploads')).body).toHaveLength(1)
    const id = begun.headers.get('Location')!.split('/').at(-1)!
    const bytes = Uint8Array.from(PDF)
    await product.dieOf({ statement: PROGRESS, moment: 'commit' }, () => tus().send(id, 0, bytes))
    expect((await tus().where(id)).offset).toBe(0)
    await product.dieOf({ statement: PROGRESS, moment: 'committed' }, () => tus().send(id, 0, bytes))
    // The client asks for the offset and learns that the upload is complete.
    expect((await tus().where(id)).offset).toBe(PDF.length)
    const { body: found } = await call('GET', '/sfs/search?query=parts')
    expect(found).toEqual([expect.objectContaining({ fileVersion: 1, size: PDF.length })])
    expect((await call('GET', `/sfs/uploads/${id}`)).body.itemId).toBe(found[0].id)
  },
)
