import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import type { FastifyInstance } from 'fastify'

import type { Api, Schema } from '#contract/kit/endpoint.ts'

import { docsPage } from './docs-page.ts'
import { openApiDocument } from './document.ts'
import type { NamedSchemas } from './schemas.ts'
import type { Origins } from '../http/origins.ts'
import { VERSION } from '../core/version.ts'

const ROOT = join(import.meta.dirname, '../../..')
const FONT = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'
const MONTH_SECONDS = 2_592_000

interface Apis {
  readonly [noun: string]: Api
}
interface DocsParts {
  readonly apis: Apis
  /** Calls of the provider's console, below their path. They have a document of their own, but no page. */
  readonly management?: { readonly apis: Apis; readonly base: string }
  readonly origins: Origins
}

/** Serves `/openapi.json` and its readable form, `/docs`. Documents are generated on the first request. */
export function registerDocs(app: FastifyInstance, { apis, management, origins }: DocsParts): void {
  const made = once(async () => {
    const document = openApiDocument(apis, VERSION, await namedSchemas())
    return { document, text: asAnswer(JSON.stringify(document)) }
  })
  const style = once(async () =>
    asAnswer(await readFile(join(import.meta.dirname, '../http/page.css'), 'utf8')),
  )
  const font = once(() => readFile(fileURLToPath(import.meta.resolve(FONT))))

  const send = (path: string, type: string, find: () => Promise<{ body: string; etag: string }>) =>
    app.get(path, async (request, reply) => {
      const { body, etag } = await find()
      reply.header('ETag', etag).header('Cache-Control', 'no-cache')
      if (request.headers['if-none-match']?.includes(etag)) return reply.status(304).send()
      return reply.type(type).send(body)
    })
  send('/openapi.json', 'application/json; charset=utf-8', async () => (await made()).text)
  if (management) {
    const { base } = management
    const document = once(async () =>
      asAnswer(JSON.stringify(openApiDocument(management.apis, VERSION, await namedSchemas(), base))),
    )
    send(`${base}/openapi.json`, 'application/json; charset=utf-8', document)
  }
  send('/docs/page.css', 'text/css; charset=utf-8', style)
  app.get('/docs', async (request, reply) => {
    const { document } = await made()
    return reply
      .header('Cache-Control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(docsPage(document, `${origins.of(request)}/api`))
  })
  app.get('/docs/inter.woff2', async (_request, reply) =>
    reply
      .header('Cache-Control', `public, max-age=${MONTH_SECONDS}`)
      .type('font/woff2')
      .send(await font()),
  )
}

/** A weak ETag, because it identifies the text and not its compressed form. */
const asAnswer = (body: string) => ({
  body,
  etag: `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
})

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Exported schemas of the contract's nouns by name; by noun and name where two nouns use one. */
async function namedSchemas(): Promise<NamedSchemas> {
  const folder = join(ROOT, 'contract')
  const named = new Map<string, Schema>()
  for (const noun of (await readdir(folder)).sort()) {
    const file = join(folder, noun, 'schema.ts')
    if (!existsSync(file)) continue
    const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>
    for (const [name, value] of Object.entries(module)) {
      if (!/^[A-Z][a-z]/.test(name) || typeof value !== 'object' || value === null || !('_zod' in value))
        continue
      const taken = named.get(name)
      if (taken !== value) named.set(taken ? pascal(noun) + name : name, value as Schema)
    }
  }
  return Object.fromEntries(named)
}

const pascal = (noun: string) =>
  noun.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase())
