import { createHash } from 'node:crypto'

import type { Alert, AlertmanagerCall } from '#contract/declaration-calls/schema.ts'
import { severityOf } from '#contract/declarations/rules.ts'
import { SEVERITY_WORDS } from '#contract/declarations/schema.ts'
import type { Severity } from '#contract/incidents/schema.ts'
import { cut } from '#contract/kit/cut.ts'
import { isBlank, SHORT_TEXT_MAX } from '#contract/kit/text.ts'

/** Characters of all alerts together: escaped, a text of ours holds them. */
const TEXT_MAX = 4_000
const VALUE_MAX = 400
const LABELS_MAX = 30

/** A value that can be stored, on one line. */
const cleaned = (value: string): string =>
  value
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
const said = (...candidates: readonly (string | undefined)[]): string | undefined =>
  candidates.map((one) => cleaned(one ?? '')).find((one) => !isBlank(one))
const own = (values: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** Title of an incident: the summary of the alerts, or their name. */
export function titleOf({ commonAnnotations, commonLabels, alerts }: AlertmanagerCall): string {
  const [first] = alerts
  const title = said(
    own(commonAnnotations, 'summary'),
    own(first?.annotations ?? {}, 'summary'),
    own(commonLabels, 'alertname'),
    own(first?.labels ?? {}, 'alertname'),
  )
  return cut(title ?? 'Alert of the monitoring', SHORT_TEXT_MAX)
}

/** The most severe of the alerts. */
export function severityOfAlerts(source: Parameters<typeof severityOf>[0], call: AlertmanagerCall): Severity {
  const named = new Set(call.alerts.map(({ labels }) => severityOf(source, own(labels, 'severity'))))
  return SEVERITY_WORDS.map(([severity]) => severity).find((one) => named.has(one))!
}

function lineOf({ status, labels, annotations }: Alert): string {
  const name = said(own(annotations, 'summary'), own(labels, 'alertname')) ?? 'Alert'
  const pairs = Object.entries(labels)
    .slice(0, LABELS_MAX)
    .map(([label, value]) => `${cut(cleaned(label), VALUE_MAX)}=${cut(cleaned(value), VALUE_MAX)}`)
  const left = Object.keys(labels).length - pairs.length
  return `${status === 'firing' ? 'Firing' : 'Resolved'}: ${cut(name, VALUE_MAX)} (${pairs.join(', ')}${left > 0 ? `, and ${left} more labels` : ''})`
}

/** The alerts with their labels, one a line, as many as a text of ours holds. */
export function linesOf({ alerts }: Pick<AlertmanagerCall, 'alerts'>): string[] {
  const lines: string[] = []
  let length = 0
  for (const alert of alerts) {
    const line = cut(lineOf(alert), TEXT_MAX)
    length += line.length
    if (length > TEXT_MAX && lines.length > 0) break
    lines.push(line)
  }
  const left = alerts.length - lines.length
  return left > 0 ? [...lines, `And ${left} more ${left === 1 ? 'alert' : 'alerts'}.`] : lines
}

export const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url')

/** The state that a call reports, equal for a repeated call and for alerts that stand in it twice. */
export function stateOf({ status, alerts }: AlertmanagerCall): string {
  const each = alerts.map(({ labels, startsAt, endsAt, ...alert }) => {
    const sorted = Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return hashOf([alert.status, sorted, startsAt, alert.status === 'resolved' ? endsAt : ''])
  })
  return hashOf([status, [...new Set(each)].toSorted()])
}

/** The alerts of a call without those that stand in it twice. */
export const withoutDoubles = (call: AlertmanagerCall): AlertmanagerCall => {
  const known = new Map(
    call.alerts.map((alert) => [hashOf([alert.status, alert.labels, alert.startsAt]), alert]),
  )
  return { ...call, alerts: [...known.values()] }
}
