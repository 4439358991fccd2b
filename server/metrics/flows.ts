import { listOutages } from '#server/carrier-outages/store.ts'
import { diskOf } from '#server/instance/flows.ts'
import { findDatabase, listQueues } from '#server/instance/store.ts'
import { clock, DAY, HOUR, MINUTE, SECOND } from '#server/kit/core/clock.ts'
import { VERSION } from '#server/kit/core/version.ts'
import type { EventActor, ProviderDb } from '#server/kit/database/db.ts'
import type { Bus } from '#server/kit/events/bus.ts'
import type { Metric, Sample } from '#server/kit/http/metrics.ts'
import type { Services } from '#server/kit/services.ts'
import { countNearLimits } from '#server/managed-organisations/store.ts'
import { countDeliveries } from '#server/webhooks/store.ts'

import { countMessages, countOrganisations, findWaiting } from './store.ts'

const SYSTEM: EventActor = { kind: 'system', id: null, name: 'metrics' }
/** Quotas are counted for every organisation, so they are measured less often than they are asked for. */
const QUOTAS_EVERY = 5 * MINUTE

const one = (value: number): Sample[] => [{ value }]
const flag = (value: boolean): Sample[] => one(value ? 1 : 0)

async function queueMetrics(db: ProviderDb): Promise<Metric[]> {
  const queues = await listQueues(db)
  const samples = queues.flatMap(({ name: queue, waiting, active, failed }) =>
    Object.entries({ waiting, active, failed }).map(([state, value]) => ({
      labels: { queue, state },
      value,
    })),
  )
  return [{ name: 'muster_jobs', help: 'Jobs by queue and state; failed ones of the last day', samples }]
}

async function messageMetrics(db: ProviderDb): Promise<Metric[]> {
  const now = clock.now()
  const ago = (ms: number) => new Date(now - ms).toISOString()
  const waiting = await findWaiting(db, { now: ago(0), since: ago(DAY) })
  const lastHour = await countMessages(db, ago(HOUR))
  const outages = await listOutages(db)
  const byChannel = (valueOf: (row: (typeof waiting)[number]) => number) =>
    waiting.map((row) => ({ labels: { channel: row.channel }, value: valueOf(row) }))
  return [
    {
      name: 'muster_messages_waiting',
      help: 'Messages of the last day that no carrier has taken',
      samples: byChannel((row) => row.waiting),
    },
    {
      name: 'muster_messages_oldest_waiting_seconds',
      help: 'Age of the oldest message that waits',
      samples: byChannel((row) => row.seconds),
    },
    {
      name: 'muster_messages_refused_by_carrier',
      help: 'Messages that wait because their carrier failed',
      samples: byChannel((row) => row.troubled),
    },
    {
      name: 'muster_carrier_outage',
      help: '1 while a carrier of the channel takes nothing',
      samples: byChannel(({ channel }) => (outages.some((outage) => outage.channel === channel) ? 1 : 0)),
    },
    {
      name: 'muster_messages_last_hour',
      help: 'Messages that were made in the last hour',
      samples: lastHour.map(({ channel, state, total }) => ({ labels: { channel, state }, value: total })),
    },
  ]
}

async function webhookMetrics(db: ProviderDb): Promise<Metric[]> {
  const { waiting, failed, switchedOff } = await countDeliveries(db)
  return [
    {
      name: 'muster_webhook_deliveries',
      help: 'Kept deliveries of webhooks by state',
      samples: [
        { labels: { state: 'waiting' }, value: waiting },
        { labels: { state: 'failed' }, value: failed },
      ],
    },
    {
      name: 'muster_webhooks_switched_off',
      help: 'Webhooks that failures switched off',
      samples: one(switchedOff),
    },
  ]
}

async function organisationMetrics(db: ProviderDb): Promise<Metric[]> {
  const { open, closed } = await countOrganisations(db)
  const near = await countNearLimits(db)
  return [
    {
      name: 'muster_organisations',
      help: 'Organisations; closed ones are suspended or deleted',
      samples: [
        { labels: { state: 'open' }, value: open },
        { labels: { state: 'closed' }, value: closed },
      ],
    },
    {
      name: 'muster_organisations_near_limit',
      help: 'Organisations that use nine tenths of a quota or more',
      samples: near.map(({ limit, total }) => ({ labels: { limit: limit.toLowerCase() }, value: total })),
    },
  ]
}

