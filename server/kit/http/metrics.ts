import { Counter, Gauge, type Registry } from 'prom-client'

/** A measured value with its labels. */
export interface Sample {
  readonly labels?: { readonly [name: string]: string }
  readonly value: number
}
/** A value that is measured when Prometheus asks. The name of a counter ends with `_total`. */
export interface Metric {
  readonly name: `muster_${string}`
  readonly help: string
  readonly samples: readonly Sample[]
}

/** Replaces metrics of a registry, so that samples of the last time do not stay. */
export function setMetrics(registry: Registry, metrics: readonly Metric[]): void {
  for (const { name, help, samples } of metrics) {
    registry.removeSingleMetric(name)
    if (samples.length === 0) continue
    const parts = { name, help, labelNames: Object.keys(samples[0]!.labels ?? {}), registers: [registry] }
    const metric = name.endsWith('_total') ? new Counter(parts) : new Gauge(parts)
    for (const { labels = {}, value } of samples) metric.inc({ ...labels }, value)
  }
}
