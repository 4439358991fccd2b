import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import files from '@fastify/static'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { registerCompression } from './compression.ts'
import type { Origins } from './origins.ts'
import { Refusal } from '../core/refusal.ts'
import type { Settings } from '../core/settings.ts'
import { VERSION } from '../core/version.ts'

/** Paths of APIs and files, whose misses are 404 instead of the application's page. */
const NOT_PAGES =
  /^\/(api|management-api|registry|health|metrics|outbox|openapi\.json|docs|meta\.json|assets|\.well-known)(?=[/?]|$)/
const NONCE = '__CSP_NONCE__'
const ERROR_REPORTING = '__ERROR_REPORTING__'
/** The worker that reads PDF: it compiles the decoders of pictures, and fetches them, fonts and character maps. */
const PDF_WORKER = /[/\\]pdf\.worker\.min-[^/\\]+\.mjs/
const PDF_WORKER_POLICY = "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'self'"
const FRAME_SCRIPT = /[/\\]document\.frame-[^/\\]+\.js/
/** Folder of files with content hashes in their names. */
const ASSETS = 'assets'
const YEAR_SECONDS = 31_536_000

export interface SiteParts {
  /** Folder of the built front end. */
  readonly siteDir: string
  readonly settings: Pick<Settings, 'publicUrl' | 'sentryDsn' | 'jitsi'>
  readonly origins: Origins
  /** URL of the hosted chat service, while an organisation uses it. */
  readonly chatService?: () => string | null
}

interface Sources {
  readonly nonce?: string
  /** Additional sources for connections. */
  readonly also?: readonly string[]
  /** Origin of the media server: its script, and the frame that the script creates. */
  readonly calls?: string | null
}
/**
 * Content security policy: this server and nothing else. Styles that libraries add at run time carry the page's nonce.
 */
export const policyOf = ({ nonce, also = [], calls = null }: Sources = {}): string =>
  [
    "default-src 'self'",
    `script-src 'self'${calls ? ` ${calls}` : ''}`,
    ...(calls ? [`frame-src 'self' ${calls}`] : []),
    `style-src 'self'${nonce ? ` 'nonce-${nonce}'` : ''}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...also].join(' '),
    "media-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Permissions policy: device features that calls need, also for the frame of calls. */
function permissionsOf(calls: string | null): string {
  const whom = calls ? `(self "${calls}")` : '(self)'
  const used = ['camera', 'microphone', 'display-capture', 'autoplay', 'speaker-selection']
  return [...used.map((one) => `${one}=${whom}`), 'geolocation=()', 'payment=()', 'usb=()'].join(', ')
}

const HEADERS = {
  'Content-Security-Policy': policyOf(),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  // A link to files that was published by mistake is not listed by search engines.
  'X-Robots-Tag': 'noindex',
  'Permissions-Policy': permissionsOf(null),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // For browsers without frame-ancestors.
  'X-Frame-Options': 'DENY',
}

/** Serves the built front end and `/meta.json`, and sets the headers of every response. */
export function registerSite(
  app: FastifyInstance,
  { siteDir, settings, origins, chatService = () => null }: SiteParts,
): void {
  const calls = settings.jitsi && `https://${settings.jitsi.domain}`
  const headers: Record<string, string> = {
    ...HEADERS,
    'Permissions-Policy': permissionsOf(calls),
    ...(settings.publicUrl?.startsWith('https:') && {
      'Strict-Transport-Security': `max-age=${YEAR_SECONDS}; includeSubDomains`,
    }),
  }
  app.addHook('onRequest', async (_request, reply) => void reply.headers(headers))
  registerCompression(app)

  app.get('/meta.json', async (_request, reply) =>
    reply.header('Cache-Control', 'no-cache').send({ version: VERSION }),
  )

  const index = join(siteDir, 'index.html')
  if (!existsSync(index)) {
    app.get('/', async (_request, reply) =>
      reply
        .status(503)
        .type('text/plain; charset=utf-8')
        .send('The front end has not been built. Run: npm run build'),
    )
    app.setNotFoundHandler(async () => {
      throw nothingHere()
    })
    return
  }

  const { sentryDsn } = settings
  const page = readFileSync(index, 'utf8').replace(ERROR_REPORTING, attribute(sentryDsn ?? ''))
  const reports = sentryDsn ? [new URL(sentryDsn).origin] : []
  const served = { index: false, preCompressed: true, dotfiles: 'ignore', cacheControl: false } as const
  void app.register(async (assets) => {
    assets.setErrorHandler((error: FastifyError) => {
      // A folder, or a path that leaves it, looks like any other unknown name.
      throw error.statusCode === 403 ? nothingHere() : error
    })
    await assets.register(files, {
      ...served,
      root: join(siteDir, ASSETS),
      prefix: `/${ASSETS}/`,
      decorateReply: false,
      setHeaders: (reply, path) => {
        // The frame that converts documents has an opaque origin, so that its own script is cross-origin.
        if (FRAME_SCRIPT.test(path)) reply.header('Cross-Origin-Resource-Policy', 'cross-origin')
        if (PDF_WORKER.test(path)) reply.header('Content-Security-Policy', PDF_WORKER_POLICY)
        reply.header('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`)
      },
    })
  })
  void app.register(files, {
    ...served,
    root: siteDir,
    // One route for each of the few other files: any other path is a page.
    wildcard: false,
    globIgnore: [`${ASSETS}/**`],
    decorateReply: false,
    setHeaders: (reply) => void reply.header('Cache-Control', 'no-cache'),
  })
  const answerPage = (request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64')
    return reply
      .header(
        'Content-Security-Policy',
        policyOf({
          nonce,
          also: [socketsOf(origins.of(request)), ...reports, ...chatSourcesOf(chatService())],
          calls,
        }),
      )
      .header('Cache-Control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page.replaceAll(NONCE, nonce))
  }
  app.get('/', async (request, reply) => answerPage(request, reply))
  app.setNotFoundHandler(async (request, reply) => {
    if (isPage(request)) return answerPage(request, reply)
    throw nothingHere()
  })
}

const nothingHere = () => new Refusal(404, 'There is nothing here.')

/** True when a browser requests a page of the application, whose paths only the application knows. */
function isPage({ method, url, headers }: FastifyRequest): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || NOT_PAGES.test(url)) return false
  const isFile = /\.[a-z0-9]{2,11}$/i.test(url.split('?')[0]!)
  return !isFile && /text\/html|\*\/\*/.test(headers.accept ?? '*/*')
}

/** WebSocket source of the page's own origin: in some browsers 'self' excludes sockets. */
const socketsOf = (origin: string): string => new URL(origin).origin.replace(/^http/, 'ws')

const attribute = (text: string): string => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`)

/** Origin of the hosted chat service's files. */
const CHAT_FILES = 'https://*.stream-io-cdn.com'
/** Sources of the hosted chat service: its API, its socket and its files. */
function chatSourcesOf(url: string | null): string[] {
  if (url === null) return []
  const { origin } = new URL(url)
  return [origin, socketsOf(origin), CHAT_FILES]
}
