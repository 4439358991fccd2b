import type { FastifyInstance } from 'fastify'

import type { Access } from '#contract/kit/access.ts'
import type { Api } from '#contract/kit/endpoint.ts'

import { type Handlers, type ServerContext, serve } from './http/serve.ts'
import type { HookHandlers } from './database/hooks.ts'
import type { Hinted } from './live/live.ts'
import type { Services } from './services.ts'

/** The path below which all nouns are served. */
export const API_BASE = '/api'
/** The path below which the nouns of the provider's console are served. */
export const MANAGEMENT_BASE = '/management-api'

interface Declaration<A extends Api> {
  /** The contract: what is served, checked and documented. */
  readonly api: A
  readonly routes: Handlers<A> | ((services: Services) => Handlers<A>)
  /** Who is notified of the noun's changes on the live socket. */
  readonly audience: Access | Hinted | 'nobody'
  /** Nouns of the event stream that have no contract of their own and go to the same audience. */
  readonly parts?: readonly string[]
  /**
   * Of the console: nouns of the event streams whose events change what its screens show of this noun. `PROVIDER_STREAM`
   * stands for every event of the provider's own stream.
   */
  readonly follows?: readonly string[]
  /** What it does, in their transaction, about acts of nouns below it. */
  readonly hooks?: HookHandlers
  /** Accepts writes while the disk is full, all of them or those that are named. Other calls only read and delete then. */
  readonly needsNoDiskSpace?: true | readonly Extract<keyof A, string>[]
}

/** A noun of the HTTP API, of which serving, documentation, live events and the tests of all endpoints are made. */
export interface Noun extends Omit<Declaration<Api>, 'routes'> {
  readonly serve: (app: FastifyInstance, server: ServerContext, services: Services, base: string) => void
}

/** Declares a noun. Leaving out its contract, a handler or its audience does not compile. */
export const defineNoun = <A extends Api>({ routes, ...noun }: Declaration<A>): Noun => ({
  ...noun,
  serve: (app, server, services, base) =>
    serve(app, server, base, noun.api, typeof routes === 'function' ? routes(services) : routes),
})
