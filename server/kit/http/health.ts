import { setTimeout } from 'node:timers/promises'

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

import { SECOND } from '../core/clock.ts'
import type { Database } from '../database/db.ts'
import { databaseUnavailable } from '../database/outages.ts'
import { Refusal } from '../core/refusal.ts'
import { sameText } from '../security/secrets.ts'
import { isLoopback } from '../core/hosts.ts'
import { isBehindProxy, type Settings } from '../core/settings.ts'
import { type Metric, setMetrics } from './metrics.ts'

/** Headers that a forwarding proxy adds. */
const FORWARDING =
  /^(?:forwarded|via|x-forwarded|x-real-ip|true-client-ip)$|^(?:x-forwarded|x-client|x-original|x-envoy|cf)-./

/**
 * True for a request from this machine itself. False for requests through a local proxy, recognised by a header or, as
 * with nginx's default, by HTTP/1.0; and for a page whose host name resolves here (DNS rebinding), recognised by the
 * Host header.
 */
export function fromThisMachine(request: FastifyRequest): boolean {
  return (
    isLoopback(request.socket.remoteAddress ?? '') &&
    isLoopback(request.hostname) &&
    request.raw.httpVersion !== '1.0' &&
    !Object.keys(request.headers).some((name) => FORWARDING.test(name))
  )
}

export interface HealthParts {
  readonly database: Database
  readonly settings: Pick<Settings, 'metricsToken' | 'publicUrl' | 'trustProxy'>
  /** Problems that need attention although requests succeed. */
  readonly warnings: () => readonly string[]
  /** Metrics of the installation, beside those of the process and its requests. */
  readonly measure: () => Promise<readonly Metric[]>
  /** Planned backups; their state is null without a plan. */
  readonly backups: { readonly state: () => { readonly newestTimestamp: string | null } | null }
}

/**
 * `/health/live`, `/health/ready` and `/metrics` for the operator: with METRICS_TOKEN, or from this machine while no
 * proxy is expected. 404 for everybody else.
 */
export function registerHealth(
  app: FastifyInstance,
  { database, settings, warnings, measure, backups }: HealthParts,
): void {
  const registry = new Registry()
  // A coarse interval, because each measurement wakes the event loop.
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
      const proven = wanted !== null && sameText(given, `Bearer ${wanted}`)
      const local = !isBehindProxy(settings) && fromThisMachine(request)
      if (!proven && !local) throw new Refusal(404, 'There is nothing here.')
    },
  }
  app.get('/health/live', guarded, async () => ({ status: 'live' }))
  app.get('/health/ready', guarded, async ({ log }) => {
    try {
      await Promise.race([database.pool.query('select 1'), overdue()])
    } catch (error) {
      log.error(error, 'not ready')
      throw databaseUnavailable()
    }
    // Still ready: one lost file must not take the product offline.
    const known = warnings()
    const newest = backups.state()?.newestTimestamp
    return {
      status: 'ready',
      ...(newest ? { newestBackup: newest } : {}),
      ...(known.length > 0 ? { warnings: known } : {}),
    }
  })
  app.get('/metrics', guarded, async (_request, reply) => {
    setMetrics(registry, await measure())
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

const PATIENCE = 3 * SECOND
async function overdue(): Promise<never> {
  await setTimeout(PATIENCE, undefined, { ref: false })
  throw new Error('The database took too long.')
}
