import { setTimeout } from 'node:timers/promises'

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

import { SECOND } from './clock.ts'
import type { Database } from './db.ts'
import { Refusal } from './refusal.ts'
import { sameBytes } from './secrets.ts'
import { isLoopback, type Settings } from './settings.ts'

/**
 * Whether whoever asks is on this machine. A proxy in front may be too, so what it passes on does not count; and a
 * page from elsewhere, whose name was pointed here, does not either: it is known by that name.
 */
export function fromThisMachine(request: FastifyRequest): boolean {
  const addresses = [request.socket.remoteAddress, request.ip].map(
    (one) => one?.replace(/^::ffff:/, '') ?? '',
  )
  const name = request.hostname.replace(/^.*\.localhost$/, 'localhost')
  return (
    [...addresses, name].every(isLoopback) &&
    !request.headers['x-forwarded-for'] &&
    !request.headers.forwarded
  )
}

export interface HealthParts {
  readonly database: Database
  readonly settings: Pick<Settings, 'metricsToken'>
  /** What somebody has to look after, although calls are answered. */
  readonly warnings: () => readonly string[]
}

/**
 * `/health/live`, `/health/ready` and `/metrics` for whoever runs the server: from this machine, or with METRICS_TOKEN.
 * To everybody else they do not exist.
 */
export function registerHealth(app: FastifyInstance, { database, settings, warnings }: HealthParts): void {
  const registry = new Registry()
  // As seldom as serves: looking at the event loop wakes it.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 })
  const durations = new Histogram({
    name: 'muster_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  })
  const connections = new Gauge({
    name: 'muster_database_connections',
    help: 'Connections to the database',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'open' }, database.pool.totalCount)
      this.set({ state: 'idle' }, database.pool.idleCount)
      this.set({ state: 'waiting' }, database.pool.waitingCount)
    },
  })
  void connections

  app.addHook('onResponse', async (request, reply) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
    }
    durations.observe(labels, reply.elapsedTime / 1_000)
  })

  const guarded = {
    onRequest: async (request: FastifyRequest): Promise<void> => {
      const wanted = settings.metricsToken
      const given = request.headers.authorization ?? ''
      const proven = wanted !== null && sameBytes(Buffer.from(given), Buffer.from(`Bearer ${wanted}`))
      if (!proven && !fromThisMachine(request)) throw new Refusal(404, 'There is nothing here.')
    },
  }
  app.get('/health/live', guarded, async () => ({ status: 'live' }))
  app.get('/health/ready', guarded, async ({ log }) => {
    try {
      await Promise.race([database.pool.query('select 1'), overdue()])
    } catch (error) {
      log.error(error, 'not ready')
      throw new Refusal(503, 'The database does not answer.')
    }
    // Still ready: one lost file is no reason to take the product away from everybody.
    const known = warnings()
    return { status: 'ready', ...(known.length > 0 ? { warnings: known } : {}) }
  })
  app.get('/metrics', guarded, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}

const PATIENCE = 3 * SECOND
async function overdue(): Promise<never> {
  await setTimeout(PATIENCE, undefined, { ref: false })
  throw new Error('The database took too long.')
}
