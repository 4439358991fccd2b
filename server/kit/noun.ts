import type { FastifyInstance } from 'fastify'

import type { Access } from '#contract/kit/access.ts'
import type { Api } from '#contract/kit/endpoint.ts'

import { type Handlers, type ServerContext, serve } from './http/serve.ts'
import type { HookHandlers } from './database/hooks.ts'
import type { Hinted } from './live/live.ts'
import type { Services } from './services.ts'

/** Base path of all nouns. */
export const API_BASE = '/api'
/** Base path of the provider's console. */
export const MANAGEMENT_BASE = '/management-api'

interface Declaration<A extends Api> {
  /** The contract: what is served, checked and documented. */
  readonly api: A
  readonly routes: Handlers<A> | ((services: Services) => Handlers<A>)
  /** Access required for the noun's changes on the live socket. */
  readonly audience: Access | Hinted | 'nobody'
  /** Nouns of the event stream without a contract of their own, for the same audience. */
  readonly parts?: readonly string[]
  /**
   * For the console: nouns of the event streams that change this noun's screens. `PROVIDER_STREAM` stands for every
   * event of the provider's own stream.
   */
  readonly follows?: readonly string[]
  /** Handlers of lower nouns' hooks, in their transaction. */
  readonly hooks?: HookHandlers
  /** Accepts all or the named writes while the disk is full. Other calls only read and delete then. */
  readonly needsNoDiskSpace?: true | readonly Extract<keyof A, string>[]
}

/** A noun of the HTTP API, the source of serving, documentation, live events and the tests of all endpoints. */
export interface Noun extends Omit<Declaration<Api>, 'routes'> {
  readonly serve: (app: FastifyInstance, server: ServerContext, services: Services, base: string) => void
}

/** Declares a noun. Leaving out its contract, a handler or its audience does not compile. */
export const defineNoun = <A extends Api>({ routes, ...noun }: Declaration<A>): Noun => ({
  ...noun,
  serve: (app, server, services, base) =>
    serve(app, server, base, noun.api, typeof routes === 'function' ? routes(services) : routes),
})