async function storageMetrics(db: ProviderDb, dataDir: string): Promise<Metric[]> {
  const { bytes, clockSkewMs } = await findDatabase(db)
  const disk = await diskOf(dataDir)
  const space: Metric[] = disk
    ? [
        {
          name: 'muster_disk_free_bytes',
          help: 'Free space for the data folder',
          samples: one(disk.freeBytes),
        },
        { name: 'muster_disk_bytes', help: 'Size of the disk of the data folder', samples: one(disk.bytes) },
      ]
    : []
  return [
    ...space,
    { name: 'muster_database_bytes', help: 'Size of the database', samples: one(bytes) },
    {
      name: 'muster_database_clock_skew_seconds',
      help: 'Lead of the clock of the database over that of the process',
      samples: one(clockSkewMs / SECOND),
    },
  ]
}

/** Parts of the process that are measured. */
export interface MeasuredParts {
  readonly services: Pick<Services, 'database' | 'settings' | 'backups'>
  readonly bus: Pick<Bus, 'statistics'>
  readonly people: { readonly size: number }
  readonly console: { readonly size: number }
  readonly warnings: () => readonly string[]
}

function processMetrics({ services, bus, people, console, warnings }: MeasuredParts): Metric[] {
  const newest = services.backups.state()?.newestTimestamp
  const { isConnected, published, received } = bus.statistics()
  return [
    {
      name: 'muster_info',
      help: 'Version of the product',
      samples: [{ labels: { version: VERSION }, value: 1 }],
    },
    {
      name: 'muster_sockets',
      help: 'Open live sockets of this process',
      samples: [
        { labels: { application: 'people' }, value: people.size },
        { labels: { application: 'console' }, value: console.size },
      ],
    },
    {
      name: 'muster_bus_connected',
      help: '1 while notifications of other processes arrive',
      samples: flag(isConnected),
    },
    {
      name: 'muster_bus_notifications_total',
      help: 'Notifications to and from other processes',
      samples: [
        { labels: { direction: 'published' }, value: published },
        { labels: { direction: 'received' }, value: received },
      ],
    },
    {
      name: 'muster_backup_age_seconds',
      help: 'Age of the newest planned backup; no value without one',
      samples: newest ? one((clock.now() - Date.parse(newest)) / SECOND) : [],
    },
    {
      name: 'muster_warnings',
      help: 'Warnings of /health/ready, which has their sentences',
      samples: one(warnings().length),
    },
  ]
}

/**
 * Returns the function that measures the installation for `/metrics`. Without a database it measures the process alone,
 * and `muster_database_up` is 0.
 */
export function measuring(parts: MeasuredParts): () => Promise<Metric[]> {
  const { database, settings } = parts.services
  let organisations: { at: number; metrics: Metric[] } | undefined
  const ofDatabase = (db: ProviderDb) =>
    [
      () => queueMetrics(db),
      () => messageMetrics(db),
      () => webhookMetrics(db),
      () => storageMetrics(db, settings.dataDir),
      async () => {
        const now = clock.now()
        if (!organisations || now - organisations.at >= QUOTAS_EVERY)
          organisations = { at: now, metrics: await organisationMetrics(db) }
        return organisations.metrics
      },
    ] as const
  return async () => {
    const up = (isUp: boolean): Metric => ({
      name: 'muster_database_up',
      help: '1 if the database answered',
      samples: flag(isUp),
    })
    try {
      const measured = await database.withProvider(SYSTEM, async (db) => {
        const metrics: Metric[] = []
        for (const read of ofDatabase(db)) metrics.push(...(await read()))
        return metrics
      })
      return [up(true), ...processMetrics(parts), ...measured]
    } catch {
      return [up(false), ...processMetrics(parts)]
    }
  }
}
